/// Operations that look around a pixel with a round window. Beyond the frame there is nothing: no pixel and
/// no weight.
#include "core/maps/window.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/error.h"
#include "core/maps/map_rows.h"
#include "core/text.h"

namespace bankside {
namespace {

constexpr double farthest = 4096;
/// Its cost grows with its width, that of means does not.
constexpr double widestDilation = 64;

Image likePlane(const PlaneView<const float>& plane) {
  return Image(1, plane.height, plane.width, ElementType::F32);
}

/// The largest of weight x pixel along rows, then along columns: the weights are those of a Gaussian, which
/// is a product of the two.
void dilatePlane(PlaneView<const float> in, PlaneView<float> out, const std::vector<float>& weights,
                 const OperationContext& context) {
  Image across = likePlane(in);
  const auto middle = across.view<float>(0);
  const auto reach = static_cast<int>(weights.size()) - 1;
  // NaN is larger than everything.
  const auto take = [](float& most, float x) { most = x > most || x != x ? x : most; };
  forRows(context, in.height, [&](int y) {
    const float* a = in.row(y);
    float* b = middle.row(y);
    std::copy_n(a, in.width, b);
    for (int k = 1; k <= std::min(reach, in.width - 1); ++k) {
      const float w = weights[static_cast<std::size_t>(k)];
      for (int x = k; x < in.width; ++x) take(b[x], w * a[x - k]);
      for (int x = 0; x < in.width - k; ++x) take(b[x], w * a[x + k]);
    }
  });
  forRows(context, in.height, [&](int y) {
    float* b = out.row(y);
    std::copy_n(middle.row(y), in.width, b);
    for (int k = 1; k <= reach; ++k) {
      const float w = weights[static_cast<std::size_t>(k)];
      for (const int from : {y - k, y + k}) {
        if (from < 0 || from >= in.height) continue;
        const float* a = middle.row(from);
        for (int x = 0; x < in.width; ++x) take(b[x], w * a[x]);
      }
    }
  });
}

/// Lanes that the three boxes are run over side by side.
constexpr int lanes = 16;

/// Three sums of boxes in a row over `count` places of `lanes` numbers each, nothing beyond them.
///
/// Places are cut into blocks as long as a box, so that it lies in two at most: its sum is that of the end of
/// the one, from its last place back, and that of the beginning of the other. Nothing is taken away again: a
/// pixel of 1e20 leaves no trace beside it, a box of zeros is exactly 0, and blocks know nothing of each
/// other, so that a device sums all of them at once in the same order. Source  M. van Herk, A fast algorithm
/// for local minimum and maximum filters, Pattern Recognition Letters 13, 1992.
class BoxSums {
 public:
  BoxSums(const WindowBoxes& boxes, int count)
      : boxes_(boxes),
        reach_(boxes.reach()),
        count_(count),
        a_(static_cast<std::size_t>(count + 2 * reach_) * lanes),
        b_(a_.size()) {}

  double* place(int i) { return &a_[static_cast<std::size_t>(i + reach_) * lanes]; }

  /// What was put at the places becomes the sums there.
  void run() {
    std::fill_n(a_.begin(), static_cast<std::ptrdiff_t>(reach_) * lanes, 0.0);
    std::fill_n(a_.end() - static_cast<std::ptrdiff_t>(reach_) * lanes,
                static_cast<std::ptrdiff_t>(reach_) * lanes, 0.0);
    for (const int radius : boxes_.radii) {
      const int length = 2 * radius + 1;
      for (int begin = -length; begin < all(); begin += length) sumBlock(begin, radius);
      std::swap(a_, b_);
    }
  }

 private:
  int all() const { return count_ + 2 * reach_; }
  const double* from(int i) const { return &a_[static_cast<std::size_t>(i) * lanes]; }
  double* to(int i) { return &b_[static_cast<std::size_t>(i) * lanes]; }

  /// Boxes that begin in the block of places from `begin` on.
  void sumBlock(int begin, int radius) {
    const int next = begin + 2 * radius + 1;
    double sums[lanes] = {};
    for (int i = next - 1; i >= begin; --i) {  // a box from here to the block's end
      if (i >= 0 && i < all()) {
        for (int l = 0; l < lanes; ++l) sums[l] += from(i)[l];
      }
      if (i + radius >= 0 && i + radius < all()) std::copy_n(sums, lanes, to(i + radius));
    }
    std::fill_n(sums, lanes, 0.0);
    for (int i = next; i < next + 2 * radius && i - radius < all(); ++i) {  // and on into the next block
      if (i < all()) {
        for (int l = 0; l < lanes; ++l) sums[l] += from(i)[l];
      }
      if (i - radius < 0) continue;
      double* const sum = to(i - radius);
      for (int l = 0; l < lanes; ++l) sum[l] += sums[l];
    }
  }

