/// Several images in one launch on a GPU: bytes of a stack's images, and what an image takes with and
/// without.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <iostream>

#include "core/judge/compare.h"
#include "core/made_input.h"
#include "kernels/cuda/multichannel/summed_bank.h"
#include "kernels/cuda/runtime/band_plan.h"
#include "kernels/engines.h"
#include "tests/kernels/cuda/gpu.h"

namespace bankside::cuda {
namespace {

/// The same bank for one image a launch.
class OneByOne final : public BandKernel {
 public:
  explicit OneByOne(std::unique_ptr<BandKernel> bank) : bank_(std::move(bank)) {}
  std::string describe() const override { return bank_->describe(); }
  NumericTraits traits() const override { return bank_->traits(); }
  std::size_t workBytesPerRow(int width) const override { return bank_->workBytesPerRow(width); }
  int rowUnit() const override { return bank_->rowUnit(); }
  void start(KernelArguments a, std::ptrdiff_t channelStride, int sourceRows, cudaStream_t stream) override {
    bank_->start(a, channelStride, sourceRows, stream);
  }

 private:
  std::unique_ptr<BandKernel> bank_;
};

/// Gives `images` in turn, `count` of them in all.
class Stack final : public RunQueue {
 public:
  Stack(const ConvolutionProblem& p, const std::vector<Image>& images, int count) : left_(count) {
    for (const Image& image : images) sources_.emplace_back(image);
    for (int i = 0; i < count; ++i) {
      sinks.push_back(std::make_unique<ImageSink>(p, wholeImage(p)));
      items_.push_back(
          {sources_[static_cast<std::size_t>(i) % sources_.size()], *sinks.back(), wholeImage(p)});
    }
  }
  Item* next(bool) override {
    return left_ > 0 ? &items_[items_.size() - static_cast<std::size_t>(left_--)] : nullptr;
  }
  void done(Item& item) override { compute += item.times.compute; }
  std::vector<std::unique_ptr<ImageSink>> sinks;
  double compute = 0;

 private:
  int left_;
  std::vector<ImageSource> sources_;
  std::vector<Item> items_;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

TEST(ImageBatch, KeepsTheBytesOfImagesAloneInAStack) {
  BANKSIDE_NEEDS_GPU();
  for (const char* text :
       {"c3h32w32-f16k3-reflect101-u8:f32-none", "c64h32w32-f64k3-constant=0-f32:f32-none",
        "c128h32w32-f128k5-wrap-f32:f32-none", "c32h64w64-f32k3-replicate-f32:f32-max",
        "c64h64w64-f64k5-reflect-f32:f32-none", "c16h128w128-f16k7-reflect101-u8:f32-argmax",
        "c9h37w53-f5k4x2-constant=-3-f16:f16-none"}) {
    const ConvolutionProblem p = parseProblem(text);
    const FilterBank bank = withAnchor(
        randomBank(p.filterCount, p.channels, p.filterHeight, p.filterWidth, 1), p.anchorX, p.anchorY);
    std::vector<Image> images;
    std::vector<std::vector<Image>> expected;
    for (std::uint64_t i = 0; i < 5; ++i) {
      images.push_back(randomImage(p.channels, p.height, p.width, p.srcType, i));
      expected.push_back(runWhole(*findEngine("cuda:multichannel"), p, bank, images.back()));
    }
    const CorrelationTaps taps = correlationTaps(p, bank);
    const SummedChoice choice = chooseSummed(p);
    const SummedChoice together = chooseTogether(choice, p);
    constexpr int count = 123;
    const auto makePlan = [&](bool batches) {
      std::unique_ptr<BandKernel> loaded = std::make_unique<SummedBank>(p, taps, choice, together);
      if (!batches) loaded = std::make_unique<OneByOne>(std::move(loaded));
      return makeBandPlan(p, taps.anchorY, std::move(loaded), {});
    };
    const auto one = makePlan(false);
    const auto several = makePlan(true);
    std::vector<double> wall[2];
    double compute[2] = {0, 0};
    for (int round = 0; round < 6; ++round) {
      for (const bool batches : {false, true}) {
        Stack stack(p, images, count);
        const auto start = std::chrono::steady_clock::now();
        (batches ? several : one)->runAll(stack, {});
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        if (round > 0) wall[batches].push_back(took.count());  // the first allocates
        compute[batches] = stack.compute;
        for (std::size_t i = 0; i < stack.sinks.size(); ++i)
          for (std::size_t k = 0; k < expected[i % 5].size(); ++k)
            ASSERT_TRUE(samePixels(stack.sinks[i]->images()[k], expected[i % 5][k]))
                << text << ", image " << i << ", plane " << k << (batches ? ", together" : ", one by one");
      }
    }
    const double us = 1e6 / count;
    std::cout << text << ": " << describe(choice) << ", together " << describe(together)
              << "; an image of a stack " << median(wall[0]) * us << " us one by one (compute "
              << compute[0] * us << "), " << median(wall[1]) * us << " us together (compute "
              << compute[1] * us << ")\n";
  }
}

}  // namespace
}  // namespace bankside::cuda
