/// What finds the field of view and mends its rim, as core/maps/field_of_view.cpp.
#include <algorithm>
#include <cmath>

#include "core/maps/field_parts.h"
#include "core/maps/window.h"
#include "kernels/cuda/maps/field_kernels.h"
#include "kernels/cuda/maps/local_mean_kernels.h"
#include "kernels/cuda/maps/operations.h"
#include "kernels/cuda/maps/statistics_kernels.h"

namespace bankside::cuda {
namespace {

bool fits(const PlaneView<float>& plane) {
  return plane.width <= mostDistanceSide && plane.height <= mostDistanceSide;
}

/// Bytes of parts that lie one behind the other, each at a whole multiple of 16.
class Parts {
 public:
  std::size_t add(std::size_t bytes) {
    const std::size_t at = bytes_;
    bytes_ += (bytes + 15) / 16 * 16;
    return at;
  }
  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_ = 0;
};

/// Masks, and the nearest pixels of rows.
class FieldWork {
 public:
  FieldWork(MapWork& work, int height, int width) : height_(height), width_(width) {
    const BitMask shape{nullptr, width, height};
    const auto pixels = static_cast<std::size_t>(height) * static_cast<std::size_t>(width);
    words_ = static_cast<std::size_t>(height) * static_cast<std::size_t>(shape.rowWords());
    Parts parts;
    const std::size_t foundAt = parts.add(sizeof(FieldFound));
    const std::size_t openedAt = parts.add(words_ * sizeof(std::uint32_t));
    const std::size_t maskAt = parts.add(words_ * sizeof(std::uint32_t));
    const std::size_t columnsAt = parts.add(pixels * sizeof(std::int16_t));
    const std::size_t leastAt = parts.add(words_ * sizeof(std::uint16_t));
    const std::size_t bytesAt = parts.add(pixels);
    memory_ = work.take(parts.bytes());
    std::byte* const at = memory_->data();
    found = reinterpret_cast<FieldFound*>(at + foundAt);
    opened = {reinterpret_cast<std::uint32_t*>(at + openedAt), width, height};
    mask = {reinterpret_cast<std::uint32_t*>(at + maskAt), width, height};
    nearest = {{reinterpret_cast<std::int16_t*>(at + columnsAt), width, height, width},
               {reinterpret_cast<std::uint16_t*>(at + leastAt), height, shape.rowWords(), height}};
    bytes = {reinterpret_cast<std::uint8_t*>(at + bytesAt), width, height, width};
  }

  /// `found` and `opened` at once.
  std::size_t broughtBytes() const { return sizeof(FieldFound) + words_ * sizeof(std::uint32_t); }
  static_assert(sizeof(FieldFound) == 16);
  std::vector<Stretch> stretches(const std::byte* brought) const {
    // A view of numbers that are only read.
    auto* const words = reinterpret_cast<const std::uint32_t*>(brought + sizeof(FieldFound));
    return stretchesOf(PlaneView<const std::uint32_t>{words, opened.rowWords(), height_, opened.rowWords()},
                       width_);
  }

  FieldFound* found = nullptr;
  BitMask opened{}, mask{};
  NearestInRows nearest{};
  DeviceMask bytes{};