  const WindowBoxes& boxes_;
  int reach_;
  int count_;
  std::vector<double> a_, b_;
};

/// Sums of `value(x, y)` over the window around each pixel, along rows and then along columns: [H*W].
template <class Value>
std::vector<double> windowSums(const Extent& extent, const WindowBoxes& boxes,
                               const OperationContext& context, const Value& value) {
  const auto width = static_cast<std::size_t>(extent.width);
  std::vector<double> sums(width * static_cast<std::size_t>(extent.height));
  const auto at = [&](int x, int y) -> double& {
    return sums[static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x)];
  };
  const auto blocks = [](int side) { return (side + lanes - 1) / lanes; };
  context.team.forRanges(0, blocks(extent.height), 1, [&](int first, int last) {
    BoxSums row(boxes, extent.width);
    for (int block = first; block < last; ++block) {
      if (context.stop.stop_requested()) throw Cancelled();
      const int top = block * lanes;
      const int count = std::min(lanes, extent.height - top);
      for (int l = 0; l < lanes; ++l) {
        for (int x = 0; x < extent.width; ++x) row.place(x)[l] = l < count ? value(x, top + l) : 0.0;
      }
      row.run();
      for (int l = 0; l < count; ++l) {
        for (int x = 0; x < extent.width; ++x) at(x, top + l) = row.place(x)[l];
      }
    }
  });
  context.team.forRanges(0, blocks(extent.width), 1, [&](int first, int last) {
    BoxSums column(boxes, extent.height);
    for (int block = first; block < last; ++block) {
      if (context.stop.stop_requested()) throw Cancelled();
      const int left = block * lanes;
      const int count = std::min(lanes, extent.width - left);
      for (int y = 0; y < extent.height; ++y) {
        for (int l = 0; l < lanes; ++l) column.place(y)[l] = l < count ? at(left + l, y) : 0.0;
      }
      column.run();
      for (int y = 0; y < extent.height; ++y) {
        for (int l = 0; l < count; ++l) at(left + l, y) = column.place(y)[l];
      }
    }
  });
  return sums;
}

/// Mean of function(pixel) over the finite pixels of the field around each one; 0 where the window sees none.
template <class Function, class Finish>
Maps localMean(const Operation& op, const Maps& in, OperationContext& context, const Function& function,
               const Finish& finish) {
  const WindowBoxes boxes(op.number("sigma"));
  PlaneView<const std::uint8_t> inside;  // no data: everything is
  if (!context.field.everything())
    inside = context.field.at(in.extent.height, in.extent.width).view<std::uint8_t>(0);
  Maps out = Maps::make(in.extent, in.names);
  for (std::size_t map = 0; map < in.size(); ++map) {
    const auto pixels = in.view(map);
    const auto counts = [&](int x, int y) {
      return (inside.data == nullptr || inside.at(x, y) != 0) && std::isfinite(pixels.at(x, y));
    };
    const std::vector<double> weights =
        windowSums(in.extent, boxes, context, [&](int x, int y) { return counts(x, y) ? 1.0 : 0.0; });
    const std::vector<double> sums = windowSums(in.extent, boxes, context, [&](int x, int y) {
      return counts(x, y) ? function(static_cast<double>(pixels.at(x, y))) : 0.0;
    });
    forRows(context, in.extent.height, [&](int y) {
      float* b = out.view(map).row(y);
      const std::size_t row = static_cast<std::size_t>(y) * static_cast<std::size_t>(in.extent.width);
      for (int x = 0; x < in.extent.width; ++x) {
        // Sums of whole numbers: where the window sees no pixel, its weight is exactly 0.
        const double weight = weights[row + static_cast<std::size_t>(x)];
        b[x] =
            weight > 0 ? static_cast<float>(finish(sums[row + static_cast<std::size_t>(x)] / weight)) : 0.0f;
      }
    });
  }
  return out;
}

Maps localMeanOf(const Operation& op, const std::vector<const Maps*>& taken, OperationContext& context) {
  const auto same = [](double x) { return x; };
  return localMean(op, *taken[0], context, same, same);
}

Maps localRms(const Operation& op, const std::vector<const Maps*>& taken, OperationContext& context) {
  return localMean(
      op, *taken[0], context, [](double x) { return x * x; },
      [](double x) { return std::sqrt(std::max(x, 0.0)); });
}

/// One result a sigma of every map, sigmas of one map together.
Maps dilate(const Operation& op, const std::vector<const Maps*>& taken, OperationContext& context) {
  const Maps& in = *taken[0];
  const std::vector<double>& sigmas = op.numbers("sigma");
  Maps::requireFew(in.size() * sigmas.size());
  std::vector<MapName> names;
  for (const MapName& name : in.names) {
    for (const double sigma : sigmas) {
      names.push_back(name);
      if (sigmas.size() > 1) names.back().label += "-within" + formatNumber(sigma);
    }
  }
  Maps out = Maps::make(in.extent, std::move(names));
  for (std::size_t m = 0; m < out.size(); ++m) {
    dilatePlane(in.view(m / sigmas.size()), out.view(m), dilationWeights(sigmas[m % sigmas.size()]), context);
  }
  return out;
}

/// The map moved: result(x, y) = map(x - right, y - down). What comes in from outside is the nearest pixel.
Maps shift(const Operation& op, const std::vector<const Maps*>& taken, OperationContext& context) {
  const Maps& in = *taken[0];
  const auto right = static_cast<int>(op.number("right"));
  const auto down = static_cast<int>(op.number("down"));
  Maps out = Maps::make(in.extent, in.names);
  for (std::size_t m = 0; m < in.size(); ++m) {
    const auto from = in.view(m);
    forRows(context, from.height, [&](int y) {
      const float* a = from.row(std::clamp(y - down, 0, from.height - 1));
      float* b = out.view(m).row(y);
      for (int x = 0; x < from.width; ++x) b[x] = a[std::clamp(x - right, 0, from.width - 1)];
    });
  }
  return out;
}

OperationParameter sigmaParameter(const char* description, double least, double most, bool list = false) {
  return {"sigma", description, std::nullopt, least, most, list};
}

}  // namespace

