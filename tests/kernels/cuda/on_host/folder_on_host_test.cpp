/// A folder on devices, as `bankside filter` has it.
#include <condition_variable>
#include <mutex>

#include "core/imageio/image_io.h"
#include "gui/headless/filter_pages.h"
#include "gui/headless/filter_runner.h"
#include "gui/headless/page_flow.h"
#include "kernels/cuda/runtime/device_probe.h"
#include "tests/kernels/cuda/on_host/several_devices.h"
#include "tests/support/made_images.h"

namespace bankside {
namespace {

namespace fs = std::filesystem;
using namespace headless;
using ::testing::HasSubstr;

class FolderOnDevices : public SeveralDevices {
 protected:
  static constexpr int images = 6;

  void SetUp() override {
    SeveralDevices::SetUp();
    fs::create_directory(folder_ / "out");
    for (int i = 0; i < images; ++i) {
      const fs::path path = folder_ / (std::to_string(i) + ".png");
      writeImage(path, randomImage(3, 96, 80, ElementType::U8, static_cast<std::uint64_t>(i)),
                 FileFormat::Png);
      inputs_.push_back({path, path.stem(), ""});
    }
    command_.output = folder_ / "out";
    command_.recipe.stages.front().bank = "sobel";
    command_.recipe.stages.front().combine = Combine::Max;
    command_.recipe.responses = false;
    command_.recipe.channel = ChannelChoice::Green;
    command_.progress = false;
    command_.threads = 2;
    command_.told = [](const Page&) {};
  }
  void TearDown() override {
    on_host::beforeSetUp({});
    SeveralDevices::TearDown();
  }

  FilterReport run() {
    RunFiles files;
    FilterReport report;
    Runner runner = makeFilterRunner(command_, openBanks(command_.recipe));
    const Tally tally = filterPages(command_, inputs_, runner, files, report, {});
    EXPECT_EQ(tally.done, images) << tally.lost;
    return report;
  }

