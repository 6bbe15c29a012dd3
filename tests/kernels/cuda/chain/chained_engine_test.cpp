/// Maps that stay on the GPU give the bytes of maps that come back.
#include <gtest/gtest.h>

#include "core/made_input.h"
#include "core/run/recipe_runner.h"
#include "kernels/engines.h"
#include "tests/core/run/two_stages.h"
#include "tests/kernels/cuda/gpu.h"

namespace bankside::cuda {
namespace {

using testing::collect;
using testing::named;
using testing::twoStages;

TEST(ChainedEngine, GivesTheBytesOfTheTwoEnginesInARow) {
  BANKSIDE_NEEDS_GPU();
  int cases = 0;
  const ElementType types[] = {ElementType::U8, ElementType::U16, ElementType::F16, ElementType::F32};
  for (const BorderKind kind : {BorderKind::Constant, BorderKind::Replicate, BorderKind::Reflect,
                                BorderKind::Reflect101, BorderKind::Wrap}) {
    for (const Activation activation : allActivations) {
      for (const Combine combine : {Combine::None, Combine::Max, Combine::ArgMax}) {
        const int channels = cases % 2 == 0 ? 1 : 3;
        const Image image = randomImage(channels, 61, 77, types[cases % 4]);
        RunnerOptions options = twoStages(randomBank(8, channels, 5, 5, 7), activation);
        options.border = {kind, kind == BorderKind::Constant ? 1.5f : 0.0f};
        options.combine = combine;
        options.responses = combine == Combine::None;
        const FilterBank second = randomBank(6, cases % 3 == 0 ? 1 : 8, 3, 3, 9);
        // Another engine a stage, so that nothing is chained.
        Runner apart(second, options, [](const ConvolutionProblem& p) -> const Engine& {
          return *findEngine(p.tapChannels() > 1 ? "cuda:multichannel" : "cuda:single-channel");
        });
        options.verifyReference = true;
        Runner chained(second, options, named("cuda:chained"));
        BankRun run;
        const auto got = collect(chained, image, &run);
        EXPECT_TRUE(run.passed);
        ASSERT_EQ(run.steps.size(), 2u);
        EXPECT_EQ(run.steps[0].variant, "chained: in one plan with stage 2");
        const auto expected = collect(apart, image);
        ASSERT_EQ(got.size(), expected.size());
        for (std::size_t i = 0; i < got.size(); ++i)
          EXPECT_TRUE(samePixels(got[i], expected[i]))
              << toString(kind) << " " << toString(activation) << " " << toString(combine) << " plane " << i
              << ": " << run.steps[1].variant;
        ++cases;
      }
    }
  }
  EXPECT_EQ(cases, 60);
}

/// NaN goes through every activation, and through no rectangle that does not cover it.
TEST(ChainedEngine, KeepsNonFinitePixelsWhereTheyBelong) {
  BANKSIDE_NEEDS_GPU();
  const Image image = nonFiniteImage(1, 50, 60, ElementType::F32);
  for (const Activation activation : allActivations) {
    RunnerOptions options = twoStages(randomBank(4, 1, 3, 3, 7), activation);
    options.verifyReference = true;
    Runner chained(randomBank(2, 4, 3, 3, 9), options, named("cuda:chained"));
    BankRun run;
    collect(chained, image, &run);
    EXPECT_TRUE(run.passed) << toString(activation);
  }
}

}  // namespace
}  // namespace bankside::cuda
