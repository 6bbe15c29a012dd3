#include "gui/headless/response_maps.h"

#include <optional>
#include <utility>

#include "core/error.h"
#include "core/imageio/image_stream.h"
#include "core/parallel.h"
#include "core/run/gathered_planes.h"
#include "gui/headless/page_reader.h"

namespace bankside::headless {
namespace {

[[noreturn]] void refuseMaps(std::size_t maps) {
  throw Error(ErrorCode::BadInput, "this gives " + std::to_string(maps) +
                                       " maps an image, and one is evaluated; combine them (--combine max), "
                                       "or choose one channel (--channel green)");
}

/// Pages from the reader through the runner, and their maps out.
class MapQueue final : public ImageQueue {
 public:
  MapQueue(PageReader& reader, const ReceiveMap& receive, std::stop_token stop)
      : reader_(reader), receive_(receive), stop_(std::move(stop)) {}

  Item* next(bool wait) override {
    while (true) {
      Pages pages = reader_.next(wait, stop_);
      if (pages.empty()) return nullptr;
      if (stop_.stop_requested()) throw Cancelled();
      Page& page = pages.front();
      if (page.error != nullptr) {
        give(page);
        continue;
      }
      under_.splice(under_.end(), pages);
      if (page.alone) {
        gathered_.emplace(page.source->height());
        page.item.receive = [this](int firstRow, const std::vector<Image>& band) {
          gathered_->add(firstRow, band);
        };
      }
      return &page.item;
    }
  }

  void done(Item& item) override {
    Page& page = under_.front();
    page.error = item.error;
    if (page.alone && page.error == nullptr) item.planes = std::move(gathered_->images());
    gathered_.reset();
    give(page);
    under_.pop_front();
  }

 private:
  void give(Page& page) {
    ResponseMap made{static_cast<std::size_t>(page.file), {}, page.report.notes, page.error};
    if (made.error == nullptr) {
      try {
        if (page.item.planes.size() != 1) refuseMaps(page.item.planes.size());
        made.map = convert(page.item.planes.front(), ElementType::F32);
      } catch (const std::exception&) {
        made.error = std::current_exception();
      }
    }
    receive_(std::move(made));
  }

  PageReader& reader_;
  const ReceiveMap& receive_;
  std::stop_token stop_;
  Pages under_;  // under way, oldest first
  std::optional<GatheredPlanes> gathered_;
};

}  // namespace

void filterMaps(const FilterCommand& command, const std::vector<InputFile>& inputs, Runner& runner,
                const ReceiveMap& receive, const std::stop_token& stop) {
  const int threads = command.threads > 0 ? command.threads : availableThreads();
  PageMemory memory(command.memory / 4);
  RunFiles files;
  PageReader reader(command, inputs, runner, files, memory, threads > 1);
  MapQueue queue(reader, receive, stop);
  runner.runAll(queue, stop);
}

void readMaps(const FilterCommand& command, const std::vector<InputFile>& inputs, const ReceiveMap& receive,
              const std::stop_token& stop) {
  const ImageLimits limits{.maxPixels = command.maxPixels};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (stop.stop_requested()) throw Cancelled();
    ResponseMap made{i, {}, {}, {}};
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
      if (info.pages > 1 && command.recipe.channel != ChannelChoice::Pages)
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
    if (!input.error.empty() || command.recipe.channel == ChannelChoice::Pages) continue;
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
    if (maps != 1) refuseMaps(maps);
    return;
  }
}

}  // namespace bankside::headless
