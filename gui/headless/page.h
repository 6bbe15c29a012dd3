/// One page of one input of a run over files on its way from its file to its results.
#pragma once

#include <exception>
#include <list>
#include <memory>
#include <optional>
#include <string>

#include "core/imageio/image_io.h"
#include "core/imageio/read_ahead.h"
#include "core/run/channel.h"
#include "core/run/result_files.h"
#include "core/run/run_report.h"
#include "gui/headless/filter_options.h"
#include "gui/headless/inputs.h"
#include "gui/headless/page_memory.h"
#include "gui/headless/run_files.h"

namespace bankside::headless {

/// It stays where it was made: its parts refer to each other.
struct Page {
  Page() = default;
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;

  PageMemory::Share share;  // freed after everything else of the page
  int number = 0;           ///< in the order of results
  int file = 0;             ///< of the inputs
  int inFile = 0;           ///< of the file's pages
  const InputFile* input = nullptr;
  bool first = false;               ///< of its input
  bool last = false;                ///< the same
  std::optional<ImageFile> opened;  ///< until it is read
  ImageInfo info;
  std::int64_t bytes = 0;  ///< that it takes at most, with its results
  bool alone = true;       ///< nothing else is under way beside it, and its results may come in bands
  bool beside = false;     ///< filtered by a thread of its own, beside other pages
  bool decided = true;     ///< that: the engine is asked once the page is read
  ImageRun report;
  std::exception_ptr error;  ///< what ended it
  bool dropped = false;      ///< as if it had not been begun
  Image image;
  std::unique_ptr<Source> source;  ///< of `image`, or of rows from the file where that is too large
  ChannelSelection selection;
  const ReadAhead* ahead = nullptr;  ///< the selection's source, where its rows are read ahead
  RunnerImage item;
  std::unique_ptr<ResultFiles> files;  ///< null where nothing is written

  std::string path() const { return input->path.string(); }
};

/// Pages go from hand to hand by `splice`, which asks for no memory: once made, none is lost.
using Pages = std::list<Page>;

/// By their numbers.
inline bool isEarlier(const Page& a, const Page& b) { return a.number < b.number; }

/// What the header of page `number` says. The page may be larger than memory.
ImageInfo pageInfo(const FilterCommand& command, const ImageFile& file, int number);

/// Of an image of which the header is known: names, and a source without pixels.
ChannelSelection selectionOf(const ImageInfo& info, const FilterCommand& command, const Runner& runner,
                             std::unique_ptr<Source>& header);

/// The result files of page `number` of a file, of which `info` and `selection` are known.
std::unique_ptr<ResultFiles> resultFilesOf(const FilterCommand& command, const InputFile& input, int number,
                                           const ImageInfo& info, const ChannelSelection& selection,
                                           const Runner& runner, ImageRun& report);

/// Reads the header of a page that has its file, and takes the names of its results in `files`. Of `pages` as
/// channels nothing is known before they are read. `overlapped`: other pages may be under way. Throws what
/// went wrong; `page` has what was learned until then. CannotFilter: no page has a chance.
void beginPage(Page& page, const FilterCommand& command, const Runner& runner, RunFiles& files,
               const PageMemory& memory, bool overlapped);

/// What a page that was read and waits for a device does without: channels that nobody filters, and the room
/// for its results. Throws nothing: it keeps what it has then
void leaveToOthers(Page& page);

/// Reads a page that was begun, and has its share of the memory. Throws what went wrong
void readPage(Page& page, const FilterCommand& command, const Runner& runner, RunFiles& files,
              bool overlapped);

}  // namespace bankside::headless
