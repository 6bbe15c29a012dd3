/// Where the tensor cores' kernel keeps its taps and pixels: host and device, tested without a GPU.
///
/// `mma.sync` m16n8k8 multiplies 16 filters x 8 channels with 8 channels x 8 pixels. Taps lie in memory as a
/// warp's registers want them, so that a thread's four come as one 16-byte unit.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "kernels/cuda/multichannel/block_shape.h"

namespace bankside::cuda {

/// Channels that one instruction multiplies.
inline constexpr int channelsPerProduct = 8;

/// Four warps make two rows each of 32 x 8 pixels for 64 filters: 128 sums a thread.
inline constexpr BlockShape tensorShape{64, 32, 8, channelsPerProduct, 16, 8, 2};

/// Floats of 8 channels x 64 filters at one tap: the taps' upper parts and their lower parts.
inline constexpr int tensorTapFloats = 2 * channelsPerProduct * tensorShape.filtersPerBlock;

/// Columns of a staged row, and floats of a channel's staged rows: up to a distance at which the four
/// channels of a thread's group of eight pixels lie in different banks.
BANKSIDE_HOST_DEVICE constexpr int tensorColumns(int filterWidth) {
  constexpr BlockShape shape = tensorShape;
  return shape.tileWidth + filterWidth - 1;
}
BANKSIDE_HOST_DEVICE constexpr int tensorPlane(int filterHeight, int filterWidth) {
  constexpr BlockShape shape = tensorShape;
  return ceilDiv(shape.stagedRows(filterHeight) * tensorColumns(filterWidth) - 8, 32) * 32 + 8;
}

/// Two stages of a tap row and of 8 channels, and the table of pixel offsets; the sums use them again.
constexpr std::size_t tensorSharedBytes(int filterHeight, int filterWidth) {
  const int pixels = tensorPlane(filterHeight, filterWidth);
  const int floats = 2 * filterWidth * tensorTapFloats + 2 * channelsPerProduct * pixels + pixels;
  return sizeof(float) *
         static_cast<std::size_t>(floats > tensorShape.sumFloats() ? floats : tensorShape.sumFloats());
}

/// [F / 64][C / 8][kh][kw][16 filters][upper, lower][lane][4]; filters and channels that are missing are
/// zero.
constexpr std::size_t tensorTapPosition(int filter, int channel, int tap, int channels, int filterTaps,
                                        bool lower) {
  const int block = filter / tensorShape.filtersPerBlock;
  const int inBlock = filter % tensorShape.filtersPerBlock;
  const int c = channel % channelsPerProduct;
  // PTX ISA, fragments of m16n8k8: a lane holds rows lane / 4 and + 8, columns lane % 4 and + 4.
  const int lane = inBlock % 8 * 4 + c % 4;
  const int element = inBlock % 16 / 8 + c / 4 * 2;
  const auto slab =
      static_cast<std::size_t>(block) * static_cast<std::size_t>(ceilDiv(channels, channelsPerProduct)) +
      static_cast<std::size_t>(channel / channelsPerProduct);
  const auto at = slab * static_cast<std::size_t>(filterTaps) + static_cast<std::size_t>(tap);
  return at * tensorTapFloats +
         static_cast<std::size_t>(((inBlock / 16 * 2 + (lower ? 1 : 0)) * 32 + lane) * 4 + element);
}

/// The nearest number that TF32's ten bits after the point hold.
inline float nearestTf32(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7f800000u) == 0x7f800000u) return value;
  return std::bit_cast<float>((bits + 0x0fffu + (bits >> 13 & 1u)) & 0xffffe000u);
}

}  // namespace bankside::cuda
