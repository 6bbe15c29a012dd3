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

bool sameSize(const Extent& a, const Extent& b) { return a.height == b.height && a.width == b.width; }

void addWeighted(float* to, const float* from, float weight, int width) {
  for (int x = 0; x < width; ++x) to[x] += weight * from[x];
}

/// [count] pixels of a row.
void resampleRow(const float* from, const Share* shares, int count, float* to) {
  for (int x = 0; x < count; ++x) {
    const float* p = from + shares[x].first;
    float sum = 0;
    for (const float weight : shares[x].weights) sum += weight * *p++;
    to[x] = sum;
  }
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
  const Extent to = resampledExtent(in.extent, op.number("scale"));
  return resampledPart(in, to, {0, 0, to.width, to.height}, context);
}

Maps restore(const Operation&, const std::vector<const Maps*>& taken, OperationContext& context) {
  const Extent& to = context.image;
  return resampledPart(*taken[0], to, {0, 0, to.width, to.height}, context);
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

Maps resampledPart(const Maps& in, const Extent& extent, const Region& area,
                   const OperationContext& context) {
  Maps out = Maps::make({area.height, area.width, extent.pixelsPerDegree}, in.names);
  if (sameSize(in.extent, extent)) {
    for (std::size_t m = 0; m < in.size(); ++m) {
      forRows(context, area.height, [&](int y) {
        std::copy_n(in.view(m).row(area.y + y) + area.x, area.width, out.view(m).row(y));
      });
    }
    return out;
  }
  const std::vector<Share> across = sharesOf(in.extent.width, extent.width);
  const std::vector<Share> down = sharesOf(in.extent.height, extent.height);
  const int first = down[static_cast<std::size_t>(area.y)].first;
  const int end = down[static_cast<std::size_t>(area.y + area.height - 1)].end();
  for (std::size_t m = 0; m < in.size(); ++m) {
    Image narrow(1, end - first, area.width, ElementType::F32);
    const auto middle = narrow.view<float>(0);
    forRows(context, end - first, [&](int y) {
      resampleRow(in.view(m).row(first + y), &across[static_cast<std::size_t>(area.x)], area.width,
                  middle.row(y));
    });
    forRows(context, area.height, [&](int y) {
      const Share& share = down[static_cast<std::size_t>(area.y + y)];
      float* b = out.view(m).row(y);
      std::fill_n(b, area.width, 0.0f);
      for (std::size_t k = 0; k < share.weights.size(); ++k)
        addWeighted(b, middle.row(share.first - first + static_cast<int>(k)), share.weights[k], area.width);
    });
  }
  return out;
}

ResampledRows::ResampledRows(const Extent& from, const Extent& to, const std::vector<MapName>& names)
    : made_(Maps::make(to, names)) {
  if (sameSize(from, to)) return;
  across_ = sharesOf(from.width, to.width);
  down_ = sharesOf(from.height, to.height);
  for (std::size_t m = 0; m < made_.size(); ++m) {
    for (int y = 0; y < to.height; ++y) std::fill_n(made_.view(m).row(y), to.width, 0.0f);
  }
}

void ResampledRows::add(const Maps& rows, const OperationContext& context) {
  const int first = next_;
  next_ += rows.extent.height;
  if (across_.empty()) {
    for (std::size_t m = 0; m < rows.size(); ++m) {
      forRows(context, rows.extent.height, [&](int y) {
        std::copy_n(rows.view(m).row(y), rows.extent.width, made_.view(m).row(first + y));
      });
    }
    return;
  }
  const auto height = static_cast<int>(down_.size());
  int end = open_;
  while (end < height && down_[static_cast<std::size_t>(end)].first < next_) ++end;
  const int width = made_.extent.width;
  Image narrow(1, rows.extent.height, width, ElementType::F32);
  const auto middle = narrow.view<float>(0);
  for (std::size_t m = 0; m < rows.size(); ++m) {
    forRows(context, rows.extent.height,
            [&](int y) { resampleRow(rows.view(m).row(y), across_.data(), width, middle.row(y)); });
    forRows(context, end - open_, [&](int i) {
      const int y = open_ + i;
      const Share& share = down_[static_cast<std::size_t>(y)];
      // A row that is made of two calls' rows takes them in the same order.
      for (int k = std::max(share.first, first); k < std::min(share.end(), next_); ++k)
        addWeighted(made_.view(m).row(y), middle.row(k - first),
                    share.weights[static_cast<std::size_t>(k - share.first)], width);
    });
  }
  while (open_ < end && down_[static_cast<std::size_t>(open_)].end() <= next_) ++open_;
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
