/// The device that predictions are for, an H200; others get the same choices, so that bytes do not depend on
/// the device.
#pragma once

namespace bankside::cuda {

inline constexpr int predictedMultiprocessors = 132;
/// Bytes of a multiprocessor that blocks may have.
inline constexpr int predictedSharedBytes = 227 * 1024;

/// Multiprocessors are in groups of 16 or 18, and a cluster stays in one: so many places are left over where
/// `blocks` blocks are a cluster.
constexpr double placesLeftOver(int blocks) { return 8.0 / 3.0 * (blocks - 1); }

}  // namespace bankside::cuda
