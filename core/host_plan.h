/// What every plan that computes in host memory shares: whole images in place, everything else in bands of
/// rows.
///
/// An engine on the host writes `compute` for one band and need not know where rows come from or go to. The
/// vertical border is resolved here, once; an engine resolves only the horizontal one.
#pragma once

#include <map>
#include <vector>

#include "core/engine.h"
#include "core/parallel.h"
#include "core/spares.h"

namespace bankside {

/// The source rows that a band of output rows reads.
class SourceBand {
 public:
  /// Row `y` of a channel, [W] elements of the source's type; `y` counts in the whole image and may lie
  /// outside it by as much as the filter reaches. Null where the Constant border supplies the row.
  const std::byte* row(int channel, int y) const {
    const int inside = borderIndex(y, height_, border_);
    if (inside < 0) return nullptr;
    if (!planes_.empty()) return planes_[static_cast<std::size_t>(channel)].row(inside);
    return held_.at(inside) + channel * channelBytes_;
  }

  /// The whole plane where the image lies in memory.
  std::optional<ConstPlane> whole(int channel) const {
    if (planes_.empty()) return std::nullopt;
    return planes_[static_cast<std::size_t>(channel)];
  }

 private:
  friend class HostPlan;
  int height_ = 0;
  Border border_;
  std::vector<ConstPlane> planes_;        // resident source
  std::map<int, const std::byte*> held_;  // else: image row -> its pixels, channels `channelBytes_` apart
  std::ptrdiff_t channelBytes_ = 0;
};

/// Where a band of output rows goes: `planes[i]` starts at the region's top left pixel.
struct SinkBand {
  Region region;
  std::vector<MutablePlane> planes;
};

/// Plans that this thread prepares while it lives give no times for whole images: to look at a clock twice
/// takes as long as the smallest of them.
class Untimed {
 public:
  Untimed();
  ~Untimed();
  Untimed(const Untimed&) = delete;
  Untimed& operator=(const Untimed&) = delete;

 private:
  bool before_;
};

class HostPlan : public Plan {
 public:
  PhaseTimes run(Source& source, Sink& sink, const Region& region, std::stop_token stop) final;
  /// Those of direct sums, one rounding a tap.
  NumericTraits traits() const override;

 protected:
  /// Keeps the taps in correlation form. Throws Error{BadInput} if the bank is not the problem's.
  HostPlan(const ConvolutionProblem& problem, const FilterBank& bank, const PlanOptions& options);

  /// Fills every plane of `out`. Called by one thread; spreads work over `team()`. Must notice `stop` within
  /// 200 ms and throw Cancelled.
  virtual void compute(const SourceBand& in, const SinkBand& out, const std::stop_token& stop) = 0;

  /// Rows of the image that are made together, counted from its top: where an engine's bytes depend on whole
  /// blocks of rows, a band has the source rows of every block that it touches, and is cut between blocks.
  virtual int blockRows() const { return 1; }

  const ConvolutionProblem& problem() const { return problem_; }
  const CorrelationTaps& taps() const { return taps_; }
  CorrelationTaps& taps() { return taps_; }
  const ThreadTeam& team() const { return team_; }

 private:
  /// What `compute` sees of a run over planes in memory.
  struct WholeRun {
    SourceBand in;
    SinkBand out;
  };
  PhaseTimes runInBands(Source& source, Sink& sink, const Region& region, const std::stop_token& stop);

  ConvolutionProblem problem_;
  CorrelationTaps taps_;
  ThreadTeam team_;
  bool timed_;
  Spares<WholeRun> wholeRuns_;
};

/// One channel row with its horizontal border, as T: dst[i] = row[x0 - anchorX + i] for i in [0, count),
/// border resolved; `row` null (a Constant border above or below) gives the border's value throughout.
template <class T>
void gatherRow(const std::byte* row, ElementType type, int width, const Border& border, int firstX, int count,
               T* dst);

extern template void gatherRow<float>(const std::byte*, ElementType, int, const Border&, int, int, float*);
extern template void gatherRow<double>(const std::byte*, ElementType, int, const Border&, int, int, double*);

}  // namespace bankside
