#include "gui/window/compute/plane.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <mutex>
#include <numeric>
#include <type_traits>
#include <utility>

#include "core/error.h"
#include "core/parallel.h"
#include "kernels/highway/row_values.h"

namespace bankside::window {
namespace {

constexpr int smallestSide = 128;  // no pane is so small that it would want a coarser copy

/// As an integer it grows with the distance from zero, and a NaN is as far as can be.
std::uint32_t distance(float value) { return std::bit_cast<std::uint32_t>(value) & 0x7fffffffu; }

float pick(float a, float b, float c, float d, Coarsen coarsen) {
  if (coarsen == Coarsen::Mean) return 0.25f * ((a + b) + (c + d));
  const float upper = distance(b) > distance(a) ? b : a;
  const float lower = distance(d) > distance(c) ? d : c;
  return distance(lower) > distance(upper) ? lower : upper;
}

template <class T>
void halveRows(const PlaneView<const T>& src, Coarsen coarsen, const PlaneView<float>& dst, int first,
               int last) {
  for (int y = first; y < last; ++y) {
    const T* upper = src.row(2 * y);
    const T* lower = src.row(std::min(2 * y + 1, src.height - 1));
    float* into = dst.row(y);
    const auto take = [&](int x, int right, Coarsen how) {
      into[x] = pick(asFloat(upper[2 * x]), asFloat(upper[right]), asFloat(lower[2 * x]),
                     asFloat(lower[right]), how);
    };
    const int pairs = src.width / 2;
    if (coarsen == Coarsen::Mean) {
      if constexpr (std::is_same_v<T, float>) {
        direct::meanOfFour(upper, lower, pairs, into);
      } else {
        for (int x = 0; x < pairs; ++x) take(x, 2 * x + 1, Coarsen::Mean);
      }
    } else {
      for (int x = 0; x < pairs; ++x) take(x, 2 * x + 1, Coarsen::Largest);
    }
    if (pairs < dst.width) take(pairs, 2 * pairs, coarsen);
  }
}

Image halfOf(int height, int width) { return {1, (height + 1) / 2, (width + 1) / 2, ElementType::F32}; }

Image halve(const PlaneView<const float>& src, Coarsen coarsen) {
  Image half = halfOf(src.height, src.width);
  const auto dst = half.view<float>(0);
  ThreadTeam(0).forRanges(0, dst.height, grainRows,
                          [&](int first, int last) { halveRows(src, coarsen, dst, first, last); });
  return half;
}

constexpr float largestFloat = std::numeric_limits<float>::max();

/// Of one thread's rows, in lanes that a vector holds.
class Extremes {
 public:
  Extremes() {
    low_.fill(INFINITY);
    high_.fill(-INFINITY);
  }
  void add(const float* row, int width) { direct::addValues(row, width, vectors_); }
  template <class T>
  void add(const T* row, int width) {
    std::array<std::int32_t, lanes> odd{};
    int x = 0;
    for (; x + lanes <= width; x += lanes) {
      for (int i = 0; i < lanes; ++i) take(static_cast<std::size_t>(i), asFloat(row[x + i]), odd);
    }
    for (; x < width; ++x) take(0, asFloat(row[x]), odd);
    nonFinite_ += std::accumulate(odd.begin(), odd.end(), std::int64_t{0});
  }
  ValueRange range() const {
    ValueRange range;
    if (vectors_.low <= vectors_.high) range = vectors_;
    range.nonFinite = nonFinite_ + vectors_.nonFinite;
    const float low = *std::min_element(low_.begin(), low_.end());
    const float high = *std::max_element(high_.begin(), high_.end());
    range.add({low, high, 0});
    return range;
  }

