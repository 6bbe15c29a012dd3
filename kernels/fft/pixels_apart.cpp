#include "kernels/fft/pixels_apart.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bankside::fft {
namespace {

constexpr std::uint8_t notANumber = 1;
constexpr std::uint8_t plusInfinity = 2;
constexpr std::uint8_t minusInfinity = 4;
constexpr std::uint8_t huge = 8;
constexpr float infinity = std::numeric_limits<float>::infinity();

std::uint8_t kindOf(float pixel) {
  if (std::isnan(pixel)) return notANumber;
  if (std::isfinite(pixel)) return huge;
  return pixel > 0 ? plusInfinity : minusInfinity;
}

/// 1 or -1 where all taps of a row are of that sign, else 0.
int signOf(const float* taps, int count) {
  if (std::all_of(taps, taps + count, [](float tap) { return tap > 0; })) return 1;
  return std::all_of(taps, taps + count, [](float tap) { return tap < 0; }) ? -1 : 0;
}

bool anyZero(const float* taps, int count) { return std::find(taps, taps + count, 0.0f) != taps + count; }

}  // namespace

void PixelsApart::begin(int width, int height, float most) {
  width_ = width;
  height_ = height;
  most_ = most;
  any_ = false;
  rows_.assign(static_cast<std::size_t>(problem_.tapChannels()) * static_cast<std::size_t>(pixelRows()), {});
}

void PixelsApart::addRow(int channel, int y, const float* pixels) {
  const int count = width_ + problem_.filterWidth - 1;
  const auto stays = [&](float pixel) { return std::fabs(pixel) <= most_; };
  if (std::all_of(pixels, pixels + count, stays)) return;
  any_ = true;
  Row& row = rows_[static_cast<std::size_t>(channel) * static_cast<std::size_t>(pixelRows()) +
                   static_cast<std::size_t>(y)];
  row.pixels.resize(static_cast<std::size_t>(count));
  std::transform(pixels, pixels + count, row.pixels.begin(),
                 [&](float pixel) { return stays(pixel) ? 0.0f : pixel; });
  row.seen.assign(static_cast<std::size_t>(width_), 0);
  for (const std::uint8_t kind : {notANumber, plusInfinity, minusInfinity, huge}) {
    int last = -1;  // column of the last such pixel
    for (int x = 0; x < count; ++x) {
      if (!stays(pixels[x]) && kindOf(pixels[x]) == kind) last = x;
      const int window = x - problem_.filterWidth + 1;
      if (window >= 0 && last >= window) row.seen[static_cast<std::size_t>(window)] |= kind;
    }
  }
}

void PixelsApart::end() {
  if (!any_) return;
  seen_.assign(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_), 0);
  for (int y = 0; y < height_; ++y) {
    std::uint8_t* const seen = seen_.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width_);
    for (int c = 0; c < problem_.tapChannels(); ++c) {
      for (int k = 0; k < problem_.filterHeight; ++k) {
        const Row& below = row(c, y + k);
        for (std::size_t x = 0; x < below.seen.size(); ++x) seen[x] |= below.seen[x];
      }
    }
  }
}

float PixelsApart::sumOfRow(const Row& row, int x, const float* taps, int sign) const {
  const std::uint8_t seen = row.seen[static_cast<std::size_t>(x)];
  if (sign != 0 && (seen & huge) == 0) {
    const float direction = static_cast<float>(sign);
    if (seen == plusInfinity) return direction * infinity;
    if (seen == minusInfinity) return -direction * infinity;
    return std::numeric_limits<float>::quiet_NaN();
  }
  float sum = 0;
  for (int k = 0; k < problem_.filterWidth && !std::isnan(sum); ++k) {
    const float pixel = row.pixels[static_cast<std::size_t>(x + k)];
    if (taps[k] != 0 && pixel != 0) sum += taps[k] * pixel;
  }
  return sum;
}

void PixelsApart::addTo(const float* taps, float* responses, std::size_t stride) const {
  const int tapRows = problem_.tapChannels() * problem_.filterHeight;
  std::vector<int> signs(static_cast<std::size_t>(tapRows));
  const bool seesAll = !anyZero(taps, tapRows * problem_.filterWidth);
  for (int r = 0; r < tapRows; ++r)
    signs[static_cast<std::size_t>(r)] =
        signOf(taps + static_cast<std::ptrdiff_t>(r) * problem_.filterWidth, problem_.filterWidth);
  const std::uint8_t* seen = seen_.data();
  for (int y = 0; y < height_; ++y, responses += stride) {
    for (int x = 0; x < width_; ++x, ++seen) {
      if (*seen == 0) continue;
      if (seesAll && (*seen & notANumber) != 0) {
        responses[x] = std::numeric_limits<float>::quiet_NaN();
        continue;
      }
      float sum = 0;
      for (int r = 0; r < tapRows && !std::isnan(sum); ++r) {
        const Row& below = row(r / problem_.filterHeight, y + r % problem_.filterHeight);
        if (below.seen.empty() || below.seen[static_cast<std::size_t>(x)] == 0) continue;
        sum += sumOfRow(below, x, taps + static_cast<std::ptrdiff_t>(r) * problem_.filterWidth,
                        signs[static_cast<std::size_t>(r)]);
      }
      responses[x] += sum;
    }
  }
}

}  // namespace bankside::fft