 private:
  int height_, width_;
  std::size_t words_ = 0;
  std::shared_ptr<const DeviceBuffer> memory_;
};

/// What is above the threshold, without its thin parts; the convex piece of it is the host's.
void startOpening(const FieldWork& f, float radius, cudaStream_t stream) {
  const auto most = static_cast<unsigned>(radius * radius);
  startNearestInRows(f.mask, false, f.nearest, stream);
  startBeyond({f.nearest, most, true, f.opened, {}, &f.found->any, nullptr}, stream);
  startNearestInRows(f.opened, true, f.nearest, stream);
  startBeyond({f.nearest, most, false, f.opened, {}, &f.found->any, f.mask.words}, stream);
}

}  // namespace

std::optional<DeviceMaps> findFieldOnDevice(MapWork& work, const Operation& op,
                                            const std::vector<DeviceMaps>& taken, OperationContext& context,
                                            const Extent&) {
  if (!context.field.everything()) return taken[0];
  const PlaneView<float>& pixels = pixelsOf(taken[0][0]);
  const int side = cornerSide(pixels.width, pixels.height);
  if (!fits(pixels) || std::min(pixels.width, pixels.height) < 2 * side) return std::nullopt;
  const DeviceMaps planes = work.likeFirst(taken[0], 1);
  const PlaneView<float>& means = pixelsOf(planes[0]);
  startBoxMeans(pixels, means, work.stream());

  const auto memory = work.take(statisticsBytes(pixels.height));
  const FieldMap map{means, {}, reinterpret_cast<FieldStatistics*>(memory->data())};
  startCount(map, work.stream());
  startPercentile(map, brightPercent, work.stream(), Between::None);
  const FieldWork f(work, pixels.height, pixels.width);
  startFieldThreshold(map, op.number("level"), f.found, work.stream());
  startAbove(means, f.found, f.mask, work.stream());
  startOpening(f, openingRadius(pixels.width, pixels.height), work.stream());
  std::byte* const arrivals = work.arrivals(f.broughtBytes());
  work.startBringing(arrivals, f.found, f.broughtBytes());

  Image mask(1, pixels.height, pixels.width, ElementType::U8);
  const auto seen = mask.view<std::uint8_t>(0);
  std::vector<RowSpan> spans(static_cast<std::size_t>(pixels.height), RowSpan{0, pixels.width - 1});
  fillSpans(spans, seen);  // the memory is there when it is needed
  work.waitForArrivals();
  const FieldFound& found = *reinterpret_cast<const FieldFound*>(arrivals);
  // Sums without bounds have no order that both sides share.
  if (found.count != static_cast<std::uint32_t>(pixels.width) * static_cast<std::uint32_t>(pixels.height))
    return std::nullopt;
  if (found.everything == 0) {
    spans = convexPiece(f.stretches(arrivals), pixels.height, pixels.width);
    work.putField(spans, pixels.height, pixels.width);
    fillSpans(spans, seen);
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
  const cudaStream_t stream = work.stream();
  const FieldWork f(work, first.height, first.width);
  BANKSIDE_CUDA_CHECK(cudaMemsetAsync(f.found, 0, sizeof *f.found, stream));
  const double erode = op.number("erode");
  startPack(work.field(context, first.height, first.width), f.mask, stream);
  startNearestInRows(f.mask, false, f.nearest, stream);
  startBeyond(
      {f.nearest, static_cast<unsigned>(erode * erode), true, f.opened, f.bytes, &f.found->any, nullptr},
      stream);
  std::byte* const any = work.arrivals(sizeof f.found->any);
  work.startBringing(any, &f.found->any, sizeof f.found->any);
  startNearestInRows(f.opened, true, f.nearest, stream);

  const SeenMask inner{f.bytes.data, f.bytes.width, f.bytes.height, f.bytes.stride};
  const WindowBoxes boxes(op.number("sigma"));
  const auto memory = work.take(localMeanBytes(first.height, first.width, boxes));
  const DeviceMaps means = work.likeFirst(taken[0], 1);
  DeviceMaps made = work.likeFirst(taken[0], taken[0].size());
  for (std::size_t m = 0; m < made.size(); ++m) {
    const PlaneView<float>& from = pixelsOf(taken[0][m]);
    startLocalMean({from, inner, pixelsOf(means[0]), false, reinterpret_cast<double*>(memory->data())}, boxes,
                   stream);
    startFill(from, pixelsOf(means[0]), inner, f.nearest.columns, pixelsOf(made[m]), stream);
  }
  work.waitForArrivals();
  if (*reinterpret_cast<const std::uint32_t*>(any) == 0) return std::nullopt;  // the host says so
  return made;
}

}  // namespace bankside::cuda
