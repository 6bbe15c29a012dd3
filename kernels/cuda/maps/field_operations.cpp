/// What finds the field of view and mends its rim, as core/maps/field_of_view.cpp.
#include <algorithm>
#include <cmath>

#include "core/maps/field_parts.h"
#include "core/maps/window.h"
#include "kernels/cuda/maps/field_kernels.h"
#include "kernels/cuda/maps/operations.h"
#include "kernels/cuda/maps/statistics_kernels.h"
#include "kernels/cuda/maps/window_kernels.h"

namespace bankside::cuda {
namespace {

bool fits(const PlaneView<float>& plane) {
  return plane.width <= mostDistanceSide && plane.height <= mostDistanceSide;
}

/// Planes without gaps, and whether one pixel was beyond.
struct FieldWork {
  FieldWork(MapWork& work, int height, int width)
      : memory(work.take(static_cast<std::size_t>(height) * static_cast<std::size_t>(width) *
                             (sizeof(int) + 2 * sizeof(std::uint8_t)) +
                         sizeof(std::uint32_t))),
        any(reinterpret_cast<std::uint32_t*>(memory->data())),
        rows{reinterpret_cast<int*>(any + 1), width, height, width},
        mask{reinterpret_cast<std::uint8_t*>(rows.row(height)), width, height, width},
        opened{mask.row(height), width, height, width} {
    BANKSIDE_CUDA_CHECK(cudaMemsetAsync(any, 0, sizeof *any, work.stream()));
  }
  bool anyBeyond(const MapWork& work) const {
    std::uint32_t found = 0;
    work.bringBack(&found, any, sizeof found);
    return found != 0;
  }
  static SeenMask seen(const DeviceMask& mask) { return {mask.data, mask.width, mask.height, mask.stride}; }

