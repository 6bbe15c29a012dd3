#include "gui/headless/page_reader.h"

#include "core/error.h"

namespace bankside::headless {

PageReader::PageReader(const FilterCommand& command, const std::vector<InputFile>& inputs,
                       const Runner& runner, RunFiles& files, PageMemory& memory, bool overlapped)
    : command_(command),
      inputs_(inputs),
      runner_(runner),
      files_(files),
      memory_(memory),
      overlapped_(overlapped) {
  try {
    if (overlapped) thread_ = std::jthread([this](const std::stop_token& stop) { read(stop); });
  } catch (const std::exception&) {
    overlapped_ = false;  // no thread can be had: pages are read as they are asked for
  }
}

Pages PageReader::next(bool wait, const std::stop_token& stop) {
  if (!overlapped_) return open(stop);
  std::unique_lock lock(mutex_);
  if (wait && !changed_.wait(lock, stop, [&] { return ended_ || !ready_.empty(); })) throw Cancelled();
  Pages page;
  if (!ready_.empty()) {
    page.splice(page.end(), ready_, ready_.begin());
  } else if (failure_) {
    std::rethrow_exception(failure_);
  }
  return page;
}

std::optional<int> PageReader::count() {
  const std::lock_guard lock(mutex_);
  const bool read = overlapped_ ? ended_ && !failure_ : file_ == inputs_.size();
  return read && ready_.empty() ? std::optional(number_) : std::nullopt;
}

void PageReader::read(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    Pages page;
    std::exception_ptr failure;
    try {
      page = open(stop);
    } catch (const std::exception&) {
      failure = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    failure_ = failure;
    ended_ = page.empty();
    ready_.splice(ready_.end(), page);
    changed_.notify_all();
    if (ended_) return;
  }
}

/// How many pages the file has and which one is the first wanted. Throws if there is none.
void PageReader::beginFile(const InputFile& input) {
  if (!input.error.empty()) throw Error(ErrorCode::BadInput, input.error);
  opened_.emplace(input.path);
  pages_ = command_.recipe.channel == ChannelChoice::Pages ? 1 : opened_->pages();
  if (command_.page > pages_) {
    throw Error(ErrorCode::BadInput, input.path.string() + ": has " + std::to_string(pages_) +
                                         " page(s), not " + std::to_string(command_.page));
  }
  page_ = command_.page != 0 ? command_.page - 1 : 0;
}

Pages PageReader::open(const std::stop_token& stop) {
  if (file_ == inputs_.size()) return {};
  const InputFile& input = inputs_[file_];
  Pages pages(1);
  Page& page = pages.front();
  page.number = number_++;
  page.file = static_cast<int>(file_);
  page.input = &input;
  try {
    if (page_ < 0) beginFile(input);
    page.report.input = page.path();
    page.report.page = page_ + 1;
    if (command_.page != 0 && pages_ > 1)
      page.report.dropped.push_back("all pages but " + std::to_string(command_.page) + " of " +
                                    std::to_string(pages_));
    openPage(page, command_, *opened_, page_, runner_, files_, memory_, overlapped_, stop);
  } catch (const std::exception&) {
    page.error = std::current_exception();
  }
  if (page_ < 0 || command_.page != 0 || ++page_ == pages_) {
    page_ = -1;
    ++file_;
    page.last = true;
  }
  return pages;
}

}  // namespace bankside::headless
