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

/// All roots of unity of that order. A filter's spectrum takes hundreds of transforms of one length.
const Roots& rootsOf(int order) {
  thread_local std::map<int, Roots> made;
  Roots& roots = made[order];
  for (int k = static_cast<int>(roots.size()); k < order; ++k) roots.push_back(root(k, order));
  return roots;
}

int smallestRadix(int length) { return length % 2 == 0 ? 2 : 3; }

/// As operator*, which also looks for NaN.
std::complex<double> product(std::complex<double> a, std::complex<double> b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// `roots`: of `length`, then of what is left of it level by level.
void transformInto(const std::complex<double>* in, int step, int length, const Roots* const* roots,
                   std::complex<double>* out) {
  if (length == 1) {
    out[0] = in[0];
    return;
  }
  if (length == 2) {
    out[0] = in[0] + in[step];
    out[1] = in[0] - in[step];
    return;
  }
  const int radix = smallestRadix(length);
  const int part = length / radix;
  for (int q = 0; q < radix; ++q) transformInto(in + q * step, step * radix, part, roots + 1, out + q * part);
  const std::complex<double>* of = roots[0]->data();
  const std::complex<double>* thirds = radix == 3 ? rootsOf(3).data() : nullptr;
  for (int k = 0; k < part; ++k) {
    std::complex<double> x[3];
    for (int q = 0; q < radix; ++q) x[q] = product(out[q * part + k], of[q * k]);
    for (int m = 0; m < radix; ++m) {
      std::complex<double> sum = x[0];
      for (int q = 1; q < radix; ++q) {
        sum += radix == 2 ? (m == 1 ? -x[q] : x[q]) : product(x[q], thirds[q * m % 3]);
      }
      out[m * part + k] = sum;
    }
  }
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

void exactTransform(std::complex<double>* data, int length) {
  const std::vector<std::complex<double>> in(data, data + length);
  std::vector<const Roots*> roots;
  for (int left = length; left > 1; left /= smallestRadix(left)) roots.push_back(&rootsOf(left));
  transformInto(in.data(), 1, length, roots.data(), data);
}

}  // namespace bankside::fft
