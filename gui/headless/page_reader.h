/// Opens the pages of a run's inputs in their order, the next ones while the last ones are filtered.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "gui/headless/page.h"

namespace bankside::headless {

class PageReader {
 public:
  /// Everything must outlive it. `overlapped`: on a thread of its own.
  PageReader(const FilterCommand& command, const std::vector<InputFile>& inputs, const Runner& runner,
             PageMemory& memory, bool overlapped);

  /// The next page, opened or with what kept it from being so; null: there is none any more or, unless
  /// `wait`, none yet. Errors  Cancelled
  std::unique_ptr<Page> next(bool wait, const std::stop_token& stop);

 private:
  std::unique_ptr<Page> open(const std::stop_token& stop);
  bool beginFile(Page& page);
  void read(const std::stop_token& stop);

  const FilterCommand& command_;
  const std::vector<InputFile>& inputs_;
  const Runner& runner_;
  PageMemory& memory_;
  bool overlapped_;
  std::size_t file_ = 0;             ///< of the page that comes next
  std::optional<ImageFile> opened_;  ///< that file, once it was looked at
  int page_ = -1;                    ///< -1: its file was not looked at
  int pages_ = 0;
  int number_ = 0;

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<std::unique_ptr<Page>> ready_;
  bool ended_ = false;
  std::jthread thread_;  // last: it uses the rest
};

}  // namespace bankside::headless
