#include "kernels/fft/filter_spectra.h"

#include <algorithm>
#include <cmath>

#include "core/stopping.h"

namespace bankside::fft {
namespace {

/// Sums of |tap| that transforms take as they are.
constexpr double smallestPlainGain = 0x1p-40;
constexpr double largestPlainGain = 0x1p40;

/// One channel of one filter. Shapes  taps [kh][kw] · spectrum as TileTransforms::frequencyAt says
void makeSpectrum(const ConvolutionProblem& p, const float* taps, int exponent, const TileTransforms& t,
                  float* spectrum) {
  const auto width = static_cast<std::size_t>(t.x.length);
  const auto height = static_cast<std::size_t>(t.y.length);
  std::vector<std::complex<double>> rows(static_cast<std::size_t>(p.filterHeight) * width);
  for (int y = 0; y < p.filterHeight; ++y) {
    std::complex<double>* row = rows.data() + static_cast<std::size_t>(y) * width;
    std::copy(taps + y * p.filterWidth, taps + (y + 1) * p.filterWidth, row);
    exactTransform(row, t.x.length);
  }
  const double scale = std::ldexp(1.0 / (static_cast<double>(t.x.length) * t.y.length), exponent);
  const auto store = [&](int kx, int ky, std::complex<double> value) {
    float* at = spectrum + t.frequencyAt(kx, ky);
    at[0] = static_cast<float>(value.real());
    at[t.lanes] = static_cast<float>(value.imag());
  };
  std::vector<std::complex<double>> column(height);
  // Taps are real: opposite frequencies are conjugates.
  for (int kx = 0; kx <= t.x.length / 2; ++kx) {
    throwIfProgramStops();
    const int opposite = t.x.length - kx;
    std::fill(column.begin(), column.end(), 0.0);
    for (int y = 0; y < p.filterHeight; ++y) {
      column[static_cast<std::size_t>(y)] =
          rows[static_cast<std::size_t>(y) * width + static_cast<std::size_t>(kx)];
    }
    exactTransform(column.data(), t.y.length);
    for (int ky = 0; ky < t.y.length; ++ky) {
      const std::complex<double> value = std::conj(column[static_cast<std::size_t>(ky)]) * scale;
      store(kx, ky, value);
      if (kx != 0 && kx != opposite) store(opposite, (t.y.length - ky) % t.y.length, std::conj(value));
    }
  }
}

}  // namespace

FilterSpectra::FilterSpectra(const ConvolutionProblem& problem, const CorrelationTaps& taps,
                             const TileTransforms& t, const ThreadTeam& team) {
  const int channels = problem.tapChannels();
  const auto tapsOfChannel = static_cast<std::size_t>(problem.filterHeight) * problem.filterWidth;
  filterFloats_ = t.spectrumFloats() * static_cast<std::size_t>(channels);
  data_ = memory_.atLeast(filterFloats_ * static_cast<std::size_t>(problem.filterCount));
  const std::size_t tapsOfFilter = tapsOfChannel * static_cast<std::size_t>(channels);
  for (int f = 0; f < problem.filterCount; ++f) {
    double gain = 0;
    const float* tap = taps.taps.data() + static_cast<std::size_t>(f) * tapsOfFilter;
    for (std::size_t i = 0; i < tapsOfFilter; ++i) gain += std::fabs(static_cast<double>(tap[i]));
    exponents_.push_back(
        gain == 0 || (gain >= smallestPlainGain && gain <= largestPlainGain) ? 0 : -std::ilogb(gain));
    gain = std::ldexp(gain, exponents_.back());
    largestGain_ = std::max(largestGain_, gain);
    if (gain > 0 && (smallestGain_ == 0 || gain < smallestGain_)) smallestGain_ = gain;
  }
  team.forRanges(0, problem.filterCount * channels, 1, [&](int first, int last) {
    for (int i = first; i < last; ++i) {
      const auto at = static_cast<std::size_t>(i);
      makeSpectrum(problem, taps.taps.data() + at * tapsOfChannel, exponent(i / channels), t,
                   data_ + at * t.spectrumFloats());
    }
  });
}

}  // namespace bankside::fft
