#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <random>

#include "hwy/targets.h"
#include "kernels/fft/tile_kernels.h"
#include "kernels/highway/row_kernels.h"
#include "kernels/highway/row_window.h"
#include "tests/kernels/target_guard.h"

namespace bankside::testing {
namespace {

using Complex = std::complex<double>;

std::vector<Complex> naiveTransform(const std::vector<Complex>& x) {
  const int n = static_cast<int>(x.size());
  std::vector<Complex> y(x.size());
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < n; ++i)
      y[static_cast<std::size_t>(k)] +=
          x[static_cast<std::size_t>(i)] *
          std::polar(1.0, -2 * std::numbers::pi * (static_cast<long long>(k) * i % n) / n);
  }
  return y;
}

TEST(CpuFftTransform, ExactTransformIsTheDefinition) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> value(-1, 1);
  for (const int n : fft::transformLengths()) {
    std::vector<Complex> x(static_cast<std::size_t>(n));
    for (Complex& c : x) c = {value(random), value(random)};
    const auto expected = naiveTransform(x);
    fft::exactTransform(x.data(), n);
    for (std::size_t k = 0; k < x.size(); ++k) ASSERT_LT(std::abs(x[k] - expected[k]), 1e-11) << n;
  }
}

/// Root of the mean square error of a forward tile transform, relative to the result's, in units of 2^-24.
double tileTransformError(int width, int height) {
  const fft::TileKernels& kernels = fft::tileKernels();
  const fft::TileTransforms t = fft::makeTileTransforms(width, height, kernels);
  direct::AlignedBuffer<float> spaceMemory;
  direct::AlignedBuffer<float> spectrumMemory;
  direct::AlignedBuffer<float> rowMemory;
  float* space = spaceMemory.atLeast(t.spaceFloats());
  float* spectrum = spectrumMemory.atLeast(t.spectrumFloats());
  float* rows = rowMemory.atLeast(2 * static_cast<std::size_t>(width) + 4 * 16);
  float* extent = rows + 2 * width;
  std::fill(extent, extent + 4 * t.lanes, 0.0f);
  std::mt19937 random(static_cast<unsigned>(width * 1000 + height));
  std::uniform_real_distribution<float> value(-1, 1);
  const auto at = [&](int x, int y) {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
  };
  std::vector<Complex> exact(at(0, height));
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      rows[x] = value(random);
      rows[width + x] = value(random);
      exact[at(x, y)] = {rows[x], rows[width + x]};
    }
    fft::exactTransform(exact.data() + at(0, y), width);
    kernels.packRow(t, rows, rows + width, y, space, extent);
  }
  for (int x = 0; x < width; ++x) {
    std::vector<Complex> column(static_cast<std::size_t>(height));
    for (int y = 0; y < height; ++y) column[static_cast<std::size_t>(y)] = exact[at(x, y)];
    fft::exactTransform(column.data(), height);
    for (int y = 0; y < height; ++y) exact[at(x, y)] = column[static_cast<std::size_t>(y)];
  }
  kernels.forward(t, space, spectrum);
  double error = 0;
  double norm = 0;
  for (int ky = 0; ky < height; ++ky) {
    for (int kx = 0; kx < width; ++kx) {
      const float* got = spectrum + t.frequencyAt(kx, ky);
      error += std::norm(Complex(got[0], got[t.lanes]) - exact[at(kx, ky)]);
      norm += std::norm(exact[at(kx, ky)]);
    }
  }
  return std::sqrt(error / norm) * 0x1p24;
}

TEST(CpuFftTransform, EveryLengthAndTargetGivesTheDefinition) {
  const TargetGuard guard;
  for (const std::int64_t target : direct::runnableTargets()) {
    TargetGuard::use(target);
    for (const int n : fft::transformLengths()) {
      for (const auto& [width, height] : {std::pair{n, 16}, {16, n}, {n, 48}}) {
        const double stages = fft::makeTileTransforms(width, height, fft::tileKernels()).stages();
        // Theorem 24.2 allows 6.7 a stage; rounding errors that are as likely up as down leave a root of it.
        EXPECT_LT(tileTransformError(width, height), 2 * std::sqrt(stages))
            << width << " x " << height << " " << fft::tileKernels().target;
      }
    }
  }
}

}  // namespace
}  // namespace bankside::testing
