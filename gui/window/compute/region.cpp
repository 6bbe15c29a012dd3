#include "gui/window/compute/region.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/engine.h"
#include "core/error.h"
#include "core/parallel.h"
#include "gui/window/compute/field_of_view.h"

namespace bankside::window {
namespace {

Image drawn(const RegionSpec& spec, int width, int height) {
  Image mask(1, height, width, ElementType::U8);
  const auto out = mask.view<std::uint8_t>(0);
  const double rx = spec.width / 2.0;
  const double ry = spec.height / 2.0;
  for (int y = 0; y < height; ++y) {
    std::fill_n(out.row(y), width, std::uint8_t{0});
    int first = spec.x;
    int last = spec.x + spec.width;
    if (y < spec.y || y >= spec.y + spec.height) continue;
    if (spec.kind == RegionKind::Ellipse) {
      const double dy = (y + 0.5 - spec.y - ry) / ry;
      const double half = rx * std::sqrt(std::max(0.0, 1 - dy * dy));
      first = static_cast<int>(std::ceil(spec.x + rx - half - 0.5));
      last = static_cast<int>(std::floor(spec.x + rx + half - 0.5)) + 1;
    }
    first = std::clamp(first, 0, width);
    last = std::clamp(last, first, width);
    std::fill(out.row(y) + first, out.row(y) + last, std::uint8_t{255});
  }
  return mask;
}

Image fromFile(const std::string& file, const Picture& picture) {
  const LoadedImage loaded = readImage(file);
  if (loaded.info.width != picture.info.width || loaded.info.height != picture.info.height) {
    throw Error(ErrorCode::BadInput, file + ": the mask is " + std::to_string(loaded.info.width) + " x " +
                                         std::to_string(loaded.info.height) + ", the image " +
                                         std::to_string(picture.info.width) + " x " +
                                         std::to_string(picture.info.height));
  }
  Image mask(1, loaded.info.height, loaded.info.width, ElementType::U8);
  const auto out = mask.view<std::uint8_t>(0);
  for (int y = 0; y < out.height; ++y) {
    std::fill_n(out.row(y), out.width, std::uint8_t{0});
    for (int c = 0; c < loaded.image.channels(); ++c) {
      const auto& names = loaded.info.channelNames;
      // An opaque picture is not a mask of everything.
      if (c > 0 && static_cast<std::size_t>(c) < names.size() &&
          names[static_cast<std::size_t>(c)] == "alpha")
        continue;
      visit(loaded.image.type(), [&](auto element) {
        const auto* src = loaded.image.view<decltype(element)>(c).row(y);
        for (int x = 0; x < out.width; ++x) {
          if (asFloat(src[x]) != 0) out.at(x, y) = 255;
        }
      });
    }
  }
  return mask;
}

/// Calls `take(value)` for every pixel inside.
template <class Take>
void forInside(const Plane& plane, const Image* mask, const std::stop_token& stop, const Take& take) {
  visit(plane.type(), [&](auto element) {
    const auto view = plane.image->view<decltype(element)>(plane.channel);
    for (int y = 0; y < view.height; ++y) {
      if (stop.stop_requested()) throw Cancelled();
      const auto* row = view.row(y);
      const std::uint8_t* inside = mask != nullptr ? mask->view<std::uint8_t>(0).row(y) : nullptr;
      for (int x = 0; x < view.width; ++x) {
        if (inside == nullptr || inside[x] != 0) take(asFloat(row[x]));
      }
    }
  });
}

/// What is counted inside a mask; of all pixels the plane knows it.
void countInside(const Plane& plane, const Image* mask, const std::stop_token& stop,
                 RegionStatistics& result) {
  ValueRange range;
  range.low = INFINITY;
  range.high = -INFINITY;
  forInside(plane, mask, stop, [&](float v) {
    ++result.pixels;
    if (!std::isfinite(v)) {
      ++range.nonFinite;
      return;
    }
    range.low = std::min(range.low, v);
    range.high = std::max(range.high, v);
  });
  result.nonFinite = range.nonFinite;
  if (result.pixels == result.nonFinite) return;
  result.range = range;
  Histogram& histogram = result.histogram;
  histogram.low = range.low;
  histogram.high = range.high;
  const float scale = range.high > range.low ? (Histogram::bins - 1) / (range.high - range.low) : 0.0f;
  forInside(plane, mask, stop, [&](float v) {
    if (!std::isfinite(v)) return;
    const int bin = static_cast<int>((v - range.low) * scale + 0.5f);
    ++histogram.counts[static_cast<std::size_t>(std::clamp(bin, 0, Histogram::bins - 1))];
    ++histogram.total;
  });
}

/// The sum of `of(value)` over the finite values inside: in lanes, and row after row, however many threads.
template <class Of>
double sumInside(const Plane& plane, const Image* mask, const std::stop_token& stop, const Of& of) {
  if (stop.stop_requested()) throw Cancelled();
  std::vector<double> rows(static_cast<std::size_t>(plane.height()));
  visit(plane.type(), [&](auto element) {
    const auto view = plane.image->view<decltype(element)>(plane.channel);
    ThreadTeam(0).forRanges(0, view.height, grainRows, [&](int first, int last) {
      constexpr int lanes = 8;
      for (int y = first; y < last; ++y) {
        const auto* row = view.row(y);
        const std::uint8_t* inside = mask != nullptr ? mask->view<std::uint8_t>(0).row(y) : nullptr;
        std::array<double, lanes> sums{};
        const auto add = [&](int x, int lane) {
          const float v = asFloat(row[x]);
          const bool taken = std::isfinite(v) && (inside == nullptr || inside[x] != 0);
          sums[static_cast<std::size_t>(lane)] += taken ? of(static_cast<double>(v)) : 0.0;
        };
        int x = 0;
        for (; x + lanes <= view.width; x += lanes) {
          for (int lane = 0; lane < lanes; ++lane) add(x + lane, lane);
        }
        for (; x < view.width; ++x) add(x, 0);
        rows[static_cast<std::size_t>(y)] = std::accumulate(sums.begin(), sums.end(), 0.0);
      }
    });
  });
  return std::accumulate(rows.begin(), rows.end(), 0.0);
}

}  // namespace

const char* toString(RegionKind kind) {
  switch (kind) {
    case RegionKind::Whole: return "whole";
    case RegionKind::Rectangle: return "rectangle";
    case RegionKind::Ellipse: return "ellipse";
    case RegionKind::FieldOfView: return "field-of-view";
    case RegionKind::File: return "file";
  }
  return "?";
}

std::optional<RegionKind> parseRegionKind(std::string_view text) {
  for (const RegionKind kind : allRegionKinds) {
    if (text == toString(kind)) return kind;
  }
  return std::nullopt;
}

MaskPtr makeMask(const RegionSpec& spec, const Picture& picture) {
  if (spec.kind == RegionKind::Whole) return nullptr;
  if (!picture.image)
    throw Error(ErrorCode::Limit, "a region needs a picture that fits into memory, which this one does not");
  auto mask = std::make_shared<const Image>(spec.kind == RegionKind::FieldOfView ? fieldOfView(*picture.image)
                                            : spec.kind == RegionKind::File
                                                ? fromFile(spec.file, picture)
                                                : drawn(spec, picture.info.width, picture.info.height));
  const auto view = mask->view<std::uint8_t>(0);
  for (int y = 0; y < view.height; ++y) {
    if (std::any_of(view.row(y), view.row(y) + view.width, [](std::uint8_t v) { return v != 0; }))
      return mask;
  }
  throw Error(ErrorCode::BadInput, "the region has no pixel of the image");
}

RegionStatistics measureInside(const Plane& plane, const Image* mask, const std::stop_token& stop) {
  if (mask != nullptr && (mask->width() != plane.width() || mask->height() != plane.height())) {
    throw Error(ErrorCode::BadInput, "the region is of another image");
  }
  RegionStatistics result;
  if (mask == nullptr) {
    result.pixels = static_cast<std::int64_t>(plane.width()) * plane.height();
    result.nonFinite = plane.range.nonFinite;
  } else {
    countInside(plane, mask, stop, result);
  }
  const auto finite = static_cast<double>(result.pixels - result.nonFinite);
  if (finite == 0) return result;
  if (mask == nullptr) {
    result.range = plane.range;
    result.histogram = plane.histogram;
  }
  result.mean = sumInside(plane, mask, stop, [](double v) { return v; }) / finite;
  const double squares =
      sumInside(plane, mask, stop, [mean = result.mean](double v) { return (v - mean) * (v - mean); });
  result.deviation = std::sqrt(squares / finite);
  return result;
}

}  // namespace bankside::window
