/// The error of `cuda:tensor` beside that of serial f32 sums, where its sums are cut as its error bound has
/// it. What a device's tensor cores do is tests/kernels/cuda/tensor/tensor_accuracy_test.cpp's to say.
#include <gtest/gtest.h>

#include "core/compare.h"
#include "core/made_input.h"
#include "tests/kernels/cuda/on_host/engines_on_host.h"
#include "tests/kernels/cuda/on_host/fake_device.h"

namespace bankside {
namespace {

/// Largest |out - exact| over the sum of |tap x pixel|.
double worstError(const std::string& engine, const ConvolutionProblem& p) {
  const FilterBank bank = randomBank(p.filterCount, 1, p.filterHeight, p.filterWidth, 3);
  const Image image = randomImage(1, p.height, p.width, p.srcType, 4);
  const std::vector<Image> out = runWhole(*engineOnHost(engine), p, bank, image);
  ImageSource source(image);
  return verify(p, bank, source, wholeImage(p), out, {1.0, true}).maxBoundRatio;
}

class TensorError : public ::testing::TestWithParam<const char*> {};

/// Cut sums err to one side, so that some cells are above serial f32 in this model: u16 and f16 by up
/// to 1.24, f32 by up to 1.37 (15 x 15 x 12).
TEST_P(TensorError, IsThatOfF32Sums) {
  const double most = std::string(GetParam()) == "u8" ? 1.0 : 1.5;
  on_host::setCutSums(true);
  on_host::setSeed(0);
  on_host::setMultiprocessors(132);
  for (const char* side : {"7", "9", "15", "31"}) {
    for (const char* count : {"1", "12"}) {
      const ConvolutionProblem p = parseProblem(std::string("c1h24w128-f") + count + "k" + side +
                                                "-reflect101-" + GetParam() + ":f32-none");
      const double tensor = worstError("cuda:tensor", p);
      const double serial = worstError("cuda:single-channel", p);
      RecordProperty(std::string("k") + side + "_f" + count, std::to_string(tensor / serial));
      EXPECT_LE(tensor, most * serial) << format(p);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Types, TensorError, ::testing::Values("u8", "u16", "f16", "f32"),
                         [](const auto& type) { return std::string(type.param); });

}  // namespace
}  // namespace bankside
