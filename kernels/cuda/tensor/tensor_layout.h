/// How a bank is laid over the tensor cores: index arithmetic alone, one definition for host and device.
///
/// A product multiplies 64 rows of pixels, 16 halves wide, with `tapColumns` columns of taps. A row of
/// pixels is a *group*: `shifts` neighbouring outputs see the 8 or more pixels from its first one on. A
/// column of taps is one half (see split.h) of one filter, moved right by the output's place in the group and
/// down by its place in a strip of `rowStep` output rows; high halves come first, low ones, if there are any,
/// after them. So pixels lie in shared memory as the instruction wants them, nobody reads them into
/// registers, and a thread finds the sums of both halves, of neighbouring outputs and of many filters among
/// its own.
///
/// In shared memory a group is its first 8 pixels, 16 bytes: a *core*. The 8 pixels right of it are the core
/// of the group 8 / shifts further on, those below it the core one row of groups further on, so that the two
/// cores of an instruction are any two that taps need.
#pragma once

#include <cstdint>

#include "core/element_type.h"
#include "core/host_device.h"
#include "kernels/cuda/pixels/tile_math.h"

namespace bankside::cuda {

/// Which products of a tap and a pixel, both in halves, become sums. (Kernels get it by value: a byte.)
enum class PartialProducts : std::uint8_t {
  Rounded,  ///< one: taps and pixels are rounded to half precision
  Exact,    ///< one: pixels and taps are halves as they are, and sums exact
  Most,     ///< all that f32 sums would notice
  Every,    ///< all that there are: integer taps of more bits than a half has
};
BANKSIDE_HOST_DEVICE constexpr bool oneProduct(PartialProducts products) {
  return products == PartialProducts::Rounded || products == PartialProducts::Exact;
}

/// How pixels become halves. Whole: half precision holds them (u8, f16). Others (u16, f32) are split in two
/// parts, the second moved up by 2^11, or rounded to one half.
enum class PixelParts { Whole, Split, Rounded };

BANKSIDE_HOST_DEVICE constexpr PixelParts pixelPartsOf(ElementType type,
                                                       PartialProducts products = PartialProducts::Most) {
  if (type == ElementType::U8 || type == ElementType::F16) return PixelParts::Whole;
  return oneProduct(products) ? PixelParts::Rounded : PixelParts::Split;
}

/// Which halves of taps an instruction has: both; one of them, where pixels are split (a step has three
/// instructions then: high halves, low halves, second parts of pixels, and one chain all products but those
/// of second parts and low halves); or the high ones, where nothing multiplies the others.
enum class TapParts : std::uint8_t { Both, Apart, High };

/// Whether pixels of the type may be such that halves do not hold them: NaN, infinities, or too far apart.
BANKSIDE_HOST_DEVICE constexpr bool mayFallBack(ElementType type) {
  return type == ElementType::F16 || type == ElementType::F32;
}

/// By which instructions a kernel multiplies. Groups, cores and columns are the same for both.
enum class TensorForm : std::uint8_t {
  Warpgroups,  ///< `wgmma`, compute capability 9.0: four warps, both matrices in shared memory
  Warps,       ///< `mma.sync`, from 8.0 on: each warp for itself, 16 groups and 8 columns an instruction
};

/// Columns of taps of a warp's step: one width, one set of kernels.
inline constexpr int warpColumns = 64;

/// Groups of a turn: one instruction's of a warpgroup, or several of a warp.
inline constexpr int groupsOfProduct = 64;
inline constexpr int coreBytes = 16;
inline constexpr int mostTensorSide = 31;

/// A chain's instructions take turns with so many sums, where split pixels ask for short ones and registers
/// hold two.
BANKSIDE_HOST_DEVICE constexpr int sumsOfChain(int tapColumns, PixelParts parts, bool chained) {
  return parts == PixelParts::Split && (tapColumns < 96 || !chained) ? 2 : 1;
}

/// Threads of a warpgroup; those of a block that multiply take turns with the strips.
inline constexpr int tensorWarpgroup = 128;

/// What one launch does; fixed once a problem is known.
struct TensorLayout {
  int groups = 128;     ///< of a block's row; 64 where shared memory holds no more
  int tapColumns = 96;  ///< of an instruction
  int shiftsLog2 = 1;   ///< of `shifts()`: 1, 2 or 3
  int rowStep = 1;      ///< output rows of a strip
  int cores = 2;        ///< a tap row is so many cores wide
  int steps = 2;        ///< for all taps, two cores each: an instruction, or three (TapParts::Apart)
  /// Runs of steps, as many in each, whose results are added in f32: sums in tensor cores are cut off,
  /// and the longer they are the more they err to one side.
  int chains = 1;
  int blocks = 1;  ///< of `tapColumns` columns of taps, in a pass
  int passes = 1;  ///< over the bank
  /// Passes whose taps a block holds: two where they take turns over the same strip, so that nobody waits for
  /// taps.
  int tapBuffers = 1;
  PixelParts parts = PixelParts::Whole;
  PartialProducts products = PartialProducts::Most;
  TapParts halves = TapParts::Both;
  TensorForm form = TensorForm::Warpgroups;
  int pixelBytes = 1;  ///< of the image
  /// Whether all filters become one result, so that passes take turns in a block; otherwise blocks share
  /// them.
  bool combined = false;

