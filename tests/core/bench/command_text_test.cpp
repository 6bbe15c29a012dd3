#include "core/bench/command_text.h"

#include <gtest/gtest.h>
#include <sys/sysinfo.h>

#include <fstream>

#include "core/environment.h"
#include "core/parallel.h"
#include "core/text.h"

namespace bankside {
namespace {

TEST(FilterCommand, NamesEverySettingThatIsNotTheDefault) {
  Recipe recipe;
  recipe.stages.front() = {"sobel", FilterMode::Convolution, Combine::Magnitude};
  EXPECT_EQ(filterCommand("a.png", 0, 1, recipe, "out"),
            "bankside filter a.png --bank sobel --mode convolution --combine magnitude --output out");
  recipe.channel = ChannelChoice::Green;
  recipe.border = {BorderKind::Constant, -3.5f};
  recipe.engine = "cpu:direct";
  recipe.precision = Precision::Exact;
  recipe.format = FileFormat::Png;
  recipe.compression = Compression::None;
  recipe.map = OutputMap::Stretch;
  recipe.responses = false;
  EXPECT_EQ(
      filterCommand("my eye.tif", 2, 5, recipe, "out"),
      "bankside filter 'my eye.tif' --bank sobel --channel green --border constant=-3.5 --mode convolution "
      "--combine magnitude --precision exact --page 3 --engine cpu:direct --format png --compression "
      "none --map stretch --no-responses --output out");
}

TEST(CompareCommand, NamesTheEngines) {
  Recipe recipe;
  recipe.stages.front().bank = "sobel";
  EXPECT_EQ(compareCommand("a.png", 0, 1, recipe, {"cpu:direct", "opencv:filter2D"}, {}),
            "bankside compare a.png --bank sobel --engines cpu:direct,opencv:filter2D");
  EXPECT_EQ(compareCommand("a.png", 0, 1, recipe, {"cpu"}, {.minRounds = 7, .seconds = 1}),
            "bankside compare a.png --bank sobel --engines cpu --rounds 7 --seconds 1");
}

TEST(CompareCommand, KeepsThePageAndBothBanks) {
  Recipe recipe;
  recipe.stages.front() = {"sobel", {}, Combine::Magnitude, Activation::Relu};
  recipe.stages.push_back({"vessel matched.json"});
  EXPECT_EQ(compareCommand("a.tif", 2, 5, recipe, {"cpu"}, {}),
            "bankside compare a.tif --bank sobel --combine magnitude --activation relu "
            "--then 'vessel matched.json' --page 3 --engines cpu");
  recipe.channel = ChannelChoice::Pages;  // all of them
  EXPECT_EQ(compareCommand("a.tif", 2, 5, recipe, {"cpu"}, {}).find("--page"), std::string::npos);
}

/// What a report says of the machine.
TEST(Environment, NamesWhatTheMachineHas) {
  const Environment here = currentEnvironment();
  struct sysinfo system {};
  ASSERT_EQ(sysinfo(&system), 0);
  const double gibibytes = static_cast<double>(system.totalram) * system.mem_unit / 0x1p30;
  EXPECT_EQ(valueOf(here, "memory"), formatFixed(gibibytes, 1) + " GiB");
  EXPECT_EQ(valueOf(here, "processors"), std::to_string(availableThreads()));
  EXPECT_EQ(valueOf(here, "bankside"), versionText());
  EXPECT_EQ(valueOf(here, "nothing of it"), "");
  std::ifstream file("/proc/cpuinfo");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  if (const auto at = text.find("model name"); at != std::string::npos) {
    const auto name = text.find(": ", at) + 2;
    EXPECT_EQ(valueOf(here, "processor"), text.substr(name, text.find('\n', name) - name));
  }
  EXPECT_EQ(valueOf(here, "system").find('"'), std::string::npos);
  EXPECT_NE(valueOf(here, "system").find(", Linux "), std::string::npos);
}

}  // namespace
}  // namespace bankside
