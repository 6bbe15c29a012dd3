/// The part of the image that is looked at: a rectangle, an ellipse, the field of view, or a mask from a
/// file. Statistics, histograms and automatic levels are of what lies inside. Results are not touched by it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "gui/window/compute/work.h"

namespace bankside::window {

enum class RegionKind { Whole, Rectangle, Ellipse, FieldOfView, File };
inline constexpr RegionKind allRegionKinds[] = {RegionKind::Whole, RegionKind::Rectangle, RegionKind::Ellipse,
                                                RegionKind::FieldOfView, RegionKind::File};
const char* toString(RegionKind kind);  ///< "whole", "rectangle", "ellipse", "field-of-view", "file"
std::optional<RegionKind> parseRegionKind(std::string_view text);

/// How the region is made; a plain value that the session keeps.
struct RegionSpec {
  RegionKind kind = RegionKind::Whole;
  int x = 0;  ///< the rectangle, or the ellipse's bounds, in image pixels
  int y = 0;
  int width = 0;
  int height = 0;
  std::string file;
  bool operator==(const RegionSpec&) const = default;
};

/// 255 inside, 0 outside, as large as the picture; null for the whole image.
using MaskPtr = std::shared_ptr<const Image>;

/// A mask file is inside where any of its channels is not zero. An ellipse has the pixels whose middles lie
/// in it. Errors  Error{BadInput} if nothing is inside, or if the file's size is not the picture's; what
/// reading throws
MaskPtr makeMask(const RegionSpec& spec, const Picture& picture);

/// Of the finite values inside.
struct RegionStatistics {
  std::int64_t pixels = 0;     ///< inside
  std::int64_t nonFinite = 0;  ///< of those
  double mean = 0;
  double deviation = 0;  ///< of the population
  ValueRange range;
  Histogram histogram;  ///< over the range inside
};

/// `mask` null: the whole plane. Throws Error{BadInput} if the sizes differ; Cancelled
RegionStatistics measureInside(const Plane& plane, const Image* mask, const std::stop_token& stop = {});

}  // namespace bankside::window
