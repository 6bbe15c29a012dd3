/// On the GPU: results of the tensor cores against exact ones and against serial f32 sums on the same data.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "core/error.h"
#include "kernels/cuda/tensor/tensor_form.h"
#include "kernels/engines.h"
#include "kernels/planner/cuda_choice.h"
#include "tests/kernels/cuda/gpu.h"
#include "tests/kernels/cuda/heavy_sums.h"
#include "tests/kernels/cuda/sum_error.h"

namespace bankside::cuda {
namespace {

/// Before 8.0 there are none of the kind; elsewhere a GPU that is required must run them.
#define BANKSIDE_NEEDS_TENSOR_CORES()                                                       \
  do {                                                                                      \
    BANKSIDE_NEEDS_GPU();                                                                   \
    if (deviceTraits().codeFor < 80) GTEST_SKIP() << tensorState().reason;                  \
    ASSERT_TRUE(tensorState()) << tensorState().reason;                                     \
    RecordProperty("form", tensorUnits().form == TensorForm::Warps ? "mma.sync" : "wgmma"); \
  } while (false)

/// What is tried of every type and side: filters and how many images and banks.
constexpr struct {
  const char* filters;
  int images;
} tried[] = {{"1", 2}, {"8", 4}, {"12", 2}, {"32", 1}};

TEST(TensorAccuracy, IsNeverWorseThanSerialF32) {
  BANKSIDE_NEEDS_TENSOR_CORES();
  const Engine& tensor = *findEngine("cuda:tensor");
  for (const ElementType srcType : {ElementType::U8, ElementType::U16, ElementType::F16, ElementType::F32}) {
    const std::string type = toString(srcType);
    for (const int side : {3, 5, 6, 7, 9, 11, 13, 15, 21, 31}) {
      if (side < planner::leastTensorSide(srcType, tensorUnits().form)) continue;
      for (const TapSigns signs : {TapSigns::Both, TapSigns::Positive}) {
        double most = 0;
        for (const auto& [filters, images] : tried) {
          const ConvolutionProblem p =
              parseProblem(std::string("c1h233w347-f") + filters + "k" + std::to_string(side) +
                           "-reflect101-" + type + ":f32-none");
          for (int i = 0; i < images; ++i) {
            const auto seed = static_cast<std::uint64_t>(10 * i + p.filterCount);
            const FilterBank bank = bankOfSigns(p, signs, seed);
            const Image image = randomImage(1, p.height, p.width, p.srcType, seed + 1000);
            const double got = worstError(tensor, p, bank, image);
            const double serial = worstError(*findEngine("cuda:single-channel"), p, bank, image);
            most = std::max(most, got / serial);
            EXPECT_LE(got, serial) << format(p) << " image " << i << ": " << got << " against " << serial;
          }
        }
        RecordProperty(type + "_k" + std::to_string(side) + (signs == TapSigns::Both ? "" : "_positive"),
                       std::to_string(most));
      }
    }
  }
}

/// Of a result with taps and pixels rounded to halves, in 2^-11: what is typical of the bound.
TEST(TensorAccuracy, OfRoundedHalvesIsWithinTheirBound) {
  BANKSIDE_NEEDS_TENSOR_CORES();
  const Engine& rounded = *findEngine("cuda:tensor-fp16");
  for (const char* type : {"u8", "u16", "f16", "f32"}) {
    for (const int side : {3, 7, 15, 31}) {
      const ConvolutionProblem p =
          parseProblem("c1h233w347-f12k" + std::to_string(side) + "-reflect101-" + type + ":f32-none");
      double most = 0;
      for (const TapSigns signs : {TapSigns::Both, TapSigns::Positive}) {
        const FilterBank bank = bankOfSigns(p, signs, 5);
        const Image image = randomImage(1, p.height, p.width, p.srcType, 1005);
        most = std::max(most, worstError(rounded, p, bank, image));
        EXPECT_LE(most, rounded.prepare(p, bank, {})->errorBound().factor) << format(p);
      }
      EXPECT_GT(most, 0x1p-18) << format(p) << ": nothing was rounded";
      RecordProperty(std::string("rounded_") + type + "_k" + std::to_string(side),
                     std::to_string(most / 0x1p-11));
    }
  }
}

/// What PartialProducts::Exact and precision exact rest on: the device keeps every bit of sums below 2^24.
TEST(TensorAccuracy, OfSumsJustBelowTwoToThe24IsPerfect) {
  BANKSIDE_NEEDS_TENSOR_CORES();
  const Engine& tensor = *findEngine("cuda:tensor");
  for (const char* text : {"c1h233w347-f8k31-replicate-u8:f32-none", "c1h233w347-f5k31-wrap-u8:f32-max",
                           "c1h233w347-f12k15-constant=255-u8:f32-none"}) {
    const ConvolutionProblem p = parseProblem(text);
    const FilterBank bank = heavyBank(p);
    EXPECT_EQ(tensor.prepare(p, bank, {})->errorBound().factor, 0) << text;
    EXPECT_EQ(worstError(tensor, p, bank, brightImage(p)), 0) << text;
  }
}

TEST(TensorAccuracy, RefusesABankThatHalvesCannotHold) {
  BANKSIDE_NEEDS_TENSOR_CORES();
  const Engine& tensor = *findEngine("cuda:tensor");
  const ConvolutionProblem p = parseProblem("c1h33w47-f1k3-reflect101-u8:f32-none");
  const FilterBank bank({.name = "wide"}, {makeFilter("wide", 3, 3, {1, 1e-9f, 0, 0, 0, 0, 0, 0, 0})});
  EXPECT_THROW(tensor.prepare(p, bank, {}), Error);
}

}  // namespace
}  // namespace bankside::cuda
