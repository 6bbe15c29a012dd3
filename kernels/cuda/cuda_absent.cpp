// The engines in a build without nvcc: in the list, refusing with a sentence.
#include "core/error.h"
#include "kernels/cuda/chain/chained_engine.h"
#include "kernels/cuda/fft/fft_engine.h"
#include "kernels/cuda/multichannel/multichannel_engine.h"
#include "kernels/cuda/single_channel/cuda_engine.h"
#include "kernels/cuda/tensor/tensor_engine.h"
#include "kernels/cuda/tuning/device_bench.h"

namespace bankside {
namespace {

const char* const reason = "this build has no CUDA kernels (nvcc was not found when it was configured)";

class AbsentEngine final : public Engine {
 public:
  explicit AbsentEngine(std::string name) : name_(std::move(name)) {}
  std::string name() const override { return name_; }
  std::string device() const override { return "NVIDIA GPU"; }
  std::string description() const override { return reason; }
  Support available() const override { return Support::no(reason); }
  Support supports(const ConvolutionProblem&) const override { return Support::no(reason); }
  std::unique_ptr<Plan> prepare(const ConvolutionProblem&, const FilterBank&,
                                const PlanOptions&) const override {
    throw Error(ErrorCode::Unsupported, "engine " + name_ + ": " + reason);
  }

 private:
  std::string name_;
};

}  // namespace

std::unique_ptr<Engine> makeSingleChannelEngine() {
  return std::make_unique<AbsentEngine>("cuda:single-channel");
}

std::unique_ptr<Engine> makePaperEngine() {
  return std::make_unique<AbsentEngine>("cuda:single-channel-paper");
}

bool runsOnDevice(const Engine&) { return false; }

Support deviceBenchAvailable() { return Support::no(reason); }

void measureDevice(BenchReport&) { throw Error(ErrorCode::Unsupported, reason); }

void runDeviceBench(BenchReport&, const std::vector<DeviceCell>&, const DeviceBenchOptions&,
                    std::stop_token) {
  throw Error(ErrorCode::Unsupported, reason);
}

void runPaperClaims(BenchReport&, const std::filesystem::path&, std::stop_token) {
  throw Error(ErrorCode::Unsupported, reason);
}

void runBankWidth(BenchReport&, std::stop_token) { throw Error(ErrorCode::Unsupported, reason); }

TuningFile tuneDevice(BenchReport&, const std::vector<DeviceCell>&, const std::filesystem::path&,
                      const DeviceBenchOptions&, std::stop_token) {
  throw Error(ErrorCode::Unsupported, reason);
}

std::unique_ptr<Engine> makeMultichannelEngine() {
  return std::make_unique<AbsentEngine>("cuda:multichannel");
}

std::unique_ptr<Engine> makeTensorEngine() { return std::make_unique<AbsentEngine>("cuda:tensor"); }

std::unique_ptr<Engine> makeHalfTensorEngine() { return std::make_unique<AbsentEngine>("cuda:tensor-fp16"); }

std::unique_ptr<Engine> makeCudaFftEngine() { return std::make_unique<AbsentEngine>("cuda:fft"); }

std::unique_ptr<Engine> makePaperMultichannelEngine() {
  return std::make_unique<AbsentEngine>("cuda:multichannel-paper");
}

std::unique_ptr<Engine> makeTensorMultichannelEngine() {
  return std::make_unique<AbsentEngine>("cuda:multichannel-tf32x3");
}

std::unique_ptr<Engine> makeSplitHalfMultichannelEngine() {
  return std::make_unique<AbsentEngine>("cuda:multichannel-fp16x3");
}

std::unique_ptr<Engine> makeHalfMultichannelEngine() {
  return std::make_unique<AbsentEngine>("cuda:multichannel-fp16");
}

std::unique_ptr<Engine> makeChainedEngine() { return std::make_unique<AbsentEngine>("cuda:chained"); }

std::string cudaBuildSummary() { return reason; }

}  // namespace bankside
