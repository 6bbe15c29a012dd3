#include "gui/headless/page_reader.h"

#include "core/error.h"
#include "core/text.h"
#include "gui/headless/filter_runner.h"

namespace bankside::headless {

PageReader::PageReader(const FilterCommand& command, const std::vector<InputFile>& inputs,
                       const Runner& runner, RunFiles& files, PageMemory& memory)
    : command_(command), inputs_(inputs), runner_(runner), files_(files), memory_(memory) {}

Pages PageReader::next(bool overlapped) {
  if (begun_.empty()) begin(overlapped);
  Pages page;
  if (begun_.empty()) return page;
  if (begun_.front().error == nullptr) {
    std::optional<PageMemory::Share> share = memory_.take(begun_.front().bytes);
    if (!share) return page;
    begun_.front().share = std::move(*share);
  }
  page.splice(page.end(), begun_);
  return page;
}

/// How many pages the file has and which one is the first wanted. Throws if there is none.
void PageReader::beginFile(const InputFile& input) {
  if (!input.error.empty()) throw Error(ErrorCode::BadInput, input.error);
  opened_.emplace(input.path);
  pages_ = isOfPages(command_.recipe.channel) ? 1 : opened_->pages();
  if (command_.page > pages_) {
    throw Error(ErrorCode::BadInput, input.path.string() + ": has " + counted(pages_, "page") + ", not " +
                                         std::to_string(command_.page));
  }
  page_ = command_.page != 0 ? command_.page - 1 : 0;
}

void PageReader::begin(bool overlapped) {
  if (file_ == inputs_.size()) return;
  const InputFile& input = inputs_[file_];
  Pages pages(1);
  Page& page = pages.front();
  page.number = number_++;
  page.file = static_cast<int>(file_);
  page.input = &input;
  page.first = page_ < 0;
  try {
    if (page_ < 0) beginFile(input);
    page.report.input = page.path();
    page.report.page = page_ + 1;
    if (command_.page != 0 && pages_ > 1)
      page.report.dropped.push_back("all pages but " + std::to_string(command_.page) + " of " +
                                    std::to_string(pages_));
    page.inFile = page_;
    page.opened = opened_;
    beginPage(page, command_, runner_, files_, memory_, overlapped);
  } catch (const CannotFilter&) {
    throw;
  } catch (const std::exception&) {
    page.error = std::current_exception();
  }
  if (page_ < 0 || command_.page != 0 || ++page_ >= pages_) {
    page_ = -1;
    opened_.reset();
    ++file_;
    page.last = true;
  }
  begun_.splice(begun_.end(), pages);
}

}  // namespace bankside::headless