/// Of lengths 2 r + 1 whose variances, ((2 r + 1)^2 - 1) / 12 each, add up to sigma^2 as nearly as whole
/// numbers can, no two of them more than one step apart.
WindowBoxes::WindowBoxes(double sigma) {
  const auto r = static_cast<int>(std::floor((std::sqrt(4 * sigma * sigma + 1) - 1) / 2));
  const auto variance = [](int radius) { return radius * (radius + 1.0) / 3; };
  int larger = 0;
  double best = std::numeric_limits<double>::max();
  for (int k = 0; k <= 3; ++k) {
    const double off = std::fabs(k * variance(r + 1) + (3 - k) * variance(r) - sigma * sigma);
    if (off < best) {
      best = off;
      larger = k;
    }
  }
  for (int k = 0; k < 3; ++k) radii[static_cast<std::size_t>(k)] = r + (k < larger ? 1 : 0);
}

std::vector<float> dilationWeights(double sigma) {
  constexpr double reach = 3.5;  // standard deviations; what lies further away weighs less than 0.0022
  std::vector<float> weights;
  for (int k = 0; k <= static_cast<int>(std::ceil(reach * sigma)); ++k)
    weights.push_back(static_cast<float>(std::exp(-k * static_cast<double>(k) / (2 * sigma * sigma))));
  return weights;
}

std::vector<OperationEntry> windowOperations() {
  return {
      {"local-mean",
       "the mean of the field around each pixel, in a window that is nearly Gaussian",
       1,
       1,
       {sigmaParameter("the standard deviation of its window in pixels", 1, widestMean)},
       localMeanOf},
      {"local-rms",
       "the root of the mean square of the field around each pixel, in a window that is nearly Gaussian",
       1,
       1,
       {sigmaParameter("the standard deviation of its window in pixels", 1, widestMean)},
       localRms},
      {"dilate",
       "the largest pixel around each one, weighted by a Gaussian of height 1; one map for each sigma",
       1,
       1,
       {sigmaParameter("its standard deviations in pixels", 0.1, widestDilation, true)},
       dilate},
      {"shift",
       "moved by whole pixels",
       1,
       1,
       {{"right", "pixels to the right", 0, -farthest, farthest, false, true},
        {"down", "pixels down", 0, -farthest, farthest, false, true}},
       shift},
  };
}

}  // namespace bankside
