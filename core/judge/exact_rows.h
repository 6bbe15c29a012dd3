/// Exact responses that several judges ask for, made once: a side-by-side judges every engine on the same
/// rows.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <list>
#include <map>
#include <mutex>
#include <optional>

#include "core/judge/exact.h"

namespace bankside {

/// Of one image; problems that are equal are of one bank. Rows are kept as they come, 16 bytes a response (24
/// where bounds look at blocks of rows), until they have `bytes`; what comes later is made each time it is
/// asked for. So memory is bounded whatever is judged, and with 0 it is a plain pass through.
class ExactRows {
 public:
  /// What a cell of the benchmark's standard grid needs from 7 x 7 on; below, a row is made about as fast as
  /// read.
  static constexpr std::int64_t enough = std::int64_t{512} << 20;

  explicit ExactRows(std::int64_t bytes) : left_(bytes) {}

  /// The rows of one problem over some columns.
  class Of {
   public:
    Of(ExactRows& all, const ConvolutionProblem& problem, const FilterBank& bank, int x, int width);

    /// As `exactResponse`, from what is kept or into `own`; valid as long as both. By any thread.
    const ExactRow& row(const SourceBand& in, int group, int filter, int y, ExactRow& own);

    /// The largest finite magnitude at each column over image rows [top, top + rows).
    const std::vector<double>& largestOfBlock(const SourceBand& in, int group, int filter, int top, int rows,
                                              std::vector<double>& own);

    /// As `largestMagnitude`, the image read once.
    double largest(const FilterBank& bank, Source& source);

   private:
    friend class ExactRows;
    using Key = std::array<int, 3>;  // row or top, group, filter
    template <class Kept>
    const Kept* find(const std::map<Key, Kept>& all, const Key& key);
    template <class Kept, class Make>
    const Kept& keep(std::map<Key, Kept>& all, const Key& key, Kept& own, const Make& make);

    ExactRows& all_;
    ConvolutionProblem problem_;
    CorrelationTaps taps_;
    int x_;
    int width_;
    std::optional<double> largest_;
    std::mutex mutex_;
    std::map<Key, ExactRow> rows_;                              // references outlive insertions
    std::map<int, std::map<Key, std::vector<double>>> blocks_;  // by their height
  };

  /// Not by several threads at once.
  Of& of(const ConvolutionProblem& problem, const FilterBank& bank, int x, int width);

 private:
  std::atomic<std::int64_t> left_;
  std::list<Of> parts_;
};

}  // namespace bankside
