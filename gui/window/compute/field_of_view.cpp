#include "gui/window/compute/field_of_view.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/error.h"
#include "core/maps/field_of_view.h"
#include "core/parallel.h"
#include "gui/window/compute/gathering.h"

namespace bankside::window {
namespace {

/// The brightest of the first three channels: vessels are dark in green, and the eye is never dark in all.
Image brightest(const Image& image) {
  Image result(1, image.height(), image.width(), ElementType::F32);
  const auto dst = result.view<float>(0);
  const int channels = std::min(image.channels(), 3);
  ThreadTeam(0).forRanges(0, dst.height, grainRows, [&](int first, int last) {
    for (int y = first; y < last; ++y) {
      std::fill_n(dst.row(y), dst.width, -INFINITY);
      for (int c = 0; c < channels; ++c) {
        visit(image.type(), [&](auto element) {
          const auto* src = image.view<decltype(element)>(c).row(y);
          for (int x = 0; x < dst.width; ++x) {
            const float value = asFloat(src[x]);
            dst.at(x, y) = std::isfinite(value) ? std::max(dst.at(x, y), value) : dst.at(x, y);
          }
        });
      }
    }
  });
  return result;
}

}  // namespace

Image fieldOfView(const Image& image) {
  const Image bright = brightest(image);
  Image mask = findField(bright.view<float>(0), usualFieldLevel, ThreadTeam(0), {}, 0);
  const auto inside = mask.view<std::uint8_t>(0);
  bool anyOutside = false;
  for (int y = 0; y < inside.height; ++y) {
    for (std::uint8_t& pixel : std::span(inside.row(y), static_cast<std::size_t>(inside.width))) {
      anyOutside = anyOutside || pixel == 0;
      pixel = pixel != 0 ? 255 : 0;
    }
  }
  if (!anyOutside) {
    throw Error(ErrorCode::BadInput,
                "no field of view was found: the corners of the image are as bright as its middle");
  }
  return mask;
}

int fieldOfViewWidth(const Image& image) {
  Image mask;
  try {
    mask = fieldOfView(image);
  } catch (const Error&) {
    return image.width();
  }
  const auto inside = mask.view<std::uint8_t>(0);
  int first = inside.width;
  int last = -1;
  for (int y = 0; y < inside.height; ++y) {
    const std::uint8_t* row = inside.row(y);
    const auto* end = row + inside.width;
    const auto* from = std::find(row, end, std::uint8_t{255});
    if (from == end) continue;
    first = std::min(first, static_cast<int>(from - row));
    while (*(end - 1) != 255) --end;
    last = std::max(last, static_cast<int>(end - 1 - row));
  }
  return last < first ? image.width() : last - first + 1;
}

int fieldOfViewWidth(const Picture& picture, const std::stop_token& stop) {
  if (picture.image) return fieldOfViewWidth(*picture.image);
  const auto source = picture.source();
  Image coarse;
  const int channels = std::min(source->channels(), 3);
  for (int c = 0; c < channels; ++c) {
    const PlanePtr plane = readPlane(*source, c, picture, stop);
    const auto copy = plane->copy(picture.finest).view<float>(0);
    if (c == 0) coarse = Image(channels, copy.height, copy.width, ElementType::F32);
    for (int y = 0; y < copy.height; ++y) std::copy_n(copy.row(y), copy.width, coarse.view<float>(c).row(y));
  }
  return std::min(fieldOfViewWidth(coarse) << picture.finest, source->width());
}

}  // namespace bankside::window