  /// Neighbouring outputs of a group.
  BANKSIDE_HOST_DEVICE constexpr int shifts() const { return 1 << shiftsLog2; }
  /// Outputs of a block, each a column of every half.
  BANKSIDE_HOST_DEVICE constexpr int outputs() const { return outputsOf(tapColumns, halves); }
  BANKSIDE_HOST_DEVICE static constexpr int outputsOf(int tapColumns, TapParts halves) {
    return halves == TapParts::High ? tapColumns : tapColumns / 2;
  }
  /// One filter's outputs of one row are a unit. Column c of either half of a block is output c % shifts() of
  /// unit c / shifts(); units are counted [filter][row].
  BANKSIDE_HOST_DEVICE constexpr int unitsPerBlock() const { return unitsOf(outputs()); }
  BANKSIDE_HOST_DEVICE constexpr int unitsOf(int outputs) const { return outputs >> shiftsLog2; }
  BANKSIDE_HOST_DEVICE constexpr int units() const { return blocks * unitsPerBlock(); }
  /// Of eight columns of one half, which four lanes hold.
  BANKSIDE_HOST_DEVICE constexpr int unitsOfEight() const { return 8 >> shiftsLog2; }
  /// Columns of one half of a block, in eights: a lane has one unit of each. In shared memory a lane's units
  /// stand side by side, read two at a time where many are; from one lane's to the next one's it is an odd
  /// number of pairs, for the banks' sake.
  BANKSIDE_HOST_DEVICE constexpr int eights() const { return outputs() / 8; }
  BANKSIDE_HOST_DEVICE static constexpr int unitsApart(int eights) { return 2 * (ceilDiv(eights, 2) | 1); }
  BANKSIDE_HOST_DEVICE constexpr int unitPlacesOf(int eights) const {
    return unitsOfEight() * unitsApart(eights);
  }
  /// Lanes that hold the same outputs of other filters, where results are combined: a strip's rows share
  /// `unitsOfEight()` lanes.
  BANKSIDE_HOST_DEVICE constexpr int filtersOfEight() const { return unitsOfEight() / rowStep; }

  /// Bytes of taps for one step, for a block, for a pass.
  BANKSIDE_HOST_DEVICE constexpr int stepBytes() const { return tapColumns * 32; }
  BANKSIDE_HOST_DEVICE constexpr int blockBytes() const { return steps * stepBytes(); }
  BANKSIDE_HOST_DEVICE constexpr int passBytes() const { return blocks * blockBytes(); }
  /// Image rows that a strip reads, with those that only meet zero taps.
  BANKSIDE_HOST_DEVICE constexpr int reach() const { return ceilDiv(2 * steps, cores); }
  BANKSIDE_HOST_DEVICE constexpr int width() const { return groups << shiftsLog2; }
  /// Result pixels of one warpgroup's turn.
  BANKSIDE_HOST_DEVICE constexpr int turnPixels() const { return groupsOfProduct * rowStep << shiftsLog2; }
  /// Groups staged of a row, and bytes from one row to the next.
  BANKSIDE_HOST_DEVICE constexpr int stagedGroups() const { return groups + (cores - 1) * unitsOfEight(); }
  BANKSIDE_HOST_DEVICE constexpr int pitch() const { return stagedGroups() * coreBytes; }
  /// Bytes of one row as it is copied, in whole words and one more.
  BANKSIDE_HOST_DEVICE constexpr int rawPitch() const {
    return roundUp(((stagedGroups() << shiftsLog2) + 8) * pixelBytes + 8, 16);
  }
  /// Whether an instruction's cores may lie in two rows: then a ring's first row stands behind its last once
  /// more.
  BANKSIDE_HOST_DEVICE constexpr bool repeatsRow() const { return cores % 2 != 0; }
  BANKSIDE_HOST_DEVICE constexpr int planes() const { return parts == PixelParts::Split ? 2 : 1; }
  BANKSIDE_HOST_DEVICE constexpr bool chained() const { return chains > 1; }
  BANKSIDE_HOST_DEVICE constexpr int chainSteps() const { return steps / chains; }
  /// Of a chain, which its instructions take turns with, and those of the longest one.
  BANKSIDE_HOST_DEVICE constexpr int sums() const {
    return form == TensorForm::Warps ? 1 : sumsOfChain(tapColumns, parts, chained());
  }
  BANKSIDE_HOST_DEVICE constexpr int sumSteps() const { return ceilDiv(chainSteps(), sums()); }
  /// Halves of taps that second parts of pixels meet.
  BANKSIDE_HOST_DEVICE constexpr int secondHalves() const {
    return products == PartialProducts::Every ? 2 : 1;
  }

  /// Core `i` of a strip, counted along tap rows and then down: bytes from the strip's first core.
  BANKSIDE_HOST_DEVICE constexpr int coreAt(int i) const {
    return i / cores * pitch() + i % cores * unitsOfEight() * coreBytes;
  }
};

/// The part of a matrix descriptor that says how far the core with halves 8 to 15 lies.
BANKSIDE_HOST_DEVICE constexpr std::uint32_t coresApart(int bytes) {
  return static_cast<std::uint32_t>(bytes) >> 4 << 16;
}

/// A descriptor of pixels reaches so far as if its groups did not overlap. Nothing behind them is read, but
/// compute-sanitizer counts it as read.
inline constexpr int descriptorReach = groupsOfProduct * 32;

}  // namespace bankside::cuda
