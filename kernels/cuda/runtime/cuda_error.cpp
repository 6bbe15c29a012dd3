#include "kernels/cuda/runtime/cuda_error.h"

#include <filesystem>
#include <mutex>

namespace bankside::cuda {
namespace {

std::mutex lostMutex;
std::string lostSentence;

/// An error stays if the context still reports it after it was read.
bool stays() {
  cudaGetLastError();
  return cudaDeviceSynchronize() != cudaSuccess;
}

Support probe() {
  int devices = 0;  // stays untouched where there is no driver
  const cudaError_t error = cudaGetDeviceCount(&devices);
  if (error == cudaErrorInsufficientDriver || error == cudaErrorStubLibrary) {
    int driver = 0;
    cudaDriverGetVersion(&driver);
    cudaGetLastError();
    return driver == 0 ? Support::no("no NVIDIA driver on this machine (" + describe(error) + ")")
                       : Support::no("the NVIDIA driver is too old for this build (" + describe(error) + ")");
  }
  if (error != cudaSuccess) {
    cudaGetLastError();
    return Support::no("no usable NVIDIA GPU on this machine (" + describe(error) + ")");
  }
  if (devices == 0) return Support::no("no NVIDIA GPU on this machine");
  return Support::yes();
}

}  // namespace

std::string describe(cudaError_t error) {
  return "CUDA error " + std::to_string(static_cast<int>(error)) + ", " + cudaGetErrorName(error) + ": " +
         cudaGetErrorString(error);
}

void throwCudaError(cudaError_t error, const char* expression, const char* file, int line) {
  const std::string place = std::string(expression) + " at " +
                            std::filesystem::path(file).filename().string() + ":" + std::to_string(line);
  const std::string sentence = describe(error) + " (" + place + ")";
  if (stays()) {
    const std::lock_guard lock(lostMutex);
    if (lostSentence.empty()) lostSentence = "the GPU was lost until a restart: " + sentence;
    throw Error(ErrorCode::Device, lostSentence);
  }
  if (error == cudaErrorMemoryAllocation)
    throw Error(ErrorCode::Limit, "the GPU's memory ran out: " + sentence);
  throw Error(ErrorCode::Device, sentence);
}

namespace {

int attribute(cudaDeviceAttr which) {
  int device = 0;
  int value = 0;
  BANKSIDE_CUDA_CHECK(cudaGetDevice(&device));
  BANKSIDE_CUDA_CHECK(cudaDeviceGetAttribute(&value, which, device));
  return value;
}

}  // namespace

int multiprocessorCount() { return attribute(cudaDevAttrMultiProcessorCount); }

std::size_t mostSharedBytes() {
  return static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
}

Support hopperState() {
  if (Support state = deviceState(); !state) return state;
  int major = 0;
  int minor = 0;
  if (cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0) != cudaSuccess ||
      cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0) != cudaSuccess || major != 9 ||
      minor != 0) {
    return Support::no("the tensor-core kernel needs a GPU of compute capability 9.0 (Hopper)");
  }
  return Support::yes();
}

Support deviceState() {
  static const Support probed = probe();
  if (!probed) return probed;
  const std::lock_guard lock(lostMutex);
  return lostSentence.empty() ? Support::yes() : Support::no(lostSentence);
}

}  // namespace bankside::cuda
