#include "kernels/cuda/maps/map_work.h"

#include <algorithm>
#include <thread>

#include "core/maps/resample.h"
#include "kernels/cuda/maps/field_kernels.h"

namespace bankside::cuda {
namespace {

std::size_t bytesOf(std::ptrdiff_t pixels) { return static_cast<std::size_t>(pixels) * sizeof(float); }

/// Numbers for sizes and windows: those of a program of maps are far fewer.
constexpr std::size_t mostKept = 256;

/// Pinned memory that maps pass through.
constexpr std::size_t partBytes = 8 << 20;

}  // namespace

Planes pixelsOf(const DeviceMaps& maps) {
  Planes planes;
  for (const auto& map : maps) planes.push_back(pixelsOf(map));
  return planes;
}

DeviceMaps MapWork::make(const Extent& extent, std::size_t count) {
  const std::ptrdiff_t stride = mapStride(extent.width);
  const std::ptrdiff_t plane = stride * extent.height;
  const auto memory = pool_.take(bytesOf(plane) * count);
  DeviceMaps maps;
  for (std::size_t m = 0; m < count; ++m) {
    float* const pixels = reinterpret_cast<float*>(memory->data()) + plane * static_cast<std::ptrdiff_t>(m);
    maps.push_back(
        std::make_shared<DevicePlane>(memory, PlaneView<float>{pixels, extent.width, extent.height, stride}));
  }
  return maps;
}

DeviceMaps MapWork::likeFirst(const DeviceMaps& maps, std::size_t count) {
  const PlaneView<float>& first = pixelsOf(maps.front());
  return make({first.height, first.width}, count);
}

DeviceMaps MapWork::sideBySide(const DeviceMaps& maps) {
  const PlaneView<float>& first = pixelsOf(maps.front());
  const std::ptrdiff_t plane = first.stride * first.height;
  bool already = true;
  for (std::size_t m = 0; m < maps.size(); ++m)
    already = already && pixelsOf(maps[m]).data == first.data + plane * static_cast<std::ptrdiff_t>(m);
  if (already) return maps;
  DeviceMaps copies = likeFirst(maps, maps.size());
  for (std::size_t m = 0; m < maps.size(); ++m) {
    copy(pixelsOf(copies[m]).data, first.stride, pixelsOf(maps[m]).data, first.stride,
         {first.height, first.width}, cudaMemcpyDeviceToDevice);
  }
  return copies;
}

template <class Use>
void MapWork::inParts(const Extent& extent, const Use& use) {
  const std::size_t row = bytesOf(extent.width);
  pinned_.reserve(std::max(partBytes, row));
  const auto rows = static_cast<int>(pinned_.bytes() / row);
  for (int y = 0; y < extent.height; y += rows)
    use(y, Extent{std::min(rows, extent.height - y), extent.width});
}

void MapWork::put(const PlaneView<const float>& from, const PlaneView<float>& to) {
  inParts({to.height, to.width}, [&](int first, const Extent& part) {
    for (int y = 0; y < part.height; ++y)
      std::copy_n(from.row(first + y), part.width, pinned() + static_cast<std::ptrdiff_t>(y) * part.width);
    copy(to.row(first), to.stride, pinned(), part.width, part, cudaMemcpyHostToDevice);
    stream_.synchronize();
  });
}

void MapWork::bring(const PlaneView<float>& from, const PlaneView<float>& to) {
  inParts({to.height, to.width}, [&](int first, const Extent& part) {
    copy(pinned(), part.width, from.row(first), from.stride, part, cudaMemcpyDeviceToHost);
    stream_.synchronize();
    for (int y = 0; y < part.height; ++y)
      std::copy_n(pinned() + static_cast<std::ptrdiff_t>(y) * part.width, part.width, to.row(first + y));
  });
}

void MapWork::copy(float* to, std::ptrdiff_t toStride, const float* from, std::ptrdiff_t fromStride,
                   const Extent& extent, cudaMemcpyKind kind) const {
  BANKSIDE_CUDA_CHECK(cudaMemcpy2DAsync(to, bytesOf(toStride), from, bytesOf(fromStride),
                                        bytesOf(extent.width), static_cast<std::size_t>(extent.height), kind,
                                        stream_));
}

const int* MapWork::underMiddles(int from, int to) {
  return kept<int>("under " + std::to_string(from) + " " + std::to_string(to), [&] {
    std::vector<int> places;
    for (int i = 0; i < to; ++i) places.push_back(underMiddle(i, from, to));
    return places;
  });
}

std::byte* MapWork::arrivals(std::size_t bytes) {
  arrivals_.reserve(bytes);
  return arrivals_.data();
}

void MapWork::startBringing(std::byte* to, const void* from, std::size_t bytes) {
  BANKSIDE_CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream_));
  arrived_.record(stream_);
}

