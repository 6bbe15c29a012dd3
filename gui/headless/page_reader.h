/// Opens the pages of a run's inputs in their order, the next ones while the last ones are filtered.
#pragma once

#include <condition_variable>
#include <exception>
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
             RunFiles& files, PageMemory& memory, bool overlapped);

  /// The next page alone, opened or with what kept it from being so; none: there is none any more or, unless
  /// `wait`, none yet. Errors  Cancelled; what ended the reading itself
  Pages next(bool wait, const std::stop_token& stop);

  /// How many pages there are, once all of them have been given.
  std::optional<int> count();

 private:
  Pages open(const std::stop_token& stop);
  void beginFile(const InputFile& input);
  void read(const std::stop_token& stop);

  const FilterCommand& command_;
  const std::vector<InputFile>& inputs_;
  const Runner& runner_;
  RunFiles& files_;
  PageMemory& memory_;
  bool overlapped_;
  std::size_t file_ = 0;             ///< of the page that comes next
  std::optional<ImageFile> opened_;  ///< that file, once it was looked at
  int page_ = -1;                    ///< -1: its file was not looked at
  int pages_ = 0;
  int number_ = 0;

  std::mutex mutex_;
  std::condition_variable_any changed_;
  Pages ready_;
  bool ended_ = false;
  std::exception_ptr failure_;  ///< why, if it was not the last page
  std::jthread thread_;         // last: it uses the rest
};

}  // namespace bankside::headless
