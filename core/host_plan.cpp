#include "core/host_plan.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/error.h"
#include "core/stopwatch.h"

namespace bankside {
namespace {

/// Memory for one band, source and results together; small against any machine, large against a row.
constexpr double bandBytes = 64.0 * 1024 * 1024;
/// What a band may take where an engine works in blocks of rows.
constexpr double maxBlockBytes = 512.0 * 1024 * 1024;

thread_local bool untimed = false;

/// All planes, or none where one of them does not lie in memory.
void listResidentPlanes(Sink& sink, std::vector<MutablePlane>& planes) {
  const int count = sink.planes();
  planes.resize(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    const auto plane = sink.resident(i);
    if (!plane) return planes.clear();
    planes[static_cast<std::size_t>(i)] = *plane;
  }
}

void listResidentPlanes(const Source& source, std::vector<ConstPlane>& planes) {
  const int count = source.channels();
  planes.resize(static_cast<std::size_t>(count));
  for (int c = 0; c < count; ++c) {
    const auto plane = source.resident(c);
    if (!plane) return planes.clear();
    planes[static_cast<std::size_t>(c)] = *plane;
  }
}

/// Whether planes in memory are those of a problem; `requireMatch` asks every other source and sink, one
/// virtual call after another.
bool areThoseOf(const ConvolutionProblem& p, const std::vector<ConstPlane>& source,
                const std::vector<MutablePlane>& results) {
  bool match = source.size() == static_cast<std::size_t>(p.channels) &&
               results.size() == static_cast<std::size_t>(outputPlaneCount(p));
  for (const ConstPlane& plane : source)
    match = match && plane.type == p.srcType && plane.width == p.width && plane.height == p.height;
  for (int i = 0; const MutablePlane& plane : results) match = match && plane.type == outputPlaneType(p, i++);
  return match;
}

/// Rows of a source that is not in memory, kept as long as a later band may still want them.
class RowStore {
 public:
  RowStore(Source& source) : source_(source), rowBytes_(alignUp(source)) {}

  std::ptrdiff_t rowBytes() const { return rowBytes_; }

  /// Holds exactly `rows`, reading those that are not held yet.
  void hold(const std::set<int>& rows, std::map<int, const std::byte*>& held) {
    for (auto it = held.begin(); it != held.end();) {
      if (rows.contains(it->first)) {
        ++it;
        continue;
      }
      free_.push_back(std::move(slots_.at(it->first)));
      slots_.erase(it->first);
      it = held.erase(it);
    }
    for (const int y : rows) {
      if (held.contains(y)) continue;
      Image& slot = slots_[y];
      if (!free_.empty()) {
        slot = std::move(free_.back());
        free_.pop_back();
      } else {
        slot = Image(source_.channels(), 1, source_.width(), source_.type());
      }
      for (int c = 0; c < source_.channels(); ++c) source_.readRows(c, y, slot.plane(c));
      held[y] = slot.plane(0).data;
    }
  }

