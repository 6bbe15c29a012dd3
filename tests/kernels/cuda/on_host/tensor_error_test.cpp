/// The error of `cuda:tensor` beside that of serial f32 sums, where its sums are cut as its error bound has
/// it. What a device's tensor cores do is tests/kernels/cuda/tensor/tensor_accuracy_test.cpp's to say.
#include <gtest/gtest.h>

#include "tests/kernels/cuda/on_host/engines_on_host.h"
#include "tests/kernels/cuda/on_host/fake_device.h"
#include "tests/kernels/cuda/sum_error.h"

namespace bankside {
namespace {

class TensorError : public ::testing::TestWithParam<const char*> {};

/// Where all products add up, this model cuts more than a device was seen to: up to 1.43 for 0.7 (31 x 31).
TEST_P(TensorError, IsBelowThatOfSerialF32Sums) {
  on_host::setCutSums(true);
  on_host::setSeed(0);
  on_host::setMultiprocessors(132);
  for (const char* side : {"7", "9", "15", "21", "31"}) {
    for (const char* count : {"1", "12"}) {
      const ConvolutionProblem p = parseProblem(std::string("c1h24w128-f") + count + "k" + side +
                                                "-reflect101-" + GetParam() + ":f32-none");
      const Image image = randomImage(1, p.height, p.width, p.srcType, 4);
      for (const TapSigns signs : {TapSigns::Both, TapSigns::Positive}) {
        const FilterBank bank = bankOfSigns(p, signs, 3);
        const double tensor = worstError(*engineOnHost("cuda:tensor"), p, bank, image);
        const double serial = worstError(*engineOnHost("cuda:single-channel"), p, bank, image);
        RecordProperty(std::string("k") + side + "_f" + count + (signs == TapSigns::Both ? "" : "_positive"),
                       std::to_string(tensor / serial));
        EXPECT_LE(tensor, (signs == TapSigns::Both ? 1.0 : 1.5) * serial)
            << format(p) << (signs == TapSigns::Both ? "" : " positive");
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Types, TensorError, ::testing::Values("u8", "u16", "f16", "f32"),
                         [](const auto& type) { return std::string(type.param); });

}  // namespace
}  // namespace bankside
