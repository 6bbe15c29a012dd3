/// The error of `cuda:multichannel-fp16x3` beside that of serial f32 sums, where its sums are cut as its
/// error bound has it. What a device's tensor cores do is
/// tests/kernels/cuda/multichannel/multichannel_accuracy_test.cpp's to say.
#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "kernels/planner/cuda_choice.h"
#include "tests/kernels/cuda/on_host/engines_on_host.h"
#include "tests/kernels/cuda/on_host/fake_device.h"
#include "tests/kernels/cuda/sum_error.h"
#include "tests/support/test_names.h"

namespace bankside {
namespace {

class MultichannelError : public ::testing::TestWithParam<ElementType> {};

/// The shortest sums that the planner takes, and longer ones. Dim f32 images have pixels of all magnitudes
/// down to 2^-20 of the largest: of those below 2^-17 bits are lost, and the error is held against the
/// image's largest sum, as the engine's bound is.
TEST_P(MultichannelError, IsThatOfSerialF32Sums) {
  on_host::setCutSums(true);
  on_host::setSeed(0);
  on_host::setMultiprocessors(132);
  constexpr std::pair<const char*, int> tried[] = {{"3", 192}, {"3x5", 192}, {"1", 320}, {"2", 192},
                                                   {"5", 33},  {"7", 17},    {"15", 2}};
  for (const auto& [size, channels] : tried) {
    const ConvolutionProblem p = parseProblem("c" + std::to_string(channels) + "h20w36-f8k" + size +
                                              "-reflect101-" + toString(GetParam()) + ":f32-none");
    for (const TapSigns signs : {TapSigns::Both, TapSigns::Positive}) {
      const FilterBank bank = bankOfSigns(p, signs, 3);
      for (const PixelRange range : {PixelRange::Even, PixelRange::Dim}) {
        const bool dim = range == PixelRange::Dim;
        if (dim && GetParam() != ElementType::F32) continue;
        const Image image = imageOfRange(p, range, 4);
        const double split = worstError(*engineOnHost("cuda:multichannel-fp16x3"), p, bank, image, !dim);
        const double serial = worstError(*engineOnHost("cuda:multichannel"), p, bank, image, !dim,
                                         {.precision = Precision::Exact});
        const std::string cell = std::string("k") + size + "_c" + std::to_string(channels) +
                                 (signs == TapSigns::Both ? "" : "_positive") + (dim ? "_dim" : "");
        RecordProperty(cell, std::to_string(split / serial));
        EXPECT_LE(split, serial) << format(p) << " " << cell;
      }
    }
  }
  on_host::setCutSums(false);
}

class MultichannelTiles : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    on_host::setSeed(0);
    on_host::setMultiprocessors(132);
  }
  void TearDown() override { on_host::setMultiprocessors(132); }

  static std::vector<Image> results(const ConvolutionProblem& p, const Image& image) {
    return runWhole(*engineOnHost(GetParam()), p,
                    randomBank(p.filterCount, p.channels, p.filterHeight, p.filterWidth, 3), image);
  }
};

/// What far larger pixels lie elsewhere does not matter to a tile that meets none, nor that its own grow from
/// slab to slab of channels.
TEST_P(MultichannelTiles, HaveScalesOfTheirOwn) {
  const ConvolutionProblem p = parseProblem("c40h20w64-f8k3-constant-f32:f32-none");
  constexpr int dark = 24;  // the first tiles' pixels and more
  Image one = randomImage(p.channels, p.height, p.width, p.srcType, 4);
  Image other = randomImage(p.channels, p.height, p.width, p.srcType, 4);
  for (int c = 0; c < p.channels; ++c)
    for (int y = 0; y < p.height; ++y)
      for (int x = 0; x < p.width; ++x) {
        const float scale = std::exp2(static_cast<float>(c / 16 * 5));
        one.view<float>(c).row(y)[x] *= x < dark ? scale * 1e-15f : 1e15f;
        other.view<float>(c).row(y)[x] *= x < dark ? scale * 1e-15f : 0.0f;
      }
  const std::vector<Image> here = results(p, one);
  const std::vector<Image> alone = results(p, other);
  for (int f = 0; f < p.filterCount; ++f)
    for (int y = 0; y < p.height; ++y) {
      const float* const row = here[static_cast<std::size_t>(f)].view<float>(0).row(y);
      const float* const expected = alone[static_cast<std::size_t>(f)].view<float>(0).row(y);
      for (int x = 0; x < 16; ++x) {
        ASSERT_EQ(row[x], expected[x]) << f << ": " << x << ", " << y;
        ASSERT_NE(row[x], 0.0f) << f << ": " << x << ", " << y;
      }
    }
  EXPECT_LE(worstError(*engineOnHost(GetParam()), p,
                       randomBank(p.filterCount, p.channels, p.filterHeight, p.filterWidth, 3), one, false),
            0x1p-9);
}

/// A block makes one tile or many; results are the same.
TEST_P(MultichannelTiles, DoNotDependOnHowManyABlockMakes) {
  for (const char* text :
       {"c16h40w72-f70k3-reflect101-f32:f32-none", "c17h96w176-f2k3-wrap-u8:u8-none",
        "c17h96w176-f2k5x2-constant=3-f16:f16-none", "c5h40w50-f70k11-replicate-u16:f32-max"}) {
    const ConvolutionProblem p = parseProblem(text);
    const Image image = randomImage(p.channels, p.height, p.width, p.srcType, 4);
    const std::vector<Image> expected = results(p, image);
    on_host::setMultiprocessors(3);
    const std::vector<Image> got = results(p, image);
    for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_TRUE(samePixels(got[i], expected[i])) << text;
    on_host::setMultiprocessors(132);
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, MultichannelTiles,
                         ::testing::Values("cuda:multichannel-fp16x3", "cuda:multichannel-fp16"),
                         [](const auto& i) { return i.index == 0 ? "fp16x3" : "fp16"; });

INSTANTIATE_TEST_SUITE_P(Types, MultichannelError,
                         ::testing::Values(ElementType::U8, ElementType::U16, ElementType::F16,
                                           ElementType::F32),
                         [](const auto& type) { return std::string(toString(type.param)); });

}  // namespace
}  // namespace bankside
