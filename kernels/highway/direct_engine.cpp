// How `cpu:direct` works, and why.
//
// A strip of output rows is made step by step from a ring of padded float rows (row_window.h), so every
// source row is converted once a strip and no padded image exists. A block of filters (tap_program.h) walks
// the rows of a step with filters x rows x vectors of sums in registers (block_kernel-inl.h): 6 x 1 x 4
// vectors with 32 registers, 6 x 1 x 2 with 16; a single filter takes 4 rows at once, because loads that
// cross cache lines, not multiply-adds, are what it runs out of. Every sum starts at +0 and takes its taps in
// order c, ky, kx.
//
// What was tried, on a two-core virtual machine with a Zen 4 server CPU, one thread, 2048 x 2048 f32, dense:
// - This CPU does one 512-bit multiply-add a cycle (117 GFLOP/s measured, the same as with AVX2). Twelve
//   filters run at 66% of that at K = 3, 80% at 5, 88% at 7, 92% at 9, 95% at 11, 97% at 15.
// - Sums spilt to memory between the taps and the stores: K = 3 took 15.1 ms instead of 11.8.
// - GCC reloading pixels for each use (see loadOnce): a single 3 x 3 took 3.7 ms instead of 2.2.
// - Blocks of 1 to 6 filters differ by less than 10% from K = 9 on: a sparse bank may be cut by its zeros.
// - Reading f32 rows in place: a single 3 x 3 at 4096 x 4096 took 8 ms instead of 12; twelve gained nothing.
// - Streaming stores at K = 3: writing twelve maps alone takes 7.4 ms, the multiply-adds alone 7.7 ms, both
//   together 12 ms; nothing made them overlap better (2 vectors instead of 4: 14.3 ms; the nine pixels held
//   in registers and the filters brought to them: 13.1 ms, though 10% faster in the caches; prefetching:
//   nothing).
#include "kernels/highway/direct_engine.h"

#include <algorithm>
#include <mutex>

#include "hwy/highway.h"
#include "kernels/highway/row_window.h"

namespace bankside {
namespace {

using namespace direct;

/// Bytes of padded source rows that a thread keeps hot: a part of the smallest L2 around (256 KiB).
constexpr std::size_t windowBytes = 192 * 1024;
/// Multiply-adds of one kernel call; the stop token is looked at between calls.
constexpr double callTaps = 1e8;
/// Tiles are multiples of every register block's pixels (16, 24, 32, 64, 96, 128 ...).
constexpr int tileStep = 384;
/// Results smaller than this are likely to be read back from the caches; larger ones go around them.
constexpr double streamBytes = 8.0 * 1024 * 1024;
/// Filters this low and banks with this few taps read f32 rows where they lie. (Higher ones would have more
/// rows a power of two apart than the first cache has ways; with more taps the copy is lost in the sum.)
constexpr int inPlaceRows = 5;
constexpr double inPlaceTaps = 400;
/// Multiply-adds worth a thread.
constexpr double taskTaps = 2e6;

/// A thread's memory, kept between strips and runs.
struct Workspace {
  RowWindow window;
  AlignedBuffer<float> values;
  AlignedBuffer<std::int32_t> indices;
};

/// How one run is cut: response groups x columns of tiles x strips of rows.
struct Cut {
  int tileWidth = 0;
  int tiles = 0;
  int stripRows = 0;
  int strips = 0;
  bool stream = false;
  bool inPlace = false;  ///< read f32 rows where they lie
};

class DirectPlan final : public HostPlan {
 public:
  DirectPlan(const ConvolutionProblem& problem, const FilterBank& bank, const PlanOptions& options)
      : HostPlan(problem, bank, options),
        kernels_(rowKernels()),
        program_(makeDirectProgram(problem, taps())) {}

  std::string variant() const override {
    int filters = 0;
    for (const FilterBlock& b : program_.blocks) filters = std::max(filters, b.count);
    const int rows = rowsAtOnce(filters);
    std::string text = std::string(kernels_.target) + (kernels_.fused ? ", " : " (no FMA), ");
    text += std::to_string(filters) + (filters == 1 ? " filter x " : " filters x ");
    if (rows > 1) text += std::to_string(rows) + " rows x ";
    return text + std::to_string(kernels_.vectors[filters - 1][1]) + " vectors";
  }

 private:
  void compute(const SourceBand& in, const SinkBand& out, const std::stop_token& stop) override {
    const Cut cut = makeCut(out);
    const int tasks = problem().responseGroups() * cut.tiles * cut.strips;
    team().forRanges(0, tasks, 1, [&](int first, int last) {
      std::unique_ptr<Workspace> space = takeWorkspace();
      for (int task = first; task < last; ++task) {
        const int strip = task % cut.strips;
        const int tile = task / cut.strips % cut.tiles;
        computeTile(in, out, cut, task / cut.strips / cut.tiles, tile, strip, *space, stop);
      }
      kernels_.fence();
      const std::lock_guard lock(mutex_);
      workspaces_.push_back(std::move(space));
    });
  }

