#include "core/exact.h"

#include <algorithm>
#include <cmath>

namespace bankside {

namespace {

/// Pixels whose sums stay in registers from tap to tap.
constexpr std::size_t together = 8;

std::size_t padded(int count) {
  return (static_cast<std::size_t>(count) + together - 1) / together * together;
}

/// Adds one filter row's terms, tap after tap at every pixel. `value`: none if null.
template <bool withValue>
void addRow(const float* taps, int tapCount, const double* pixels, std::size_t count, double* value,
            double* magnitude) {
  for (std::size_t x = 0; x < count; x += together) {
    double v[together] = {};
    double m[together];
    if (withValue) std::copy_n(value + x, together, v);
    std::copy_n(magnitude + x, together, m);
    for (int kx = 0; kx < tapCount; ++kx) {
      const double t = taps[kx];
      if (t == 0.0) continue;
      const double* pixel = pixels + x + kx;
      for (std::size_t i = 0; i < together; ++i) {
        const double term = t * pixel[i];
        if (withValue) v[i] += term;
        m[i] += std::fabs(term);
      }
    }
    if (withValue) std::copy_n(v, together, value + x);
    std::copy_n(m, together, magnitude + x);
  }
}

/// Marks where a zero tap lies on a pixel that is not finite.
void markTouched(const float* taps, int tapCount, const double* pixels, int count,
                 std::vector<char>& touched) {
  for (int kx = 0; kx < tapCount; ++kx) {
    if (taps[kx] != 0) continue;
    for (int x = 0; x < count; ++x) {
      if (std::isfinite(pixels[x + kx])) continue;
      touched.resize(static_cast<std::size_t>(count));
      touched[static_cast<std::size_t>(x)] = 1;
    }
  }
}

/// Calls `take(taps, pixels)` for every filter row of a response: its taps, and the pixels below them with
/// their border. What lies beyond those is 0.
template <class Take>
void walkRows(const ConvolutionProblem& p, const CorrelationTaps& taps, const SourceBand& in, int group,
              int filter, int y, int x0, int count, const Take& take) {
  const int reach = count + p.filterWidth - 1;
  std::vector<double> pixels(padded(count) + static_cast<std::size_t>(p.filterWidth));
  const float* tap = taps.taps.data() +
                     static_cast<std::ptrdiff_t>(filter) * p.tapChannels() * p.filterHeight * p.filterWidth;
  for (int c = 0; c < p.tapChannels(); ++c) {
    const int channel = p.channelMode == ChannelMode::Summed ? c : group;
    for (int ky = 0; ky < p.filterHeight; ++ky, tap += p.filterWidth) {
      gatherRow(in.row(channel, y + ky - taps.anchorY), p.srcType, p.width, p.border, x0 - taps.anchorX,
                reach, pixels.data());
      take(tap, pixels);
    }
  }
}

}  // namespace

void exactResponse(const ConvolutionProblem& p, const CorrelationTaps& taps, const SourceBand& in, int group,
                   int filter, int y, int x0, int count, ExactRow& row) {
  row.value.assign(padded(count), 0.0);
  row.magnitude.assign(padded(count), 0.0);
  row.touched.clear();
  const bool integers = p.srcType == ElementType::U8 || p.srcType == ElementType::U16;
  walkRows(p, taps, in, group, filter, y, x0, count,
           [&](const float* tap, const std::vector<double>& pixels) {
             addRow<true>(tap, p.filterWidth, pixels.data(), row.value.size(), row.value.data(),
                          row.magnitude.data());
             const auto finite = [](double pixel) { return std::isfinite(pixel); };
             if (!integers && !std::all_of(pixels.begin(), pixels.end(), finite))
               markTouched(tap, p.filterWidth, pixels.data(), count, row.touched);
           });
  row.value.resize(static_cast<std::size_t>(count));
  row.magnitude.resize(static_cast<std::size_t>(count));
}

void exactMagnitude(const ConvolutionProblem& p, const CorrelationTaps& taps, const SourceBand& in, int group,
                    int filter, int y, int x0, int count, std::vector<double>& magnitude) {
  magnitude.assign(padded(count), 0.0);
  walkRows(p, taps, in, group, filter, y, x0, count,
           [&](const float* tap, const std::vector<double>& pixels) {
             addRow<false>(tap, p.filterWidth, pixels.data(), magnitude.size(), nullptr, magnitude.data());
           });
  magnitude.resize(static_cast<std::size_t>(count));
}

double elementAt(ConstPlane plane, int x, int y) {
  return visit(plane.type,
               [&](auto element) -> double { return asFloat(plane.as<decltype(element)>().at(x, y)); });
}

double largestMagnitude(const ConvolutionProblem& p, const FilterBank& bank, Source& source) {
  double taps = 0;
  for (const Filter& f : bank.filters()) {
    double sum = 0;
    for (const float tap : f.taps) sum += std::fabs(tap);
    taps = std::max(taps, sum);
  }
  double pixel = std::fabs(p.border.value);
  Image row(1, 1, source.width(), source.type());
  for (int c = 0; c < source.channels(); ++c) {
    for (int y = 0; y < source.height(); ++y) {
      source.readRows(c, y, row.plane(0));
      for (int x = 0; x < source.width(); ++x) {
        const double value = std::fabs(elementAt(row.plane(0), x, 0));
        if (std::isfinite(value)) pixel = std::max(pixel, value);
      }
    }
  }
  return taps * pixel;
}

}  // namespace bankside
