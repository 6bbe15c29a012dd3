/// Images and banks made on the spot: integer ones whose answers are exact, float ones that round. The same
/// for the same seed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/filter_bank.h"
#include "core/image.h"

namespace bankside {

/// Pixels are small integers that differ from their neighbours in every direction: 0..15 (u8, u16, f16) or
/// -8..7 (f32), so that no sum of a filter's products reaches 2^24.
Image integerImage(int channels, int height, int width, ElementType type, std::uint64_t seed = 1);

/// Uniform pixels over the type's range: 0..255, 0..65535, or -1..1 for f16 and f32.
Image randomImage(int channels, int height, int width, ElementType type, std::uint64_t seed = 1);

/// As `randomImage` in -1..1, with about one pixel in a hundred NaN or infinite. For f16 and f32.
Image nonFiniteImage(int channels, int height, int width, ElementType type, std::uint64_t seed = 1);

/// What pixels of a benchmark can be: "uniform" as `randomImage`; "zeros"; "constant"; and of floats "normal"
/// noise and its multiples "normal*1e-30" to "normal*1e30"; "denormals"; magnitudes over 8 decades ("hdr")
/// and over 40
/// ("decades"); NaN outside a disc ("nan-mask"), at one pixel ("one-nan") and at one in 97 x 89
/// ("sparse-nan"), infinities likewise ("sparse-infinity").
const std::vector<std::string>& pixelValues();
/// Whether pixels of the type can be such.
bool holdsValues(ElementType type, const std::string& values);
/// One channel. Errors  Error{BadInput} for another word, or a type that does not hold them
Image imageOfValues(const std::string& values, int height, int width, ElementType type,
                    std::uint64_t seed = 1);

/// Integer taps -4..4, asymmetric, every filter different.
FilterBank integerBank(int filterCount, int channels, int height, int width, std::uint64_t seed = 1);

/// Dense taps in -1..1, none zero.
FilterBank randomBank(int filterCount, int channels, int height, int width, std::uint64_t seed = 1);

/// Filters of rank 1: a column times a row in -1..1, multiplied in double and rounded once.
FilterBank separableBank(int filterCount, int channels, int height, int width, std::uint64_t seed = 1);

/// The same of integers: columns and rows hold -2..2, taps -4..4. Channels differ.
FilterBank integerSeparableBank(int filterCount, int channels, int height, int width, std::uint64_t seed = 1);

/// The same bank with every anchor moved.
FilterBank withAnchor(const FilterBank& bank, int anchorX, int anchorY);
/// The same bank written for the other convention.
FilterBank withMode(const FilterBank& bank, FilterMode mode);

}  // namespace bankside
