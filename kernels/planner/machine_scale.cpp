#include "kernels/planner/machine_scale.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "kernels/highway/limits.h"
#include "kernels/highway/row_window.h"
#include "kernels/planner/processor.h"

namespace bankside::planner {
using namespace direct;

namespace {

double secondsOfSteadyClock() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

double measuredScale(const RowKernels& kernels, const MachineKind& kind, double (*now)()) {
  constexpr int side = 9;
  constexpr int width = 384;
  constexpr int samples = 40;  // the least counts: others may be using the machine
  ConvolutionProblem p;
  p.filterCount = maxBlockFilters;
  p.filterHeight = p.filterWidth = side;
  CorrelationTaps taps;
  taps.taps.assign(static_cast<std::size_t>(side * side * maxBlockFilters), 0.5f);
  const DirectProgram program = makeDirectProgram(p, taps);

  const std::size_t stride = paddedRow(width + side - 1);
  AlignedBuffer<float> buffer;
  float* data = buffer.atLeast(stride * (side + maxBlockFilters));
  std::fill(data, data + stride * (side + maxBlockFilters), 1.0f);
  const float* rows[side];
  float* dst[maxBlockFilters];
  for (std::size_t i = 0; i < side; ++i) rows[i] = data + i * stride;
  for (std::size_t i = 0; i < maxBlockFilters; ++i) dst[i] = data + (side + i) * stride;

  double least = 0;
  for (int i = 0; i < samples; ++i) {
    const double start = now();
    for (const FilterBlock& block : program.blocks) {
      BlockCall call;
      call.rows = rows;
      call.program = block.row.taps.empty() ? &block.step : &block.row;
      call.pixels = width;
      call.dst = dst + block.first;
      kernels.block[block.count - 1][0](call);
    }
    const double seconds = now() - start;
    if (i == 0 || seconds < least) least = seconds;
  }
  const double predicted = width * weightedTaps(program) * pathCosts(kind).tap * 1e-9;
  return least / predicted;
}

const MachineKind& machineKind() {
  // Bytes depend on it: where the processor is known, a busy neighbour on the same core changes nothing. Of
  // those that are measured four and eight were seen.
  static const MachineKind kind = [] {
    const int lanes = rowKernels().lanes;
    const std::optional<bool> known = startsTwoMultiplyAdds(thisProcessor(), lanes);
    return MachineKind{lanes, known ? *known : multiplyAddsALatency() > 6};
  }();
  return kind;
}

double machineScale() {
  static const double scale = measuredScale(rowKernels(), machineKind(), secondsOfSteadyClock);
  return scale;
}

}  // namespace bankside::planner