 private:
  static std::ptrdiff_t alignUp(const Source& source) {
    return Image(1, 1, source.width(), source.type()).strideBytes();
  }
  Source& source_;
  std::ptrdiff_t rowBytes_;
  std::map<int, Image> slots_;
  std::vector<Image> free_;
};

}  // namespace

Untimed::Untimed() : before_(std::exchange(untimed, true)) {}
Untimed::~Untimed() { untimed = before_; }

HostPlan::HostPlan(const ConvolutionProblem& problem, const FilterBank& bank, const PlanOptions& options)
    : problem_(problem), taps_(correlationTaps(problem, bank)), team_(options.threads), timed_(!untimed) {}

NumericTraits HostPlan::traits() const {
  // One rounding a tap from +0 on with a fused multiply-add; a separate multiply and add obey the same bound.
  const double taps =
      static_cast<double>(problem_.tapChannels()) * problem_.filterHeight * problem_.filterWidth;
  return {.errorBound = {gammaBound(taps)}};
}

PhaseTimes HostPlan::run(Source& source, Sink& sink, const Region& region, std::stop_token stop) {
  auto whole = wholeRuns_.take([] { return std::make_unique<WholeRun>(); });
  whole->in.height_ = problem_.height;
  whole->in.border_ = problem_.border;
  listResidentPlanes(source, whole->in.planes_);
  whole->out.region = region;
  listResidentPlanes(sink, whole->out.planes);
  if (region != wholeImage(problem_) || !areThoseOf(problem_, whole->in.planes_, whole->out.planes))
    requireMatch(problem_, source, sink, region);
  if (stop.stop_requested()) throw Cancelled();
  if (whole->in.planes_.empty() || whole->out.planes.empty()) {
    wholeRuns_.giveBack(std::move(whole));
    return runInBands(source, sink, region, stop);
  }
  const auto start = timed_ ? Clock::now() : Clock::time_point();
  compute(whole->in, whole->out, stop);
  const double seconds = timed_ ? secondsSince(start) : 0;
  wholeRuns_.giveBack(std::move(whole));
  return {.compute = seconds};
}

PhaseTimes HostPlan::runInBands(Source& source, Sink& sink, const Region& region,
                                const std::stop_token& stop) {
  PhaseTimes times;
  double bytesPerRow =
      static_cast<double>(problem_.width) * problem_.channels * static_cast<double>(sizeOf(problem_.srcType));
  for (int i = 0; i < sink.planes(); ++i)
    bytesPerRow += static_cast<double>(region.width) * static_cast<double>(sizeOf(sink.type(i)));
  const int block = blockRows();
  int bandRows = std::max(1, static_cast<int>(bandBytes / bytesPerRow));
  // Whole blocks, unless one would take far too much memory: then blocks are made several times over.
  if (bandRows >= block) {
    bandRows -= bandRows % block;
  } else if (block * bytesPerRow <= maxBlockBytes) {
    bandRows = block;
  }
  bandRows = std::min(bandRows, region.height);

  SourceBand in;
  in.height_ = problem_.height;
  in.border_ = problem_.border;
  listResidentPlanes(source, in.planes_);
  RowStore rows(source);
  in.channelBytes_ = rows.rowBytes();
  std::vector<MutablePlane> whole;
  listResidentPlanes(sink, whole);
  std::vector<Image> buffers;
  if (whole.empty()) {
    for (int i = 0; i < sink.planes(); ++i) buffers.emplace_back(1, bandRows, region.width, sink.type(i));
  }

  int height = 0;
  for (int done = 0; done < region.height; done += height) {
    if (stop.stop_requested()) throw Cancelled();
    height = std::min(bandRows, region.height - done);
    const int past = (region.y + done + height) % block;
    if (done + height < region.height && past < height) height -= past;
    SinkBand out{{region.x, region.y + done, region.width, height}, {}};

    auto start = Clock::now();
    if (in.planes_.empty()) {
      std::set<int> needed;
      const int firstOut = out.region.y / block * block;
      const int lastOut = std::min((out.region.y + height + block - 1) / block * block, problem_.height);
      const int first = firstOut - taps_.anchorY;
      const int last = lastOut - taps_.anchorY + problem_.filterHeight - 1;
      for (int y = first; y < last; ++y) {
        const int inside = borderIndex(y, problem_.height, problem_.border);
        if (inside >= 0) needed.insert(inside);
      }
      rows.hold(needed, in.held_);
    }
    times.upload += secondsSince(start);

    start = Clock::now();
    for (int i = 0; i < sink.planes(); ++i) {
      MutablePlane plane =
          whole.empty() ? buffers[static_cast<std::size_t>(i)].plane(0) : whole[static_cast<std::size_t>(i)];
      if (!whole.empty()) plane.data = plane.row(done);
      plane.height = height;
      out.planes.push_back(plane);
    }
    compute(in, out, stop);
    times.compute += secondsSince(start);

    start = Clock::now();
    if (whole.empty()) {
      for (int i = 0; i < sink.planes(); ++i)
        sink.writeRows(i, done, out.planes[static_cast<std::size_t>(i)]);
    }
    times.download += secondsSince(start);
  }
  return times;
}

template <class T>
void gatherRow(const std::byte* row, ElementType type, int width, const Border& border, int firstX, int count,
               T* dst) {
  if (row == nullptr) {
    std::fill(dst, dst + count, static_cast<T>(border.value));
    return;
  }
  visit(type, [&](auto element) {
    const auto* src = reinterpret_cast<const decltype(element)*>(row);
    const auto outside = [&](int i) {
      const int inside = borderIndex(firstX + i, width, border);
      return inside < 0 ? static_cast<T>(border.value) : static_cast<T>(asFloat(src[inside]));
    };
    const int left = std::clamp(-firstX, 0, count);
    const int right = std::clamp(width - firstX, left, count);
    for (int i = 0; i < left; ++i) dst[i] = outside(i);
    for (int i = left; i < right; ++i) dst[i] = static_cast<T>(asFloat(src[firstX + i]));
    for (int i = right; i < count; ++i) dst[i] = outside(i);
  });
}

template void gatherRow<float>(const std::byte*, ElementType, int, const Border&, int, int, float*);
template void gatherRow<double>(const std::byte*, ElementType, int, const Border&, int, int, double*);

}  // namespace bankside
