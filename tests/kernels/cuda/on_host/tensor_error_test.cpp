/// The error of `cuda:tensor` beside that of serial f32 sums, where its sums are cut as its error bound has
/// it. What a device's tensor cores do is tests/kernels/cuda/tensor/tensor_accuracy_test.cpp's to say.
#include <gtest/gtest.h>

#include <tuple>

#include "kernels/cuda/tensor/tensor_form.h"
#include "kernels/cuda/tensor/tensor_layout.h"
#include "kernels/planner/cuda_choice.h"
#include "tests/kernels/cuda/on_host/engines_on_host.h"
#include "tests/kernels/cuda/on_host/fake_device.h"
#include "tests/kernels/cuda/sum_error.h"
#include "tests/support/test_names.h"

namespace bankside {
namespace {

class TensorError : public ::testing::TestWithParam<std::tuple<ElementType, int>> {
 protected:
  void TearDown() override {
    on_host::setCutSums(false);
    on_host::setDevice({});
  }
};

/// This model cuts more than a device was seen to: where all products add up, up to 1.43 for 0.7 (31 x 31);
/// f16 6 x 6 with 32 filters 1.02 for 0.78, so that 8 and 32 filters are tried with split pixels alone.
TEST_P(TensorError, IsThatOfSerialF32Sums) {
  on_host::setCutSums(true);
  on_host::setSeed(0);
  const auto& [type, capability] = GetParam();
  on_host::setDevice({.capability = capability});
  for (const int side : {5, 6, 7, 9, 15, 21, 31}) {
    if (side < planner::leastTensorSide(type, cuda::tensorUnits().form)) continue;
    for (const int filters : {1, 8, 12, 32}) {
      const bool split = cuda::pixelPartsOf(type) == cuda::PixelParts::Split;
      if (!split && (filters == 8 || filters == 32)) continue;
      const std::string count = std::to_string(filters);
      const ConvolutionProblem p =
          parseProblem(std::string("c1h24w128-f") + count + "k" + std::to_string(side) + "-reflect101-" +
                       toString(type) + ":f32-none");
      const Image image = randomImage(1, p.height, p.width, p.srcType, 4);
      for (const TapSigns signs : {TapSigns::Both, TapSigns::Positive}) {
        const FilterBank bank = bankOfSigns(p, signs, 3);
        const double tensor = worstError(*engineOnHost("cuda:tensor"), p, bank, image);
        const double serial = worstError(*engineOnHost("cuda:single-channel"), p, bank, image);
        RecordProperty(
            "k" + std::to_string(side) + "_f" + count + (signs == TapSigns::Both ? "" : "_positive"),
            std::to_string(tensor / serial));
        EXPECT_LE(tensor, (signs == TapSigns::Both ? 1.0 : 1.5) * serial)
            << format(p) << (signs == TapSigns::Both ? "" : " positive");
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Types, TensorError,
                         ::testing::Combine(::testing::Values(ElementType::U8, ElementType::U16,
                                                              ElementType::F16, ElementType::F32),
                                            ::testing::Values(90, 80)),
                         [](const auto& one) {
                           return std::string(toString(std::get<0>(one.param))) + "_" +
                                  std::to_string(std::get<1>(one.param));
                         });

}  // namespace
}  // namespace bankside
