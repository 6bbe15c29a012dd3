/// The error bound against the tensor cores' arithmetic, emulated.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "kernels/cuda/tensor/split.h"
#include "kernels/cuda/tensor/tensor_bank.h"
#include "tests/kernels/cuda/tensor/packed_half.h"

namespace bankside::cuda {
namespace {

/// A number cut off, not rounded, below 2^-24 of `largest`'s leading bit, as tensor cores do.
double cutOff(double value, double largest, int bits) {
  if (largest == 0) return 0;
  const double unit = std::ldexp(1.0, std::ilogb(largest) - bits);
  return std::trunc(value / unit) * unit;
}

/// One instruction's sum: 16 exact products and the sum so far, so many at a time, cut off.
double accumulate(double sum, const double (&product)[16], int together) {
  for (int first = 0; first < 16; first += together) {
    double largest = std::fabs(sum);
    for (int k = first; k < first + together; ++k) largest = std::max(largest, std::fabs(product[k]));
    double total = cutOff(sum, largest, 24);
    for (int k = first; k < first + together; ++k) total += cutOff(product[k], largest, 24);
    sum = cutOff(total, total, 23);
  }
  return sum;
}

/// A random pixel as the kernel stages it: scaled by a power of two, in two halves.
struct StagedPixel {
  double value;
  double high;
  double low;
};

StagedPixel stagedPixel(ElementType type, double unit) {
  const double value = type == ElementType::U8    ? std::floor(256 * unit)
                       : type == ElementType::U16 ? std::floor(65536 * unit) / 2
                                                  : static_cast<double>(static_cast<float>(32000 * unit));
  const double high = toFloat(toHalf(static_cast<float>(value)));
  return {value, high, toFloat(toHalf(static_cast<float>((value - high) / lowWeight)))};
}

/// Of one result in the tensor cores' arithmetic, of random pixels: |result - exact| over the sum of
/// |tap x pixel|.
double emulatedError(const ConvolutionProblem& p, const TensorLayout& layout, const std::vector<float>& taps,
                     std::mt19937& random) {
  std::uniform_real_distribution<float> unit(0.0f, 1.0f);
  const PackedTaps packed = packTaps(layout, p, taps);
  const int tapHalves = layout.halves == TapParts::High ? 1 : 2;
  const int together = layout.form == TensorForm::Warps ? 4 : 16;
  double exact = 0;
  double magnitude = 0;
  float value = 0;
  double rest = 0;
  for (int chain = 0; chain < layout.chains; ++chain) {
    double high[2] = {};
    double low[2] = {};
    for (int i = 0; i < layout.chainSteps(); ++i) {
      const int step = chain * layout.chainSteps() + i;
      double product[2][16];
      double second[16];
      for (int k = 0; k < 16; ++k) {
        const int core = 2 * step + k / 8;
        const int row = core / layout.cores;
        const int x = core % layout.cores * 8 + k % 8;
        const StagedPixel pixel = stagedPixel(p.srcType, static_cast<double>(unit(random)));
        for (int half = 0; half < tapHalves; ++half)
          product[half][k] = pixel.high * halfAt(packed, layout, 0, 0, step, layout.tapColumns / 2 * half, k);
        second[k] = pixel.low * halfAt(packed, layout, 0, 0, step, 0, k);
        if (row >= p.filterHeight || x >= p.filterWidth) continue;
        const double term = pixel.value * taps[static_cast<std::size_t>(row * p.filterWidth + x)];
        exact += term;
        magnitude += std::fabs(term);
      }
      const int turn = i % layout.sums();
      high[turn] = accumulate(high[turn], product[0], together);
      if (tapHalves == 1) continue;
      const bool apart = layout.halves == TapParts::Apart;
      double& lowSum = low[apart ? 0 : turn];
      lowSum = accumulate(lowSum, product[1], together);
      double& secondSum = apart ? low[0] : rest;
      if (layout.parts == PixelParts::Split) secondSum = accumulate(secondSum, second, together);
    }
    value += std::fmaf(static_cast<float>(low[0]) + static_cast<float>(low[1]), lowWeight,
                       static_cast<float>(high[0]) + static_cast<float>(high[1]));
  }
  value = std::fmaf(static_cast<float>(rest), lowWeight, value);
  return std::fabs(value * packed.scales[0] - exact) / magnitude;
}

/// What the tensor cores do against double: within the bound, for taps of both signs and for taps that all
/// add up, where cutting off errs to one side.
TEST(TensorErrorBound, HoldsForAnEmulation) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> unit(0.0f, 1.0f);
  for (const char* type : {"u8", "u16", "f32"}) {
    for (const int side : {3, 7, 9, 15, 21, 31}) {
      for (const bool positive : {false, true}) {
        const ConvolutionProblem p =
            parseProblem("c1h64w64-f12k" + std::to_string(side) + "-reflect101-" + type + ":f32-none");
        for (const auto& [products, form] : {std::pair{PartialProducts::Most, TensorForm::Warpgroups},
                                             {PartialProducts::Rounded, TensorForm::Warpgroups},
                                             {PartialProducts::Most, TensorForm::Warps},
                                             {PartialProducts::Rounded, TensorForm::Warps}}) {
          const TensorLayout layout = tensorLayout(p, products, {}, form);
          double worst = 0;
          for (int trial = 0; trial < 40; ++trial) {
            std::vector<float> taps(static_cast<std::size_t>(12 * side * side));
            for (float& tap : taps) tap = positive ? unit(random) : 2 * unit(random) - 1;
            worst = std::max(worst, emulatedError(p, layout, taps, random));
          }
          EXPECT_LE(worst, tensorErrorBound(layout, p).factor)
              << format(p) << (positive ? " positive" : " mixed");
          EXPECT_GT(worst, products == PartialProducts::Rounded ? 0x1p-17 : 0) << format(p);
        }
      }
    }
  }
}

/// The bound as tensor_bank.h derives it, in u: 19.1 for each step of the longest sum, and of the small ones
/// 2^-10; what splitting loses; one for each addition, two for the halves.
TEST(TensorErrorBound, IsWhatIsDerived) {
  const auto factorOf = [](const char* problem, const TensorChoice& choice,
                           PartialProducts products = PartialProducts::Most,
                           TensorForm form = TensorForm::Warpgroups) {
    const ConvolutionProblem p = parseProblem(problem);
    return tensorErrorBound(tensorLayout(p, products, choice, form), p).factor / 0x1p-24;
  };
  // Nine steps in one sum.
  EXPECT_NEAR(factorOf("c1h64w64-f8k9-reflect101-u8:f32-none", {8, 1, 128}), 9 * 19.1 + 2 + 2 + 1, 1e-9);
  // By warps, 28.1 a step: nine of them in two chains of five.
  const auto byWarps = [&](const char* problem) {
    return factorOf(problem, {8, 1, 64}, PartialProducts::Most, TensorForm::Warps);
  };
  EXPECT_NEAR(byWarps("c1h64w64-f8k9-reflect101-u8:f32-none"), 9 * 28.1 + 2 + 2 + 1, 1e-9);
  EXPECT_NEAR(byWarps("c1h64w64-f8k9-reflect101-u16:f32-none"), (3 + 18.0 / 1024) * 28.1 + 8 + 2 + 4, 1e-9);
  // Halves apart: nine steps in two sums.
  EXPECT_NEAR(factorOf("c1h64w64-f8k9-reflect101-u16:f32-none", {8, 1, 128}),
              (5 + 18.0 / 1024) * 19.1 + 8 + 2 + 3, 1e-9);
  // Two chains of 31 steps in two sums each.
  EXPECT_NEAR(factorOf("c1h64w64-f12k31-reflect101-f32:f32-none", {2, 1, 48}),
              std::max((16 + 124.0 / 1024) * 19.1 + 8 + 2 + 5, gammaBound(961) / 0x1p-24), 1e-9);
  // One product: taps within 2^-11, f32 pixels within another.
  EXPECT_NEAR(factorOf("c1h64w64-f8k9-reflect101-u8:f32-none", {8, 1, 128}, PartialProducts::Rounded),
              8192 + 9 * 19.1 * (1 + 0x1p-11), 1e-6);
  EXPECT_NEAR(factorOf("c1h64w64-f8k9-reflect101-f32:f32-none", {8, 1, 128}, PartialProducts::Rounded),
              16384 + 4 + 9 * 19.1 * (1 + 0x1p-10 + 0x1p-22), 1e-6);
  EXPECT_EQ(factorOf("c1h64w64-f8k9-reflect101-u8:f32-none", {8, 1, 128}, PartialProducts::Exact), 0);
}

}  // namespace
}  // namespace bankside::cuda
