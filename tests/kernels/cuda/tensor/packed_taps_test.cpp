/// Splitting, packing and the error bound, without a GPU.
#include "kernels/cuda/tensor/packed_taps.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/conformance.h"
#include "core/error.h"
#include "core/made_input.h"
#include "kernels/cuda/tensor/split.h"
#include "kernels/cuda/tensor/tensor_bank.h"

namespace bankside::cuda {
namespace {

/// Whether the engine would take the problem's shape.
bool inReach(const ConvolutionProblem& p) {
  return p.filterHeight <= 32 && p.filterWidth <= 32 &&
         (p.channels == 1 || p.channelMode == ChannelMode::PerPlane);
}

double halfAt(const PackedTaps& packed, const TensorLayout& layout, int pass, int instruction, int column,
              int k) {
  // Blocks of 8 columns, in them rows 0 to 7 and 8 to 15, in those a column's 8 halves.
  const int block =
      ((pass * layout.sweeps * layout.steps + instruction) * (layout.columns / 8) + column / 8) * 2 + k / 8;
  const int index = (block * 8 + column % 8) * 8 + k % 8;
  return toFloat(Half{packed.halves[static_cast<std::size_t>(index)]});
}

/// A number cut off, not rounded, below 2^-24 of `largest`'s leading bit, as tensor cores do.
double cutOff(double value, double largest, int bits) {
  if (largest == 0) return 0;
  const double unit = std::ldexp(1.0, std::ilogb(largest) - bits);
  return std::trunc(value / unit) * unit;
}

/// One instruction's sum: 16 exact products and the sum so far, cut off.
double accumulate(double sum, const double (&product)[16]) {
  double largest = std::fabs(sum);
  for (const double p : product) largest = std::max(largest, std::fabs(p));
  double total = cutOff(sum, largest, 24);
  for (const double p : product) total += cutOff(p, largest, 24);
  return cutOff(total, total, 23);
}

TEST(SplitTaps, KeepsWhatF32SumsWouldNotice) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> exponent(-26.0f, 0.0f);
  for (int i = 0; i < 100'000; ++i) {
    float taps[2] = {1.75f, std::exp2(exponent(random))};
    if (i % 2 == 1) taps[1] = -taps[1];
    const float scale = tapScale(taps, 2);
    const float scaled = taps[1] / scale;
    const float high = toFloat(toHalf(scaled));
    const float low = toFloat(toHalf((scaled - high) / lowWeight));
    EXPECT_LE(std::fabs(static_cast<double>(high) + static_cast<double>(low) * lowWeight - scaled),
              0x1p-23 * std::fabs(scaled))
        << taps[1];
  }
}

TEST(SplitTaps, RefusesWhatHalvesCannotHold) {
  const float wide[] = {1.0f, 1e-9f};
  const float tiny[] = {1e-38f};
  const float zeros[] = {0.0f, 0.0f};
  EXPECT_THROW(tapScale(wide, 2), Error);
  EXPECT_THROW(tapScale(tiny, 1), Error);
  EXPECT_EQ(tapScale(zeros, 2), 1.0f);
}

/// Every tap of every filter in the halves of its columns, read back by what the instruction does with them:
/// pixel offsets (row, column) relative to a row of sums meet the taps.
TEST(PackTaps, PutsEveryTapWhereItsPixelIs) {
  for (const std::string& text : conformanceProblems()) {
    const ConvolutionProblem p = parseProblem(text);
    if (!inReach(p) || p.filterCount > 12) continue;
    const TensorLayout layout = tensorLayout(p);
    const FilterBank bank = withMode(
        withAnchor(randomBank(p.filterCount, 1, p.filterHeight, p.filterWidth, 3), p.anchorX, p.anchorY),
        p.mode);
    const CorrelationTaps taps = correlationTaps(p, bank);
    const PackedTaps packed = packTaps(layout, p, taps.taps);
    ASSERT_EQ(packed.halves.size() * 2, static_cast<std::size_t>(layout.passes * layout.passBytes())) << text;
    for (int f = 0; f < p.filterCount; ++f) {
      for (int below = 0; below < layout.rowStep; ++below) {
        const int slot = f * layout.rowStep + below;
        const int pass = slot / layout.slots();
        const int column = slot % layout.slots() * 2;
        double total = 0;
        double expected = 0;
        for (int sweep = 0; sweep < layout.sweeps; ++sweep) {
          for (int step = 0; step < layout.steps; ++step) {
            for (int k = 0; k < 16; ++k) {
              const int row = (layout.paired ? 2 * step + k / 8 : step) - below;
              const int x = layout.paired ? k % 8 : 16 * sweep + k;
              const int instruction = sweep * layout.steps + step;
              const double value = (halfAt(packed, layout, pass, instruction, column, k) +
                                    halfAt(packed, layout, pass, instruction, column + 1, k) * lowWeight) *
                                   packed.scales[static_cast<std::size_t>(f)];
              const bool inside = row >= 0 && row < p.filterHeight && x < p.filterWidth;
              const double tap =
                  inside ? taps.taps[static_cast<std::size_t>((f * p.filterHeight + row) * p.filterWidth + x)]
                         : 0;
              ASSERT_LE(std::fabs(value - tap), 0x1p-23 * std::fabs(tap)) << text << " filter " << f;
              total += std::fabs(value);
              expected += std::fabs(tap);
            }
          }
        }
        ASSERT_NEAR(total, expected, 1e-6 * expected);
      }
    }
  }
}

TEST(TensorLayout, WastesNoColumnOnTheCommonBanks) {
  const auto of = [](const char* text) { return tensorLayout(parseProblem(text)); };
  EXPECT_EQ(of("c1h64w64-f12k15-reflect101-u8:f32-none").columns, 24);
  EXPECT_EQ(of("c1h64w64-f12k15-reflect101-u8:f32-none").passes, 1);
  EXPECT_EQ(of("c1h64w64-f32k15-reflect101-u8:f32-none").columns, 64);
  EXPECT_EQ(of("c1h64w64-f32k7-reflect101-u8:f32-none").steps, 4);
  EXPECT_EQ(of("c1h64w64-f32k7-reflect101-u8:f32-none").passes, 1);
  EXPECT_GT(of("c1h64w64-f1k15-reflect101-u8:f32-none").rowStep, 4);
  EXPECT_EQ(of("c1h64w64-f3k15-reflect101-u8:f32-max").rowStep, 1);
  EXPECT_EQ(of("c1h64w64-f8k31-reflect101-u8:f32-none").sweeps, 2);
}

TEST(TensorLayout, FitsInSharedMemory) {
  for (const std::string& text : conformanceProblems()) {
    ConvolutionProblem p = parseProblem(text);
    if (!inReach(p)) continue;
    for (const int count : {1, 3, 12, 32, 33}) {
      p.filterCount = count;
      const TensorLayout layout = tensorLayout(p);
      const int strips = stripsPerBlock(layout, 4096, 4096, 132);
      EXPECT_LE(sharedBytes(layout, strips), 220u * 1024u) << text;
      EXPECT_LE(stripsPerBlock(layout, 64, 64, 132), strips);
    }
  }
}

/// What the tensor cores do, in their own arithmetic, against double: within the bound, for taps of both
/// signs and for taps that all add up, where cutting off errs to one side.
TEST(TensorErrorBound, HoldsForAnEmulation) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> unit(0.0f, 1.0f);
  for (const int side : {3, 7, 9, 15, 31}) {
    for (const bool positive : {false, true}) {
      ConvolutionProblem p = parseProblem("c1h64w64-f12k" + std::to_string(side) + "-reflect101-u8:f32-none");
      const TensorLayout layout = tensorLayout(p);
      const double bound = tensorErrorBound(layout, p).factor;
      double worst = 0;
      for (int trial = 0; trial < 40; ++trial) {
        std::vector<float> taps(static_cast<std::size_t>(12 * side * side));
        for (float& tap : taps) tap = positive ? unit(random) : 2 * unit(random) - 1;
        const PackedTaps packed = packTaps(layout, p, taps);
        double exact = 0;
        double magnitude = 0;
        double sum[2] = {};
        for (int i = 0; i < layout.sweeps * layout.steps; ++i) {
          double product[2][16];
          for (int k = 0; k < 16; ++k) {
            const int step = i % layout.steps;
            const int row = layout.paired ? 2 * step + k / 8 : step;
            const int x = layout.paired ? k % 8 : 16 * (i / layout.steps) + k;
            const double pixel = std::floor(256 * static_cast<double>(unit(random)));
            for (int half = 0; half < 2; ++half)
              product[half][k] = pixel * halfAt(packed, layout, 0, i, half, k);
            if (row < side && x < side) {
              const double term = pixel * taps[static_cast<std::size_t>(row * side + x)];
              exact += term;
              magnitude += std::fabs(term);
            }
          }
          for (int half = 0; half < 2; ++half) sum[half] = accumulate(sum[half], product[half]);
        }
        const float got =
            std::fmaf(static_cast<float>(sum[1]), lowWeight, static_cast<float>(sum[0])) * packed.scales[0];
        worst = std::max(worst, std::fabs(got - exact) / magnitude);
      }
      EXPECT_LE(worst, bound) << side << (positive ? " positive" : " mixed");
      EXPECT_GT(worst, 0) << side;
    }
  }
}

}  // namespace
}  // namespace bankside::cuda
