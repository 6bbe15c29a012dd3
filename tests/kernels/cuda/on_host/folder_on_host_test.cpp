/// A folder on devices, as `bankside filter` has it.
#include "gui/headless/response_maps.h"
#include "kernels/cuda/runtime/device_probe.h"
#include "tests/kernels/cuda/on_host/folder_on_devices.h"
#include "tests/support/refusals.h"

namespace bankside {
namespace {

namespace fs = std::filesystem;
using namespace headless;
using ::testing::HasSubstr;

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
  for (const auto& [engine, named] : {std::pair("auto", -1), std::pair("auto", 1), std::pair("cuda", -1)}) {
    newDevices(2);
    command_.recipe.engine = engine;
    command_.devices.clear();
    if (named >= 0) command_.devices = {named};
    const int first = std::max(named, 0);
    CountedPages end;
    int setUp = 0;
    on_host::beforeSetUp([&](int device) {
      if (setUp++ == 0) {
        EXPECT_EQ(device, first);
        end.waitFor(images);
      }
    });
    runner();
    EXPECT_FALSE(cuda::deviceIsUp(first)) << engine;
    EXPECT_EQ(setUp, 0) << engine;
    EXPECT_EQ(runInto(end, 440'000), images) << engine;
    EXPECT_EQ(end.told, images) << engine;
    EXPECT_GE(setUp, 1) << engine;
    EXPECT_EQ(cuda::deviceIsUp(1), named == 1) << engine;
    emptyOutput();
  }
}

/// The same planes, whatever a page gave back while it waited.
TEST_F(FolderOnDevices, WhatWaitsKeepsWhatIsFiltered) {
  struct Case {
    ChannelChoice channel;
    int channels;  ///< of the file
    bool masked;
    std::int64_t bytes;  ///< where none is masked, for four whole pages
  };
  const Recipe plain = command_.recipe;
  for (const Case& c :
       {Case{ChannelChoice::Luma, 4, false, 500'000}, Case{ChannelChoice::Luma, 3, true, 16'000'000},
        Case{ChannelChoice::Auto, 2, false, 380'000}, Case{ChannelChoice::Blue, 4, true, 16'000'000},
        Case{ChannelChoice::All, 4, false, 16'000'000}, Case{ChannelChoice::Auto, 1, true, 16'000'000}}) {
    SCOPED_TRACE(std::string(toString(c.channel)) + " of " + std::to_string(c.channels));
    makeImages(c.channels);
    command_.recipe = plain;
    if (c.masked) {
      command_.recipe = parseRecipe(R"({"bankside":"recipe","version":4,"steps":[
        {"do":"unit"},{"bank":"sobel","combine":["magnitude"]},{"do":"standardize"}]})",
                                    "r");
      for (std::size_t i = 0; i < inputs_.size(); ++i) {
        Image mask = randomImage(1, 96, 80, ElementType::U8, i + 50);
        inputs_[i].field = folder_ / ("mask" + std::to_string(i) + ".png");
        for (int y = 0; y < 48; ++y) std::fill_n(mask.view<std::uint8_t>(0).row(y), 80, std::uint8_t{0});
        writeImage(inputs_[i].field, mask, FileFormat::Png);
      }
    }
    command_.recipe.channel = c.channel;

    newDevices(1);
    command_.threads = 1;  // each is filtered where it was read
    CountedPages whole;
    runInto(whole, c.bytes);
    emptyOutput();

    newDevices(1);
    command_.threads = 2;
    CountedPages waiting;
    on_host::beforeSetUp([&](int) { waiting.waitFor(images); });
    runInto(waiting, c.bytes);
    on_host::beforeSetUp({});
    emptyOutput();

    ASSERT_EQ(waiting.planes.size(), static_cast<std::size_t>(images));
    for (const auto& [page, planes] : whole.planes) {
      ASSERT_EQ(waiting.planes[page].size(), planes.size());
      for (std::size_t k = 0; k < planes.size(); ++k)
        EXPECT_TRUE(samePixels(waiting.planes[page][k], planes[k])) << page << ", plane " << k;
    }
  }
}

/// A run that is stopped while pages wait does none of them, and says so of each.
TEST_F(FolderOnDevices, DropsWhatWaitsWhenItIsStopped) {
  for (const char* engine : {"auto", "cuda"}) {
    for (const int threads : {1, 2}) {
      SCOPED_TRACE(std::string(engine) + ", " + std::to_string(threads));
      newDevices(2);
      if (threads == 1 && engine == std::string("auto")) continue;  // the first page's plan sets it up
      command_.recipe.engine = engine;
      command_.threads = threads;
      std::stop_source enough;
      CountedPages end;
      on_host::beforeSetUp([&](int) {
        end.waitFor(threads == 1 ? 1 : images);
        enough.request_stop();
      });
      const std::uint64_t before = on_host::launches();
      const int begun = runInto(end, 1'000'000, enough.get_token());
      EXPECT_EQ(begun, threads == 1 ? 1 : images);
      EXPECT_EQ(end.told, begun);
      EXPECT_EQ(end.dropped, begun);
      EXPECT_TRUE(end.planes.empty());
      EXPECT_EQ(on_host::launches(), before);
      EXPECT_TRUE(fs::is_empty(command_.output));
    }
  }
}

/// In the middle: what was begun is finished, the rest is not done, and nothing is forgotten.
TEST_F(FolderOnDevices, FinishesWhatWasBegunWhenItIsStopped) {
  for (const int devices : {0, 1, 2}) {
    for (const int threads : {1, 2}) {
      SCOPED_TRACE(std::to_string(devices) + " devices, " + std::to_string(threads));
      newDevices(devices);
      command_.threads = threads;
      std::stop_source enough;
      CountedPages end;
      end.atFirst = [&] { enough.request_stop(); };
      const int begun = runInto(end, 1'000'000, enough.get_token());
      const int stored = static_cast<int>(end.planes.size());
      EXPECT_EQ(end.told, begun);
      EXPECT_EQ(end.dropped + stored, begun);
      EXPECT_GE(stored, 1);
      if (devices == 0) {
        EXPECT_LE(stored, threads) << "one that each thread had in hand";
      }
      emptyOutput();
    }
  }
}

TEST_F(FolderOnDevices, GoesOnWhereItWasStopped) {
  std::stop_source enough;
  on_host::beforeSetUp([&](int) { enough.request_stop(); });
  RunFiles files;
  FilterReport report;
  Runner first = runner();
  const Tally tally = filterPages(command_, inputs_, first, files, report, {}, enough.get_token());
  EXPECT_TRUE(tally.interrupted);
  EXPECT_EQ(tally.lost, "");
  EXPECT_EQ(tally.done, 0);
  EXPECT_GE(tally.dropped, 1);
  EXPECT_TRUE(report.images.empty());
  EXPECT_TRUE(fs::is_empty(command_.output));
  on_host::beforeSetUp({});
  EXPECT_EQ(run().images.size(), static_cast<std::size_t>(images));
}

/// The only one, by name: of one image, since all others would say the same. The host goes on where it may.
TEST_F(FolderOnDevices, SaysOnceThatItWasLost) {
  for (const char* engine : {"auto", "cuda"}) {
    for (const int threads : {1, 2, 4}) {
      for (const int launches : {0, 2}) {
        SCOPED_TRACE(std::string(engine) + ", " + std::to_string(threads) + " threads");
        on_host::setDevice({.launchesUntilLost = launches});
        useDevices({});
        emptyOutput();
        command_.recipe.engine = engine;
        command_.threads = threads;
        const bool named = engine != std::string("auto");
        RunFiles files;
        FilterReport report;
        Runner runner = this->runner();
        const Tally tally = filterPages(command_, inputs_, runner, files, report, {});
        EXPECT_EQ(tally.lostDevice, named);
        EXPECT_EQ(tally.lost, "");
        EXPECT_EQ(tally.failed, named ? 1 : 0);
        EXPECT_EQ(report.images.size(), static_cast<std::size_t>(tally.done + tally.failed));
        EXPECT_EQ(std::distance(fs::directory_iterator(command_.output), {}), tally.done) << "one file each";
        EXPECT_TRUE(named || tally.done == images);
        for (const ImageRun& image : report.images) {
          if (image.ok) continue;
          EXPECT_THAT(image.error, HasSubstr("the GPU was lost"));
          EXPECT_TRUE(image.outputs.empty());
        }

        newDevices(1);
        EXPECT_EQ(run().images.size(), static_cast<std::size_t>(images)) << "the same command goes on";
      }
    }
  }
}

/// No image of a study is to blame, and what the others give is no study.
TEST_F(FolderOnDevices, AStudyEndsWithTheDeviceThatWasNamed) {
  command_.recipe.engine = "cuda";
  command_.output.clear();
  for (const int threads : {1, 3}) {
    on_host::setDevice({.launchesUntilLost = 2});
    useDevices({});
    command_.threads = threads;
    Runner runner = this->runner();
    int failed = 0;
    const auto receive = [&](ResponseMap&& made) { failed += made.error == nullptr ? 0 : 1; };
    const testing::Refusal lost =
        testing::refusalOf([&] { filterMaps(command_, inputs_, runner, receive, {}); });
    EXPECT_EQ(lost.code, ErrorCode::Device);
    EXPECT_THAT(lost.sentence, HasSubstr("the GPU was lost"));
    EXPECT_EQ(failed, 0);
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
