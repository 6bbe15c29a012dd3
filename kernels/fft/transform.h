/// How one length is transformed: radices, twiddles, and the order in which frequencies come out.
#pragma once

#include <complex>
#include <vector>

namespace bankside::fft {

/// One sweep over the data: inside every block of `block` elements, butterflies of `radix` elements that lie
/// block / radix apart.
struct Pass {
  int radix = 4;  ///< 3, 4 or 8
  int block = 4;
  /// Offset into Transform::twiddles: [block / radix][radix - 1][re, im], w^(j m) with w = exp(-2 pi i /
  /// block).
  std::size_t twiddles = 0;
};

/// A complex transform of `length` elements by decimation in frequency: natural order in, digit-reversed
/// order out. The inverse runs the passes backwards, so neither ever permutes anything: filters are stored in
/// the same order.
struct Transform {
  int length = 0;
  std::vector<Pass> passes;     ///< outermost first
  std::vector<float> twiddles;  ///< made in double, rounded once
  std::vector<int> position;    ///< frequency k comes out at position[k]
  double stages = 0;            ///< radix-2 stages with as many roundings, for the error bound
};

/// The lengths in use: 2^a and 3 * 2^a, from 16 to 512, in increasing order.
const std::vector<int>& transformLengths();

Transform makeTransform(int length);

/// The smallest radix of a transform in double, whose lengths are 2^a 3^b.
constexpr int smallestRadix(int length) { return length % 2 == 0 ? 2 : 3; }

/// For a transform of `length` in double, which splits off its smallest radix level by level: the roots of
/// unity of the length of every level. They live as long as the thread.
std::vector<const std::complex<double>*> rootsOfLevels(int length);

}  // namespace bankside::fft
