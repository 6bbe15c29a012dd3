#include "kernels/fft/transform.h"

#include <map>
#include <numbers>

namespace bankside::fft {
namespace {

/// 8 as often as it goes, 4 for the rest. Large radices innermost: the last pass has no twiddles, so the most
/// work should be done there.
std::vector<int> radicesOf(int length) {
  std::vector<int> radices;
  if (length % 3 == 0) {
    radices.push_back(3);
    length /= 3;
  }
  int powers = 0;
  for (; length > 1; length /= 2) ++powers;
  const int fours = powers % 3 == 0 ? 0 : powers % 3 == 2 ? 1 : 2;
  radices.insert(radices.end(), static_cast<std::size_t>(fours), 4);
  radices.insert(radices.end(), static_cast<std::size_t>((powers - 2 * fours) / 3), 8);
  return radices;
}

std::complex<double> root(long long numerator, int denominator) {
  const double angle = -2 * std::numbers::pi * static_cast<double>(numerator % denominator) / denominator;
  return std::polar(1.0, angle);
}

/// As many radix-2 stages as 4 and 8 are made of; 3 is no deeper than two.
double stagesOf(int radix) { return radix == 8 ? 3 : 2; }

using Roots = std::vector<std::complex<double>>;

/// All roots of unity of that order.
const Roots& rootsOf(int order) {
  thread_local std::map<int, Roots> made;
  Roots& roots = made[order];
  for (int k = static_cast<int>(roots.size()); k < order; ++k) roots.push_back(root(k, order));
  return roots;
}

}  // namespace

const std::vector<int>& transformLengths() {
  static const std::vector<int> lengths = {16, 32, 48, 64, 96, 128, 192, 256, 384, 512};
  return lengths;
}

Transform makeTransform(int length) {
  Transform t;
  t.length = length;
  t.position.assign(static_cast<std::size_t>(length), 0);
  int block = length;
  int before = 1;  // product of the radices so far
  for (const int radix : radicesOf(length)) {
    const int stride = block / radix;
    t.passes.push_back({radix, block, t.twiddles.size()});
    t.stages += stagesOf(radix);
    for (int j = 0; j < stride; ++j) {
      for (int m = 1; m < radix; ++m) {
        const std::complex<double> w = root(static_cast<long long>(j) * m, block);
        t.twiddles.push_back(static_cast<float>(w.real()));
        t.twiddles.push_back(static_cast<float>(w.imag()));
      }
    }
    for (int k = 0; k < length; ++k) t.position[static_cast<std::size_t>(k)] += k / before % radix * stride;
    block = stride;
    before *= radix;
  }
  return t;
}

std::vector<const std::complex<double>*> rootsOfLevels(int length) {
  std::vector<const std::complex<double>*> levels;
  for (; length > 1; length /= smallestRadix(length)) levels.push_back(rootsOf(length).data());
  return levels;
}

}  // namespace bankside::fft
