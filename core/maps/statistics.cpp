/// Operations that look at all of a map's pixels inside the field of view at once. What is not finite counts
/// for nothing.
#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/maps/lane_sums.h"
#include "core/maps/map_rows.h"
#include "core/text.h"

namespace bankside {
namespace {

/// The pixels of a map that count: inside the field, and finite.
class FieldPixels {
 public:
  FieldPixels(const Maps& maps, std::size_t map, OperationContext& context)
      : view_(maps.view(map)),
        field_(context.field.everything() ? nullptr : &context.field.at(view_.height, view_.width)) {}
  int height() const { return view_.height; }
  int width() const { return view_.width; }
  /// use(counts, pixels): of row y, which pixels count.
  template <class Use>
  auto row(int y, const Use& use) const {
    const std::uint8_t* inside = field_ != nullptr ? field_->view<std::uint8_t>(0).row(y) : nullptr;
    const float* pixels = view_.row(y);
    return use([=](int x) { return (inside == nullptr || inside[x] != 0) && std::isfinite(pixels[x]); },
               pixels);
  }

 private:
  PlaneView<const float> view_;
  const Image* field_;
};

/// 0 without its sign, so that equal ones are one.
std::vector<float> insideValues(const Operation& op, const Maps& maps, std::size_t map,
                                OperationContext& context) {
  const FieldPixels field(maps, map, context);
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(field.height()) * static_cast<std::size_t>(field.width()));
  for (int y = 0; y < field.height(); ++y) {
    if (context.stop.stop_requested()) throw Cancelled();
    field.row(y, [&](const auto& counts, const float* pixels) {
      for (int x = 0; x < field.width(); ++x) {
        if (counts(x)) values.push_back(pixels[x] + 0.0f);
      }
    });
  }
  if (values.empty())
    throw Error(ErrorCode::BadInput,
                op.entry->name + ": the field of view of " + maps.names[map].label + " has no finite pixel");
  return values;
}

/// The value that `percent` of the pixels lie below, linear between neighbours in order, as numpy's.
double percentileAmong(std::vector<float>& values, double percent) {
  const double place = percent / 100 * static_cast<double>(values.size() - 1);
  const auto low = static_cast<std::ptrdiff_t>(place);
  std::nth_element(values.begin(), values.begin() + low, values.end());
  const double at = values[static_cast<std::size_t>(low)];
  const double rest = place - static_cast<double>(low);
  if (rest == 0) return at;
  const double next = *std::min_element(values.begin() + low + 1, values.end());
  return at + rest * (next - at);
}

struct Moments {
  double mean = 0;
  double deviation = 0;
};

/// Sums of rows, then of those (core/maps/lane_sums.h): threads and devices change no bit.
Moments momentsOf(const Maps& maps, std::size_t map, std::size_t values, OperationContext& context) {
  const FieldPixels field(maps, map, context);
  std::vector<double> rows(static_cast<std::size_t>(field.height()));
  const auto sumOf = [&](const auto& function) {
    forRows(context, field.height(), [&](int y) {
      rows[static_cast<std::size_t>(y)] = field.row(y, [&](const auto& counts, const float* pixels) {
        return laneSum(field.width(), [&](int x) { return counts(x) ? function(double{pixels[x]}) : 0.0; });
      });
    });
    return laneSum(field.height(), [&](int y) { return rows[static_cast<std::size_t>(y)]; });
  };
  const auto count = static_cast<double>(values);
  const double mean = sumOf([](double v) { return v; }) / count;
  const double squares = sumOf([mean](double v) { return (v - mean) * (v - mean); });
  return {mean, std::sqrt(squares / count)};
}

/// (x - middle) / size, 0 throughout where all pixels are the same, but for rounding.
template <class MiddleAndSize>
Maps scaled(const Operation& op, const Maps& in, OperationContext& context,
            const MiddleAndSize& middleAndSize) {
  Maps out = Maps::make(in.extent, in.names);
  for (std::size_t m = 0; m < in.size(); ++m) {
    std::vector<float> values = insideValues(op, in, m, context);
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    // Sums of roundings may not give the deviation as 0.
    const bool constant = context.flat || *least == *most;
    const auto found = middleAndSize(m, values);
    const double middle = found.first;
    const double factor = found.second > 0 && !constant ? 1 / found.second : 0;
    forRows(context, in.extent.height, [&](int y) {
      const float* a = in.view(m).row(y);
      float* b = out.view(m).row(y);
      for (int x = 0; x < in.extent.width; ++x) b[x] = static_cast<float>((a[x] - middle) * factor);
    });
  }
  return out;
}

Maps standardize(const Operation& op, const std::vector<const Maps*>& taken, OperationContext& context) {
  const bool robust = op.number("robust") != 0;
  return scaled(op, *taken[0], context, [&](std::size_t map, std::vector<float>& values) {
    const Moments moments = momentsOf(*taken[0], map, values.size(), context);
    return std::pair(robust ? percentileAmong(values, 50) : moments.mean, moments.deviation);
  });
}

Maps stretch(const Operation& op, const std::vector<const Maps*>& taken, OperationContext& context) {
  return scaled(op, *taken[0], context, [](std::size_t, std::vector<float>& values) {
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    return std::pair(static_cast<double>(*least), static_cast<double>(*most) - static_cast<double>(*least));
  });
}

Maps percentile(const Operation& op, const std::vector<const Maps*>& taken, OperationContext& context) {
  const Maps& in = *taken[0];
  Maps out = Maps::make(in.extent, in.names);
  for (std::size_t m = 0; m < in.size(); ++m) {
    std::vector<float> values = insideValues(op, in, m, context);
    const auto value = static_cast<float>(percentileAmong(values, op.number("percent")));
    forRows(context, in.extent.height,
            [&](int y) { std::fill_n(out.view(m).row(y), in.extent.width, value); });
  }
  return out;
}

}  // namespace

std::vector<OperationEntry> statisticsOperations() {
  return {
      {"percentile",
       "a map of one value: the one that so many percent of the field lie below",
       1,
       1,
       {{"percent", "0 the smallest, 50 the median, 100 the largest", 50, 0, 100}},
       percentile},
      {"standardize",
       "(x - mean) / standard deviation, both of the field",
       1,
       1,
       {{"robust", "1: the median instead of the mean", 0, 0, 1, false, true}},
       standardize},
      {"stretch", "the field's smallest value becomes 0, its largest 1", 1, 1, {}, stretch},
  };
}

}  // namespace bankside
