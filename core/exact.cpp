#include "core/exact.h"

#include <algorithm>
#include <cmath>

namespace bankside {

void exactResponse(const ConvolutionProblem& p, const CorrelationTaps& taps, const SourceBand& in, int group,
                   int filter, int y, int x0, int count, ExactRow& row) {
  row.value.assign(static_cast<std::size_t>(count), 0.0);
  row.magnitude.assign(static_cast<std::size_t>(count), 0.0);
  row.touched.assign(static_cast<std::size_t>(count), 0);
  const bool integers = p.srcType == ElementType::U8 || p.srcType == ElementType::U16;
  std::vector<double> pixels(static_cast<std::size_t>(count) + p.filterWidth - 1);
  const float* tap = taps.taps.data() +
                     static_cast<std::ptrdiff_t>(filter) * p.tapChannels() * p.filterHeight * p.filterWidth;
  for (int c = 0; c < p.tapChannels(); ++c) {
    const int channel = p.channelMode == ChannelMode::Summed ? c : group;
    for (int ky = 0; ky < p.filterHeight; ++ky) {
      gatherRow(in.row(channel, y + ky - taps.anchorY), p.srcType, p.width, p.border, x0 - taps.anchorX,
                static_cast<int>(pixels.size()), pixels.data());
      for (int kx = 0; kx < p.filterWidth; ++kx, ++tap) {
        const double t = *tap;
        const double* pixel = pixels.data() + kx;
        if (t != 0.0) {
          for (int x = 0; x < count; ++x) {
            const double term = t * pixel[x];
            row.value[static_cast<std::size_t>(x)] += term;
            row.magnitude[static_cast<std::size_t>(x)] += std::fabs(term);
          }
        } else if (!integers) {
          for (int x = 0; x < count; ++x)
            row.touched[static_cast<std::size_t>(x)] |= !std::isfinite(pixel[x]);
        }
      }
    }
  }
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
