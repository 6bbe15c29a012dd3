/// One page of one input of `bankside filter` on its way from its file to its results.
#pragma once

#include <exception>
#include <list>
#include <memory>
#include <string>

#include "core/imageio/image_io.h"
#include "core/run/channel.h"
#include "core/run/result_files.h"
#include "core/run/run_report.h"
#include "gui/headless/filter_options.h"
#include "gui/headless/inputs.h"
#include "gui/headless/page_memory.h"

namespace bankside::headless {

/// It stays where it was made: its parts refer to each other.
struct Page {
  Page() = default;
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;

  PageMemory::Share share;  // freed after everything else of the page
  int number = 0;           ///< in the order of results
  int file = 0;             ///< of the inputs
  const InputFile* input = nullptr;
  bool last = false;  ///< of its input
  bool alone = true;  ///< nothing else is under way beside it, and its results may come in bands
  ImageRun report;
  std::exception_ptr error;  ///< what ended it
  Image image;
  std::unique_ptr<Source> source;  ///< of `image`, or of rows from the file where that is too large
  ChannelSelection selection;
  ImageQueue::Item item;
  std::unique_ptr<ResultFiles> files;  ///< null where nothing is written

  std::string path() const { return input->path.string(); }
};

/// Pages go from hand to hand by `splice`, which asks for no memory: once made, none is lost.
using Pages = std::list<Page>;

/// What the header of page `number` says. The page may be larger than memory.
ImageInfo pageInfo(const FilterCommand& command, const ImageFile& file, int number);

/// The result files of page `number` of a file, of which `info` and `selection` are known.
std::unique_ptr<ResultFiles> resultFilesOf(const FilterCommand& command, const InputFile& input, int number,
                                           const ImageInfo& info, const ChannelSelection& selection,
                                           const Runner& runner, ImageRun& report);

/// Opens page `number` of `file`, which is the page's input, and fills everything up to its result files,
/// whose names are then taken in `files`. `memory`: how much it may take, waited for. Throws what went wrong;
/// `page` has what was learned until then.
void openPage(Page& page, const FilterCommand& command, const ImageFile& file, int number,
              const Runner& runner, RunFiles& files, PageMemory& memory, bool overlapped,
              const std::stop_token& stop);

}  // namespace bankside::headless
