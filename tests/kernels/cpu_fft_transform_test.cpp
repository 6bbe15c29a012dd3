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

/// Every row in place, side by side with others of them.
void exactTransforms(std::vector<std::vector<Complex>>& rows) {
  const fft::TileKernels& kernels = fft::tileKernels();
  const auto lanes = static_cast<std::size_t>(kernels.doubles);
  const std::size_t length = rows[0].size();
  direct::AlignedBuffer<double> inMemory;
  direct::AlignedBuffer<double> outMemory;
  double* in = inMemory.atLeast(2 * lanes * length);
  double* out = outMemory.atLeast(2 * lanes * length);
  for (std::size_t first = 0; first < rows.size(); first += lanes) {
    for (std::size_t i = 0; i < length; ++i) {
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const Complex x = first + lane < rows.size() ? rows[first + lane][i] : Complex();
        in[2 * lanes * i + lane] = x.real();
        in[2 * lanes * i + lanes + lane] = x.imag();
      }
    }
    kernels.exactTransforms(in, static_cast<int>(length), out);
    for (std::size_t lane = 0; lane < lanes && first + lane < rows.size(); ++lane) {
      for (std::size_t i = 0; i < length; ++i)
        rows[first + lane][i] = {out[2 * lanes * i + lane], out[2 * lanes * i + lanes + lane]};
    }
  }
}

TEST(CpuFftTransform, ExactTransformsAreTheDefinitionAndTheSameOnEveryTarget) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> value(-1, 1);
  const TargetGuard guard;
  for (const int n : fft::transformLengths()) {
    std::vector<std::vector<Complex>> rows(9, std::vector<Complex>(static_cast<std::size_t>(n)));
    std::vector<std::vector<Complex>> expected;
    for (std::vector<Complex>& row : rows) {
      for (Complex& c : row) c = {value(random), value(random)};
      expected.push_back(naiveTransform(row));
    }
    std::vector<std::vector<Complex>> first;
    for (const std::int64_t target : direct::runnableTargets()) {
      TargetGuard::use(target);
      std::vector<std::vector<Complex>> got = rows;
      exactTransforms(got);
      for (std::size_t r = 0; r < got.size(); ++r) {
        for (std::size_t k = 0; k < got[r].size(); ++k)
          ASSERT_LT(std::abs(got[r][k] - expected[r][k]), 1e-11) << n << " " << fft::tileKernels().target;
      }
      if (first.empty()) first = got;
      EXPECT_EQ(got, first) << n << " " << fft::tileKernels().target;
    }
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
  std::vector<std::vector<Complex>> exactRows(static_cast<std::size_t>(height));
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      rows[x] = value(random);
      rows[width + x] = value(random);
      exactRows[static_cast<std::size_t>(y)].emplace_back(rows[x], rows[width + x]);
    }
    kernels.packRow(t, rows, rows + width, y, space, extent);
  }
  exactTransforms(exactRows);
  std::vector<std::vector<Complex>> exact(static_cast<std::size_t>(width));  // of columns
  for (int x = 0; x < width; ++x) {
    for (const std::vector<Complex>& row : exactRows)
      exact[static_cast<std::size_t>(x)].push_back(row[static_cast<std::size_t>(x)]);
  }
  exactTransforms(exact);
  kernels.forward(t, space, spectrum);
  double error = 0;
  double norm = 0;
  for (int ky = 0; ky < height; ++ky) {
    for (int kx = 0; kx < width; ++kx) {
      const float* got = spectrum + t.frequencyAt(kx, ky);
      const Complex expected = exact[static_cast<std::size_t>(kx)][static_cast<std::size_t>(ky)];
      error += std::norm(Complex(got[0], got[t.lanes]) - expected);
      norm += std::norm(expected);
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
