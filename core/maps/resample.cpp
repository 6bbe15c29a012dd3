/// Maps at another number of pixels, so that one recipe fits every camera: smaller by area, larger by
/// interpolation between the four nearest pixels.
#include "core/maps/resample.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/maps/map_rows.h"
#include "core/text.h"

namespace bankside {
namespace {

Maps resampled(const Maps& in, const Extent& extent, const OperationContext& context) {
  if (extent.height == in.extent.height && extent.width == in.extent.width) {
    Maps same = in.clone();
    same.extent = extent;
    return same;
  }
  Maps out = Maps::make(extent, in.names);
  const std::vector<Share> across = sharesOf(in.extent.width, extent.width);
  const std::vector<Share> down = sharesOf(in.extent.height, extent.height);
  for (std::size_t m = 0; m < in.size(); ++m) {
    const auto from = in.view(m);
    Image narrow(1, in.extent.height, extent.width, ElementType::F32);
    const auto middle = narrow.view<float>(0);
    forRows(context, in.extent.height, [&](int y) {
      const float* a = from.row(y);
      float* b = middle.row(y);
      for (std::size_t x = 0; x < across.size(); ++x) {
        const float* p = a + across[x].first;
        float sum = 0;
        for (const float weight : across[x].weights) sum += weight * *p++;
        b[x] = sum;
      }
    });
    forRows(context, extent.height, [&](int y) {
      const Share& share = down[static_cast<std::size_t>(y)];
      float* b = out.view(m).row(y);
      std::fill_n(b, extent.width, 0.0f);
      for (std::size_t k = 0; k < share.weights.size(); ++k) {
        const float* a = middle.row(share.first + static_cast<int>(k));
        const float weight = share.weights[k];
        for (int x = 0; x < extent.width; ++x) b[x] += weight * a[x];
      }
    });
  }
  return out;
}

Extent resampledExtent(const Extent& extent, double scale) {
  if (extent.pixelsPerDegree <= 0) {
    throw Error(ErrorCode::BadInput, "the recipe is written for " + formatNumber(scale) +
                                         " pixels per degree; say how many the image has (--scale; in Python "
                                         "scale=, in C pixels_per_degree)");
  }
  const double ratio = scale / extent.pixelsPerDegree;
  const auto side = [&](int pixels) {
    const double wanted = std::round(pixels * ratio);
    if (wanted > 1 << 20)
      throw Error(ErrorCode::BadInput, "an image of " + formatNumber(extent.pixelsPerDegree) +
                                           " pixels per degree would be resampled to a side of " +
                                           formatNumber(wanted) + " pixels");
    return std::max(1, static_cast<int>(wanted));
  };
  return {side(extent.height), side(extent.width), scale};
}

Maps resample(const Operation& op, const std::vector<const Maps*>& taken, OperationContext& context) {
  const Maps& in = *taken[0];
  return resampled(in, resampledExtent(in.extent, op.number("scale")), context);
}

Maps restore(const Operation&, const std::vector<const Maps*>& taken, OperationContext& context) {
  return resampled(*taken[0], context.image, context);
}

}  // namespace

std::vector<Share> sharesOf(int from, int to) {
  std::vector<Share> shares(static_cast<std::size_t>(to));
  const double step = static_cast<double>(from) / to;
  for (int i = 0; i < to; ++i) {
    Share& share = shares[static_cast<std::size_t>(i)];
    if (step > 1) {  // the part of every pixel that lies under this one
      const double begin = i * step;
      const double end = std::min((i + 1) * step, static_cast<double>(from));
      share.first = static_cast<int>(begin);
      for (int p = share.first; p < end; ++p)
        share.weights.push_back(
            static_cast<float>((std::min(end, p + 1.0) - std::max(begin, static_cast<double>(p))) / step));
    } else {  // the two around its middle
      const double middle = std::clamp((i + 0.5) * step - 0.5, 0.0, from - 1.0);
      share.first = static_cast<int>(middle);
      const double rest = middle - share.first;
      share.weights = {static_cast<float>(1 - rest)};
      if (rest > 0)
        share.weights.push_back(static_cast<float>(rest));  // a pixel of no weight is not looked at
    }
  }
  return shares;
}

Extent extentAfter(const Operation& operation, const Extent& taken, const Extent& image) {
  if (operation.entry->apply == resample) return resampledExtent(taken, operation.number("scale"));
  return operation.entry->apply == restore ? image : taken;
}

std::vector<OperationEntry> resampleOperations() {
  return {
      {"resample",
       "as many pixels per degree as the steps that follow are written for",
       1,
       1,
       {{"scale", "pixels per degree", std::nullopt, 0.1, 10000}},
       resample},
      {"restore", "as many pixels as the image has", 1, 1, {}, restore},
  };
}

}  // namespace bankside
