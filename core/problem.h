/// What is to be computed, without the pixels and the taps: a plain value with one text form.
///
/// The text form names a problem in tests, benchmarks, logs, tuning files and failure messages:
///   c1h584w565-f12k15-reflect101-u8:f32-max
///   c3h64w64-f4k3x5a0x2-constant=-3.5-f32:f32-none-convolution-perplane
/// `k` is rows x columns (one number if square), `a` the anchor row x column (left out where it is the
/// middle, k/2); then border, src:dst type, combine, and the words "convolution" and "perplane" where they
/// apply.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/border.h"
#include "core/element_type.h"
#include "core/filter_bank.h"

namespace bankside {

/// How the F responses at a pixel become one. Over the F of one problem, in filter order:
/// AbsMax keeps the sign of the response of largest magnitude; ArgMax gives its value (f32) and its index
/// (u16), both take the lowest index on a tie; Mean = Sum / F; Magnitude = root of the sum of squares. A NaN
/// response makes the result NaN (ArgMax: its index is the first NaN's).
enum class Combine { None, Max, AbsMax, ArgMax, Mean, Sum, Magnitude };

inline constexpr Combine allCombines[] = {Combine::None, Combine::Max, Combine::AbsMax,   Combine::ArgMax,
                                          Combine::Mean, Combine::Sum, Combine::Magnitude};

/// Summed: taps [F][C][kh][kw], responses summed over channels. PerPlane: taps [F][1][kh][kw], every plane
/// gets the whole bank.
enum class ChannelMode { Summed, PerPlane };

const char* toString(Combine combine);  ///< "none", "max", "absmax", "argmax", "mean", "sum", "magnitude"
std::optional<Combine> parseCombine(std::string_view text);

struct ConvolutionProblem {
  int channels = 1;      ///< C
  int height = 1;        ///< H
  int width = 1;         ///< W
  int filterCount = 1;   ///< F
  int filterHeight = 1;  ///< kh
  int filterWidth = 1;   ///< kw
  int anchorX = 0;
  int anchorY = 0;
  FilterMode mode = FilterMode::CrossCorrelation;
  ChannelMode channelMode = ChannelMode::Summed;
  Border border;
  ElementType srcType = ElementType::F32;
  ElementType dstType = ElementType::F32;
  Combine combine = Combine::None;

  bool operator==(const ConvolutionProblem&) const = default;

  /// Tap channels: C when summed, 1 per plane.
  int tapChannels() const { return channelMode == ChannelMode::Summed ? channels : 1; }
  /// Groups of F responses that are combined or written: 1 when summed, C per plane.
  int responseGroups() const { return channelMode == ChannelMode::Summed ? 1 : channels; }

  /// Floating-point operations with dense taps: 2 a tap (a multiply and an add).
  double flops() const;
  /// Lower bound on bytes moved: every source pixel read once, every result written once.
  double minBytes() const;
};

/// The type of each result plane [H,W] in order: without a combine, plane g*F + f is filter f of group g;
/// with one, plane g; ArgMax gives two a group, value then index.
std::vector<ElementType> outputPlanes(const ConvolutionProblem& problem);
/// The same without memory: how many there are, and the type of one.
int outputPlaneCount(const ConvolutionProblem& problem);
ElementType outputPlaneType(const ConvolutionProblem& problem, int plane);

/// The problem of running `bank` (uniform) over an image of that shape; the bank's own mode.
/// Throws Error{BadInput} if the bank is not uniform or its channels fit neither way of taking channels.
ConvolutionProblem makeProblem(const FilterBank& bank, int channels, int height, int width,
                               ElementType srcType, ElementType dstType, Border border, Combine combine);

/// Throws Error{BadInput} unless the bank's shape is the problem's.
void requireFits(const ConvolutionProblem& problem, const FilterBank& bank);

/// Taps as every engine takes them: for correlation, whatever the problem's mode, [F][C][kh][kw], with the
/// anchor that goes with them. Tiny ones beside ordinary ones are 0 (small_taps.h).
struct CorrelationTaps {
  std::vector<float> taps;
  int anchorX = 0;
  int anchorY = 0;
};
CorrelationTaps correlationTaps(const ConvolutionProblem& problem, const FilterBank& bank);

std::string format(const ConvolutionProblem& problem);
/// Throws Error{BadInput} naming the part that could not be read. `parseProblem(format(p)) == p`.
ConvolutionProblem parseProblem(std::string_view text);

std::uint64_t hash(const ConvolutionProblem& problem);

}  // namespace bankside
