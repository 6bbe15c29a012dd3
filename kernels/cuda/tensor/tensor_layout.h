/// How a bank is laid over the tensor cores: index arithmetic alone, one definition for host and device.
///
/// One instruction multiplies 64 rows of taps, 16 columns wide, with 128 columns of pixels. A column of
/// pixels is a *group*: `shifts` neighbouring outputs see the 8 or more pixels from its first one on. A row
/// of taps is one half (see split.h) of one filter, moved right by the output's place in the group and down
/// by its place in a strip of `rowStep` output rows. So pixels lie in shared memory as the instruction wants
/// them, nobody reads them into registers, and a thread finds sums of both halves in its own.
///
/// In shared memory a group is its first 8 pixels, 16 bytes: a *core*. The 8 pixels right of it are the core
/// of the group 8 / shifts further on, those below it the core one row of groups further on, so that the two
/// cores of an instruction are any two that taps need.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/element_type.h"
#include "core/host_device.h"
#include "core/problem.h"
#include "kernels/cuda/fused.h"
#include "kernels/cuda/tile_math.h"

namespace bankside::cuda {

/// How pixels become halves. Whole: half precision holds them (u8, f16). Split: two parts, the second moved
/// up by 2^11, with sums of its own (u16, f32).
enum class PixelParts { Whole, Split };

constexpr PixelParts pixelPartsOf(ElementType type) {
  return type == ElementType::U16 || type == ElementType::F32 ? PixelParts::Split : PixelParts::Whole;
}

/// Of one instruction.
inline constexpr int tapRows = 64;
inline constexpr int coreBytes = 16;
/// Instructions one after the other into the same sums; more are parted, because sums that are cut off err to
/// one side.
inline constexpr int longestChain = 32;
/// Of the largest filter, every output of a strip and both its cores.
inline constexpr int mostSteps = 128;

/// Threads of a warpgroup; those of a block take turns with the strips.
inline constexpr int tensorWarpgroup = 128;

/// What one launch does; fixed once a problem is known.
struct TensorLayout {
  int columns = 128;  ///< of pixels: groups of a tile's row; 64 where shared memory holds no more
  int shifts = 2;     ///< neighbouring outputs of a group: 2 or 4
  int rowStep = 1;    ///< output rows of a strip
  int cores = 2;      ///< a tap row is so many cores wide
  int steps = 1;      ///< instructions for all taps, two cores each; a multiple of `chains()`
  int blocks = 1;     ///< of `tapRows` rows of taps, in a pass
  int passes = 1;     ///< over the bank
  PixelParts parts = PixelParts::Whole;
  int longest = longestChain;

  /// One filter's outputs of one row: a unit is `shifts` slots, a slot two rows of taps.
  BANKSIDE_HOST_DEVICE constexpr int unitsPerBlock() const { return tapRows / 2 / shifts; }
  BANKSIDE_HOST_DEVICE constexpr int units() const { return blocks * unitsPerBlock(); }
  /// Bytes of taps for one instruction, for a block, for a pass.
  static constexpr int stepBytes = tapRows * 32;
  BANKSIDE_HOST_DEVICE constexpr int blockBytes() const { return steps * stepBytes; }
  BANKSIDE_HOST_DEVICE constexpr int passBytes() const { return blocks * blockBytes(); }
  /// Image rows that a strip reads, with those that only meet zero taps.
  BANKSIDE_HOST_DEVICE constexpr int reach() const { return ceilDiv(2 * steps, cores); }
  BANKSIDE_HOST_DEVICE constexpr int width() const { return columns * shifts; }
  /// Groups staged of a row, and bytes from one row to the next.
  BANKSIDE_HOST_DEVICE constexpr int groups() const { return columns + (cores - 1) * 8 / shifts; }
  BANKSIDE_HOST_DEVICE constexpr int pitch() const { return groups() * coreBytes; }
  BANKSIDE_HOST_DEVICE constexpr int planes() const { return parts == PixelParts::Whole ? 1 : 2; }
  /// Sums of their own for each plane.
  BANKSIDE_HOST_DEVICE constexpr int chains() const { return ceilDiv(steps, longest); }
  BANKSIDE_HOST_DEVICE constexpr int chainSteps() const { return steps / chains(); }

  /// Shared memory of a warpgroup that combines results, see tensor_combine.cuh: a row of the four warps, or
  /// 128 pixels of every unit.
  static BANKSIDE_HOST_DEVICE constexpr int rowBytes(int width) { return 4 * width * 4; }
  static BANKSIDE_HOST_DEVICE constexpr int unitsBytes(int shifts) {
    return tapRows / 2 / shifts * tensorWarpgroup * 4;
  }
  BANKSIDE_HOST_DEVICE constexpr int combineBytes(Fused fused) const {
    if (fused == Fused::None) return 0;
    return fused == Fused::Value && rowStep == 1 ? rowBytes(width()) : unitsBytes(shifts);
  }

  /// Whether sums of a chain, of a result and of a combined result are alive together, which is more than the
  /// registers hold for 128 columns.
  BANKSIDE_HOST_DEVICE constexpr bool keepsMuch(bool combined) const {
    return combined && planes() * chains() > 1;
  }

  /// Core `i` of a strip, counted along tap rows and then down: bytes from the strip's first core.
  BANKSIDE_HOST_DEVICE constexpr int coreAt(int i) const {
    return i / cores * pitch() + i % cores * (8 / shifts) * coreBytes;
  }
  bool operator==(const TensorLayout&) const = default;
};

/// The part of a matrix descriptor that says how far the core with halves 8 to 15 lies.
BANKSIDE_HOST_DEVICE constexpr std::uint32_t coresApart(int bytes) {
  return static_cast<std::uint32_t>(bytes) >> 4 << 16;
}

/// A descriptor of pixels reaches so far as if its columns did not overlap. Nothing behind them is read, but
/// compute-sanitizer counts it as read.
inline constexpr int descriptorReach = 4096;

/// Where a block keeps what, in bytes of shared memory.
struct SharedPlan {
  int warpgroups = 2;  ///< of the block: 2 where two blocks share a multiprocessor, else 4 or 2
  int strips = 1;
  int units = 0;    ///< after the taps: Unit of every unit of a pass
  int results = 0;  ///< where results are combined
  int pixels = 0;
  int plane = 0;  ///< bytes of one plane of pixels
  int total = 0;
  bool operator==(const SharedPlan&) const = default;
};

/// Strips: as many as leave room for a second block in the multiprocessor if
/// that is enough to share the halo, fewer where the result would not fill `multiprocessors`.
SharedPlan sharedPlan(const TensorLayout& layout, Fused fused, int width, int height, int multiprocessors);

/// What becomes of a problem's responses: one filter needs no combining, only its own square or absolute
/// value.
Fused fusedWith(const ConvolutionProblem& problem);

/// The layout for a problem's bank: the one with the fewest instructions. Filters at most 31 x 31.
TensorLayout tensorLayout(const ConvolutionProblem& problem);

/// Instructions for one column of pixels and one result row.
double layoutCost(const TensorLayout& layout);

}  // namespace bankside::cuda
