/// Images of several tiles, with tiles inside that meet no border: the conformance list has few of them.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <tuple>

#include "core/error.h"
#include "core/judge/conformance.h"
#include "core/made_input.h"
#include "kernels/cuda/runtime/device_pass.h"
#include "kernels/reference/reference_engine.h"
#include "tests/kernels/cuda/on_host/engines_on_host.h"
#include "tests/kernels/cuda/on_host/fake_device.h"
#include "tests/support/test_names.h"

namespace bankside {
namespace {

/// On a small device and on a large one, which split their work differently and add in two ways.
void expectConformance(const std::string& engine, const std::string& text) {
  const ConvolutionProblem problem = parseProblem(text);
  for (const MadePixels pixels : {MadePixels::Integers, MadePixels::Random, MadePixels::NonFinite}) {
    if (!applies(pixels, problem)) continue;
    const bool integers = pixels == MadePixels::Integers;
    on_host::setMultiprocessors(integers ? 2 : 132);
    on_host::setCutSums(!integers);
    on_host::setSeed(hash(problem) + static_cast<std::uint64_t>(pixels));
    const ConformanceResult result =
        checkConformance(*engineOnHost(engine), *makeReferenceEngine(), problem, pixels);
    EXPECT_TRUE(result.passed) << engine << " (" << toString(result.plan) << "): " << result.sentence;
  }
}

/// As the device benchmarks start it: a whole image without copies, no row resolved before.
void expectPass(const std::string& engine, const std::string& text, bool notFinite = false) {
  const ConvolutionProblem p = parseProblem(text);
  const auto& device = dynamic_cast<const DeviceEngine&>(*engineOnHost(engine));
  const FilterBank bank = withAnchor(
      randomBank(p.filterCount, p.tapChannels(), p.filterHeight, p.filterWidth, 5), p.anchorX, p.anchorY);
  const Image image = notFinite ? nonFiniteImage(p.channels, p.height, p.width, p.srcType, 6)
                                : randomImage(p.channels, p.height, p.width, p.srcType, 6);
  const auto pass = device.preparePass(p, bank);
  std::vector<std::byte> src;
  for (int c = 0; c < p.channels; ++c) {
    for (int y = 0; y < p.height; ++y) {
      const std::byte* row = image.plane(c).row(y);
      src.insert(src.end(), row, row + static_cast<std::size_t>(p.width) * sizeOf(p.srcType));
    }
  }
  // As a device aligns them.
  struct alignas(256) Unit {
    std::byte bytes[256];
  };
  std::vector<Unit> from(src.size() / sizeof(Unit) + 1);
  std::copy(src.begin(), src.end(), from.front().bytes);
  std::vector<Unit> to(pass->resultBytes() / sizeof(Unit) + 1);
  pass->start(from.data(), to.data(), nullptr);
  std::vector<Image> out;
  const auto types = outputPlanes(p);
  for (std::size_t i = 0; i < types.size(); ++i) {
    const DevicePass::Plane plane = pass->plane(static_cast<int>(i));
    Image made(1, p.height, p.width, types[i]);
    for (int y = 0; y < p.height; ++y) {
      const std::byte* row = to.front().bytes + plane.offset + static_cast<std::size_t>(y) * plane.rowBytes;
      std::copy(row, row + static_cast<std::size_t>(p.width) * sizeOf(types[i]), made.plane(0).row(y));
    }
    out.push_back(std::move(made));
  }
  ImageSource source(image);
  const Verification v = verify(p, bank, source, wholeImage(p), out, pass->errorBound(), 1);
  EXPECT_TRUE(v.passed) << engine << " on " << text << ": " << v.place();
}

using EngineAndProblem = std::tuple<std::string, std::string>;

std::string nameOf(const ::testing::TestParamInfo<EngineAndProblem>& info) {
  return testing::asTestName(std::get<0>(info.param) + "_" + std::get<1>(info.param));
}

class LargeImages : public ::testing::TestWithParam<EngineAndProblem> {};

TEST_P(LargeImages, Conform) {
  const auto& [engine, text] = GetParam();
  expectConformance(engine, text);
  if (engineOnHost(engine)->supports(parseProblem(text))) expectPass(engine, text);
}

std::vector<EngineAndProblem> everyCase() {
  std::vector<EngineAndProblem> list;
  const auto add = [&](const char* engine, std::initializer_list<const char*> problems) {
    for (const char* problem : problems) list.emplace_back(engine, problem);
  };
  add("cuda:single-channel",
      {"c1h70w420-f3k1-reflect101-u8:u8-none", "c1h70w420-f1k3-wrap-u16:u16-none",
       "c1h70w420-f9k3-reflect101-f16:f32-max", "c1h70w420-f1k5-replicate-f32:f32-none",
       "c1h70w420-f5k5-constant-u8:f32-argmax", "c1h70w420-f4k7-reflect-u16:f16-none",
       "c1h70w420-f5k9-reflect101-u8:f32-magnitude", "c1h70w420-f5k11-reflect101-f32:f32-argmax",
       "c1h70w420-f2k13a0x12-wrap-f16:f16-none", "c1h70w420-f3k17-reflect-u8:f32-mean"});
  add("cuda:single-channel-paper",
      {"c1h70w620-f3k3-reflect101-u8:u8-none", "c1h70w620-f3k5-wrap-u16:f32-none",
       "c1h70w620-f2k7-replicate-f32:f32-none", "c1h70w620-f2k1-constant-f16:f16-none"});
  add("cuda:multichannel", {"c5h40w100-f9k3-reflect101-f32:f32-none", "c9h40w100-f33k5-wrap-f32:f32-max",
                            "c16h20w36-f12k3-reflect-f32:f32-none", "c64h12w20-f8k3-constant-f32:u8-none"});
  add("cuda:multichannel-paper", {"c5h40w100-f9k5-reflect101-u8:f32-argmax"});
  add("cuda:multichannel-fp16x3",
      {"c5h20w72-f9k3-reflect101-f32:f32-none", "c32h12w36-f65k3-wrap-f32:f32-none",
       "c17h20w40-f9k5-reflect101-f32:f32-none", "c32h12w36-f65k7x4-wrap-u8:f32-max"});
  // Every kernel of `cuda:tensor`: 24 and 64 columns, tap rows paired and not, one and two sweeps, rows
  // stacked, values and indices kept.
  add("cuda:tensor",
      {"c1h41w172-f1k3-reflect101-u8:u8-none", "c1h41w172-f5k7-wrap-u8:f32-none",
       "c1h41w172-f12k7-reflect101-u8:f32-max", "c1h41w172-f13k9-constant-u8:f32-argmax",
       "c1h41w172-f33k8-reflect101-u8:f32-sum", "c1h41w172-f33k9x4-reflect-f16:f16-none",
       "c1h41w172-f2k15-reflect101-f16:f32-absmax", "c1h41w172-f12k16-replicate-f16:f32-argmax",
       "c1h41w172-f1k17-reflect101-u16:u16-none", "c1h41w172-f5k9-reflect101-u16:f32-mean",
       "c1h41w172-f13k4-wrap-u16:f32-none", "c1h41w172-f3k31-reflect101-u16:f32-max",
       "c1h41w172-f1k7-reflect101-f32:f32-magnitude", "c1h41w172-f5k12-reflect-f32:f32-argmax",
       "c1h41w172-f13k5-reflect101-f32:f32-magnitude", "c1h41w172-f2k31-constant-f32:f32-none"});
  // Several blocks of taps, many short chunks.
  add("cuda:tensor", {"c1h512w40-f12k7-reflect101-u8:f32-none", "c1h512w40-f12k7-wrap-u8:f32-max",
                      "c1h512w40-f12k7-reflect-f16:f32-none", "c1h1000w40-f12k7-reflect101-u8:f32-argmax"});
  // Combined in passes, with taps of one and of two in shared memory; constants that pixels hold and not.
  add("cuda:tensor",
      {"c1h41w172-f5k31-reflect101-f32:f32-argmax", "c1h41w172-f80k15-reflect101-u8:f32-argmax",
       "c1h41w172-f40k21-wrap-u16:f32-max", "c1h41w1172-f2k7-constant=7-u16:f32-none",
       "c1h41w1172-f2k7-constant=-2.5-u8:f32-none", "c1h41w1172-f3k5-constant=300-f32:f32-none"});
  // One product of a tap and a pixel: of types that halves hold and that are rounded, in passes, in chunks.
  add("cuda:tensor-fp16",
      {"c1h41w172-f1k3-reflect101-u8:u8-none", "c1h41w172-f5k7-wrap-u16:f32-none",
       "c1h41w172-f13k9-constant=7-u16:f32-argmax", "c1h41w172-f33k8-reflect101-f32:f32-sum",
       "c1h41w172-f33k9x4-reflect-f16:f16-none", "c1h41w172-f80k15-reflect101-f32:f32-argmax",
       "c1h41w172-f40k21-wrap-u8:f32-max", "c1h41w172-f2k31-constant=-2.5-f32:f32-none",
       "c1h512w40-f12k7-reflect101-f32:f32-none", "c1h1000w40-f12k7-reflect101-u8:f32-argmax"});
  // Several tiles, several batches of them, filters larger than the image.
  add("cuda:fft", {"c1h41w1503-f2k7-reflect101-u8:u8-none", "c1h301w90-f3k9x4a0x3-wrap-u16:f32-max",
                   "c1h41w1503-f2k31-constant=7-f16:f16-none", "c1h70w420-f2k63-reflect-f32:f32-argmax",
                   "c1h20w30-f2k127-reflect101-f32:f32-magnitude", "c1h8w4001-f150k3-replicate-u8:f32-mean"});
  return list;
}

/// A pixel that halves cannot take, in the middle of a block's walk: what lies some chunks away stays as it
/// is, and nothing that does not see it is strange.
TEST(StrangePixel, ChangesNothingFarAway) {
  on_host::setMultiprocessors(1);
  on_host::setCutSums(false);
  on_host::setSeed(7);
  // Rounded halves differ more from f32.
  for (const auto& [name, type, near] : {std::tuple{"cuda:tensor", "f32", 2e-3},
                                         {"cuda:tensor", "f16", 2e-3},
                                         {"cuda:tensor-fp16", "f32", 2e-2},
                                         {"cuda:tensor-fp16", "f16", 2e-2}}) {
    const Engine& engine = *engineOnHost(name);
    const ConvolutionProblem p = parseProblem(std::string("c1h400w90-f3k7-reflect101-") + type + ":f32-none");
    const FilterBank bank = randomBank(3, 1, 7, 7, 5);
    const Image image = randomImage(1, p.height, p.width, p.srcType, 6);
    const std::vector<Image> plain = runWhole(engine, p, bank, image);
    for (const float strange : {NAN, INFINITY, 0x1p-60f}) {
      if (p.srcType == ElementType::F16 && strange == 0x1p-60f) continue;
      Image with = image.clone();
      if (p.srcType == ElementType::F16) {
        with.view<Half>(0).row(200)[40] = toHalf(strange);
      } else {
        with.view<float>(0).row(200)[40] = strange;
      }
      const std::vector<Image> out = runWhole(engine, p, bank, with);
      for (std::size_t f = 0; f < out.size(); ++f) {
        for (int y = 0; y < p.height; ++y) {
          const auto row = out[f].view<float>(0).row(y);
          const auto before = plain[f].view<float>(0).row(y);
          for (int x = 0; x < p.width; ++x) {
            if (y < 160 || y > 260) {
              ASSERT_EQ(row[x], before[x]) << type << " " << strange << " row " << y;
            }
            const bool sees = std::abs(y - 200) <= 3 && std::abs(x - 40) <= 3;
            if (!sees) {
              ASSERT_NEAR(row[x], before[x], near) << name << " " << type << " " << strange << " row " << y;
            } else if (strange != 0x1p-60f) {
              ASSERT_FALSE(std::isfinite(row[x])) << type << " " << strange << " row " << y;
            }
          }
        }
      }
    }
  }
}

/// As judged against the exact responses, by the engine's own bound.
void expectRight(const std::string& name, const ConvolutionProblem& p, const FilterBank& bank,
                 const Image& image, const std::string& what) {
  const Engine& engine = *engineOnHost(name);
  const auto plan = engine.prepare(p, bank, {});
  std::vector<Image> out = runWhole(engine, p, bank, image);
  ImageSource source(image);
  const Verification v = verify(p, bank, source, wholeImage(p), out, plan->traits().errorBound, 1);
  EXPECT_TRUE(v.passed) << name << ", " << what << ": " << v.place();
}

/// Values that break assumptions about pixels: each is right, whoever computes it.
TEST(HostileValues, AreRight) {
  on_host::setMultiprocessors(1);
  on_host::setCutSums(false);
  for (const char* name : {"cuda:tensor", "cuda:tensor-fp16", "cuda:fft"}) {
    for (const char* shape :
         {"c1h150w300-f3k7-reflect101-f32:f32-none", "c1h90w150-f13k9-constant=3-f32:f32-max",
          "c1h90w150-f5k4x9-wrap-f16:f32-argmax", "c1h60w100-f2k1-replicate-f32:f32-none"}) {
      const ConvolutionProblem p = parseProblem(shape);
      const FilterBank bank = randomBank(p.filterCount, 1, p.filterHeight, p.filterWidth, 5);
      for (const std::string& values : pixelValues()) {
        if (holdsValues(p.srcType, values))
          expectRight(name, p, bank, imageOfValues(values, p.height, p.width, p.srcType),
                      values + " " + shape);
      }
    }
  }
}

/// Rows that begin anywhere, as a pass has them.
TEST(HostileValues, AreRightWhereRowsBeginAnywhere) {
  on_host::setMultiprocessors(1);
  on_host::setCutSums(false);
  expectPass("cuda:fft", "c1h41w303-f2k7-reflect101-f32:f32-none", true);
  expectPass("cuda:fft", "c1h41w303-f3k5-constant=7-f16:f32-argmax", true);
  expectPass("cuda:tensor", "c1h41w172-f3k7-reflect101-f32:f32-none", true);
}

/// What is left to direct sums has their very bytes, and little more than that is left.
TEST(HostileValues, OnlyWhatSeesThemIsSummedDirectly) {
  on_host::setMultiprocessors(1);
  on_host::setCutSums(false);
  const ConvolutionProblem p = parseProblem("c1h300w900-f3k7-reflect101-f32:f32-none");
  const FilterBank bank = randomBank(3, 1, 7, 7, 5);
  Image image = randomImage(1, p.height, p.width, p.srcType, 6);
  const std::vector<Image> before = runWhole(*engineOnHost("cuda:tensor"), p, bank, image);
  image.view<float>(0).row(150)[450] = 1e-30f;
  const std::vector<Image> direct = runWhole(*engineOnHost("cuda:single-channel"), p, bank, image);
  const std::vector<Image> after = runWhole(*engineOnHost("cuda:tensor"), p, bank, image);
  for (std::size_t f = 0; f < after.size(); ++f) {
    int changed = 0;
    for (int y = 0; y < p.height; ++y) {
      for (int x = 0; x < p.width; ++x) {
        const float value = after[f].view<float>(0).at(x, y);
        if (std::abs(x - 450) <= 3 && std::abs(y - 150) <= 3) {
          ASSERT_EQ(value, direct[f].view<float>(0).at(x, y)) << x << ", " << y;
        }
        changed += value != before[f].view<float>(0).at(x, y) ? 1 : 0;
      }
    }
    EXPECT_LE(changed, 4 * 256 * 32);
  }
}

/// Few pixels that halves cannot hold: where they are everywhere, direct sums do all results, else only some.
TEST(HostileValues, ABlockThatIsMostlyLeftIsLeftWhole) {
  on_host::setMultiprocessors(1);
  on_host::setCutSums(false);
  const ConvolutionProblem p = parseProblem("c1h300w900-f3k7-reflect101-f32:f32-none");
  const FilterBank bank = randomBank(3, 1, 7, 7, 5);
  for (const int rows : {300, 8}) {
    Image image = randomImage(1, p.height, p.width, p.srcType, 6);
    for (int y = 0; y < rows; ++y)
      for (int x = 32; x < p.width; x += 64) image.view<float>(0).row(y)[x] = x % 128 == 32 ? 1e-30f : NAN;
    const std::vector<Image> direct = runWhole(*engineOnHost("cuda:single-channel"), p, bank, image);
    const std::vector<Image> made = runWhole(*engineOnHost("cuda:tensor"), p, bank, image);
    int others = 0;
    for (std::size_t f = 0; f < made.size(); ++f)
      for (int y = 0; y < p.height; ++y)
        for (int x = 0; x < p.width; ++x) {
          const float one = made[f].view<float>(0).at(x, y);
          const float other = direct[f].view<float>(0).at(x, y);
          others += one != other && !(std::isnan(one) && std::isnan(other)) ? 1 : 0;
        }
    EXPECT_EQ(others > 0, rows == 8) << others;
  }
}

/// NaN for many rows, and none beside them.
TEST(HostileValues, WholeBlocksOfNaNAreNaN) {
  on_host::setMultiprocessors(1);
  on_host::setCutSums(false);
  for (const char* shape :
       {"c1h200w600-f3k7-reflect101-f32:f32-none", "c1h200w600-f2k9-replicate-f32:f32-max",
        "c1h200w600-f2k4x6-reflect101-f32:f32-none"}) {
    const ConvolutionProblem p = parseProblem(shape);
    const FilterBank bank = randomBank(p.filterCount, 1, p.filterHeight, p.filterWidth, 5);
    Image image = randomImage(1, p.height, p.width, p.srcType, 6);
    for (int y = 60; y < 140; ++y)
      for (int x = 0; x < p.width; ++x) image.view<float>(0).row(y)[x] = NAN;
    for (const char* name : {"cuda:tensor", "cuda:fft"}) {
      expectRight(name, p, bank, image, shape);
      const std::vector<Image> made = runWhole(*engineOnHost(name), p, bank, image);
      for (int y = 0; y < p.height; ++y)
        for (int x = 0; x < p.width; ++x)
          ASSERT_EQ(
              std::isnan(made[0].view<float>(0).at(x, y)),
              y > 59 - p.filterHeight + 1 + bank.filters()[0].anchorY && y < 140 + bank.filters()[0].anchorY)
              << name << " " << shape << " at " << x << ", " << y;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, LargeImages, ::testing::ValuesIn(everyCase()), nameOf);

}  // namespace
}  // namespace bankside
