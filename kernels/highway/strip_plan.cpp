#include "kernels/highway/strip_plan.h"

#include <algorithm>
#include <functional>
#include <memory>

#include "kernels/highway/raised_taps.h"

namespace bankside::direct {
namespace {

/// Bytes of rows that a thread keeps hot: a part of the smallest L2 around (256 KiB).
constexpr double windowBytes = 192 * 1024;
/// Multiply-adds of one kernel call; the stop token is looked at between calls.
constexpr double longestCall = 1e8;
/// Tiles are multiples of every register block's pixels (16, 24, 32, 64, 96, 128 ...).
constexpr int tileStep = 384;
/// Results smaller than this are likely to be read back from the caches; larger ones go around them.
constexpr std::int64_t streamBytes = 8 * 1024 * 1024;
/// Multiply-adds worth a thread.
constexpr double taskTaps = 2e6;

bool onRowAlignment(const MutablePlane& plane) {
  return reinterpret_cast<std::uintptr_t>(plane.data) % rowAlignment == 0 &&
         plane.strideBytes % static_cast<std::ptrdiff_t>(rowAlignment) == 0;
}

}  // namespace

/// How one run is cut: response groups x columns of tiles x strips of rows.
struct StripPlan::Cut {
  int tileWidth = 0;
  int tiles = 0;
  int stripRows = 0;
  int strips = 0;
  bool stream = false;
  bool alone = false;  ///< too little for a second thread

  /// A strip's tiles one after the other: they differ in width, and neighbouring tasks fall to one thread.
  StripTile tile(int task, const Region& region) const {
    if (tiles * strips == 1) return {task, 0, region.width, 0, region.height};  // divisions take longer
    StripTile tile;
    const int strip = task / tiles;
    tile.group = strip / strips;
    tile.x = task % tiles * tileWidth;
    tile.width = std::min(tileWidth, region.width - tile.x);
    tile.top = strip % strips * stripRows;
    tile.bottom = std::min(tile.top + stripRows, region.height);
    return tile;
  }
};

StripPlan::StripPlan(const ConvolutionProblem& problem, const FilterBank& bank, const PlanOptions& options)
    : HostPlan(problem, bank, options),
      kernels_(rowKernels()),
      raised_(raiseTaps(problem, taps())),
      flush_(raised_ != 0 || meetsSmallNumbers(problem, taps())) {}

void StripPlan::compute(const SourceBand& in, const SinkBand& out, const std::stop_token& stop) {
  const Cut cut = makeCut(out);
  const int tasks = problem().responseGroups() * cut.tiles * cut.strips;
  const auto work = [&](int first, int last) {
    const FlushDenormals flush(flush_);
    auto space = workspaces_.take([] { return std::make_unique<Workspace>(); });
    for (int task = first; task < last; ++task) {
      const StripTile tile = cut.tile(task, out.region);
      space->output.start(problem(), kernels_, out, tile.group, tile.x, tile.width, cut.stream);
      space->output.lowerBy(raised_);
      computeTile(in, out.region, tile, *space, stop);
    }
    if (cut.stream) kernels_.fence();
    workspaces_.giveBack(std::move(space));
  };
  if (tasks == 1 || cut.alone) return work(0, tasks);
  team().forRanges(0, tasks, 1, std::ref(work));  // a copy of what it refers to would be allocated
}

StripPlan::Cut StripPlan::makeCut(const SinkBand& out) const {
  const Region& region = out.region;
  Cut cut{.tileWidth = region.width, .tiles = 1, .stripRows = region.height, .strips = 1};
  if (region.width > tileStep) {
    const StripNeeds n = needs();
    const double byMemory = windowBytes / 4 / n.columnFloats - n.overlap;
    const double byTime = longestCall / n.callTaps;
    const int widest =
        std::max(1, static_cast<int>(std::min({byMemory, byTime, 4096.0})) / tileStep) * tileStep;
    cut.tiles = (region.width + widest - 1) / widest;
    const int even = (region.width + cut.tiles - 1) / cut.tiles;
    cut.tileWidth = (even + tileStep - 1) / tileStep * tileStep;
    cut.tiles = (region.width + cut.tileWidth - 1) / cut.tileWidth;
  }
  if (team().count() > 1) {
    const StripNeeds n = needs();
    const double work = n.taps * problem().responseGroups() * region.width * region.height;
    cut.alone = work < taskTaps;
    const int wanted = std::clamp(static_cast<int>(work / taskTaps), 1, 4 * team().count());
    const int strips = std::max(1, (wanted + cut.tiles - 1) / cut.tiles);
    const int stripRows = (region.height + strips - 1) / strips;
    cut.stripRows = (stripRows + n.stepRows - 1) / n.stepRows * n.stepRows;
    cut.strips = (region.height + cut.stripRows - 1) / cut.stripRows;
  }
  std::int64_t bytes = 0;
  for (const MutablePlane& plane : out.planes)
    bytes += static_cast<std::int64_t>(sizeOf(plane.type)) * plane.width * plane.height;
  cut.stream = raised_ == 0 && bytes >= streamBytes &&
               std::all_of(out.planes.begin(), out.planes.end(), onRowAlignment);
  return cut;
}

}  // namespace bankside::direct
