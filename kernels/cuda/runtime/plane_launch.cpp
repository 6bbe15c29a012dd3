#include "kernels/cuda/runtime/plane_launch.h"

namespace bankside::cuda {

void startGroups(BandKernel& kernel, const ConvolutionProblem& problem, const DevicePlanes& image,
                 const DevicePlanes& results, const DevicePlanes* indices, const ImageBatch& batch,
                 cudaStream_t stream) {
  const auto pixelBytes = static_cast<std::ptrdiff_t>(sizeOf(problem.srcType));
  const ElementType values = outputPlaneType(problem, 0);
  const auto valueBytes = static_cast<std::ptrdiff_t>(sizeOf(values));
  KernelArguments k;
  k.src = {nullptr, image.row / pixelBytes, problem.srcType, problem.width, problem.height, 0, false};
  k.dst.type = values;
  k.dst.stride = results.row / valueBytes;
  k.dst.planeStride = results.plane / valueBytes;
  k.width = problem.width;
  k.height = problem.height;
  for (int group = 0; group < problem.responseGroups(); ++group) {
    k.src.pixels = static_cast<const std::byte*>(image.pixels) + group * image.plane;
    k.dst.pixels = static_cast<std::byte*>(results.pixels) + group * results.group;
    if (indices != nullptr)
      k.dst.index =
          reinterpret_cast<std::uint16_t*>(static_cast<std::byte*>(indices->pixels) + group * indices->group);
    kernel.startBatch(k, batch, image.plane / pixelBytes, problem.height, stream);
  }
}

}  // namespace bankside::cuda