  testing::TemporaryFolder folder_;
  std::vector<InputFile> inputs_;
  FilterCommand command_;
};

TEST_F(FolderOnDevices, WaitsForThemAsAStageOfItsOwn) {
  struct Case {
    std::string what;
    int devices = 1;
    bool judged = false;
    std::function<void(FilterCommand&)> change;
  };
  const auto ofMaps = [](FilterCommand& command) {
    command.recipe = parseRecipe(R"({"bankside":"recipe","version":4,"steps":[
      {"do":"unit"},{"bank":"sobel","combine":["magnitude"]},{"do":"standardize"}]})",
                                 "r");
  };
  const auto judged = [](FilterCommand& command) { command.recipe.verify = VerifyLevel::Reference; };
  const Case cases[] = {{"together", 1, false, [](FilterCommand&) {}},
                        {"on two", 2, false, [](FilterCommand&) {}},
                        {"in bands", 1, false, [](FilterCommand& command) { command.memory = 60'000; }},
                        {"judged", 1, true, judged},
                        {"maps", 1, false, ofMaps},
                        {"maps on two", 2, false, ofMaps},
                        {"judged maps", 1, true, [&](FilterCommand& command) {
                           ofMaps(command);
                           judged(command);
                         }}};
  const FilterCommand plain = command_;
  for (const Case& c : cases) {
    on_host::setDevice({.count = c.devices});
    command_ = plain;
    command_.force = true;
    c.change(command_);
    const FilterReport report = run();
    const StageTimes& stages = report.stages;
    EXPECT_GT(stages.deviceSeconds, 0) << c.what;
    EXPECT_LE(stages.deviceShare(), 1) << c.what;
    const double filter = stages.busySeconds[StageTimes::Filter];
    if (c.judged) {
      EXPECT_GT(filter, 0) << c.what;
    } else if (c.what != "maps on two") {
      EXPECT_EQ(filter, 0) << c.what;
    }
    for (const ImageRun& image : report.images) {
      EXPECT_EQ(image.run.judgeSeconds > 0, c.judged) << c.what;
      EXPECT_EQ(image.run.bands > 1, c.what == "in bands") << c.what;
      for (const StepReport& step : image.run.steps)
        EXPECT_THAT(step.device, HasSubstr("kernels on the host")) << c.what;
      EXPECT_EQ(image.run.hostTimes().total(), 0) << c.what;
    }
  }
}

TEST_F(FolderOnDevices, FiltersOnlyWhereThereIsNone) {
  on_host::setDevice({.count = 0});
  const FilterReport report = run();
  EXPECT_EQ(report.stages.deviceSeconds, 0);
  EXPECT_GT(report.stages.busySeconds[StageTimes::Filter], 0);
  for (const ImageRun& image : report.images) EXPECT_FALSE(image.run.hasDevice());
}

/// As much is read before the first device is there, whoever named it, as there is room for: of all but four
/// pages for what is filtered of them alone.
TEST_F(FolderOnDevices, ReadsWhileOneIsSetUp) {
  class Counting final : public PageEnd {
   public:
    void announce(Page&) override {
      const std::lock_guard lock(mutex_);
      ++read_;
      changed_.notify_all();
    }
    void store(Page& page) override { EXPECT_EQ(page.error, nullptr); }
    void tell(Page&) override { ++told; }
    void waitForAll() {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return read_ == images; });
    }
    int told = 0;

   private:
    std::mutex mutex_;
    std::condition_variable changed_;
    int read_ = 0;
  };
  for (const auto& [engine, named] : {std::pair("auto", -1), std::pair("auto", 1), std::pair("cuda", -1)}) {
    on_host::setDevice({.count = 2});
    useDevices({});
    command_.recipe.engine = engine;
    command_.devices.clear();
    if (named >= 0) command_.devices = {named};
    const int first = std::max(named, 0);
    Counting end;
    int setUp = 0;
    on_host::beforeSetUp([&](int device) {
      if (setUp++ == 0) {
        EXPECT_EQ(device, first);
        end.waitForAll();
      }
    });
    Runner runner = makeFilterRunner(command_, openBanks(command_.recipe));
    EXPECT_FALSE(cuda::deviceIsUp(first)) << engine;
    EXPECT_EQ(setUp, 0) << engine;
    RunFiles files;
    PageMemory memory(310'000, 16);
    PageReader reader(command_, inputs_, runner, files, memory);
    PageFlow(reader, command_, runner, files, memory, end, command_.threads).run({});
    EXPECT_EQ(end.told, images) << engine;
    EXPECT_GE(setUp, 1) << engine;
    EXPECT_EQ(cuda::deviceIsUp(1), named == 1) << engine;
    files = {};
    fs::remove_all(command_.output);
    fs::create_directory(command_.output);
  }
}

TEST_F(FolderOnDevices, EndsWhereWhatWasNamedCannotBeUsed) {
  for (const bool named : {true, false}) {
    on_host::setDevices({{.hasCode = named}, {.hasCode = false}});
    useDevices({});
    for (const int threads : {1, 2}) {
      for (const std::int64_t memory : {std::int64_t{1} << 30, std::int64_t{300'000}, std::int64_t{30'000}}) {
        if (named) command_.devices = {1};
        command_.recipe.engine = named ? "auto" : "cuda";
        command_.threads = threads;
        command_.memory = memory;
        RunFiles files;
        FilterReport report;
        Runner runner = makeFilterRunner(command_, openBanks(command_.recipe));
        try {
          filterPages(command_, inputs_, runner, files, report, {});
          ADD_FAILURE() << threads << " threads, " << memory;
        } catch (const CannotFilter& error) {
          EXPECT_EQ(error.code(), ErrorCode::Unsupported);
          EXPECT_THAT(error.what(),
                      HasSubstr(named ? "cuda:1 cannot be used: this build has no code"
                                      : "the engine cuda cannot run here: this build has no code"));
        }
        EXPECT_TRUE(report.images.empty());
        EXPECT_TRUE(fs::is_empty(command_.output));
      }
    }
    command_.devices.clear();
  }
}

}  // namespace
}  // namespace bankside
