#include "gui/headless/response_maps.h"

#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/imageio/image_stream.h"
#include "core/parallel.h"
#include "core/run/gathered_planes.h"
#include "gui/headless/page_entry.h"
#include "gui/headless/page_flow.h"

namespace bankside::headless {
namespace {

/// Their one map each, handed out in their order.
class MapEnd final : public PageEnd {
 public:
  MapEnd(const ReceiveMap& receive, bool ofMaps) : receive_(receive), ofMaps_(ofMaps) {}

  void announce(Page& page) override {
    if (!page.alone) return;
    gathered_.emplace(page.source->height());
    page.item.receive = [this](int firstRow, const std::vector<Image>& band) {
      gathered_->add(firstRow, band);
    };
  }

  void store(Page& page) override {
    if (page.error != nullptr) return;
    try {
      std::vector<Image>& planes = page.alone ? gathered_->images() : page.item.planes;
      if (planes.size() != 1) throw SeveralMaps(planes.size(), ofMaps_);
      Image map = convert(planes.front(), ElementType::F32);
      const std::lock_guard lock(mutex_);
      made_[page.number] = std::move(map);
    } catch (const std::exception&) {
      page.error = std::current_exception();
    }
  }

  /// A device that is lost is no image's fault, and every other one would fail too.
  void tell(Page& page) override {
    if (lostDevice_) return;
    if (page.error != nullptr && isTransient(page.error, page.report.run)) {
      lostDevice_ = true;
      std::rethrow_exception(page.error);
    }
    const BankRun& run = page.report.run;
    ResponseMap made{.input = static_cast<std::size_t>(page.file),
                     .map = {},
                     .notes = page.report.notes,
                     .error = page.error,
                     .remarks = run.remarks(),
                     .pixelsPerDegree = run.pixelsPerDegree};
    if (made.error == nullptr) {
      const std::lock_guard lock(mutex_);
      made.map = std::move(made_.extract(page.number).mapped());
    }
    receive_(std::move(made));
  }

 private:
  const ReceiveMap& receive_;
  bool ofMaps_;
  bool lostDevice_ = false;
  std::optional<GatheredPlanes> gathered_;  // of the page that is alone
  std::mutex mutex_;
  std::map<int, Image> made_;  // by the numbers of pages that are not told
};

}  // namespace

SeveralMaps::SeveralMaps(std::size_t maps, bool ofMaps)
    : Error(ErrorCode::BadInput,
            "this gives " + std::to_string(maps) + " maps an image, and one is evaluated; " +
                (ofMaps ? "let the recipe's last step combine them, or evaluate the files of one that "
                          "bankside filter writes (--responses)"
                        : "combine them (--combine max), or choose one channel (--channel green)")),
      maps_(maps) {}

void filterMaps(const FilterCommand& command, const std::vector<InputFile>& inputs, Runner& runner,
                const ReceiveMap& receive, const std::stop_token& stop) {
  const int threads = command.threads > 0 ? command.threads : availableThreads();
  PageMemory memory(command.memory / 4, {}, 2 * threads);
  RunFiles files;
  PageReader reader(command, inputs, runner, files, memory);
  MapEnd end(receive, command.recipe.ofMaps());
  PageFlow(reader, command, runner, files, memory, end, threads).run(stop);
}

void readMaps(const FilterCommand& command, const std::vector<InputFile>& inputs, const ReceiveMap& receive,
              const std::stop_token& stop) {
  const ImageLimits limits{.maxPixels = command.maxPixels};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (stop.stop_requested()) throw Cancelled();
    ResponseMap made{.input = i, .map = {}, .notes = {}, .error = {}};
    try {
      if (!inputs[i].error.empty()) throw Error(ErrorCode::BadInput, inputs[i].error);
      LoadedImage loaded = ImageFile(inputs[i].path).read(0, limits);
      if (loaded.info.channels != 1)
        throw Error(ErrorCode::BadInput,
                    "has " + std::to_string(loaded.info.channels) + " channels, and a response has one");
      made.notes = std::move(loaded.info.notes);
      made.map = convert(loaded.image, ElementType::F32);
    } catch (const std::exception&) {
      made.error = std::current_exception();
    }
    receive(std::move(made));
  }
}

std::int64_t pixelsOf(const FilterCommand& command, std::vector<InputFile>& inputs) {
  std::int64_t pixels = 0;
  for (InputFile& input : inputs) {
    if (!input.error.empty()) continue;
    try {
      const ImageInfo info = pageInfo(command, ImageFile(input.path), 0);
      pixels += static_cast<std::int64_t>(info.height) * info.width;
      if (info.pages > 1 && !isOfPages(command.recipe.channel))
        input.error = input.path.string() + ": has " + std::to_string(info.pages) +
                      " pages, and an image to be evaluated has one";
    } catch (const Error&) {
      // It fails by name when its turn comes.
    }
  }
  return pixels;
}

void requireOneMap(const FilterCommand& command, const std::vector<InputFile>& inputs, const Runner& runner) {
  for (const InputFile& input : inputs) {
    if (!input.error.empty() || isOfPages(command.recipe.channel)) continue;
    std::size_t maps = 1;
    try {
      const ImageFile file(input.path);
      const auto source = openSource(file, 0, {});
      const ChannelSelection selection = selectChannels(*source, pageInfo(command, file, 0).channelNames,
                                                        command.recipe.channel, runner.imageChannels());
      maps = runner.planes(selection.source->channels()).size();
    } catch (const Error&) {
      continue;
    }
    if (maps != 1) throw SeveralMaps(maps, command.recipe.ofMaps());
    return;
  }
}

}  // namespace bankside::headless
