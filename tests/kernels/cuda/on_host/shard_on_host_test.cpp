/// A shard of a batch on made-up devices.
#include <fstream>
#include <iterator>

#include "core/batch/audit.h"
#include "core/batch/image_list.h"
#include "core/environment.h"
#include "gui/headless/batch_shard.h"
#include "gui/headless/exit_code.h"
#include "tests/core/imageio/image_files.h"
#include "tests/kernels/cuda/on_host/folder_on_devices.h"

namespace bankside {
namespace {

namespace fs = std::filesystem;
using namespace headless;
using ::testing::HasSubstr;

class ShardOnDevices : public FolderOnDevices {
 protected:
  /// Into that folder, with a manifest beside it.
  BatchCommand plan(const std::string& output) {
    ManifestHead head;
    head.program = versionText();
    head.input = folder_ / "in";
    head.output = folder_ / output;
    head.recipe = command_.recipe;
    head.maxPixels = command_.maxPixels;
    for (const FilterBank& bank : openBanks(head.recipe))
      head.banks.push_back({bank.info().name, bank.contentHash()});
    BatchCommand command;
    command.manifest = folder_ / (output + ".jsonl");
    ManifestWriter writer(command.manifest, head);
    scanFolder(head.input, {}, [&](const ManifestEntry& entry) { writer.add(entry); });
    writer.finish(Existing::Keep);
    command.filter = command_;
    command.shard = Shard{};
    command.content = true;
    command.watched = [this](const BatchProgress& progress) {
      last_ = progress;
      if (stopAtFirst_ && progress.done > 0) stop_.request_stop();
    };
    return command;
  }
  static Audit audited(const BatchCommand& command) {
    const Manifest manifest(command.manifest);
    return audit(manifest, Ledger(manifest), manifest.head().input, manifest.head().output, true);
  }
  /// What a run ends with that nothing disturbs, on one device.
  std::map<std::string, std::string> undisturbed() {
    newDevices(1);
    EXPECT_EQ(runShard(plan("undisturbed"), {}).code, exitOk);
    return tree("undisturbed");
  }
  std::map<std::string, std::string> tree(const std::string& output) {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / output)) {
      std::ifstream in(entry.path(), std::ios::binary);
      files[entry.path().lexically_relative(folder_ / output)] = {std::istreambuf_iterator<char>(in), {}};
    }
    return files;
  }

  BatchProgress last_;
  bool stopAtFirst_ = false;
  std::stop_source stop_;
};

/// The only one is lost: worth another try, which does what is left and nothing twice.
TEST_F(ShardOnDevices, WithoutItsDeviceIsWorthAnotherTry) {
  command_.recipe.engine = "cuda";
  const auto expected = undisturbed();
  ASSERT_EQ(expected.size(), static_cast<std::size_t>(images));
  bool some = false;
  for (const int launches : {0, 1, 2, 3, 4, 5}) {
    SCOPED_TRACE(launches);
    const std::string output = "lost" + std::to_string(launches);
    const BatchCommand command = plan(output);
    on_host::setDevice({.launchesUntilLost = launches});
    useDevices({});
    const ShardOutcome lost = runShard(command, {});
    ASSERT_TRUE(on_host::deviceLost());
    EXPECT_EQ(lost.code, exitTransient) << last_.error;
    EXPECT_THAT(lost.reason, HasSubstr("the GPU was lost"));
    EXPECT_EQ(last_.failed, 0);
    const Audit between = audited(command);
    EXPECT_EQ(between.done, last_.done);
    EXPECT_EQ(between.images - between.done, between.counts[static_cast<int>(Finding::Untried)]);
    some = some || (between.done > 0 && between.done < images);

    newDevices(1);
    const std::int64_t before = last_.done;
    EXPECT_EQ(runShard(command, {}).code, exitOk);
    EXPECT_EQ(last_.before, before);
    EXPECT_EQ(last_.before + last_.done, images);
    EXPECT_TRUE(audited(command).clean());
    EXPECT_EQ(tree(output), expected);
  }
  EXPECT_TRUE(some) << "none was lost in the middle";
}

TEST_F(ShardOnDevices, WithOneOfTwoGoesOn) {
  command_.recipe.engine = "cuda";
  const auto expected = undisturbed();
  for (const int lost : {0, 1}) {
    for (const int launches : {0, 1, 3}) {
      SCOPED_TRACE(std::to_string(lost) + " after " + std::to_string(launches));
      const std::string output = "left" + std::to_string(lost) + std::to_string(launches);
      const BatchCommand command = plan(output);
      std::vector<on_host::FakeDevice> devices(2);
      devices[static_cast<std::size_t>(lost)].launchesUntilLost = launches;
      on_host::setDevices(devices);
      useDevices({});
      EXPECT_EQ(runShard(command, {}).code, exitOk);
      EXPECT_EQ(last_.done, images);
      EXPECT_TRUE(audited(command).clean());
      EXPECT_EQ(tree(output), expected);
    }
  }
}

/// Files of several pages: those that are done have them all, wherever the run was stopped.
TEST_F(ShardOnDevices, WhatIsDoneIsWholeWhenItIsStopped) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_ / "in")) fs::remove(entry);
  for (int i = 0; i < images; ++i) {
    const fs::path file = folder_ / "in" / (std::to_string(i) + ".tiff");
    for (int page = 0; page < 3; ++page)
      testing::writeTiff(
          file, {.width = 40, .height = 30},
          [&](int, int y, int x) { return (x * 5 + y * (i + 1) + 40 * page) % 256; }, "a");
  }
  command_.recipe.channel = ChannelChoice::Auto;
  for (const int devices : {0, 1}) {
    for (const int threads : {1, 2, 4}) {
      SCOPED_TRACE(std::to_string(devices) + " devices, " + std::to_string(threads));
      command_.threads = threads;
      const std::string kind = std::to_string(devices) + "-" + std::to_string(threads);
      newDevices(devices);
      EXPECT_EQ(runShard(plan("whole" + kind), {}).code, exitOk);
      const BatchCommand command = plan("stopped" + kind);
      newDevices(devices);
      stop_ = {};
      stopAtFirst_ = true;
      EXPECT_THROW(runShard(command, stop_.get_token()), Cancelled);
      stopAtFirst_ = false;
      EXPECT_GE(last_.done, 1);
      const Manifest manifest(command.manifest);
      const Ledger ledger(manifest);
      std::int64_t done = 0;
      manifest.forEach([&](std::int64_t number, const ManifestEntry& planned) {
        if (!ledger.done(number)) return true;
        ++done;
        EXPECT_EQ(ledger.read(number).pages, 3) << planned.id;
        EXPECT_EQ(ledger.read(number).outputs.size(), 3u) << planned.id;
        return true;
      });
      EXPECT_EQ(done, last_.done);
      EXPECT_EQ(audited(command).counts[static_cast<int>(Finding::Part)], 0);

      EXPECT_EQ(runShard(command, {}).code, exitOk);
      EXPECT_EQ(last_.before, done);
      EXPECT_TRUE(audited(command).clean());
      EXPECT_EQ(tree("stopped" + kind), tree("whole" + kind));
    }
  }
}

}  // namespace
}  // namespace bankside