  Cut makeCut(const SinkBand& out) const {
    const ConvolutionProblem& p = problem();
    const double tapsAPixel = static_cast<double>(p.tapChannels()) * p.filterHeight * p.filterWidth;
    const double rows = static_cast<double>(p.tapChannels()) * program_.windowRows;
    const double byMemory = static_cast<double>(windowBytes) / 4 / rows - p.filterWidth;
    const double byTime = callTaps / (tapsAPixel * maxBlockFilters);
    const int widest =
        std::max(1, static_cast<int>(std::min({byMemory, byTime, 4096.0})) / tileStep) * tileStep;

    Cut cut;
    cut.tiles = (out.region.width + widest - 1) / widest;
    const int even = (out.region.width + cut.tiles - 1) / cut.tiles;
    cut.tileWidth = (even + tileStep - 1) / tileStep * tileStep;
    cut.tiles = (out.region.width + cut.tileWidth - 1) / cut.tileWidth;

    const double work =
        tapsAPixel * p.filterCount * p.responseGroups() * out.region.width * out.region.height;
    const int wanted =
        team().count() == 1 ? 1 : std::clamp(static_cast<int>(work / taskTaps), 1, 4 * team().count());
    const int strips = std::max(1, (wanted + cut.tiles - 1) / cut.tiles);
    const int stripRows = (out.region.height + strips - 1) / strips;
    cut.stripRows = (stripRows + program_.stepRows - 1) / program_.stepRows * program_.stepRows;
    cut.strips = (out.region.height + cut.stripRows - 1) / cut.stripRows;

    cut.inPlace = p.filterHeight <= inPlaceRows && tapsAPixel * p.filterCount <= inPlaceTaps;

    double bytes = 0;
    bool aligned = true;
    for (const MutablePlane& plane : out.planes) {
      bytes += static_cast<double>(sizeOf(plane.type)) * plane.width * plane.height;
      aligned = aligned && reinterpret_cast<std::uintptr_t>(plane.data) % rowAlignment == 0 &&
                plane.strideBytes % static_cast<std::ptrdiff_t>(rowAlignment) == 0;
    }
    cut.stream = aligned && bytes >= streamBytes;
    return cut;
  }

  void computeTile(const SourceBand& in, const SinkBand& out, const Cut& cut, int group, int tile, int strip,
                   Workspace& space, const std::stop_token& stop) const {
    const ConvolutionProblem& p = problem();
    const int x = tile * cut.tileWidth;
    const int width = std::min(cut.tileWidth, out.region.width - x);
    const int top = strip * cut.stripRows;
    const int bottom = std::min(top + cut.stripRows, out.region.height);
    const int channel = p.channelMode == ChannelMode::Summed ? 0 : group;
    space.window.start(p, taps(), in, kernels_, channel, out.region.x + x, width, program_.windowRows,
                       cut.inPlace);
    const bool combined = p.combine != Combine::None;
    for (int y = top; y < bottom; y += program_.stepRows) {
      const int rows = std::min(program_.stepRows, bottom - y);
      space.window.moveTo(out.region.y + y, p.filterHeight + rows - 1);
      StepOutput step{out, cut, group, x, width, y, space, {}, {}};
      if (combined) prepareCombine(step, rows);
      for (const FilterBlock& block : program_.blocks) {
        const int atOnce = rowsAtOnce(block.count);
        int row = 0;
        for (; row + atOnce <= rows; row += atOnce) runBlock(block, block.step, row, atOnce, step, stop);
        for (; row < rows; ++row) runBlock(block, block.row, row, 1, step, stop);
      }
      if (combined) finishCombine(step, rows);
    }
  }

  struct StepOutput {
    const SinkBand& out;
    const Cut& cut;
    int group;
    int x;
    int width;
    int y;
    Workspace& space;
    float* value[4];
    std::int32_t* index[4];
  };

