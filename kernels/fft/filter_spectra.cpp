#include "kernels/fft/filter_spectra.h"

#include <algorithm>
#include <cmath>

#include "core/stopping.h"

namespace bankside::fft {
namespace {

/// Sums of |tap| that transforms take as they are.
constexpr double smallestPlainGain = 0x1p-40;
constexpr double largestPlainGain = 0x1p40;

/// Makes one spectrum after another: filters are padded with zeros, their rows transformed, then the columns.
class SpectrumMaker {
 public:
  SpectrumMaker(const ConvolutionProblem& problem, const TileTransforms& t, const TileKernels& kernels)
      : p_(problem),
        t_(t),
        kernels_(kernels),
        element_(2 * static_cast<std::size_t>(kernels.doubles)),
        rowsOfColumn_(element_ * static_cast<std::size_t>(problem.filterHeight)) {
    const auto groups = static_cast<std::size_t>(t.x.length / 2 / kernels.doubles + 1);
    columns_ = columnMemory_.atLeast(groups * rowsOfColumn_);
    const std::size_t longest = element_ * static_cast<std::size_t>(std::max(t.x.length, t.y.length));
    in_ = inMemory_.atLeast(longest);
    out_ = outMemory_.atLeast(longest);
  }

  /// One channel of one filter. Shapes  taps [kh][kw] · spectrum as TileTransforms::frequencyAt says
  void make(const float* taps, int exponent, float* spectrum) {
    for (int y = 0; y < p_.filterHeight; y += kernels_.doubles) transformRows(taps, y);
    const double scale = std::ldexp(1.0 / (static_cast<double>(t_.x.length) * t_.y.length), exponent);
    // Taps are real: opposite frequencies are conjugates.
    for (int kx = 0; kx <= t_.x.length / 2; kx += kernels_.doubles) {
      throwIfProgramStops();
      std::copy_n(columnsFrom(kx), rowsOfColumn_, in_);
      std::fill(in_ + rowsOfColumn_, in_ + element_ * static_cast<std::size_t>(t_.y.length), 0.0);
      kernels_.exactTransforms(in_, t_.y.length, out_);
      for (int lane = 0; lane < kernels_.doubles && kx + lane <= t_.x.length / 2; ++lane)
        storeColumn(lane, kx + lane, scale, spectrum);
    }
  }

 private:
  /// Of frequencies `kx` to `kx` + doubles - 1: [filter row][re doubles | im doubles].
  double* columnsFrom(int kx) const {
    return columns_ + static_cast<std::size_t>(kx / kernels_.doubles) * rowsOfColumn_;
  }

  void transformRows(const float* taps, int first) {
    const int rows = std::min(kernels_.doubles, p_.filterHeight - first);
    for (int x = 0; x < p_.filterWidth; ++x) {
      double* const at = in_ + static_cast<std::size_t>(x) * element_;
      for (int r = 0; r < rows; ++r) at[r] = static_cast<double>(taps[(first + r) * p_.filterWidth + x]);
      std::fill(at + rows, at + element_, 0.0);
    }
    std::fill(in_ + element_ * static_cast<std::size_t>(p_.filterWidth),
              in_ + element_ * static_cast<std::size_t>(t_.x.length), 0.0);
    kernels_.exactTransforms(in_, t_.x.length, out_);
    for (int kx = 0; kx <= t_.x.length / 2; ++kx) {
      const double* const from = out_ + static_cast<std::size_t>(kx) * element_;
      double* const to = columnsFrom(kx) + static_cast<std::size_t>(first) * element_ + kx % kernels_.doubles;
      for (int r = 0; r < rows; ++r) {
        double* const number = to + static_cast<std::size_t>(r) * element_;
        number[0] = from[r];
        number[kernels_.doubles] = from[kernels_.doubles + r];
      }
    }
  }

  void storeColumn(int lane, int kx, double scale, float* spectrum) const {
    const auto store = [&](int x, int y, double re, double im) {
      float* const at = spectrum + t_.frequencyAt(x, y);
      at[0] = static_cast<float>(re);
      at[t_.lanes] = static_cast<float>(im);
    };
    const int opposite = t_.x.length - kx;
    for (int ky = 0; ky < t_.y.length; ++ky) {
      const double* const number = out_ + static_cast<std::size_t>(ky) * element_ + lane;
      const double re = number[0] * scale;
      const double im = number[kernels_.doubles] * scale;
      store(kx, ky, re, -im);
      if (kx != 0 && kx != opposite) store(opposite, (t_.y.length - ky) % t_.y.length, re, im);
    }
  }

  const ConvolutionProblem& p_;
  const TileTransforms& t_;
  const TileKernels& kernels_;
  std::size_t element_;  ///< doubles of one number of every transform
  std::size_t rowsOfColumn_;
  direct::AlignedBuffer<double> columnMemory_;
  direct::AlignedBuffer<double> inMemory_;
  direct::AlignedBuffer<double> outMemory_;
  double* columns_ = nullptr;
  double* in_ = nullptr;
  double* out_ = nullptr;
};

}  // namespace

FilterSpectra::FilterSpectra(const ConvolutionProblem& problem, const CorrelationTaps& taps,
                             const TileTransforms& t, const std::vector<int>& filters,
                             const ThreadTeam& team) {
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
  team.forRanges(0, static_cast<int>(filters.size()) * channels, 1, [&](int first, int last) {
    SpectrumMaker maker(problem, t, tileKernels());
    for (int i = first; i < last; ++i) {
      const int f = filters[static_cast<std::size_t>(i / channels)];
      const auto at = static_cast<std::size_t>(f * channels + i % channels);
      maker.make(taps.taps.data() + at * tapsOfChannel, exponent(f), data_ + at * t.spectrumFloats());
    }
  });
}

}  // namespace bankside::fft
