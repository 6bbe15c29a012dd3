/// A folder of images and the command that filters them on made-up devices.
#pragma once

#include <condition_variable>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/imageio/image_io.h"
#include "gui/headless/filter_pages.h"
#include "gui/headless/filter_runner.h"
#include "gui/headless/page_flow.h"
#include "tests/kernels/cuda/on_host/several_devices.h"
#include "tests/support/made_images.h"

namespace bankside {

/// Counts pages, and keeps what was computed of them.
class CountedPages final : public headless::PageEnd {
 public:
  void announce(headless::Page&) override {
    const std::lock_guard lock(mutex_);
    ++read_;
    changed_.notify_all();
  }
  void store(headless::Page& page) override {
    EXPECT_EQ(page.error, nullptr);
    const std::lock_guard lock(mutex_);
    if (planes.empty() && atFirst) atFirst();
    for (const Image& plane : page.item.planes) planes[page.number].push_back(plane.clone());
  }
  void tell(headless::Page& page) override {
    EXPECT_EQ(page.number, told) << "in their order";
    ++told;
    dropped += page.dropped ? 1 : 0;
  }
  /// Until so many were read.
  void waitFor(int pages) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return read_ >= pages; });
  }

  std::function<void()> atFirst;  ///< that is stored
  std::map<int, std::vector<Image>> planes;
  int told = 0;
  int dropped = 0;

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int read_ = 0;
};

class FolderOnDevices : public SeveralDevices {
 protected:
  static constexpr int images = 6;

  void SetUp() override {
    SeveralDevices::SetUp();
    std::filesystem::create_directories(folder_ / "in");
    std::filesystem::create_directory(folder_ / "out");
    makeImages(3);
    command_.output = folder_ / "out";
    command_.recipe.stages.front().bank = "sobel";
    command_.recipe.stages.front().combine = Combine::Max;
    command_.recipe.responses = false;
    command_.recipe.channel = ChannelChoice::Green;
    command_.progress = false;
    command_.threads = 2;
    command_.told = [](const headless::Page&) {};
  }
  void TearDown() override {
    on_host::beforeSetUp({});
    SeveralDevices::TearDown();
  }

  void makeImages(int channels) {
    inputs_.clear();
    for (int i = 0; i < images; ++i) {
      const std::filesystem::path path = folder_ / "in" / (std::to_string(i) + ".png");
      writeImage(path, testing::randomImage(channels, 96, 80, ElementType::U8, static_cast<std::uint64_t>(i)),
                 FileFormat::Png);
      inputs_.push_back({path, path.stem(), ""});
    }
  }
  Runner runner() const { return headless::makeFilterRunner(command_, headless::openBanks(command_.recipe)); }

  FilterReport run() {
    headless::RunFiles files;
    FilterReport report;
    Runner runner = this->runner();
    const headless::Tally tally = headless::filterPages(command_, inputs_, runner, files, report, {});
    EXPECT_EQ(tally.done, images) << tally.lost;
    return report;
  }
  /// The same with that end. How many were begun.
  int runInto(CountedPages& end, std::int64_t bytes, const std::stop_token& enough = {}) {
    Runner runner = this->runner();
    headless::RunFiles files;
    headless::PageMemory memory(bytes);
    headless::PageReader reader(command_, inputs_, runner, files, memory);
    headless::PageFlow flow(reader, command_, runner, files, memory, end, command_.threads);
    flow.run({}, enough);
    return flow.begun();
  }
  /// So many that nobody has used.
  void newDevices(int count) {
    on_host::setDevice({.count = count});
    useDevices({});
  }
  void emptyOutput() {
    std::filesystem::remove_all(command_.output);
    std::filesystem::create_directory(command_.output);
  }

  testing::TemporaryFolder folder_;
  std::vector<headless::InputFile> inputs_;
  headless::FilterCommand command_;
};

}  // namespace bankside
