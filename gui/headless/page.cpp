#include "gui/headless/page.h"

#include <algorithm>
#include <limits>

#include "core/evaluate/labelled_image.h"
#include "core/imageio/image_stream.h"
#include "core/imageio/page_stack.h"
#include "core/stopwatch.h"
#include "gui/headless/filter_runner.h"

namespace bankside::headless {
namespace {

constexpr std::int64_t anyShare = std::numeric_limits<std::int64_t>::max();

std::int64_t imageBytes(const ImageInfo& info) {
  return static_cast<std::int64_t>(info.channels) * info.height * info.width *
         static_cast<std::int64_t>(sizeOf(info.type));
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

bool inMemory(const ImageInfo& info, const FilterCommand& command) {
  const std::int64_t rowBytes = (info.width * static_cast<std::int64_t>(sizeOf(info.type)) + 63) / 64 * 64;
  return rowBytes * info.height <= command.memory / 4 / info.channels;
}

/// What is known of a page before its pixels: report, and names of results.
void describe(Page& page, const FilterCommand& command, const ChannelSelection& selection,
              const Runner& runner, RunFiles& files) {
  const ImageInfo& info = page.info;
  ImageRun& report = page.report;
  report.format = info.format;
  report.shape = std::to_string(info.channels) + " x " + std::to_string(info.height) + " x " +
                 std::to_string(info.width) + " " + toString(info.type);
  report.notes = info.notes;
  if (!selection.note.empty()) report.notes.push_back(selection.note);
  for (const std::string& channel : selection.dropped) report.dropped.push_back("channel " + channel);
  if (command.output.empty()) return;
  page.files = resultFilesOf(command, *page.input, page.inFile, info, selection, runner, report);
  for (const std::filesystem::path& path : page.files->paths())
    files.writeResult(path, "a result of " + page.path());
}

/// One that is read, one or two that are filtered, one that is stored.
constexpr int pagesOfADevice = 4;

/// Beside its pixels: names, report, and what the system keeps of its memory.
constexpr std::int64_t besidePixels = std::int64_t{16} << 10;

/// How the page goes through the run, and what it takes.
void plan(Page& page, const FilterCommand& command, const Source& seen, const Runner& runner,
          const PageMemory& memory, bool overlapped) {
  page.bytes = anyShare;
  if (!overlapped || !inMemory(page.info, command)) return;
  const std::int64_t image = imageBytes(page.info);
  const int channels = seen.channels();
  // Decoding beside others, it may hold the image a second time.
  const std::int64_t beside = 2 * image + runner.heldBytes(channels, seen.height(), seen.width());
  const bool whole = runner.givesWhole(channels, seen.height(), seen.width());
  if (whole && memory.fits(beside, pagesOfADevice)) {
    page.alone = false;
    page.decided = false;
    page.bytes = beside + besidePixels;
    return;
  }
  if (whole && memory.fits(beside, 2)) {
    requireReady(command);
    page.beside = runner.takesSeveral(seen);
  }
  const std::int64_t bytes =
      page.beside ? beside : image + runner.resultBytes(channels, seen.height(), seen.width());
  page.alone = !whole || (!page.beside && !memory.fits(bytes, pagesOfADevice));
  if (!page.alone) page.bytes = bytes;
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
                     command.recipe.compression, mapThreshold(command.recipe)},
      stem, runner.planes(selection.source->channels()), runner.groupNames(selection.names), info.type,
      info.height, report);
}

ChannelSelection selectionOf(const ImageInfo& info, const FilterCommand& command, const Runner& runner,
                             std::unique_ptr<Source>& header) {
  header = std::make_unique<ShapeSource>(info.channels, info.height, info.width, info.type);
  return selectChannels(*header, info.channelNames, command.recipe.channel, runner.imageChannels());
}

void beginPage(Page& page, const FilterCommand& command, const Runner& runner, RunFiles& files,
               const PageMemory& memory, bool overlapped) {
  page.bytes = anyShare;
  if (isOfPages(command.recipe.channel)) return;
  page.info = pageInfo(command, *page.opened, page.inFile);
  std::unique_ptr<Source> header;
  const ChannelSelection selection = selectionOf(page.info, command, runner, header);
  describe(page, command, selection, runner, files);
  plan(page, command, *selection.source, runner, memory, overlapped);
}

void leaveToOthers(Page& page) {
  try {
    if (page.image.empty()) return;
    Source& seen = *page.item.source;
    bool fewer = seen.channels() < page.image.channels();
    for (int c = 0; fewer && c < seen.channels(); ++c) fewer = seen.resident(c).has_value();
    if (fewer) {
      Image kept(seen.channels(), seen.height(), seen.width(), seen.type());
      for (int c = 0; c < seen.channels(); ++c) seen.readRows(c, 0, kept.plane(c));
      page.selection.source = std::make_unique<ImageSource>(page.image);
      page.item.source = page.selection.source.get();
      page.source.reset();
      page.image = std::move(kept);
    }
    page.share.keep(bytesOf(page.image) + bytesOf(page.item.field) + besidePixels);
  } catch (const std::exception&) {
    // It keeps what it has.
  }
}

void readPage(Page& page, const FilterCommand& command, const Runner& runner, RunFiles& files,
              bool overlapped) {
  const ImageLimits limits = limitsOf(command);
  const bool ofPages = isOfPages(command.recipe.channel);
  const auto start = Clock::now();
  if (ofPages) {
    PageStack stack = openPageStack(*page.opened, command.memory / 4, limits);
    page.source = std::move(stack.source);
    page.info = std::move(stack.info);
  } else if (inMemory(page.info, command)) {
    page.image = page.opened->read(page.inFile, limits).image;
    page.source = std::make_unique<ImageSource>(page.image);
  } else {
    page.source = openSource(*page.opened, page.inFile, limits);
  }
  page.opened.reset();
  page.selection =
      selectChannels(*page.source, page.info.channelNames, command.recipe.channel, runner.imageChannels());
  // Of several channels some engines take one after the other, and a judge begins again: they go back.
  const bool onward = page.selection.source->channels() == 1 && command.recipe.verify == VerifyLevel::Off;
  if (overlapped && onward && !page.selection.source->resident(0)) {
    auto ahead = std::make_unique<ReadAhead>(std::move(page.selection.source), command.memory / 8);
    page.ahead = ahead.get();
    page.selection.source = std::move(ahead);
  }
  page.report.decodeSeconds = secondsSince(start);
  page.item.source = page.selection.source.get();
  if (const std::filesystem::path& mask = page.input->field; !mask.empty())
    page.item.field = maskOf(readImage(mask, 0, {.maxPixels = command.maxPixels}).image).pixels;
  if (ofPages) describe(page, command, page.selection, runner, files);
}

}  // namespace bankside::headless
