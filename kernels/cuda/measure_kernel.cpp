#include "kernels/cuda/measure_kernel.h"

#include <algorithm>
#include <cmath>

#include "core/made_input.h"
#include "kernels/cuda/loaded_bank.h"
#include "kernels/cuda/stream.h"

namespace bankside::cuda {
namespace {

/// Source and result sets in one allocation, kept for the next measurement: big allocations take long.
struct Arena {
  DeviceBuffer buffer;
  std::size_t setBytes = 0;
  std::size_t srcBytes = 0;
  int sets = 1;

  std::byte* src(int set) const { return buffer.data() + static_cast<std::size_t>(set) * setBytes; }
  std::byte* dst(int set) const { return src(set) + srcBytes; }
};

std::size_t aligned(std::size_t bytes) { return (bytes + 511) / 512 * 512; }

Arena& arena() {
  static Arena one;
  return one;
}

Arena& prepareArena(const Image& image, std::size_t srcBytes, std::size_t dstBytes) {
  Arena& a = arena();
  a.srcBytes = aligned(srcBytes);
  a.setBytes = a.srcBytes + aligned(dstBytes);
  const double l2 = static_cast<double>(describeDevice().l2Bytes);
  a.sets = std::clamp(static_cast<int>(std::ceil(2.5 * l2 / static_cast<double>(a.setBytes))), 2, 256);
  a.buffer.reserve(static_cast<std::size_t>(a.sets) * a.setBytes);
  const ConstPlane plane = image.plane(0);
  const std::size_t row = static_cast<std::size_t>(plane.width) * sizeOf(plane.type);
  for (int i = 0; i < a.sets; ++i) {
    BANKSIDE_CUDA_CHECK(cudaMemcpy2D(a.src(i), row, plane.data, static_cast<std::size_t>(plane.strideBytes),
                                     row, static_cast<std::size_t>(plane.height), cudaMemcpyHostToDevice));
  }
  return a;
}

KernelTime timeSets(const Arena& a, const std::function<void(int, void*)>& launch) {
  KernelTime time;
  time.coldSets = a.sets;
  // A first look at one launch says how many make a graph of about two milliseconds.
  const double once = timeLaunches(launch, 1, 2).median;
  const int calls = std::clamp(static_cast<int>(2e-3 / once), 2, 200);
  time.hot = timeLaunches(launch, 1, calls);
  const int coldCalls = a.sets >= calls ? a.sets : calls / a.sets * a.sets;
  time.cold = timeLaunches(launch, a.sets, coldCalls);
  return time;
}

const Image& pixels(int height, int width, ElementType type) {
  static Image kept;
  if (kept.empty() || kept.height() != height || kept.width() != width || kept.type() != type)
    kept = randomImage(1, height, width, type, 7);
  return kept;
}

}  // namespace

KernelTime timeKernel(const ConvolutionProblem& p, const FilterBank& bank, int variant) {
  const CorrelationTaps taps = correlationTaps(p, bank);
  if (!fits(variants()[static_cast<std::size_t>(variant)], p, taps.anchorX, taps.anchorY))
    throw Error(ErrorCode::Unsupported, "variant does not fit " + format(p));
  const int stride = roundUp(p.width, 64);
  const auto types = outputPlanes(p);
  const std::size_t planeElements = static_cast<std::size_t>(stride) * static_cast<std::size_t>(p.height);
  std::size_t dstBytes = 0;
  for (const ElementType type : types) dstBytes += planeElements * sizeOf(type);
  const std::size_t srcBytes =
      static_cast<std::size_t>(p.width) * static_cast<std::size_t>(p.height) * sizeOf(p.srcType);
  const std::lock_guard lock(deviceMutex());
  const Arena& a = prepareArena(pixels(p.height, p.width, p.srcType), srcBytes, dstBytes);
  LoadedBank loaded(p, taps, variant);
  return timeSets(a, [&](int set, void* stream) {
    KernelArguments k;
    k.src = {a.src(set), p.width, p.srcType, p.width, p.height, 0, false};
    k.dst.pixels = a.dst(set);
    k.dst.type = types.front();
    k.dst.stride = stride;
    k.dst.planeStride = static_cast<std::ptrdiff_t>(planeElements);
    if (p.combine == Combine::ArgMax)
      k.dst.index = reinterpret_cast<std::uint16_t*>(a.dst(set) + planeElements * sizeOf(types.front()));
    k.width = p.width;
    k.height = p.height;
    loaded.start(k, static_cast<cudaStream_t>(stream));
  });
}

KernelTime timeOnPlanes(int side, int planes,
                        const std::function<void(const float*, float*, void*)>& launch) {
  const std::size_t plane = static_cast<std::size_t>(side) * static_cast<std::size_t>(side) * sizeof(float);
  const std::lock_guard lock(deviceMutex());
  const Arena& a =
      prepareArena(pixels(side, side, ElementType::F32), plane, static_cast<std::size_t>(planes) * plane);
  return timeSets(a, [&](int set, void* stream) {
    launch(reinterpret_cast<const float*>(a.src(set)), reinterpret_cast<float*>(a.dst(set)), stream);
  });
}

}  // namespace bankside::cuda
