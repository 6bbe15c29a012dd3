/// The engine in the list, with and without kernels, driver and device.
#include "kernels/cuda/single_channel/single_channel_engine.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/made_input.h"
#include "kernels/engines.h"

namespace bankside {
namespace {

TEST(CudaEngine, ThePlannerStandsFirstInTheList) {
  EXPECT_EQ(engines().at(0)->name(), "cuda");
  EXPECT_EQ(engines().at(1)->name(), "cuda:single-channel");
}

TEST(CudaEngine, SaysWhyItCannotRunAndTheCpuGoesOn) {
  const Engine& engine = *findEngine("cuda");
  const ConvolutionProblem p = parseProblem("c1h9w9-f1k3-reflect101-f32:f32-none");
  if (engine.available()) {
    EXPECT_EQ(selectEngine("auto", p).name(), "cuda");
    return;
  }
  EXPECT_FALSE(engine.available().reason.empty());
  EXPECT_EQ(selectEngine("auto", p).name(), "cpu");
  try {
    selectEngine("cuda", p);
    FAIL() << "an engine that is not available was selected";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Unsupported);
    EXPECT_NE(std::string(error.what()).find(engine.available().reason), std::string::npos) << error.what();
  }
  EXPECT_THROW(engine.prepare(p, randomBank(1, 1, 3, 3), {}), Error);
}

TEST(CudaEngine, LeavesSummedChannelsToOthers) {
  const Support support =
      findEngine("cuda:single-channel")->supports(parseProblem("c3h9w9-f1k3-reflect101-f32:f32-none"));
  EXPECT_FALSE(support);
  EXPECT_FALSE(support.reason.empty());
  EXPECT_NE(makeSingleChannelEngine()->description(), "");
}

}  // namespace
}  // namespace bankside
