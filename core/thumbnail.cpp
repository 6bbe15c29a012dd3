#include "core/thumbnail.h"

#include <algorithm>
#include <cmath>

namespace bankside {
namespace {

/// Where box `index` of `count` begins over `length` pixels.
int begin(int index, int count, int length) {
  return static_cast<int>(static_cast<std::int64_t>(index) * length / count);
}

template <class T>
void averageBoxes(const PlaneView<const T>& from, const PlaneView<float>& to) {
  for (int y = 0; y < to.height; ++y) {
    const int top = begin(y, to.height, from.height);
    const int bottom = begin(y + 1, to.height, from.height);
    for (int x = 0; x < to.width; ++x) {
      const int left = begin(x, to.width, from.width);
      const int right = begin(x + 1, to.width, from.width);
      double sum = 0;
      for (int j = top; j < bottom; ++j) {
        const T* row = from.row(j);
        for (int i = left; i < right; ++i) sum += static_cast<double>(asFloat(row[i]));
      }
      to.at(x, y) = static_cast<float>(sum / ((bottom - top) * static_cast<double>(right - left)));
    }
  }
}

}  // namespace

Image thumbnailOf(const Image& image, bool color, int side) {
  const double zoom = std::min(1.0, static_cast<double>(side) / std::max(image.width(), image.height()));
  const int width = std::max(1, static_cast<int>(image.width() * zoom));
  const int height = std::max(1, static_cast<int>(image.height() * zoom));
  const int channels = color && image.channels() >= 3 ? 3 : 1;
  Image means(channels, height, width, ElementType::F32);
  for (int c = 0; c < channels; ++c) {
    const auto to = means.view<float>(c);
    visit(image.type(), [&](auto element) { averageBoxes(image.view<decltype(element)>(c), to); });
  }
  float low = INFINITY;
  float high = -INFINITY;
  const auto forAll = [&](const auto& take) {
    for (int c = 0; c < channels; ++c) {
      for (int y = 0; y < height; ++y) {
        float* row = means.view<float>(c).row(y);
        for (int x = 0; x < width; ++x) take(c, x, y, row[x]);
      }
    }
  };
  forAll([&](int, int, int, float value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  });
  if (image.type() == ElementType::U8) {
    low = 0;
    high = 255;
  }
  const float scale = high > low ? 255 / (high - low) : 0;
  Image small(channels, height, width, ElementType::U8);
  forAll([&](int c, int x, int y, float value) {
    const float level = std::isfinite(value) ? std::clamp((value - low) * scale, 0.0f, 255.0f) : 0.0f;
    small.view<std::uint8_t>(c).at(x, y) = static_cast<std::uint8_t>(std::lround(level));
  });
  return small;
}

}  // namespace bankside
