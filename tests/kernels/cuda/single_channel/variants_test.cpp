/// Every compiled shape, not only the chosen ones, gives the reference's answers and each other's bytes.
#include "kernels/cuda/single_channel/variant.h"

#include <gtest/gtest.h>

#include "core/judge/conformance.h"
#include "core/made_input.h"
#include "kernels/cuda/single_channel/choose_variant.h"
#include "kernels/cuda/single_channel/single_channel_plan.h"
#include "kernels/engines.h"
#include "tests/kernels/cuda/gpu.h"

namespace bankside::cuda {
namespace {

class PinnedEngine final : public Engine {
 public:
  explicit PinnedEngine(int variant) : variant_(variant) {}
  std::string name() const override { return "cuda:single-channel"; }
  std::string device() const override { return "GPU"; }
  std::string description() const override { return variants()[static_cast<std::size_t>(variant_)].name; }
  Support supports(const ConvolutionProblem&) const override { return Support::yes(); }
  std::unique_ptr<Plan> prepare(const ConvolutionProblem& problem, const FilterBank& bank,
                                const PlanOptions& options) const override {
    return makeSingleChannelPlan(problem, bank, options, {.choice = {variant_}});
  }

 private:
  int variant_;
};

/// Images one pixel around a tile and a smaller one than most filters.
TEST(Variants, AllOfThemAreRightOnEveryBorder) {
  BANKSIDE_NEEDS_GPU();
  int checked = 0;
  for (const char* image : {"h83w397", "h33w257", "h5w7"}) {
    for (const int side : {1, 3, 5, 7, 9, 11, 13, 15}) {
      for (const char* border : {"constant=-3.5", "replicate", "reflect", "reflect101", "wrap"}) {
        for (const char* rest : {"f32:f32-none", "u8:f32-max", "u16:u16-none", "f16:f16-argmax"}) {
          const ConvolutionProblem p = parseProblem("c1" + std::string(image) + "-f3k" +
                                                    std::to_string(side) + "-" + border + "-" + rest);
          for (const int variant : fittingVariants(p, p.anchorX, p.anchorY)) {
            const auto result =
                checkConformance(PinnedEngine(variant), *findEngine("reference"), p, MadePixels::Integers);
            EXPECT_TRUE(result.passed) << result.sentence;
            ++checked;
          }
        }
      }
    }
  }
  EXPECT_GT(checked, 900);
}

/// Random sums round; in one order they round alike.
TEST(Variants, GiveTheBytesOfTheDirectOrder) {
  BANKSIDE_NEEDS_GPU();
  const Engine& cpu = *findEngine("cpu:direct");
  for (const int side : {1, 3, 5, 7, 9, 11, 13, 15}) {
    for (const char* combine : {"none", "max", "absmax", "argmax", "mean", "sum", "magnitude"}) {
      const ConvolutionProblem p =
          parseProblem("c1h83w397-f5k" + std::to_string(side) + "-reflect101-f32:f32-" + combine);
      const FilterBank bank = randomBank(p.filterCount, 1, side, side, 3);
      const Image image = randomImage(1, p.height, p.width, p.srcType, 4);
      const auto expected = runWhole(cpu, p, bank, image);
      for (const int variant : fittingVariants(p, p.anchorX, p.anchorY)) {
        const auto got = runWhole(PinnedEngine(variant), p, bank, image);
        for (std::size_t i = 0; i < got.size(); ++i) {
          EXPECT_TRUE(samePixels(got[i], expected[i]))
              << variants()[static_cast<std::size_t>(variant)].name << " on " << format(p) << ": "
              << difference(got, expected).place();
        }
      }
    }
  }
}

}  // namespace
}  // namespace bankside::cuda