  std::shared_ptr<const DeviceBuffer> memory;
  std::uint32_t* any;
  PlaneView<int> rows;
  DeviceMask mask, opened;
};

/// Of a plane's four corners.
std::vector<float> cornersOf(const MapWork& work, const PlaneView<float>& means) {
  const int side = cornerSide(means.width, means.height);
  const auto pixels = static_cast<std::size_t>(side) * static_cast<std::size_t>(side);
  std::vector<float> corners(4 * pixels);
  float* to = corners.data();
  for (const int y : {0, means.height - side}) {
    for (const int x : {0, means.width - side}) {
      work.copy(to, side, means.row(y) + x, means.stride, {side, side}, cudaMemcpyDeviceToHost);
      to += pixels;
    }
  }
  work.stream().synchronize();
  return corners;
}

/// What is above the threshold, without its thin parts, on the host; the convex piece of it is the host's.
Image openedField(MapWork& work, const PlaneView<float>& means, float threshold) {
  const FieldWork f(work, means.height, means.width);
  const float radius = openingRadius(means.width, means.height);
  const auto most = static_cast<unsigned>(radius * radius);
  startAbove(means, threshold, f.mask, work.stream());
  startNearestInColumn(FieldWork::seen(f.mask), false, f.rows, work.stream());
  startBeyond(f.rows, most, 1, f.opened, f.any, work.stream());
  const bool any = f.anyBeyond(work);
  if (any) {
    startNearestInColumn(FieldWork::seen(f.opened), true, f.rows, work.stream());
    startBeyond(f.rows, most, 0, f.opened, f.any, work.stream());
  }
  Image mask(1, means.height, means.width, ElementType::U8);
  const auto to = mask.view<std::uint8_t>(0);
  const auto row = static_cast<std::size_t>(means.width);
  BANKSIDE_CUDA_CHECK(
      cudaMemcpy2DAsync(to.data, static_cast<std::size_t>(to.stride), any ? f.opened.data : f.mask.data, row,
                        row, static_cast<std::size_t>(means.height), cudaMemcpyDeviceToHost, work.stream()));
  work.stream().synchronize();
  return mask;
}

}  // namespace

std::optional<DeviceMaps> findFieldOnDevice(MapWork& work, const Operation& op,
                                            const std::vector<DeviceMaps>& taken, OperationContext& context,
                                            const Extent&) {
  if (!context.field.everything()) return taken[0];
  const PlaneView<float>& pixels = pixelsOf(taken[0][0]);
  const int side = cornerSide(pixels.width, pixels.height);
  if (!fits(pixels) || std::min(pixels.width, pixels.height) < 2 * side) return std::nullopt;
  const DeviceMaps planes = work.likeFirst(taken[0], 2);
  const PlaneView<float>& means = pixelsOf(planes[1]);
  startBoxMeans(pixels, pixelsOf(planes[0]), means, work.stream());

  const auto memory = work.take(statisticsBytes(pixels.height));
  const FieldMap map{means, {}, reinterpret_cast<FieldStatistics*>(memory->data())};
  startCount(map, work.stream());
  startPercentile(map, brightPercent, work.stream(), Between::None);
  FieldStatistics found;
  work.bringBack(&found, map.statistics, sizeof found);
  // Sums without bounds have no order that both sides share.
  if (found.count != static_cast<std::uint32_t>(pixels.width) * static_cast<std::uint32_t>(pixels.height))
    return std::nullopt;
  const FieldThreshold threshold =
      fieldThreshold(static_cast<float>(found.percentile), cornersOf(work, means), op.number("level"));
  Image mask(1, pixels.height, pixels.width, ElementType::U8);
  if (threshold.everything) {
    const auto all = mask.view<std::uint8_t>(0);
    for (int y = 0; y < all.height; ++y) std::fill_n(all.row(y), all.width, std::uint8_t{1});
  } else {
    mask = openedField(work, means, threshold.value);
    keepConvexPiece(mask.view<std::uint8_t>(0));
  }
  context.field = FieldOfView(std::move(mask));
  return taken[0];
}

std::optional<DeviceMaps> fillOnDevice(MapWork& work, const Operation& op,
                                       const std::vector<DeviceMaps>& taken, OperationContext& context,
                                       const Extent&) {
  if (context.field.everything()) return taken[0];
  const PlaneView<float>& first = pixelsOf(taken[0][0]);
  if (!fits(first)) return std::nullopt;
  const auto whole = context.field.at(first.height, first.width).view<std::uint8_t>(0);
  bool outside = false;
  for (int y = 0; y < whole.height && !outside; ++y)
    outside = std::find(whole.row(y), whole.row(y) + whole.width, 0) != whole.row(y) + whole.width;
  if (!outside) return taken[0];

  const FieldWork f(work, first.height, first.width);
  const double erode = op.number("erode");
  startNearestInColumn(work.field(context, first.height, first.width), false, f.rows, work.stream());
  startBeyond(f.rows, static_cast<unsigned>(erode * erode), 1, f.mask, f.any, work.stream());
  if (!f.anyBeyond(work)) return std::nullopt;
  const SeenMask inner = FieldWork::seen(f.mask);
  startNearestInColumn(inner, true, f.rows, work.stream());

  const WindowBoxes boxes(op.number("sigma"));
  const auto memory = work.take(localMeanBytes(first.height, first.width, boxes));
  const DeviceMaps means = work.likeFirst(taken[0], 1);
  DeviceMaps made = work.likeFirst(taken[0], taken[0].size());
  for (std::size_t m = 0; m < made.size(); ++m) {
    const PlaneView<float>& from = pixelsOf(taken[0][m]);
    startLocalMean({from, inner, pixelsOf(means[0]), false, reinterpret_cast<double*>(memory->data())}, boxes,
                   work.stream());
    startFill(from, pixelsOf(means[0]), inner, f.rows, pixelsOf(made[m]), work.stream());
  }
  return made;
}

}  // namespace bankside::cuda
