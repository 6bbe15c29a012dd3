/// Operations on several steps' maps, pixel by pixel: map i of one with map i of the others. A step of one
/// map goes with every map of the others.
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "core/error.h"
#include "core/maps/map_rows.h"
#include "core/maps/pixel_function.h"

namespace bankside {
namespace {

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

/// Pixel by pixel, the steps in their order.
Maps fold(const Operation& op, const std::vector<const Maps*>& taken, OperationContext& context) {
  const Maps& names = widest(op, taken);
  const std::vector<float> numbers = foldNumbers(op, taken.size());
  Maps out = Maps::make(names.extent, names.names);
  withFold(*pixelFoldOf(op), [&](auto constant) {
    constexpr PixelFold kind = decltype(constant)::value;
    for (std::size_t m = 0; m < out.size(); ++m) {
      const auto to = out.view(m);
      forRows(context, to.height, [&](int y) {
        float* b = to.row(y);
        for (std::size_t i = 0; i < taken.size(); ++i) {
          const float* a = taken[i]->view(taken[i]->size() == 1 ? 0 : m).row(y);
          const float number = numbers[i];
          if (i == 0) {
            for (int x = 0; x < to.width; ++x) b[x] = firstOf<kind>(a[x], number);
          } else {
            for (int x = 0; x < to.width; ++x) b[x] = folded<kind>(b[x], a[x], number);
          }
        }
      });
    }
  });
  return out;
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
      const Eigenvalues both = eigenvaluesOf(xx[x], xy[x], yy[x]);
      lesser[x] = both.lesser;
      greater[x] = both.greater;
    }
  });
  return out;
}

}  // namespace

std::optional<PixelFold> pixelFoldOf(const Operation& op) {
  const std::string& name = op.entry->name;
  if (name == "product") return PixelFold::Product;
  if (name == "quotient") return PixelFold::Quotient;
  if (name == "sum") return PixelFold::Sum;
  if (name == "min") return PixelFold::Min;
  if (name == "max") return PixelFold::Max;
  return std::nullopt;
}

std::vector<float> foldNumbers(const Operation& op, std::size_t steps) {
  if (op.entry->name == "quotient") return std::vector<float>(steps, static_cast<float>(op.number("floor")));
  if (op.entry->name != "sum") return std::vector<float>(steps);
  std::vector<float> weights;
  for (const double w : op.numbers("weights")) weights.push_back(static_cast<float>(w));
  if (weights.size() == 1) weights.resize(steps, weights.front());
  if (weights.size() != steps)
    throw Error(ErrorCode::BadInput, "sum: has " + std::to_string(weights.size()) + " weights for " +
                                         std::to_string(steps) + " steps");
  return weights;
}

std::vector<OperationEntry> pairwiseOperations() {
  return {
      {"product", "a x b x ...", 2, mostTaken, {}, fold},
      {"quotient",
       "a / b, where b is at least the floor",
       2,
       2,
       {{"floor", "the least that is divided by", std::nullopt, std::numeric_limits<float>::min(), anything}},
       fold},
      {"sum",
       "weights times the steps, added up",
       2,
       mostTaken,
       {{"weights", "one for each step, or one for all", 1, -anything, anything, true}},
       fold},
      {"min", "the smallest", 2, mostTaken, {}, fold},
      {"max", "the largest", 2, mostTaken, {}, fold},
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
