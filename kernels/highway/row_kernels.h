/// What the direct engine asks of the vector code, compiled once for every SIMD target and picked at run
/// time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/problem.h"
#include "kernels/highway/group_program.h"

namespace bankside::direct {

/// Floats past the end of a row that kernels may read (source rows) or write (value and index rows).
inline constexpr int rowSlack = 64;
/// Where rows of floats start; also what a streaming store wants.
inline constexpr std::size_t rowAlignment = 64;

/// One block of filters over output pixels [first, pixels) of 1 or rowsAtOnce(block) output rows; `first` is
/// a multiple of rowAlignment's floats. Shapes  rows: [C * window rows], each at the pixel under tap column 0
/// of output pixel 0, readable
///         for pixels + kw - 1 + rowSlack · dst: [output rows][filters of the block] (Combine::None) ·
///         value, index: [output rows], padded by rowSlack (all other combines)
struct BlockCall {
  const float* const* rows = nullptr;
  const TapProgram* program = nullptr;
  int first = 0;
  int pixels = 0;
  Combine combine = Combine::None;
  int firstFilter = 0;
  bool stream = false;  ///< store `dst` around the caches; every dst is on rowAlignment
  float* const* dst = nullptr;
  float* const* value = nullptr;
  std::int32_t* const* index = nullptr;
};

/// A group of output rows over output pixels [first, pixels). `results[j]` says where row j goes. Shapes
///         rows: [sets][C][window rows], as BlockCall's
struct GroupCall {
  const float* const* rows = nullptr;
  const GroupStep* steps = nullptr;
  int stepCount = 0;
  int first = 0;
  int pixels = 0;
  unsigned wanted = 0;  ///< bit j: result row j
  BlockCall results[4];
};

struct RowKernels {
  const char* target = "";
  bool fused = false;  ///< one rounding a multiply-add
  int lanes = 1;       ///< floats in a vector
  /// [filters - 1][0: one output row, 1: rowsAtOnce(filters)]
  void (*block[maxBlockFilters][2])(const BlockCall& call) = {};
  /// The same as block[filters - 1][1] for programs that are dense in one channel: [..][squareOf(side)];
  /// unrolled for some.
  void (*square[maxBlockFilters][squares])(const BlockCall& call) = {};
  int vectors[maxBlockFilters][2] = {};  ///< vectors of pixels each holds in registers

  void (*group[maxBlockFilters])(const GroupCall& call) = {};
  /// dst = a - b, `count` floats rounded up to whole vectors.
  void (*subtract)(const float* a, const float* b, int count, float* dst) = nullptr;

  /// `count` elements as float; exact.
  void (*widen)(ElementType type, const std::byte* src, int count, float* dst) = nullptr;
  /// `count` floats as elements, as core's fromFloat; `stream` as above (f32 only).
  void (*narrow)(ElementType type, const float* src, int count, std::byte* dst, bool stream) = nullptr;
  void (*narrowIndex)(const std::int32_t* src, int count, std::uint16_t* dst) = nullptr;
  /// Completes a combine, as core's Combiner::finish.
  void (*finish)(Combine combine, int filterCount, int count, float* value) = nullptr;
  /// Makes streamed stores visible to other threads.
  void (*fence)() = nullptr;
};

/// What makes one or rowsAtOnce(filters) output rows of a program.
inline auto kernelFor(const RowKernels& kernels, int filters, const TapProgram& program, int rows) {
  const auto kernel = static_cast<std::size_t>(filters - 1);
  if (rows != rowsAtOnce(filters)) return kernels.block[kernel][0];
  if (program.denseSide != 0) return kernels.square[kernel][squareOf(program.denseSide)];
  return kernels.block[kernel][1];
}

/// Those of the best target that this machine has.
const RowKernels& rowKernels();

/// Highway's version and that target.
std::string describeKernels();

/// Highway's numbers of the targets that are compiled in and run here, for tests.
std::vector<std::int64_t> runnableTargets();

}  // namespace bankside::direct
