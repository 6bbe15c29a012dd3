/// Finding the field of view, and filling what lies outside: means, thresholds, distances.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "core/maps/field_parts.h"
#include "core/plane_view.h"
#include "kernels/cuda/maps/statistics_kernels.h"

namespace bankside::cuda {

using DeviceMask = PlaneView<std::uint8_t>;
using SeenMask = PlaneView<const std::uint8_t>;

inline constexpr int maskWordBits = 32;

/// A mask with a bit a pixel, as core/maps/field_parts.h has it: the lowest bit of a word is the leftmost
/// pixel, bits beyond the mask are 0. In device memory.
struct BitMask {
  std::uint32_t* words;
  int width;
  int height;

  constexpr int rowWords() const { return (width + maskWordBits - 1) / maskWordBits; }
  constexpr std::uint32_t& at(int word, int y) const {
    return words[y * static_cast<std::ptrdiff_t>(rowWords()) + word];
  }
};

/// What the search for a field finds on its way. In device memory.
struct FieldFound {
  float threshold;           ///< of the means
  std::uint32_t everything;  ///< not 0: the corners show the eye too
  std::uint32_t count;       ///< of means that are finite
  std::uint32_t any;         ///< not 0: one pixel was beyond
};

/// Means of 3 x 3 pixels, of those in the frame; what is not finite is 0. Errors  Error{Device}, as below
void startBoxMeans(const PlaneView<float>& from, const PlaneView<float>& to, cudaStream_t stream);

/// `fieldThreshold` of means whose bright parts `map.statistics` knows.
void startFieldThreshold(const FieldMap& map, double level, FieldFound* found, cudaStream_t stream);

/// Where a mean is above the threshold.
void startAbove(const PlaneView<float>& means, const FieldFound* found, const BitMask& to,
                cudaStream_t stream);

/// Where a mask is not 0.
void startPack(const SeenMask& mask, const BitMask& to, cudaStream_t stream);
/// 1 in the spans, one a row, and 0 beside them.
void startSpans(const RowSpan* spans, const DeviceMask& to, cudaStream_t stream);

/// Of every pixel the column of the nearest one in its row that a mask has or, as asked, has not: -1 where
/// there is none, of two the left one. `least`: how far away it is at least for the pixels of a word,
/// `noneInRow` where there is none.
struct NearestInRows {
  PlaneView<std::int16_t> columns;  ///< [H,W]
  PlaneView<std::uint16_t> least;   ///< [words of a row, H]
};
inline constexpr std::uint16_t noneInRow = 0xffff;
void startNearestInRows(const BitMask& mask, bool inside, const NearestInRows& nearest, cudaStream_t stream);

/// Whether a pixel is further than the root of `most` from all those that `nearest` are about.
struct Beyond {
  NearestInRows nearest;
  unsigned most;
  bool is;  ///< what is put where one is, the opposite elsewhere
  BitMask to;
  DeviceMask bytes;              ///< the same once more; no data: not asked for
  std::uint32_t* any;            ///< becomes 1 if something is put, but see `instead`
  const std::uint32_t* instead;  ///< not null: what is put all over where `any` is 0, which stays as it is
};
void startBeyond(const Beyond& beyond, cudaStream_t stream);

/// Where `inside` is 0, what `means` are at the nearest pixel where it is not; of several the one furthest to
/// the left, of those in a column the upper one. 0 where there is none.
void startFill(const PlaneView<float>& from, const PlaneView<float>& means, const SeenMask& inside,
               const PlaneView<std::int16_t>& columns, const PlaneView<float>& to, cudaStream_t stream);

/// Sides of planes whose squared distances whole numbers of 32 bits hold, and columns those of 16.
inline constexpr int mostDistanceSide = 32767;

}  // namespace bankside::cuda
