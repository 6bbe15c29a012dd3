/// How a bank is laid over the tensor cores: index arithmetic alone, one definition for host and device.
///
/// One instruction multiplies the windows of 64 neighbouring pixels in one image row, 16 pixels wide, with N
/// columns of taps. Two neighbouring columns hold one filter's taps as two halves of f32 accuracy. Windows of
/// neighbouring pixels overlap in all but one pixel, so that the pixel matrix is a Hankel matrix: a lane
/// needs three words of an image row, however many columns there are.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/element_type.h"
#include "core/host_device.h"
#include "core/problem.h"
#include "kernels/cuda/tile_math.h"

namespace bankside::cuda {

/// How pixels become halves. Whole: half precision holds them (u8, f16). Split: two parts, the second moved
/// up by 2^11, with sums of its own (u16, f32).
enum class PixelParts { Whole, Split };

constexpr PixelParts pixelPartsOf(ElementType type) {
  return type == ElementType::U16 || type == ElementType::F32 ? PixelParts::Split : PixelParts::Whole;
}

/// What one launch does; fixed once a problem is known.
struct TensorLayout {
  int columns = 24;     ///< N of the instruction: two for each filter and row of a pass
  int passes = 1;       ///< over the bank
  bool paired = false;  ///< filters up to 8 wide: an instruction takes two tap rows
  int sweeps = 1;       ///< 2 for filters wider than 16: the left 16 columns, then the rest
  int steps = 1;        ///< instructions a sweep for one result: tap rows, or pairs of them
  /// Result rows that one row of sums stands for. With few filters the free columns make the rows below: a
  /// column that stands for row s of filter f has f's taps moved down by s rows.
  int rowStep = 1;
  PixelParts parts = PixelParts::Whole;

  /// Filters times rows of a pass.
  BANKSIDE_HOST_DEVICE constexpr int slots() const { return columns / 2; }
  /// Bytes of taps for one instruction, and for a pass.
  BANKSIDE_HOST_DEVICE constexpr int stepBytes() const { return columns * 32; }
  BANKSIDE_HOST_DEVICE constexpr int passBytes() const { return sweeps * steps * stepBytes(); }
  /// Image rows that a row of sums reads, with those that only meet zero taps.
  BANKSIDE_HOST_DEVICE constexpr int reach() const { return paired ? 2 * steps : steps; }
  constexpr int planes() const { return parts == PixelParts::Whole ? 1 : 2; }
  bool operator==(const TensorLayout&) const = default;
};

/// A block of threads is a warpgroup: four warps side by side, each 16 pixels wide.
struct TensorBlock {
  static constexpr int threads = 128;
  static constexpr int width = 64;
  /// Words of a staged row: a word is a pixel with its right neighbour. Rows begin at a multiple of four.
  BANKSIDE_HOST_DEVICE static constexpr int stride(bool paired) { return width + (paired ? 12 : 36); }
  /// Those of them that are filled; the first that is read is word `shift`.
  BANKSIDE_HOST_DEVICE static constexpr int words(const TensorLayout& layout, int shift) {
    return roundUp(shift + width + (layout.paired ? 6 : 16 * layout.sweeps - 2), 4);
  }
};

/// Rows of sums that a thread keeps: as many as registers hold.
constexpr int sumRows(int columns, PixelParts parts) {
  return columns == 64 || parts == PixelParts::Split ? 2 : 4;
}

/// Words of shared memory for one slot's results of a warp: the four slots that a warp writes at once lie on
/// different banks.
constexpr int resultWords(int rows) { return rows * 16 + (rows * 16 % 32 == 0 ? 8 : 24); }

/// Strips of sumRows x rowStep rows that a block makes: about 32 rows, fewer where the result would not fill
/// `multiprocessors`.
int stripsPerBlock(const TensorLayout& layout, int width, int height, int multiprocessors);

/// Bytes of shared memory of a block of so many strips.
std::size_t sharedBytes(const TensorLayout& layout, int strips);

/// The layout for a problem's bank: the one with the least work. Filters at most 32 x 32.
TensorLayout tensorLayout(const ConvolutionProblem& problem);

/// Columns that a layout multiplies for one result row, over all instructions. (Fewer than 24 in one take as
/// long as 24.)
double layoutCost(const TensorLayout& layout);

}  // namespace bankside::cuda
