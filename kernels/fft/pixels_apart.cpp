#include "kernels/fft/pixels_apart.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bankside::fft {
namespace {

bool isZero(float tap) { return tap == 0; }

}  // namespace

void PixelsApart::begin(int width, int height, float most) {
  width_ = width;
  height_ = height;
  most_ = most;
  pixels_.clear();
  seesNan_.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), 0);
}

void PixelsApart::addRow(int channel, int y, const float* pixels) {
  const int count = width_ + problem_.filterWidth - 1;
  bool nan = false;
  for (int x = 0; x < count; ++x) {
    if (std::fabs(pixels[x]) <= most_) continue;
    pixels_.push_back({channel, x, y, pixels[x]});
    nan = nan || std::isnan(pixels[x]);
  }
  if (nan) markWindows(y, pixels);
}

void PixelsApart::markWindows(int y, const float* pixels) {
  std::vector<std::uint8_t> windows(static_cast<std::size_t>(width_), 0);
  int last = -1;  // column of the last NaN
  for (int x = 0; x < width_ + problem_.filterWidth - 1; ++x) {
    if (std::isnan(pixels[x])) last = x;
    const int window = x - problem_.filterWidth + 1;
    if (window >= 0) windows[static_cast<std::size_t>(window)] = last >= window ? 1 : 0;
  }
  for (int row = std::max(0, y - problem_.filterHeight + 1); row <= std::min(y, height_ - 1); ++row) {
    std::uint8_t* const sees =
        seesNan_.data() + static_cast<std::size_t>(row) * static_cast<std::size_t>(width_);
    for (int x = 0; x < width_; ++x) sees[x] |= windows[static_cast<std::size_t>(x)];
  }
}

void PixelsApart::addPixel(const Pixel& pixel, const float* taps, float* responses,
                           std::size_t stride) const {
  const int first = std::max(0, pixel.x - problem_.filterWidth + 1);
  const int last = std::min(pixel.x, width_ - 1);
  for (int row = std::max(0, pixel.y - problem_.filterHeight + 1); row <= std::min(pixel.y, height_ - 1);
       ++row) {
    const float* const tap = taps + (pixel.y - row) * problem_.filterWidth + pixel.x;  // of column 0
    float* const to = responses + static_cast<std::size_t>(row) * stride;
    for (int x = first; x <= last; ++x) to[x] += isZero(tap[-x]) ? 0.0f : tap[-x] * pixel.value;
  }
}

void PixelsApart::addTo(const float* taps, float* responses, std::size_t stride) const {
  const std::ptrdiff_t each = static_cast<std::ptrdiff_t>(problem_.filterHeight) * problem_.filterWidth;
  const float* const end = taps + problem_.tapChannels() * each;
  // A filter without zero taps makes NaN of every window that has one: no need to add them up.
  const bool dense = std::none_of(taps, end, isZero);
  for (const Pixel& pixel : pixels_)
    if (!dense || !std::isnan(pixel.value)) addPixel(pixel, taps + pixel.channel * each, responses, stride);
  if (!dense) return;
  const std::uint8_t* sees = seesNan_.data();
  for (int y = 0; y < height_; ++y, responses += stride, sees += width_)
    for (int x = 0; x < width_; ++x)
      if (sees[x] != 0) responses[x] = std::numeric_limits<float>::quiet_NaN();
}

}  // namespace bankside::fft
