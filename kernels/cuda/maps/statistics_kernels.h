/// What all pixels of a field say together: order statistics and moments, left in device memory for the
/// kernels that follow.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "core/plane_view.h"

namespace bankside::cuda {

/// Of one map's pixels that count: those of the field that are finite. Numbers stand for values in their
/// order
/// ("keys"). In device memory.
struct FieldStatistics {
  std::uint32_t count;
  std::uint32_t least, most;  ///< keys
  // A selection on its way: the digits of the key that were found, and how many of those with these digits
  // lie below it.
  std::uint32_t key;
  std::uint32_t rank;
  std::uint32_t next;  ///< the key after it
  double rest;         ///< how far towards the next one
  double percentile;
  double mean, deviation;
  std::uint32_t histogram[256];
};

/// What `statistics` and sums of rows take. Units  bytes
std::size_t statisticsBytes(int height);

/// A map, where it counts (no data: everywhere), and `statisticsBytes` of device memory for it.
struct FieldMap {
  PlaneView<float> pixels;
  PlaneView<const std::uint8_t> inside;
  FieldStatistics* statistics;
};

/// How many there are, the least and the largest: before everything else. Errors  Error{Device}, as below
void startCount(const FieldMap& map, cudaStream_t stream);
/// The value that `percent` of them lie below, linear between neighbours; or the lower of those.
enum class Between { Neighbours, None };
void startPercentile(const FieldMap& map, double percent, cudaStream_t stream,
                     Between between = Between::Neighbours);
void startMoments(const FieldMap& map, cudaStream_t stream);

/// A map of the percentile.
void startFillPercentile(const FieldMap& map, const PlaneView<float>& to, cudaStream_t stream);

/// (x - middle) / size, 0 throughout where all that count are the same.
enum class Middle { Mean, Percentile, Least };
void startScale(const FieldMap& map, Middle middle, const PlaneView<float>& to, cudaStream_t stream);

}  // namespace bankside::cuda
