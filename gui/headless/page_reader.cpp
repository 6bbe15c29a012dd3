#include "gui/headless/page_reader.h"

#include <system_error>

#include "core/error.h"

namespace bankside::headless {

PageReader::PageReader(const FilterCommand& command, const std::vector<InputFile>& inputs,
                       const Runner& runner, PageMemory& memory, bool overlapped)
    : command_(command), inputs_(inputs), runner_(runner), memory_(memory), overlapped_(overlapped) {
  if (!overlapped) return;
  try {
    thread_ = std::jthread([this](const std::stop_token& stop) { read(stop); });
  } catch (const std::system_error&) {
    overlapped_ = false;  // the system gives no thread
  }
}

std::unique_ptr<Page> PageReader::next(bool wait, const std::stop_token& stop) {
  if (!overlapped_) return open(stop);
  std::unique_lock lock(mutex_);
  if (wait && !changed_.wait(lock, stop, [&] { return ended_ || !ready_.empty(); })) throw Cancelled();
  if (ready_.empty()) return nullptr;
  std::unique_ptr<Page> page = std::move(ready_.front());
  ready_.pop_front();
  return page;
}

void PageReader::read(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    std::unique_ptr<Page> page = open(stop);
    const std::lock_guard lock(mutex_);
    ended_ = page == nullptr;
    if (page != nullptr) ready_.push_back(std::move(page));
    changed_.notify_all();
    if (ended_) return;
  }
}

/// How many pages the file has and which one is the first wanted. False if there is none.
bool PageReader::beginFile(Page& page) {
  const InputFile& input = inputs_[file_];
  try {
    if (!input.error.empty()) throw Error(ErrorCode::BadInput, input.error);
    opened_.emplace(input.path);
    pages_ = command_.recipe.channel == ChannelChoice::Pages ? 1 : opened_->pages();
    if (command_.page > pages_) {
      throw Error(ErrorCode::BadInput, input.path.string() + ": has " + std::to_string(pages_) +
                                           " page(s), not " + std::to_string(command_.page));
    }
  } catch (const std::exception& error) {
    page.refusal = error.what();
    return false;
  }
  page_ = command_.page != 0 ? command_.page - 1 : 0;
  return true;
}

std::unique_ptr<Page> PageReader::open(const std::stop_token& stop) {
  if (file_ == inputs_.size()) return nullptr;
  const InputFile& input = inputs_[file_];
  auto page = std::make_unique<Page>();
  page->number = number_++;
  page->file = static_cast<int>(file_);
  page->path = input.path.string();
  page->report.input = page->path;
  if (page_ < 0 && !beginFile(*page)) {
    ++file_;
    return page;
  }
  page->report.page = page_ + 1;
  if (command_.page != 0 && pages_ > 1)
    page->report.dropped.push_back("all pages but " + std::to_string(command_.page) + " of " +
                                   std::to_string(pages_));
  try {
    openPage(*page, command_, *opened_, input.stem, page_, runner_, memory_, overlapped_, stop);
  } catch (const std::exception&) {
    page->error = std::current_exception();
  }
  if (command_.page != 0 || ++page_ == pages_) {
    page_ = -1;
    ++file_;
  }
  return page;
}

}  // namespace bankside::headless
