/// Operations that find the field of view and mend its rim, where the step to black is no vessel.
#include <cmath>

#include "core/error.h"
#include "core/maps/map_rows.h"
#include "core/maps/part.h"
#include "core/maps/window.h"

namespace bankside {
namespace {

/// Hands its maps on as they are; from here on every step knows the field.
Maps field(const Operation& op, const std::vector<const Maps*>& taken, OperationContext& context) {
  const Maps& in = *taken[0];
  if (in.size() != 1)
    throw Error(ErrorCode::BadInput, "field: takes one map, not " + std::to_string(in.size()));
  if (context.field.everything())
    context.field = FieldOfView(findField(in.view(0), op.number("level"), context.team, context.stop));
  return in.clone();
}

/// What lies outside the field, or nearer than `erode` to its rim, becomes the mean of the field around the
/// nearest pixel that does not. Source  normalised convolution: H. Knutsson, C.-F. Westin, CVPR 1993.
Maps fill(const Operation& op, const std::vector<const Maps*>& taken, OperationContext& context) {
  const Maps& in = *taken[0];
  if (context.field.everything()) return in.clone();
  const int height = in.extent.height;
  const int width = in.extent.width;
  const auto whole = context.field.at(height, width).view<std::uint8_t>(0);
  const double erode = op.number("erode");

  Image core(1, height, width, ElementType::U8);
  const auto inner = core.view<std::uint8_t>(0);
  bool outside = false;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) outside = outside || whole.at(x, y) == 0;
  }
  if (!outside) return in.clone();
  const NearestInside rim = nearestInside(whole, false, context.team, context.stop);
  bool any = false;
  for (std::size_t i = 0; i < rim.squaredDistance.size(); ++i) {
    const bool kept = rim.squaredDistance[i] > erode * erode;
    inner.at(static_cast<int>(i % static_cast<std::size_t>(width)),
             static_cast<int>(i / static_cast<std::size_t>(width))) = kept ? 1 : 0;
    any = any || kept;
  }
  if (!any) throw Error(ErrorCode::BadInput, "fill: nothing of the field of view is left after erode");
  const NearestInside nearest =
      nearestInside({inner.data, inner.width, inner.height, inner.stride}, true, context.team, context.stop);

  FieldOfView eroded(std::move(core));
  OperationContext innerContext{context.team, context.stop, eroded, context.image, context.type};
  const Operation average = makeOperation(*findOperation("local-mean"), {{"sigma", op.numbers("sigma")}});
  const Maps means = average.entry->apply(average, taken, innerContext);
  Maps out = Maps::make(in.extent, in.names);
  for (std::size_t m = 0; m < in.size(); ++m) {
    const auto from = in.view(m);
    const auto mean = means.view(m);
    const auto to = out.view(m);
    forRows(context, height, [&](int y) {
      for (int x = 0; x < width; ++x) {
        const std::size_t i =
            static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
        const bool kept = nearest.squaredDistance[i] == 0;
        to.at(x, y) = kept ? from.at(x, y) : mean.at(nearest.x[i], nearest.y[i]);
      }
    });
  }
  return out;
}

Maps mask(const Operation& op, const std::vector<const Maps*>& taken, OperationContext& context) {
  const Maps& in = *taken[0];
  if (context.field.everything()) return in.clone();
  return masked(op, in, context.field.at(in.extent.height, in.extent.width), context);
}

}  // namespace

Maps masked(const Operation& op, const Maps& in, const Image& field, const OperationContext& context) {
  const auto value = static_cast<float>(op.number("value"));
  const auto inside = field.view<std::uint8_t>(0);
  Maps out = Maps::make(in.extent, in.names);
  for (std::size_t m = 0; m < in.size(); ++m) {
    const auto from = in.view(m);
    const auto to = out.view(m);
    forRows(context, in.extent.height, [&](int y) {
      for (int x = 0; x < in.extent.width; ++x) to.at(x, y) = inside.at(x, y) != 0 ? from.at(x, y) : value;
    });
  }
  return out;
}

std::vector<OperationEntry> fieldOperations() {
  return {
      {"field",
       "finds the field of view where none was given; the maps go on as they are",
       1,
       1,
       {{"level", "how bright it is at least, from the frame's corners (0) to its bright parts (1)",
         usualFieldLevel, 0, 1}},
       field},
      {"fill",
       "outside the field, and near its rim: the local mean at the nearest pixel further inside",
       1,
       1,
       {{"sigma", "standard deviation of the mean's window in pixels", 6, 1, widestMean},
        {"erode", "how near to the rim in pixels", 2, 0, 256}},
       fill},
      {"mask", "outside the field: the value", 1, 1, {{"value", "the value", 0, -1e30, 1e30}}, mask},
  };
}

}  // namespace bankside
