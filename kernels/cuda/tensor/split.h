/// f32 numbers as two of half precision, with nothing lost that f32 sums would notice.
///
/// x = high + low * lowWeight. `high` is x rounded to 11 bits, `low` the rest, moved up so that it never
/// leaves the normal range of half precision where x itself does not: for 2^-13 <= |x| < 2^15 what is left is
/// at most 2^-23 |x|, half a unit in the last place of f32.
#pragma once

namespace bankside::cuda {

inline constexpr float lowWeight = 0x1p-11f;
/// Numbers are scaled so that the largest lies in [2^14, 2^15); none but zero may be below this then.
inline constexpr float smallestSplit = 0x1p-13f;
/// Nor any as large as this.
inline constexpr float splitLimit = 0x1p15f;
/// u16 pixels are halved: half precision ends below 65536.
inline constexpr float scaleOfWords = 0.5f;
/// The scales of taps and of f32 pixels, whose product must stay in the range of f32: powers of two, of taps
/// at most so far from 1, of what a block reads as its largest pixel has it, which lies between these (2^-65
/// to 2^37).
inline constexpr int mostScaleExponent = 60;
inline constexpr float leastLargestPixel = 0x1p-50f;
inline constexpr float mostLargestPixel = 0x1p50f;

}  // namespace bankside::cuda
