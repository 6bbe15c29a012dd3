#include "filters/taps/support.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace bankside {
namespace {

/// Rows [top, bottom] and columns [left, right] that stay.
struct Box {
  int top, left, bottom, right;
};

void dropSmallTaps(Filter& f) {
  float largest = 0;
  for (const float tap : f.taps) largest = std::max(largest, std::fabs(tap));
  for (float& tap : f.taps) {
    if (std::fabs(tap) < largest * leastTapThatMatters) tap = 0;
  }
}

void include(Box& box, const Filter& f) {
  for (int c = 0; c < f.channels; ++c) {
    for (int y = 0; y < f.height; ++y) {
      for (int x = 0; x < f.width; ++x) {
        if (f.tap(c, y, x) == 0) continue;
        box = {std::min(box.top, y), std::min(box.left, x), std::max(box.bottom, y), std::max(box.right, x)};
      }
    }
  }
}

void crop(Filter& f, const Box& box) {
  Filter small = f;
  small.height = box.bottom - box.top + 1;
  small.width = box.right - box.left + 1;
  small.anchorX -= box.left;
  small.anchorY -= box.top;
  small.taps.clear();
  for (int c = 0; c < f.channels; ++c) {
    for (int y = box.top; y <= box.bottom; ++y) {
      for (int x = box.left; x <= box.right; ++x) small.taps.push_back(f.tap(c, y, x));
    }
  }
  f = std::move(small);
}

auto shapeOf(const Filter& f) { return std::tuple(f.height, f.width, f.anchorY, f.anchorX); }

}  // namespace

void trimToSupport(std::vector<Filter>& filters) {
  std::map<std::tuple<int, int, int, int>, Box> boxes;
  for (Filter& f : filters) {
    dropSmallTaps(f);
    const Box anchor{f.anchorY, f.anchorX, f.anchorY, f.anchorX};
    include(boxes.emplace(shapeOf(f), anchor).first->second, f);
  }
  for (Filter& f : filters) crop(f, boxes.at(shapeOf(f)));
}

}  // namespace bankside
