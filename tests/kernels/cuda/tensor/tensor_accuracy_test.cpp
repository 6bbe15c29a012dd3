/// On the GPU: results of the tensor cores against exact ones and against serial f32 sums on the same data.
#include <gtest/gtest.h>

#include "core/compare.h"
#include "core/error.h"
#include "core/made_input.h"
#include "kernels/engines.h"
#include "tests/kernels/cuda/gpu.h"

namespace bankside::cuda {
namespace {

/// Largest |out - exact| over the sum of |tap x pixel|.
double worstError(const ConvolutionProblem& p, const FilterBank& bank, const Image& image,
                  const std::vector<Image>& out) {
  ImageSource source(image);
  return verify(p, bank, source, wholeImage(p), out, {1.0, true}).maxBoundRatio;
}

TEST(TensorAccuracy, IsNeverWorseThanSerialF32) {
  BANKSIDE_NEEDS_GPU();
  const Engine& tensor = *findEngine("cuda:tensor");
  if (const Support available = tensor.available(); !available) GTEST_SKIP() << available.reason;
  for (const char* type : {"u8", "u16", "f16", "f32"}) {
    for (const char* side : {"7", "9", "15", "31"}) {
      for (const char* count : {"1", "8", "12", "32"}) {
        const ConvolutionProblem p = parseProblem("c1h233w347-f" + std::string(count) + "k" + side +
                                                  "-reflect101-" + type + ":f32-none");
        const FilterBank bank = randomBank(p.filterCount, 1, p.filterHeight, p.filterWidth, 3);
        const Image image = randomImage(1, p.height, p.width, p.srcType, 4);
        const double got = worstError(p, bank, image, runWhole(tensor, p, bank, image));
        const double serial =
            worstError(p, bank, image, runWhole(*findEngine("cuda:single-channel"), p, bank, image));
        RecordProperty(std::string(type) + "_k" + side + "_f" + count, std::to_string(got / serial));
        EXPECT_LE(got, serial) << format(p) << ": " << got << " against " << serial;
      }
    }
  }
}

TEST(TensorAccuracy, RefusesABankThatHalvesCannotHold) {
  BANKSIDE_NEEDS_GPU();
  const Engine& tensor = *findEngine("cuda:tensor");
  if (const Support available = tensor.available(); !available) GTEST_SKIP() << available.reason;
  const ConvolutionProblem p = parseProblem("c1h33w47-f1k3-reflect101-u8:f32-none");
  const FilterBank bank({.name = "wide"}, {makeFilter("wide", 3, 3, {1, 1e-9f, 0, 0, 0, 0, 0, 0, 0})});
  EXPECT_THROW(tensor.prepare(p, bank, {}), Error);
}

}  // namespace
}  // namespace bankside::cuda
