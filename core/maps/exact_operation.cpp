#include "core/maps/exact_operation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "core/engine.h"
#include "core/error.h"
#include "core/maps/exact_window.h"

namespace bankside {
namespace {

using exact::at;
using exact::Exact;
using exact::inField;
using exact::rounded;
using exact::tiny;
using exact::u;

using Taken = std::vector<const Maps*>;

/// Of stage `i`; one map goes with all.
double takenAt(const Taken& taken, std::size_t i, std::size_t map, int x, int y) {
  return at(*taken[i], taken[i]->size() == 1 ? 0 : map, x, y);
}

Exact pointwise(const Operation& op, double x, ElementType type) {
  const std::string& name = op.entry->name;
  if (name == "unit") {
    const double largest = type == ElementType::U8 ? 255 : type == ElementType::U16 ? 65535 : 1;
    return rounded(x / largest, 1);
  }
  if (name == "linear") {
    const double times = static_cast<float>(op.number("times"));
    const double plus = static_cast<float>(op.number("plus"));
    return {times * x + plus, 2 * u * (std::fabs(times * x) + std::fabs(plus)) + tiny};
  }
  if (name == "log") {
    const double value = std::log(x + static_cast<double>(static_cast<float>(op.number("plus"))));
    return {value, 4 * u * std::fabs(value) + 2 * u};
  }
  if (name == "exp") return rounded(std::exp(x), 4);
  if (name == "abs") return {std::fabs(x), 0};
  if (name == "relu") return {x > 0 || std::isnan(x) ? x : 0.0, 0};
  if (name == "square") return rounded(x * x, 1);
  if (name == "root") return rounded(std::sqrt(x), 1);
  if (name == "power")
    return rounded(std::pow(x, static_cast<double>(static_cast<float>(op.number("exponent")))), 4);
  if (name == "threshold")
    return {x >= static_cast<double>(static_cast<float>(op.number("at"))) ? 1.0 : 0.0, 0};
  throw Error(ErrorCode::Unsupported, "operation " + name + " has no judge");
}

Exact pairwise(const Operation& op, const Taken& taken, std::size_t map, int x, int y) {
  const std::string& name = op.entry->name;
  double value = takenAt(taken, 0, map, x, y);
  if (name == "sum") {
    const auto weight = [&](std::size_t i) {
      const std::vector<double>& w = op.numbers("weights");
      return static_cast<double>(static_cast<float>(w[w.size() == 1 ? 0 : i]));
    };
    double size = std::fabs(weight(0) * value);
    value *= weight(0);
    for (std::size_t i = 1; i < taken.size(); ++i) {
      const double term = weight(i) * takenAt(taken, i, map, x, y);
      value += term;
      size += std::fabs(term);
    }
    return {value, gammaBound(static_cast<double>(taken.size()) + 1) * size + tiny};
  }
  double bound = 0;
  for (std::size_t i = 1; i < taken.size(); ++i) {
    const double next = takenAt(taken, i, map, x, y);
    if (name == "product") {
      value *= next;
      bound = (bound + tiny) * std::fabs(next) + u * std::fabs(value);  // a factor before may have vanished
    }
    if (name == "quotient") {
      const double floor = static_cast<float>(op.number("floor"));
      value /= next < floor ? floor : next;
    }
    if (name == "min" && (next < value || std::isnan(next))) value = next;
    if (name == "max" && (next > value || std::isnan(next))) value = next;
  }
  if (name == "product") return {value, 2 * bound + tiny};
  return name == "min" || name == "max" ? Exact{value, 0} : rounded(value, static_cast<double>(taken.size()));
}

Exact eigenvalue(const Maps& in, std::size_t map, int x, int y) {
  const double xx = at(in, 0, x, y);
  const double xy = at(in, 1, x, y);
  const double yy = at(in, 2, x, y);
  const double root = std::sqrt((xx - yy) * (xx - yy) + 4 * xy * xy);
  const double low = (xx + yy - root) / 2;
  const double high = (xx + yy + root) / 2;
  const double bound = 8 * u * (std::fabs(xx) + std::fabs(xy) + std::fabs(yy)) + tiny;
  const bool lowIsLess = std::fabs(low) <= std::fabs(high);
  // Where both are as large, rounding says which comes first.
  const double either = std::fabs(std::fabs(low) - std::fabs(high)) <= 2 * bound ? std::fabs(high - low) : 0;
  return {(map == 0) == lowIsLess ? low : high, bound + either};
}

/// What all pixels of the field say, sorted.
std::vector<double> fieldValues(const Maps& in, OperationContext& context, std::size_t map) {
  std::vector<double> values;
  for (int y = 0; y < in.extent.height; ++y) {
    for (int x = 0; x < in.extent.width; ++x) {
      if (inField(context, in, x, y) && std::isfinite(at(in, map, x, y))) values.push_back(at(in, map, x, y));
    }
  }
  std::sort(values.begin(), values.end());
  return values;
}

double percentileOf(const std::vector<double>& sorted, double percent) {
  const double place = percent / 100 * static_cast<double>(sorted.size() - 1);
  const auto low = static_cast<std::size_t>(place);
  const double next = sorted[std::min(low + 1, sorted.size() - 1)];
  return sorted[low] + (place - static_cast<double>(low)) * (next - sorted[low]);
}

/// Middle and size of the operations that subtract the one and divide by the other.
std::pair<double, double> middleAndSize(const Operation& op, const std::vector<double>& sorted) {
  if (op.entry->name == "stretch") return {sorted.front(), sorted.back() - sorted.front()};
  const auto count = static_cast<long double>(sorted.size());
  long double sum = 0;
  for (const double v : sorted) sum += v;
  const auto mean = static_cast<double>(sum / count);
  long double squares = 0;
  for (const double v : sorted)
    squares += (static_cast<long double>(v) - mean) * (static_cast<long double>(v) - mean);
  const auto deviation = static_cast<double>(std::sqrt(squares / count));
  return {op.number("robust") != 0 ? percentileOf(sorted, 50) : mean, deviation};
}

void record(Verification& v, std::size_t map, int x, int y, double got, const Exact& expected) {
  Verification one{
      .checked = 1, .plane = static_cast<int>(map), .x = x, .y = y, .got = got, .expected = expected.value};
  const bool finite = std::isfinite(expected.value) &&
                      std::fabs(expected.value) + expected.bound <= std::numeric_limits<float>::max();
  one.passed = finite                       ? std::fabs(got - expected.value) <= expected.bound
               : std::isnan(expected.value) ? std::isnan(got)
                                            : !std::isfinite(got);
  if (finite && std::isfinite(got)) {
    one.maxAbsError = std::fabs(got - expected.value);
    one.maxBoundRatio = one.maxAbsError == 0 ? 0 : one.maxAbsError / std::max(expected.bound, tiny);
  }
  one.failed = one.passed ? 0 : 1;
  v.add(one);
}

/// Judges rows by `expect(map, row) -> std::vector<Exact>`, on one thread: what it looks at may be kept.
template <class Expect>
Verification judgeRows(const OperationContext& context, const Maps& made, const std::vector<int>& rows,
                       const Expect& expect) {
  Verification v;
  for (std::size_t map = 0; map < made.size(); ++map) {
    for (const int y : rows) {
      if (context.stop.stop_requested()) throw Cancelled();
      const std::vector<Exact> row = expect(map, y);
      for (int x = 0; x < made.extent.width; ++x)
        record(v, map, x, y, at(made, map, x, y), row[static_cast<std::size_t>(x)]);
    }
  }
  return v;
}

template <class Pixel>
auto eachPixel(const Maps& made, const Pixel& pixel) {
  return [&made, pixel](std::size_t map, int y) {
    std::vector<Exact> row;
    for (int x = 0; x < made.extent.width; ++x) row.push_back(pixel(map, x, y));
    return row;
  };
}

}  // namespace

Verification verifyOperation(const Operation& op, const Taken& taken, OperationContext& context,
                             const Maps& made, const std::vector<int>& rows) {
  const std::string& name = op.entry->name;
  const Maps& in = *taken[0];
  const auto judge = [&](const auto& pixel) {
    return judgeRows(context, made, rows, eachPixel(made, pixel));
  };
  if (name == "gather") {
    return judge([&](std::size_t map, int x, int y) {
      std::size_t step = 0;
      for (; map >= taken[step]->size(); ++step) map -= taken[step]->size();
      return Exact{at(*taken[step], map, x, y), 0};
    });
  }
  if (name == "product" || name == "quotient" || name == "sum" || name == "min" || name == "max")
    return judge([&](std::size_t map, int x, int y) { return pairwise(op, taken, map, x, y); });
  if (name == "eigenvalues")
    return judge([&](std::size_t map, int x, int y) { return eigenvalue(in, map, x, y); });
  if (name == "local-mean" || name == "local-rms")
    return judgeRows(context, made, rows,
                     [&](std::size_t map, int y) { return exact::localRow(op, in, context, map, y); });
  if (name == "dilate")
    return judge([&](std::size_t map, int x, int y) { return exact::dilated(op, in, map, x, y); });
  if (name == "shift") {
    return judge([&](std::size_t map, int x, int y) {
      const int fromX = std::clamp(x - static_cast<int>(op.number("right")), 0, in.extent.width - 1);
      const int fromY = std::clamp(y - static_cast<int>(op.number("down")), 0, in.extent.height - 1);
      return Exact{at(in, map, fromX, fromY), 0};
    });
  }
  if (name == "resample" || name == "restore")
    return judgeRows(context, made, rows,
                     [&](std::size_t map, int y) { return exact::resampledRow(in, made.extent, map, y); });
  if (name == "percentile" || name == "standardize" || name == "stretch") {
    std::map<std::size_t, std::vector<double>> sorted;
    return judge([&](std::size_t map, int x, int y) {
      std::vector<double>& values = sorted[map];
      if (values.empty()) values = fieldValues(in, context, map);
      if (name == "percentile") return rounded(percentileOf(values, op.number("percent")), 1);
      const auto [middle, size] = middleAndSize(op, values);
      if (!(size > 0) || context.flat || values.front() == values.back())
        return Exact{std::isfinite(at(in, map, x, y)) ? 0.0 : std::nan(""), 0};
      const double value = (at(in, map, x, y) - middle) / size;
      // Sums in double over all pixels: their own error, seen from the value's size.
      return Exact{value, 2 * u * std::fabs(value) + 0x1p-36};
    });
  }
  if (name == "field")
    return judge([&](std::size_t map, int x, int y) { return Exact{at(in, map, x, y), 0}; });
  if (name == "mask") {
    return judge([&](std::size_t map, int x, int y) {
      return inField(context, in, x, y)
                 ? Exact{at(in, map, x, y), 0}
                 : Exact{static_cast<double>(static_cast<float>(op.number("value"))), 0};
    });
  }
  if (name == "equalize") {
    exact::EqualizeJudge equalize(op, in);
    return judge([&](std::size_t map, int x, int y) { return equalize.at(map, x, y); });
  }
  if (name == "fill") {
    exact::FillJudge fill(op, in, context);
    return judge([&](std::size_t map, int x, int y) { return fill.at(map, x, y); });
  }
  return judge([&](std::size_t map, int x, int y) { return pointwise(op, at(in, map, x, y), context.type); });
}

Verification verifyCombine(const CombineOver& combine, const Maps& taken, const OperationContext& context,
                           const Maps& made, const std::vector<int>& rows) {
  const std::vector<CombinedMaps> groups = combinedMaps(combine, taken.names);
  const auto pixel = [&](std::size_t map, int x, int y) {
    std::vector<double> values;
    bool nan = false;
    double sum = 0, size = 0, squares = 0, most = 0, largest = 0;
    for (const std::size_t m : groups[map].maps) {
      const double v = at(taken, m, x, y);
      nan = nan || std::isnan(v);
      if (values.empty() || v > most) most = v;
      if (values.empty() || std::fabs(v) > std::fabs(largest)) largest = v;
      sum += v;
      size += std::fabs(v);
      squares += v * v;
      values.push_back(v);
    }
    const auto count = static_cast<double>(values.size());
    if (nan) return Exact{std::numeric_limits<double>::quiet_NaN(), 0};
    switch (combine.combine) {
      case Combine::Max: return Exact{most, 0};
      case Combine::AbsMax: return Exact{largest, 0};
      case Combine::Sum: return Exact{sum, gammaBound(count) * size + tiny};
      case Combine::Mean: return Exact{sum / count, gammaBound(count + 2) * size / count + tiny};
      default: {
        // Squares below f32's numbers vanish.
        const double off = gammaBound(count + 2) * squares + count * tiny;
        const double root = std::sqrt(squares);
        return Exact{
            root, std::max(std::sqrt(squares + off) - root, root - std::sqrt(std::max(0.0, squares - off))) +
                      2 * u * root};
      }
    }
  };
  return judgeRows(context, made, rows, eachPixel(made, pixel));
}

}  // namespace bankside