 private:
  static constexpr int lanes = 16;
  void take(std::size_t lane, float v, std::array<std::int32_t, lanes>& odd) {
    const bool finite = std::fabs(v) <= largestFloat;
    const float low = finite ? v : INFINITY;
    const float high = finite ? v : -INFINITY;
    low_[lane] = low < low_[lane] ? low : low_[lane];
    high_[lane] = high > high_[lane] ? high : high_[lane];
    odd[lane] += finite ? 0 : 1;
  }
  std::array<float, lanes> low_;
  std::array<float, lanes> high_;
  std::int64_t nonFinite_ = 0;
  ValueRange vectors_{INFINITY, -INFINITY, 0};  // of rows of floats
};

template <class T>
ValueRange rangeOf(const PlaneView<const T>& view) {
  ValueRange range;
  std::mutex mutex;
  ThreadTeam(0).forRanges(0, view.height, grainRows, [&](int first, int last) {
    Extremes extremes;
    for (int y = first; y < last; ++y) extremes.add(view.row(y), view.width);
    const std::lock_guard lock(mutex);
    range.add(extremes.range());
  });
  return range;
}

/// Each row is measured and halved while it is near.
template <class T>
ValueRange rangeAndHalf(const PlaneView<const T>& view, Coarsen coarsen, Image& half) {
  ValueRange range;
  std::mutex mutex;
  const auto dst = half.view<float>(0);
  ThreadTeam(0).forRanges(0, dst.height, grainRows, [&](int first, int last) {
    Extremes extremes;
    for (int y = first; y < last; ++y) {
      for (int row = 2 * y; row < std::min(2 * y + 2, view.height); ++row)
        extremes.add(view.row(row), view.width);
      halveRows(view, coarsen, dst, y, y + 1);
    }
    const std::lock_guard lock(mutex);
    range.add(extremes.range());
  });
  return range;
}

/// Of one thread's rows. Every fourth value has a table of its own: equal neighbours would wait for each
/// other.
class Counts {
 public:
  Counts(const ValueRange& range, int width)
      : low_(range.low),
        scale_(range.high > range.low ? (Histogram::bins - 1) / (range.high - range.low) : 0.0f),
        at_(static_cast<std::size_t>(width)) {}

  template <class T>
  void add(const T* row) {
    const std::size_t width = at_.size();
    if constexpr (std::is_same_v<T, float>) {
      direct::findBins(row, static_cast<int>(width), low_, scale_, Histogram::bins - 1, at_.data());
    } else {
      for (std::size_t x = 0; x < width; ++x) {
        const float v = asFloat(row[x]);
        const float bin = (v - low_) * scale_ + 0.5f;
        const float inside = bin > 0 ? std::min(bin, static_cast<float>(Histogram::bins - 1)) : 0.0f;
        at_[x] = std::fabs(v) <= largestFloat ? static_cast<std::int32_t>(inside) : Histogram::bins;
      }
    }
    std::size_t x = 0;
    for (; x + 4 <= width; x += 4) {
      for (std::size_t i = 0; i < 4; ++i) ++tables_[i][static_cast<std::size_t>(at_[x + i])];
    }
    for (; x < width; ++x) ++tables_[0][static_cast<std::size_t>(at_[x])];
  }

  void addTo(Histogram& histogram) const {
    for (std::size_t bin = 0; bin < Histogram::bins; ++bin) {
      for (const auto& table : tables_) histogram.counts[bin] += table[bin];
    }
  }

