/// The error of `cuda:multichannel-fp16x3` beside that of serial f32 sums, where its sums are cut as its
/// error bound has it. What a device's tensor cores do is
/// tests/kernels/cuda/multichannel/multichannel_accuracy_test.cpp's to say.
#include <gtest/gtest.h>

#include <utility>

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

INSTANTIATE_TEST_SUITE_P(Types, MultichannelError,
                         ::testing::Values(ElementType::U8, ElementType::U16, ElementType::F16,
                                           ElementType::F32),
                         [](const auto& type) { return std::string(toString(type.param)); });

}  // namespace
}  // namespace bankside
