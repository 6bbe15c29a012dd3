/// Where the tensor cores' kernel keeps its taps and pixels: host and device, tested without a GPU.
///
/// `mma.sync` multiplies 16 filters x 8 or 16 channels with those channels x 8 pixels. Taps lie in memory as
/// a warp's registers want them, so that a thread's come as one 16-byte unit.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "kernels/cuda/multichannel/block_shape.h"

namespace bankside::cuda {

/// What the tensor cores multiply. Tf32x3: numbers as the sum of two TF32 numbers, upper and lower, three
/// products for one (m16n8k8). Fp16: numbers rounded to half precision, one product (m16n8k16).
enum class TensorMode { Tf32x3, Fp16 };

/// Channels that one instruction multiplies.
BANKSIDE_HOST_DEVICE constexpr int channelsPerProduct(TensorMode mode) {
  return mode == TensorMode::Tf32x3 ? 8 : 16;
}

/// Four warps make two rows each of 32 x 8 pixels for 64 filters: 128 sums a thread.
BANKSIDE_HOST_DEVICE constexpr BlockShape tensorShape(TensorMode mode) {
  return {64, 32, 8, channelsPerProduct(mode), 16, 8, 2};
}

/// 32-bit words of one instruction's channels x 64 filters at one tap: as TF32 upper and lower parts, as
/// halves two a word.
BANKSIDE_HOST_DEVICE constexpr int tensorTapWords(TensorMode mode) {
  return mode == TensorMode::Tf32x3 ? 2 * 8 * 64 : 16 * 64 / 2;
}

/// Columns of a staged row, and floats of a channel's staged rows: up to a distance at which the four
/// channels that a warp reads at once, each for eight neighbouring pixels, lie in different banks. They are
/// neighbours (TF32) or every second one (halves, two channels a register).
BANKSIDE_HOST_DEVICE constexpr int tensorColumns(TensorMode mode, int filterWidth) {
  return tensorShape(mode).tileWidth + filterWidth - 1;
}
BANKSIDE_HOST_DEVICE constexpr int tensorPlane(TensorMode mode, int filterHeight, int filterWidth) {
  const int rest = mode == TensorMode::Tf32x3 ? 8 : 4;
  const int staged = tensorShape(mode).stagedRows(filterHeight) * tensorColumns(mode, filterWidth);
  return ceilDiv(staged - rest, 32) * 32 + rest;
}

/// Of its instruction's channels, the first that a lane of a warp multiplies, and how far it is to the next.
/// PTX ISA, fragments of B: with t = lane % 4, m16n8k8 has rows t and t + 4, m16n8k16 rows 2t, 2t + 1, 2t +
/// 8, 2t + 9.
BANKSIDE_HOST_DEVICE constexpr int firstChannelOfLane(TensorMode mode, int lane) {
  return mode == TensorMode::Tf32x3 ? lane % 4 : 2 * (lane % 4);
}

/// Two stages of a tap row and of an instruction's channels, and the table of pixel offsets; the sums use
/// them again.
constexpr std::size_t tensorSharedBytes(TensorMode mode, int filterHeight, int filterWidth) {
  const int pixels = tensorPlane(mode, filterHeight, filterWidth);
  const int words = 2 * filterWidth * tensorTapWords(mode) + 2 * channelsPerProduct(mode) * pixels + pixels;
  const int sums = tensorShape(mode).sumFloats();
  return sizeof(float) * static_cast<std::size_t>(words > sums ? words : sums);
}

/// Where a tap of a filter and channel lies: [F / 64][C / channelsPerProduct][kh][kw][tensorTapWords],
/// counted in floats (Tf32x3) or halves (Fp16). Filters and channels that are missing are zero.
constexpr std::size_t tensorTapPosition(TensorMode mode, int filter, int channel, int tap, int channels,
                                        int filterTaps, bool lower) {
  const int inBlock = filter % tensorShape(mode).filtersPerBlock;
  const int c = channel % channelsPerProduct(mode);
  const bool halves = mode == TensorMode::Fp16;
  // PTX ISA, fragments of A: with g = lane / 4 and t = lane % 4 a lane holds rows g and g + 8, of m16n8k8 the
  // columns t and t + 4, of m16n8k16 2t, 2t + 1, 2t + 8 and 2t + 9, two a register.
  const int lane = inBlock % 8 * 4 + (halves ? c % 8 / 2 : c % 4);
  const int below = inBlock % 16 / 8;
  const int element = halves ? c % 2 + 2 * below + c / 8 * 4 : below + c / 4 * 2;
  const auto slabs = static_cast<std::size_t>(ceilDiv(channels, channelsPerProduct(mode)));
  const auto slab = static_cast<std::size_t>(filter / tensorShape(mode).filtersPerBlock) * slabs +
                    static_cast<std::size_t>(channel / channelsPerProduct(mode));
  const auto at = slab * static_cast<std::size_t>(filterTaps) + static_cast<std::size_t>(tap);
  if (halves)
    return at * static_cast<std::size_t>(2 * tensorTapWords(mode)) +
           static_cast<std::size_t>((inBlock / 16 * 32 + lane) * 8 + element);
  return at * static_cast<std::size_t>(tensorTapWords(mode)) +
         static_cast<std::size_t>(((inBlock / 16 * 2 + (lower ? 1 : 0)) * 32 + lane) * 4 + element);
}

/// The nearest number that TF32's ten bits after the point hold.
inline float nearestTf32(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7f800000u) == 0x7f800000u) return value;
  return std::bit_cast<float>((bits + 0x0fffu + (bits >> 13 & 1u)) & 0xffffe000u);
}

/// The power of two, as a float's bits, that brings numbers up to the one with the bits `largest` into half
/// precision: the largest comes to lie in [2^14, 2^15), or below where f32 has no such power (numbers under
/// 2^-112).
BANKSIDE_HOST_DEVICE constexpr std::uint32_t halfScaleBits(std::uint32_t largest) {
  const std::uint32_t exponent = largest >> 23 & 0xff;
  return (268u - (exponent > 15 ? exponent : 15u)) << 23;
}
/// And the way back.
BANKSIDE_HOST_DEVICE constexpr std::uint32_t halfScaleBackBits(std::uint32_t scaleBits) {
  return (254u << 23) - scaleBits;
}

}  // namespace bankside::cuda
