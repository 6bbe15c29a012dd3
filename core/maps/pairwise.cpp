/// Operations on several steps' maps, pixel by pixel: map i of one with map i of the others. A step of one
/// map goes with every map of the others.
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "core/error.h"
#include "core/maps/map_rows.h"

namespace bankside {
namespace {

constexpr double anything = std::numeric_limits<float>::max();
constexpr int mostTaken = 16;

/// The step whose maps name the result: the first one that has most.
const Maps& widest(const Operation& op, const std::vector<const Maps*>& taken) {
  const Maps* most = taken.front();
  for (const Maps* maps : taken) {
    if (maps->size() > most->size()) most = maps;
  }
  for (const Maps* maps : taken) {
    if (maps->extent.height != most->extent.height || maps->extent.width != most->extent.width)
      throw Error(ErrorCode::BadInput, op.entry->name + ": takes maps of one size; one is resampled");
    if (maps->size() != 1 && maps->size() != most->size())
      throw Error(ErrorCode::BadInput,
                  op.entry->name + ": takes steps of equally many maps, or of one, not " +
                      std::to_string(most->size()) + " and " + std::to_string(maps->size()));
  }
  return *most;
}

/// function(first's pixel) of the first, then function(result so far, the next one's pixel, its number).
template <class First, class Next>
Maps fold(const Operation& op, const std::vector<const Maps*>& taken, const OperationContext& context,
          const First& first, const Next& next) {
  const Maps& names = widest(op, taken);
  Maps out = Maps::make(names.extent, names.names);
  for (std::size_t m = 0; m < out.size(); ++m) {
    const auto to = out.view(m);
    forRows(context, to.height, [&](int y) {
      float* b = to.row(y);
      for (std::size_t i = 0; i < taken.size(); ++i) {
        const float* a = taken[i]->view(taken[i]->size() == 1 ? 0 : m).row(y);
        if (i == 0) {
          for (int x = 0; x < to.width; ++x) b[x] = first(a[x]);
        } else {
          for (int x = 0; x < to.width; ++x) b[x] = next(b[x], a[x], i);
        }
      }
    });
  }
  return out;
}

float same(float x) { return x; }

Maps product(const Operation& op, const std::vector<const Maps*>& taken, OperationContext& context) {
  return fold(op, taken, context, same, [](float v, float x, std::size_t) { return v * x; });
}

Maps quotient(const Operation& op, const std::vector<const Maps*>& taken, OperationContext& context) {
  const auto floor = static_cast<float>(op.number("floor"));
  // Written so that a NaN below the line stays one.
  return fold(op, taken, context, same,
              [=](float v, float x, std::size_t) { return v / (x < floor ? floor : x); });
}

Maps sum(const Operation& op, const std::vector<const Maps*>& taken, OperationContext& context) {
  std::vector<float> weights;
  for (const double w : op.numbers("weights")) weights.push_back(static_cast<float>(w));
  if (weights.size() == 1) weights.resize(taken.size(), weights.front());
  if (weights.size() != taken.size())
    throw Error(ErrorCode::BadInput, "sum: has " + std::to_string(weights.size()) + " weights for " +
                                         std::to_string(taken.size()) + " steps");
  return fold(
      op, taken, context, [&](float x) { return weights[0] * x; },
      [&](float v, float x, std::size_t i) { return v + weights[i] * x; });
}

Maps least(const Operation& op, const std::vector<const Maps*>& taken, OperationContext& context) {
  return fold(op, taken, context, same,
              [](float v, float x, std::size_t) { return x < v || std::isnan(x) ? x : v; });
}

Maps most(const Operation& op, const std::vector<const Maps*>& taken, OperationContext& context) {
  return fold(op, taken, context, same,
              [](float v, float x, std::size_t) { return x > v || std::isnan(x) ? x : v; });
}

/// Maps of all steps, one step's after another's; a label that was there gets a number.
Maps gather(const Operation&, const std::vector<const Maps*>& taken, OperationContext&) {
  const Extent& extent = taken.front()->extent;
  Maps out{extent, {}, {}};
  std::size_t count = 0;
  for (const Maps* maps : taken) count += maps->size();
  Maps::requireFew(count);
  std::set<std::string> labels;
  for (const Maps* maps : taken) {
    if (maps->extent.height != extent.height || maps->extent.width != extent.width)
      throw Error(ErrorCode::BadInput, "gather: takes maps of one size; one is resampled");
    for (std::size_t m = 0; m < maps->size(); ++m) {
      MapName name = maps->names[m];
      const std::string label = name.label;
      for (int number = 2; !labels.insert(name.label).second; ++number)
        name.label = label + "-" + std::to_string(number);
      out.names.push_back(std::move(name));
      out.planes.push_back(maps->planes[m].clone());
    }
  }
  return out;
}

/// Of the symmetric matrix that three maps are the parts of at every pixel.
Maps eigenvalues(const Operation&, const std::vector<const Maps*>& taken, OperationContext& context) {
  const Maps& in = *taken[0];
  if (in.size() != 3)
    throw Error(ErrorCode::BadInput,
                "eigenvalues: takes the three maps xx, xy and yy, not " + std::to_string(in.size()));
  Maps out = Maps::make(in.extent, {{"lesser", {}, in.names[0].scale}, {"greater", {}, in.names[0].scale}});
  forRows(context, in.extent.height, [&](int y) {
    const float* xx = in.view(0).row(y);
    const float* xy = in.view(1).row(y);
    const float* yy = in.view(2).row(y);
    float* lesser = out.view(0).row(y);
    float* greater = out.view(1).row(y);
    for (int x = 0; x < in.extent.width; ++x) {
      const float middle = 0.5f * (xx[x] + yy[x]);
      const float half = std::hypot(0.5f * (xx[x] - yy[x]), xy[x]);
      const float low = middle - half;
      const float high = middle + half;
      const bool lowIsLess = std::fabs(low) <= std::fabs(high);
      lesser[x] = lowIsLess ? low : high;
      greater[x] = lowIsLess ? high : low;
    }
  });
  return out;
}

}  // namespace

std::vector<OperationEntry> pairwiseOperations() {
  return {
      {"product", "a x b x ...", 2, mostTaken, {}, product},
      {"quotient",
       "a / b, where b is at least the floor",
       2,
       2,
       {{"floor", "the least that is divided by", std::nullopt, std::numeric_limits<float>::min(), anything}},
       quotient},
      {"sum",
       "weights times the steps, added up",
       2,
       mostTaken,
       {{"weights", "one for each step, or one for all", 1, -anything, anything, true}},
       sum},
      {"min", "the smallest", 2, mostTaken, {}, least},
      {"max", "the largest", 2, mostTaken, {}, most},
      {"gather", "the maps of all, one step's after another's", 2, mostTaken, {}, gather},
      {"eigenvalues",
       "of the maps xx, xy and yy as a symmetric matrix: the one of lesser magnitude, then the other",
       1,
       1,
       {},
       eigenvalues},
  };
}

}  // namespace bankside
