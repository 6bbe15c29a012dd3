#include "kernels/cuda/maps/pixel_kernels.h"

#include <algorithm>

#include "kernels/cuda/maps/launch.cuh"
#include "kernels/cuda/pixels/fused_combine.cuh"
#include "kernels/cuda/pixels/tile_math.h"

namespace bankside::cuda {
namespace {

constexpr int pixelsAThread = 4;  // side by side: rows begin at whole vectors and have room for the last one
constexpr int planesAtOnce = 32;

/// Of planes that have the size of `shape`.
struct SomePlanes {
  const float* from[planesAtOnce];
  float numbers[planesAtOnce];
  int count;
};

struct PixelPlanes {
  const float* from[planesAtOnce];
  float* to[planesAtOnce];
};

/// Calls use(offset) for the thread's vectors of a plane.
template <class Use>
__device__ __forceinline__ void forVectors(const PlaneView<float>& shape, const Use& use) {
  forPixels(ceilDiv(shape.width, pixelsAThread), shape.height,
            [&](int x, int y) { use(y * shape.stride + x * pixelsAThread); });
}

template <class Function>
__device__ __forceinline__ float4 eachOf(const float4& v, const Function& f) {
  return {f(v.x), f(v.y), f(v.z), f(v.w)};
}

template <class Function>
__device__ __forceinline__ float4 eachOf(const float4& v, const float4& w, const Function& f) {
  return {f(v.x, w.x), f(v.y, w.y), f(v.z, w.z), f(v.w, w.w)};
}

__device__ __forceinline__ float4 load(const float* plane, std::ptrdiff_t at) {
  return *reinterpret_cast<const float4*>(plane + at);
}

template <PixelFunction::Kind kind>
__global__ void __launch_bounds__(pixelThreads)
    pixelFunctionKernel(PlaneView<float> shape, const __grid_constant__ PixelPlanes planes, float a,
                        float b) {
  const float* const from = planes.from[blockIdx.z];
  float* const to = planes.to[blockIdx.z];
  forVectors(shape, [&](std::ptrdiff_t at) {
    *reinterpret_cast<float4*>(to + at) =
        eachOf(load(from, at), [&](float x) { return applied<kind>(x, a, b); });
  });
}

template <PixelFold fold>
__global__ void __launch_bounds__(pixelThreads)
    pixelFoldKernel(PlaneView<float> to, const __grid_constant__ SomePlanes planes) {
  forVectors(to, [&](std::ptrdiff_t at) {
    float number = planes.numbers[0];
    float4 kept = eachOf(load(planes.from[0], at), [&](float x) { return firstOf<fold>(x, number); });
    for (int i = 1; i < planes.count; ++i) {
      number = planes.numbers[i];
      kept = eachOf(kept, load(planes.from[i], at),
                    [&](float v, float x) { return folded<fold>(v, x, number); });
    }
    *reinterpret_cast<float4*>(to.data + at) = kept;
  });
}

__global__ void __launch_bounds__(pixelThreads)
    eigenvaluesKernel(PlaneView<float> shape, const __grid_constant__ PixelPlanes planes) {
  forPixels(shape.width, shape.height, [&](int x, int y) {
    const std::ptrdiff_t at = y * shape.stride + x;
    const Eigenvalues both = eigenvaluesOf(planes.from[0][at], planes.from[1][at], planes.from[2][at]);
    planes.to[0][at] = both.lesser;
    planes.to[1][at] = both.greater;
  });
}

/// `begun`: some were combined before, and their value is in place. `all`: how many there are, once the last
/// are among these; else 0.
__global__ void __launch_bounds__(pixelThreads)
    combineKernel(Combine combine, PlaneView<float> to, const __grid_constant__ SomePlanes planes, bool begun,
                  int all) {
  withRule(combine, [&](const auto& rule) {
    forVectors(to, [&](std::ptrdiff_t at) {
      float4 kept = begun
                        ? load(to.data, at)
                        : eachOf(load(planes.from[0], at), [&](float r) { return combineFirst(combine, r); });
      for (int i = begun ? 0 : 1; i < planes.count; ++i) kept = eachOf(kept, load(planes.from[i], at), rule);
      if (all > 0) kept = eachOf(kept, [&](float v) { return combineFinish(combine, v, all); });
      *reinterpret_cast<float4*>(to.data + at) = kept;
    });
  });
}

dim3 gridFor(const PlaneView<float>& shape, std::size_t planes = 1) {
  return gridOver(ceilDiv(shape.width, pixelsAThread), shape.height, wideBlock, planes);
}

}  // namespace

void startPixelFunction(const PixelFunction& function, const Planes& from, const Planes& to,
                        cudaStream_t stream) {
  for (std::size_t first = 0; first < from.size(); first += planesAtOnce) {
    const std::size_t count = std::min<std::size_t>(planesAtOnce, from.size() - first);
    PixelPlanes planes{};
    for (std::size_t i = 0; i < count; ++i) {
      planes.from[i] = from[first + i].data;
      planes.to[i] = to[first + i].data;
    }
    withKind(function.kind, [&](auto kind) {
      launch(pixelFunctionKernel<decltype(kind)::value>, gridFor(to.front(), count), wideBlock, stream,
             to.front(), planes, function.a, function.b);
    });
  }
}

void startPixelFold(PixelFold fold, const Planes& from, const std::vector<float>& numbers,
                    const PlaneView<float>& to, cudaStream_t stream) {
  SomePlanes planes{};
  planes.count = static_cast<int>(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) {
    planes.from[i] = from[i].data;
    planes.numbers[i] = numbers[i];
  }
  withFold(fold, [&](auto kind) {
    launch(pixelFoldKernel<decltype(kind)::value>, gridFor(to), wideBlock, stream, to, planes);
  });
}

void startEigenvalues(const Planes& from, const Planes& to, cudaStream_t stream) {
  PixelPlanes planes{};
  for (std::size_t i = 0; i < from.size(); ++i) planes.from[i] = from[i].data;
  for (std::size_t i = 0; i < to.size(); ++i) planes.to[i] = to[i].data;
  const PlaneView<float>& shape = to.front();
  launch(eigenvaluesKernel, gridOver(shape.width, shape.height, wideBlock), wideBlock, stream, shape, planes);
}

void startCombine(Combine combine, const Planes& from, const PlaneView<float>& to, cudaStream_t stream) {
  for (std::size_t first = 0; first < from.size(); first += planesAtOnce) {
    SomePlanes planes{};
    planes.count = static_cast<int>(std::min<std::size_t>(planesAtOnce, from.size() - first));
    for (int i = 0; i < planes.count; ++i) planes.from[i] = from[first + static_cast<std::size_t>(i)].data;
    const bool last = first + planesAtOnce >= from.size();
    launch(combineKernel, gridFor(to), wideBlock, stream, combine, to, planes, first > 0,
           last ? static_cast<int>(from.size()) : 0);
  }
}

}  // namespace bankside::cuda
