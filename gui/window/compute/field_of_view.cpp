#include "gui/window/compute/field_of_view.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/error.h"
#include "core/parallel.h"

namespace bankside::window {
namespace {

constexpr double shareOfTheWay = 0.15;
constexpr int rowsAtOnce = 32;

/// The brightest of the first three channels: vessels are dark in green, and the eye is never dark in all.
Image brightest(const Image& image) {
  Image result(1, image.height(), image.width(), ElementType::F32);
  const auto dst = result.view<float>(0);
  const int channels = std::min(image.channels(), 3);
  ThreadTeam(0).forRanges(0, dst.height, rowsAtOnce, [&](int first, int last) {
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

float median(const PlaneView<const float>& view, int x0, int y0, int width, int height) {
  std::vector<float> values;
  for (int y = y0; y < y0 + height; ++y)
    values.insert(values.end(), view.row(y) + x0, view.row(y) + x0 + width);
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Pixels [from, to) of a row that are alike, and the part of the picture that they belong to.
struct Run {
  int y = 0;
  int from = 0;
  int to = 0;
};

/// Connected parts (4 neighbours) of the pixels with `value`.
class Parts {
 public:
  Parts(const PlaneView<std::uint8_t>& mask, std::uint8_t value) {
    std::size_t above = 0;
    for (int y = 0; y < mask.height; ++y) {
      const std::size_t first = runs_.size();
      for (int x = 0; x < mask.width;) {
        const int from = x;
        const bool wanted = mask.at(x, y) == value;
        while (x < mask.width && (mask.at(x, y) == value) == wanted) ++x;
        if (!wanted) continue;
        roots_.push_back(runs_.size());
        runs_.push_back({y, from, x});
      }
      join(above, first);
      above = first;
    }
    areas_.assign(runs_.size(), 0);
    atEdge_.assign(runs_.size(), false);
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      const Run& run = runs_[i];
      const std::size_t root = rootOf(i);
      areas_[root] += run.to - run.from;
      const bool edge = run.y == 0 || run.y == mask.height - 1 || run.from == 0 || run.to == mask.width;
      atEdge_[root] = atEdge_[root] || edge;
    }
  }

  std::size_t largest() const {
    return static_cast<std::size_t>(std::max_element(areas_.begin(), areas_.end()) - areas_.begin());
  }
  /// Sets the pixels of every part for which `wanted(root, touchesTheEdge)` holds.
  template <class Wanted>
  void paint(const PlaneView<std::uint8_t>& mask, std::uint8_t value, const Wanted& wanted) {
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      const std::size_t root = rootOf(i);
      if (wanted(root, static_cast<bool>(atEdge_[root])))
        std::fill(mask.row(runs_[i].y) + runs_[i].from, mask.row(runs_[i].y) + runs_[i].to, value);
    }
  }
  bool empty() const { return runs_.empty(); }

 private:
  void join(std::size_t above, std::size_t first) {
    std::size_t a = above;
    for (std::size_t b = first; b < runs_.size(); ++b) {
      while (a < first && runs_[a].to <= runs_[b].from) ++a;
      for (std::size_t i = a; i < first && runs_[i].from < runs_[b].to; ++i) {
        if (runs_[i].y == runs_[b].y - 1) roots_[rootOf(i)] = rootOf(b);
      }
    }
  }
  std::size_t rootOf(std::size_t i) {
    while (roots_[i] != i) i = roots_[i] = roots_[roots_[i]];
    return i;
  }

  std::vector<Run> runs_;
  std::vector<std::size_t> roots_;
  std::vector<std::int64_t> areas_;
  std::vector<bool> atEdge_;
};

}  // namespace

Image fieldOfView(const Image& image) {
  const Image bright = brightest(image);
  const auto view = bright.view<float>(0);
  const int w = std::max(1, view.width / 25);
  const int h = std::max(1, view.height / 25);
  std::vector<float> corners;
  for (const int x : {0, view.width - w}) {
    for (const int y : {0, view.height - h}) corners.push_back(median(view, x, y, w, h));
  }
  std::sort(corners.begin(), corners.end());
  const float frame = 0.5f * (corners[1] + corners[2]);
  const float eye = median(view, view.width / 4, view.height / 4, std::max(1, view.width / 2),
                           std::max(1, view.height / 2));
  if (!(eye > 0) || eye - frame < 0.1f * std::fabs(eye)) {
    throw Error(ErrorCode::BadInput,
                "no field of view was found: the corners of the image are as bright as its middle");
  }
  const auto threshold = static_cast<float>(frame + shareOfTheWay * (eye - frame));
  Image mask(1, image.height(), image.width(), ElementType::U8);
  const auto out = mask.view<std::uint8_t>(0);
  ThreadTeam(0).forRanges(0, out.height, rowsAtOnce, [&](int first, int last) {
    for (int y = first; y < last; ++y) {
      for (int x = 0; x < out.width; ++x) {
        float sum = 0;
        for (int dy = -1; dy <= 1; ++dy) {
          for (int dx = -1; dx <= 1; ++dx) {
            sum += view.at(std::clamp(x + dx, 0, out.width - 1), std::clamp(y + dy, 0, out.height - 1));
          }
        }
        // The mean alone would take in the frame's pixels beside the rim.
        out.at(x, y) = sum > 9 * threshold && view.at(x, y) > threshold ? 255 : 0;
      }
    }
  });
  if (Parts bright255(out, 255); !bright255.empty()) {
    const std::size_t largest = bright255.largest();
    bright255.paint(out, 0, [&](std::size_t root, bool) { return root != largest; });
  }
  Parts(out, 0).paint(out, 255, [](std::size_t, bool atEdge) { return !atEdge; });
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

}  // namespace bankside::window