  void runBlock(const FilterBlock& block, const TapProgram& program, int row, int rows,
                const StepOutput& step, const std::stop_token& stop) const {
    if (stop.stop_requested()) throw Cancelled();
    const ConvolutionProblem& p = problem();
    BlockCall call;
    call.program = &program;
    call.combine = p.combine;
    call.firstFilter = block.first;
    call.value = step.value + row;
    call.index = step.index + row;
    float* dst[2 * maxBlockFilters];
    const bool direct = p.combine == Combine::None && p.dstType == ElementType::F32;
    if (p.combine == Combine::None) {
      const std::size_t stride = paddedRow(step.width);
      float* responses = direct ? nullptr : step.space.values.atLeast(stride * 2 * maxBlockFilters);
      for (int j = 0; j < rows; ++j) {
        for (int f = 0; f < block.count; ++f) {
          const int k = j * block.count + f;
          dst[k] = direct ? reinterpret_cast<float*>(destination(step, block.first + f, step.y + row + j))
                          : responses + static_cast<std::size_t>(k) * stride;
        }
      }
      call.dst = dst;
      call.stream = direct && step.cut.stream;
    }
    const RowWindow& window = step.space.window;
    const auto part = [&](int first, int last, const float* const* sourceRows) {
      if (first >= last) return;
      call.first = first;
      call.pixels = last;
      call.rows = sourceRows + row;
      kernelFor(block, program, rows)(call);
    };
    part(0, window.middleFirst(), window.rows());
    part(window.middleFirst(), window.middleLast(), window.middleRows());
    part(window.middleLast(), step.width, window.rows());
    if (p.combine != Combine::None || direct) return;
    for (int j = 0; j < rows; ++j) {
      for (int f = 0; f < block.count; ++f) {
        kernels_.narrow(p.dstType, dst[j * block.count + f], step.width,
                        destination(step, block.first + f, step.y + row + j), false);
      }
    }
  }

  void (*kernelFor(const FilterBlock& block, const TapProgram& program, int rows) const)(const BlockCall&) {
    const auto kernel = static_cast<std::size_t>(block.count - 1);
    if (rows != rowsAtOnce(block.count)) return kernels_.block[kernel][0];
    if (program.denseSide != 0) return kernels_.square[kernel][program.denseSide == 3 ? 0 : 1];
    return kernels_.block[kernel][1];
  }

  std::byte* destination(const StepOutput& step, int filter, int row) const {
    const MutablePlane& plane =
        step.out.planes[static_cast<std::size_t>(step.group * problem().filterCount + filter)];
    return plane.row(row) +
           static_cast<std::ptrdiff_t>(step.x) * static_cast<std::ptrdiff_t>(sizeOf(plane.type));
  }

  void prepareCombine(StepOutput& step, int rows) const {
    const std::size_t stride = paddedRow(step.width);
    float* values = step.space.values.atLeast(stride * 4);
    std::int32_t* indices =
        problem().combine == Combine::ArgMax ? step.space.indices.atLeast(stride * 4) : nullptr;
    for (int j = 0; j < rows; ++j) {
      step.value[j] = values + static_cast<std::size_t>(j) * stride;
      step.index[j] = indices == nullptr ? nullptr : indices + static_cast<std::size_t>(j) * stride;
    }
  }

  void finishCombine(const StepOutput& step, int rows) const {
    const ConvolutionProblem& p = problem();
    const bool withIndex = p.combine == Combine::ArgMax;
    const auto plane = static_cast<std::size_t>(withIndex ? 2 * step.group : step.group);
    for (int j = 0; j < rows; ++j) {
      kernels_.finish(p.combine, p.filterCount, step.width, step.value[j]);
      const MutablePlane& values = step.out.planes[plane];
      std::byte* dst = values.row(step.y + j) +
                       static_cast<std::ptrdiff_t>(step.x) * static_cast<std::ptrdiff_t>(sizeOf(values.type));
      kernels_.narrow(values.type, step.value[j], step.width, dst, step.cut.stream);
      if (!withIndex) continue;
      auto* index = step.out.planes[plane + 1].as<std::uint16_t>().row(step.y + j) + step.x;
      kernels_.narrowIndex(step.index[j], step.width, index);
    }
  }

  std::unique_ptr<Workspace> takeWorkspace() {
    const std::lock_guard lock(mutex_);
    if (workspaces_.empty()) return std::make_unique<Workspace>();
    std::unique_ptr<Workspace> space = std::move(workspaces_.back());
    workspaces_.pop_back();
    return space;
  }

  const RowKernels& kernels_;
  DirectProgram program_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Workspace>> workspaces_;
};

class DirectEngine final : public Engine {
 public:
  std::string name() const override { return "cpu:direct"; }
  std::string device() const override { return "CPU"; }
  std::string description() const override {
    return "Highway " + std::to_string(HWY_MAJOR) + "." + std::to_string(HWY_MINOR) + "." +
           std::to_string(HWY_PATCH) + ", " + rowKernels().target;
  }
  Support supports(const ConvolutionProblem&) const override { return Support::yes(); }
  std::unique_ptr<Plan> prepare(const ConvolutionProblem& problem, const FilterBank& bank,
                                const PlanOptions& options) const override {
    return std::make_unique<DirectPlan>(problem, bank, options);
  }
};

}  // namespace

std::unique_ptr<Engine> makeDirectEngine() { return std::make_unique<DirectEngine>(); }

}  // namespace bankside
