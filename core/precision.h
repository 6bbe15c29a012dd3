/// How much accuracy a planner may trade for speed. An engine that is asked for by its own name is what it
/// is.
#pragma once

#include <optional>
#include <string_view>

namespace bankside {

/// Exact: sums in f32 with one fused multiply-add a tap, or others that give the very same bytes: integers
/// stay exact wherever they fit into f32. Fp32: whatever has the accuracy of f32 sums with a bound of its
/// own, transforms included; small integers may come out a few units in the last place off. Fp16: pixels and
/// taps may also be rounded to half precision.
enum class Precision { Exact, Fp32, Fp16 };

inline constexpr Precision allPrecisions[] = {Precision::Exact, Precision::Fp32, Precision::Fp16};

const char* toString(Precision precision);  ///< "exact", "fp32", "fp16"
std::optional<Precision> parsePrecision(std::string_view text);

}  // namespace bankside
