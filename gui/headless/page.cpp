#include "gui/headless/page.h"

#include <algorithm>
#include <limits>

#include "core/evaluate/labelled_image.h"
#include "core/imageio/image_stream.h"
#include "core/imageio/page_stack.h"
#include "core/stopwatch.h"

namespace bankside::headless {
namespace {

constexpr std::int64_t anyShare = std::numeric_limits<std::int64_t>::max();

/// What image and results take. Luma is one channel, all colours are as many as there are.
std::int64_t bytesOf(const ImageInfo& info, const FilterCommand& command, const Runner& runner) {
  const ChannelChoice choice = command.recipe.channel;
  const bool all = choice == ChannelChoice::All || runner.imageChannels() == info.channels;
  const auto pixels = static_cast<std::int64_t>(info.channels) * info.height * info.width;
  return pixels * static_cast<std::int64_t>(sizeOf(info.type)) +
         runner.resultBytes(all ? info.channels : 1, info.height, info.width);
}

/// What a file may ask for while it is decoded.
ImageLimits limitsOf(const FilterCommand& command) {
  // Less than the program itself takes.
  constexpr std::int64_t leastBytes = std::int64_t{16} << 20;
  ImageLimits limits;
  limits.maxPixels = command.maxPixels;
  limits.maxBytes = std::max(command.memory / 4, leastBytes);
  limits.cacheBytes = std::min(limits.cacheBytes, std::max(command.memory / 16, leastBytes / 4));
  return limits;
}

ImageInfo openSourceOf(Page& page, const FilterCommand& command, const ImageFile& file, int number,
                       const Runner& runner, PageMemory& memory, bool overlapped,
                       const std::stop_token& stop) {
  const ImageLimits limits = limitsOf(command);
  if (command.recipe.channel == ChannelChoice::Pages) {
    page.share = memory.wait(anyShare, stop);
    const auto start = Clock::now();
    PageStack stack = openPageStack(file, command.memory / 4, limits);
    page.source = std::move(stack.source);
    page.report.decodeSeconds = secondsSince(start);
    return std::move(stack.info);
  }
  ImageInfo info = pageInfo(command, file, number);
  const std::int64_t rowBytes = (info.width * static_cast<std::int64_t>(sizeOf(info.type)) + 63) / 64 * 64;
  const bool inMemory = rowBytes * info.height <= command.memory / 4 / info.channels;
  const std::int64_t share = inMemory ? bytesOf(info, command, runner) : anyShare;
  page.alone = !overlapped || !memory.takes(share);
  page.share = memory.wait(page.alone ? anyShare : share, stop);
  if (stop.stop_requested()) throw Cancelled();
  const auto start = Clock::now();
  if (inMemory) {
    page.image = file.read(number, limits).image;
    page.source = std::make_unique<ImageSource>(page.image);
  } else {
    page.source = openSource(file, number, limits);
  }
  page.report.decodeSeconds = secondsSince(start);
  return info;
}

}  // namespace

ImageInfo pageInfo(const FilterCommand& command, const ImageFile& file, int number) {
  ImageLimits anySize = limitsOf(command);
  anySize.maxBytes = anyShare;
  return file.info(number, anySize);
}

std::unique_ptr<ResultFiles> resultFilesOf(const FilterCommand& command, const InputFile& input, int number,
                                           const ImageInfo& info, const ChannelSelection& selection,
                                           const Runner& runner, ImageRun& report) {
  const std::string stem = input.stem + (info.pages > 1 ? ".page" + std::to_string(number + 1) : "");
  return std::make_unique<ResultFiles>(
      ResultSettings{command.output, command.recipe.format, command.recipe.map, existing(command.force),
                     command.recipe.compression},
      stem, runner.planes(selection.source->channels()), runner.groupNames(selection.names), info.type,
      info.height, report);
}

void openPage(Page& page, const FilterCommand& command, const ImageFile& file, int number,
              const Runner& runner, RunFiles& files, PageMemory& memory, bool overlapped,
              const std::stop_token& stop) {
  const ImageInfo info = openSourceOf(page, command, file, number, runner, memory, overlapped, stop);
  ImageRun& report = page.report;
  report.format = info.format;
  report.shape = std::to_string(info.channels) + " x " + std::to_string(info.height) + " x " +
                 std::to_string(info.width) + " " + toString(info.type);
  report.notes = info.notes;
  page.selection =
      selectChannels(*page.source, info.channelNames, command.recipe.channel, runner.imageChannels());
  if (!page.selection.note.empty()) report.notes.push_back(page.selection.note);
  for (const std::string& channel : page.selection.dropped) report.dropped.push_back("channel " + channel);
  Source& seen = *page.selection.source;
  page.alone = page.alone || !runner.givesWhole(seen.channels(), seen.height(), seen.width());
  page.item.source = &seen;
  if (const std::filesystem::path& mask = page.input->field; !mask.empty())
    page.item.field = maskOf(readImage(mask, 0, {.maxPixels = command.maxPixels}).image).pixels;
  if (!page.alone) page.item.planes = memory.spare();
  if (command.output.empty()) return;
  page.files = resultFilesOf(command, *page.input, number, info, page.selection, runner, report);
  for (const std::filesystem::path& path : page.files->paths())
    files.write(path, "a result of " + page.path());
}

}  // namespace bankside::headless