 private:
  float low_;
  float scale_;
  std::vector<std::int32_t> at_;
  std::array<std::array<std::int32_t, Histogram::bins + 1>, 4> tables_{};  // last what is not finite
};

template <class T>
Histogram histogramOf(const PlaneView<const T>& view, const ValueRange& range) {
  Histogram histogram;
  if (range.low > range.high) return histogram;
  histogram.low = range.low;
  histogram.high = range.high;
  std::mutex mutex;
  ThreadTeam(0).forRanges(0, view.height, grainRows, [&](int first, int last) {
    Counts counts(range, view.width);
    for (int y = first; y < last; ++y) counts.add(view.row(y));
    const std::lock_guard lock(mutex);
    counts.addTo(histogram);
  });
  histogram.total = std::accumulate(histogram.counts.begin(), histogram.counts.end(), std::int64_t{0});
  return histogram;
}

void halveFurther(Plane& plane, Coarsen coarsen) {
  while (!plane.coarser.empty() &&
         std::max(plane.coarser.back().width(), plane.coarser.back().height()) > smallestSide) {
    plane.coarser.push_back(halve(std::as_const(plane.coarser.back()).view<float>(0), coarsen));
  }
}

}  // namespace

float Histogram::percentile(double share) const {
  const auto wanted = static_cast<double>(total) * share;
  double seen = 0;
  for (int i = 0; i < bins; ++i) {
    seen += static_cast<double>(counts[static_cast<std::size_t>(i)]);
    if (seen >= wanted) return low + (high - low) * static_cast<float>(i) / (bins - 1);
  }
  return high;
}

float Plane::value(int x, int y) const {
  if (!whole()) return NAN;
  return visit(image->type(),
               [&](auto element) { return asFloat(image->view<decltype(element)>(channel).at(x, y)); });
}

std::int64_t Plane::bytes() const {
  std::int64_t sum = whole() ? static_cast<std::int64_t>(image->strideBytes()) * image->height() : 0;
  for (const Image& level : coarser) sum += static_cast<std::int64_t>(level.strideBytes()) * level.height();
  return sum;
}

PlanePtr makePlane(std::shared_ptr<const Image> image, int channel, Coarsen coarsen) {
  auto plane = std::make_shared<Plane>();
  plane->image = std::move(image);
  plane->channel = channel;
  plane->shape = {plane->image->width(), plane->image->height(), plane->image->type()};
  visit(plane->image->type(), [&](auto element) {
    using T = decltype(element);
    const auto view = plane->image->view<T>(channel);
    plane->range =
        std::max(view.width, view.height) > smallestSide
            ? rangeAndHalf(view, coarsen, plane->coarser.emplace_back(halfOf(view.height, view.width)))
            : rangeOf(view);
    plane->histogram = histogramOf(view, plane->range);
  });
  halveFurther(*plane, coarsen);
  return plane;
}

CoarsePlane::CoarsePlane(const Plane::Shape& shape, int finest, Coarsen coarsen)
    : plane_(std::make_shared<Plane>()), coarsen_(coarsen) {
  plane_->shape = shape;
  plane_->finest = finest;
  const int block = 1 << finest;
  sums_ = Image(1, (shape.height + block - 1) / block, (shape.width + block - 1) / block, ElementType::F32);
  const auto sums = sums_.view<float>(0);
  for (int y = 0; y < sums.height; ++y) std::fill_n(sums.row(y), sums.width, 0.0f);
}

template <class T>
void CoarsePlane::addRows(const PlaneView<const T>& band) {
  const ValueRange range = rangeOf(band);
  plane_->range.add(range);
  const auto sums = sums_.view<float>(0);
  const int level = plane_->finest;
  constexpr int columnsAtOnce = 64;
  ThreadTeam(0).forRanges(0, sums.width, columnsAtOnce, [&](int first, int last) {
    for (int y = 0; y < band.height; ++y) {
      const T* row = band.row(y);
      float* into = sums.row((rows_ + y) >> level);
      for (int block = first; block < last; ++block) {
        float sum = into[block];
        const int end = std::min((block + 1) << level, band.width);
        for (int x = block << level; x < end; ++x) {
          const float v = asFloat(row[x]);
          // A NaN stays: it is as far from zero as can be.
          if (coarsen_ == Coarsen::Mean) {
            sum += v;
          } else if (std::isnan(v) || std::fabs(v) > std::fabs(sum)) {
            sum = v;
          }
        }
        into[block] = sum;
      }
    }
  });
  rows_ += band.height;
}

void CoarsePlane::add(const Image& band) {
  visit(band.type(), [&](auto element) { addRows(band.view<decltype(element)>(0)); });
}

PlanePtr CoarsePlane::take() {
  const auto sums = sums_.view<float>(0);
  const int level = plane_->finest;
  for (int y = 0; y < sums.height && coarsen_ == Coarsen::Mean; ++y) {
    const int rows = std::min((y + 1) << level, plane_->height()) - (y << level);
    for (int x = 0; x < sums.width; ++x) {
      const int columns = std::min((x + 1) << level, plane_->width()) - (x << level);
      sums.at(x, y) /= static_cast<float>(rows * columns);
    }
  }
  const PlaneView<const float> held = std::as_const(sums_).view<float>(0);
  plane_->histogram = histogramOf(held, rangeOf(held));
  plane_->coarser.push_back(std::move(sums_));
  halveFurther(*plane_, coarsen_);
  return std::move(plane_);
}

PlanePtr differencePlane(const Plane& a, const Plane& b) {
  if (a.width() != b.width() || a.height() != b.height()) {
    throw Error(ErrorCode::BadInput, "planes of different size have no difference");
  }
  auto image = std::make_shared<Image>(1, a.height(), a.width(), ElementType::F32);
  const auto dst = image->view<float>(0);
  visit(a.type(), [&](auto left) {
    visit(b.type(), [&](auto right) {
      const auto viewA = a.image->view<decltype(left)>(a.channel);
      const auto viewB = b.image->view<decltype(right)>(b.channel);
      ThreadTeam(0).forRanges(0, dst.height, grainRows, [&](int first, int last) {
        for (int y = first; y < last; ++y) {
          const auto* one = viewA.row(y);
          const auto* two = viewB.row(y);
          float* into = dst.row(y);
          for (int x = 0; x < dst.width; ++x) into[x] = asFloat(one[x]) - asFloat(two[x]);
        }
      });
    });
  });
  return makePlane(std::move(image), 0, Coarsen::Largest);
}

}  // namespace bankside::window
