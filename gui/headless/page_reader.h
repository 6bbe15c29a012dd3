/// Begins the pages of a run's inputs in their order: what each is, what it takes, which results it gives.
#pragma once

#include <optional>
#include <vector>

#include "gui/headless/page.h"

namespace bankside::headless {

/// Used by one thread at a time.
class PageReader {
 public:
  /// Everything must outlive it.
  PageReader(const FilterCommand& command, const std::vector<InputFile>& inputs, const Runner& runner,
             RunFiles& files, PageMemory& memory);

  /// The next page alone, with its share of the memory, or with what kept it from being begun. None: all have
  /// been given, or there is no memory yet. `overlapped`: other pages may be under way. Errors  bad_alloc,
  /// CannotFilter
  Pages next(bool overlapped);

  /// Whether all have been given, and how many so far.
  bool ended() const { return file_ == inputs_.size() && begun_.empty(); }
  int given() const { return number_ - static_cast<int>(begun_.size()); }

 private:
  void begin(bool overlapped);
  void beginFile(const InputFile& input);

  const FilterCommand& command_;
  const std::vector<InputFile>& inputs_;
  const Runner& runner_;
  RunFiles& files_;
  PageMemory& memory_;
  std::size_t file_ = 0;             ///< of the page that comes next
  std::optional<ImageFile> opened_;  ///< that file, once it was looked at
  int page_ = -1;                    ///< -1: its file was not looked at
  int pages_ = 0;
  int number_ = 0;
  Pages begun_;  ///< the one that waits for memory
};

}  // namespace bankside::headless
