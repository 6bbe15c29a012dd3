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
/// A filter's scale is a power of two at most so far from 1.
inline constexpr int mostScaleExponent = 60;

}  // namespace bankside::cuda