void MapWork::waitForArrivals() const {
  while (!arrived_.reached()) std::this_thread::yield();  // kernels of microseconds
}

PlaneView<const std::uint8_t> MapWork::field(OperationContext& context, int height, int width) {
  if (context.field.everything()) return {};
  const auto pixels = static_cast<std::size_t>(height) * static_cast<std::size_t>(width);
  const auto viewOf = [](const std::shared_ptr<const DeviceBuffer>& memory, int h, int w) {
    return PlaneView<std::uint8_t>{reinterpret_cast<std::uint8_t*>(memory->data()), w, h, w};
  };
  const auto seen = [](const PlaneView<std::uint8_t>& mask) {
    return PlaneView<const std::uint8_t>{mask.data, mask.width, mask.height, mask.stride};
  };
  const auto mask = context.field.mask().view<std::uint8_t>(0);
  if (mask_ == nullptr) {
    const auto row = static_cast<std::size_t>(mask.width);
    mask_ = pool_.take(row * static_cast<std::size_t>(mask.height));
    BANKSIDE_CUDA_CHECK(
        cudaMemcpy2DAsync(mask_->data(), row, mask.data, static_cast<std::size_t>(mask.stride), row,
                          static_cast<std::size_t>(mask.height), cudaMemcpyHostToDevice, stream_));
    stream_.synchronize();
  }
  auto& there = fields_[{height, width}];
  if (there == nullptr) {
    there = pool_.take(pixels);
    startSizeMask(seen(viewOf(mask_, mask.height, mask.width)), underMiddles(mask.width, width),
                  underMiddles(mask.height, height), viewOf(there, height, width), stream_);
  }
  return seen(viewOf(there, height, width));
}

void MapWork::putField(const std::vector<RowSpan>& spans, int height, int width) {
  const std::size_t bytes = spans.size() * sizeof(RowSpan);
  spans_.reserve(bytes);
  std::copy(spans.begin(), spans.end(), reinterpret_cast<RowSpan*>(spans_.data()));
  const auto there = pool_.take(bytes);
  BANKSIDE_CUDA_CHECK(cudaMemcpyAsync(there->data(), spans_.data(), bytes, cudaMemcpyHostToDevice, stream_));
  mask_ = pool_.take(static_cast<std::size_t>(height) * static_cast<std::size_t>(width));
  startSpans(reinterpret_cast<const RowSpan*>(there->data()),
             {reinterpret_cast<std::uint8_t*>(mask_->data()), width, height, width}, stream_);
  fields_[{height, width}] = mask_;
}

void MapWork::begin() {
  mask_.reset();
  fields_.clear();
  if (kept_.size() > mostKept) kept_.clear();
}

void MapWork::putNow(DeviceBuffer& buffer, const void* from, std::size_t bytes) const {
  buffer.reserve(std::max<std::size_t>(bytes, 1));
  BANKSIDE_CUDA_CHECK(cudaMemcpyAsync(buffer.data(), from, bytes, cudaMemcpyHostToDevice, stream_));
  stream_.synchronize();
}

DeviceShares MapWork::shares(int from, int to) {
  const std::string name = "of " + std::to_string(from) + " " + std::to_string(to) + " ";
  const auto reckoned = [&] { return sharesOf(from, to); };
  DeviceShares shares;
  shares.firsts = kept<int>(name + "firsts", [&] {
    std::vector<int> firsts;
    for (const Share& share : reckoned()) firsts.push_back(share.first);
    return firsts;
  });
  shares.begins = kept<int>(name + "begins", [&] {
    std::vector<int> begins = {0};
    for (const Share& share : reckoned())
      begins.push_back(begins.back() + static_cast<int>(share.weights.size()));
    return begins;
  });
  shares.weights = kept<float>(name + "weights", [&] {
    std::vector<float> weights;
    for (const Share& share : reckoned())
      weights.insert(weights.end(), share.weights.begin(), share.weights.end());
    return weights;
  });
  return shares;
}

}  // namespace bankside::cuda
