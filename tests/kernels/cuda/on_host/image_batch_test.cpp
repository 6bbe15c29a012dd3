/// Several images in one launch of the multichannel kernels: the bytes of each are those that it has alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "core/error.h"
#include "core/judge/compare.h"
#include "core/made_input.h"
#include "kernels/cuda/multichannel/summed_bank.h"
#include "kernels/cuda/runtime/kernel_pass.h"
#include "tests/kernels/cuda/on_host/engines_on_host.h"
#include "tests/kernels/cuda/on_host/fake_device.h"

namespace bankside {
namespace {

using namespace cuda;

FilterBank bankOf(const ConvolutionProblem& p) {
  return withMode(withAnchor(randomBank(p.filterCount, p.tapChannels(), p.filterHeight, p.filterWidth, 3),
                             p.anchorX, p.anchorY),
                  p.mode);
}

/// Images [first, first + count) of a stack, without gaps, where vectors may lie.
std::vector<float4> pixelsOf(const ConvolutionProblem& p, int first, int count) {
  const std::size_t row = static_cast<std::size_t>(p.width) * sizeOf(p.srcType);
  const std::size_t all = row * static_cast<std::size_t>(p.height * p.channels * count);
  std::vector<float4> memory(all / sizeof(float4) + 1);
  auto* to = reinterpret_cast<std::byte*>(memory.data());
  for (int i = first; i < first + count; ++i) {
    const Image image =
        randomImage(p.channels, p.height, p.width, p.srcType, static_cast<std::uint64_t>(100 + i));
    for (int c = 0; c < p.channels; ++c)
      for (int y = 0; y < p.height; ++y, to += row) std::memcpy(to, image.plane(c).row(y), row);
  }
  return memory;
}

/// What a start leaves of every image: the rows of its planes one after another.
std::vector<std::vector<std::byte>> resultsOf(DevicePass& pass, const ConvolutionProblem& p, int first) {
  const auto from = pixelsOf(p, first, pass.images());
  std::vector<float4> to(pass.resultBytes() / sizeof(float4) + 1);
  std::memset(static_cast<void*>(to.data()), 0xff, to.size() * sizeof(float4));
  pass.start(from.data(), to.data(), nullptr);
  const std::size_t each = pass.resultBytes() / static_cast<std::size_t>(pass.images());
  const auto types = outputPlanes(p);
  std::vector<std::vector<std::byte>> images(static_cast<std::size_t>(pass.images()));
  const auto* at = reinterpret_cast<const std::byte*>(to.data());
  for (auto& image : images) {
    for (std::size_t i = 0; i < types.size(); ++i) {
      const DevicePass::Plane plane = pass.plane(static_cast<int>(i));
      for (int y = 0; y < p.height; ++y) {
        const std::byte* const row = at + plane.offset + static_cast<std::size_t>(y) * plane.rowBytes;
        image.insert(image.end(), row, row + static_cast<std::size_t>(p.width) * sizeOf(types[i]));
      }
    }
    at += each;
  }
  return images;
}

template <class MakePass>
void expectBytesOfImagesAlone(const ConvolutionProblem& p, const MakePass& makePass,
                              const std::string& what) {
  const auto alone = makePass(1);
  std::vector<std::vector<std::byte>> expected;
  for (int i = 0; i < 5; ++i) expected.push_back(resultsOf(*alone, p, i).front());
  EXPECT_NE(expected[0], expected[1]) << what << ": the images differ";
  for (const int images : {1, 2, 5}) {
    const auto pass = makePass(images);
    ASSERT_EQ(pass->images(), images);
    const auto launched = on_host::launches();
    const auto got = resultsOf(*pass, p, 0);
    if (p.srcType == ElementType::F32 && p.combine == Combine::None) {
      EXPECT_LE(on_host::launches() - launched, 3u) << what << ", " << images << " images";
    }
    for (std::size_t i = 0; i < got.size(); ++i)
      EXPECT_TRUE(got[i] == expected[i]) << what << ", image " << i << " of " << images;
  }
}

/// Every split of the channels, blocks of 8, 32 and 64 filters, borders, types and combines.
TEST(ImageBatchOnHost, GivesEveryImageTheBytesThatItHasAlone) {
  int checked = 0;
  for (const char* text :
       {"c16h5w35-f40k3-reflect101-f32:f32-none", "c9h7w18-f5k3-constant=-3.5-f32:f32-none",
        "c8h4w20-f70k5-wrap-f32:f32-none", "c3h6w33-f3k4x2-replicate-u8:u8-none",
        "c5h6w33-f9k1-reflect-u16:f32-max", "c4h6w33-f9k3-reflect101-f16:f16-argmax",
        "c6h8w40-f3k3a0x2-constant=2-f32:f32-argmax", "c6h8w20-f3k7-wrap-u8:u8-argmax"}) {
    const ConvolutionProblem p = parseProblem(text);
    const FilterBank bank = bankOf(p);
    std::vector<SummedChoice> tried;
    for (SummedChoice choice : fittingSummedChoices(p)) {
      // Of each split and number of filters a block, the first: they are one kernel otherwise.
      const auto shapeOf = [](const SummedChoice& c) {
        return summedVariants()[static_cast<std::size_t>(c.variant)].shape;
      };
      const bool seen = std::any_of(tried.begin(), tried.end(), [&](const SummedChoice& other) {
        return other.parts == choice.parts &&
               shapeOf(other).filtersPerBlock == shapeOf(choice).filtersPerBlock;
      });
      if (seen) continue;
      tried.push_back(choice);
      choice.sumsShared = tried.size() % 2 == 0;
      on_host::setSeed(hash(p) + tried.size());
      expectBytesOfImagesAlone(
          p,
          [&](int images) {
            return makeKernelPass(p, std::make_unique<SummedBank>(p, correlationTaps(p, bank), choice),
                                  images);
          },
          std::string(text) + " " + describe(choice));
      ++checked;
    }
  }
  EXPECT_GT(checked, 20);
}

/// A bank that launches another shape for several images has the taps laid out for both.
TEST(ImageBatchOnHost, ChangesTheShapeAndNotTheBytes) {
  const ConvolutionProblem p = parseProblem("c6h9w33-f40k3-reflect101-f32:f32-none");
  const FilterBank bank = bankOf(p);
  const auto blockFilters = [](const SummedChoice& c) {
    return summedVariants()[static_cast<std::size_t>(c.variant)].shape.filtersPerBlock;
  };
  std::vector<int> tried;
  for (const SummedChoice& choice : fittingSummedChoices(p)) {
    for (const SummedChoice& together : fittingSummedChoices(p)) {
      const bool known = std::find(tried.begin(), tried.end(), blockFilters(together)) != tried.end();
      if (known || together.parts != choice.parts || blockFilters(together) == blockFilters(choice) ||
          predictedSeconds(together, p, 5) >= predictedSeconds(choice, p, 5))
        continue;
      tried.push_back(blockFilters(together));
      const auto makePass = [&](int images) {
        return makeKernelPass(p, std::make_unique<SummedBank>(p, correlationTaps(p, bank), choice, together),
                              images);
      };
      expectBytesOfImagesAlone(p, makePass, describe(choice) + ", together " + describe(together));
    }
  }
  EXPECT_GE(tried.size(), 2u);
}

/// The tensor cores' kernels; half precision has a scale for every image.
TEST(ImageBatchOnHost, HoldsForTheTensorCoresToo) {
  for (const char* name : {"cuda:multichannel-fp16x3", "cuda:multichannel-fp16"}) {
    const auto& engine = dynamic_cast<const DeviceEngine&>(*engineOnHost(name));
    for (const char* text : {"c16h9w35-f3k3-constant=9-f32:f32-none", "c32h6w33-f70k2-wrap-u8:f32-max"}) {
      const ConvolutionProblem p = parseProblem(text);
      const FilterBank bank = bankOf(p);
      on_host::setSeed(hash(p));
      expectBytesOfImagesAlone(
          p, [&](int images) { return engine.prepareBatch(p, bank, images); },
          std::string(name) + " " + text);
    }
  }
}

/// A launch made for several images may split channels less; each response is within the bound all the same.
TEST(ImageBatchOnHost, ThePassOfManyImagesIsRight) {
  const ConvolutionProblem p = parseProblem("c32h8w32-f40k3-reflect101-f32:f32-none");
  EXPECT_GT(chooseSummed(p).parts, chooseSummed(p, 64).parts);
  const FilterBank bank = bankOf(p);
  for (const char* name : {"cuda:multichannel", "cuda"}) {
    const auto pass = dynamic_cast<const DeviceEngine&>(*engineOnHost(name)).prepareBatch(p, bank, 64);
    ASSERT_EQ(pass->images(), 64);
    const auto results = resultsOf(*pass, p, 0);
    for (const int i : {0, 31, 63}) {
      std::vector<Image> planes;
      const std::byte* from = results[static_cast<std::size_t>(i)].data();
      for (int f = 0; f < p.filterCount; ++f) {
        planes.emplace_back(1, p.height, p.width, ElementType::F32);
        for (int y = 0; y < p.height; ++y, from += 4 * p.width)
          std::memcpy(planes.back().plane(0).row(y), from, 4 * static_cast<std::size_t>(p.width));
      }
      const Image image =
          randomImage(p.channels, p.height, p.width, p.srcType, 100 + static_cast<std::uint64_t>(i));
      ImageSource source(image);
      const Verification v = verify(p, bank, source, wholeImage(p), planes, pass->errorBound());
      EXPECT_TRUE(v.passed) << name << ", image " << i << ": " << v.place();
    }
  }
}

TEST(ImageBatchOnHost, RefusesWhatOneLaunchCannotTake) {
  const ConvolutionProblem wide = parseProblem("c3h4w4-f4096k1-wrap-f32:f32-none");
  const auto pass = dynamic_cast<const DeviceEngine&>(*engineOnHost("cuda:multichannel"))
                        .prepareBatch(wide, bankOf(wide), 1024);
  try {
    pass->start(nullptr, nullptr, nullptr);
    FAIL() << "a grid of 1024 times 64 blocks or more is too deep";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Limit);
  }
  const ConvolutionProblem single = parseProblem("c1h9w8-f3k3-wrap-f32:f32-none");
  const auto& other = dynamic_cast<const DeviceEngine&>(*engineOnHost("cuda:single-channel"));
  EXPECT_EQ(other.prepareBatch(single, bankOf(single), 1)->images(), 1);
  EXPECT_THROW(other.prepareBatch(single, bankOf(single), 2), Error);
}

}  // namespace
}  // namespace bankside
