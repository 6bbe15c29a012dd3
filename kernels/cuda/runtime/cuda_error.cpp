#include "kernels/cuda/runtime/cuda_error.h"

#include <filesystem>
#include <map>
#include <mutex>

namespace bankside::cuda {
namespace {

std::mutex lostMutex;
std::map<int, std::string> lostSentences;

/// An error stays if the context still reports it after it was read. While somebody captures a stream nobody
/// may ask; a lost device would have ended the capture.
bool stays() {
  cudaGetLastError();
  const cudaError_t error = cudaDeviceSynchronize();
  cudaGetLastError();
  return error != cudaSuccess && error != cudaErrorStreamCaptureUnsupported;
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
    int device = 0;
    cudaGetDevice(&device);
    const std::lock_guard lock(lostMutex);
    std::string& lost = lostSentences[device];
    if (lost.empty()) lost = "the GPU was lost until a restart: " + sentence;
    throw Error(ErrorCode::Device, lost);
  }
  if (error == cudaErrorMemoryAllocation)
    throw Error(ErrorCode::Limit, "the GPU's memory ran out: " + sentence);
  throw Error(ErrorCode::Device, sentence);
}

std::string lostDevice(int device) {
  const std::lock_guard lock(lostMutex);
  const auto lost = lostSentences.find(device);
  return lost == lostSentences.end() ? std::string() : lost->second;
}

void forgetLostDevices() {
  const std::lock_guard lock(lostMutex);
  lostSentences.clear();
}

}  // namespace bankside::cuda
