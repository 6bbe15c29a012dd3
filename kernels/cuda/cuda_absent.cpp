// The engines in a build without nvcc: in the list, refusing with a sentence.
#include "core/error.h"
#include "kernels/absent/absent_engine.h"
#include "kernels/cuda/fft/fft_engine.h"
#include "kernels/cuda/multichannel/multichannel_engine.h"
#include "kernels/cuda/paper/bank_width.h"
#include "kernels/cuda/paper/paper_claims.h"
#include "kernels/cuda/paper/paper_engines.h"
#include "kernels/cuda/runtime/cuda_engine.h"
#include "kernels/cuda/runtime/device_rates.h"
#include "kernels/cuda/single_channel/single_channel_engine.h"
#include "kernels/cuda/tensor/tensor_engine.h"
#include "kernels/cuda/tensor/tensor_form.h"
#include "kernels/cuda/tuning/device_bench.h"
#include "kernels/cuda/tuning/tune_device.h"
#include "kernels/device_engines.h"
#include "kernels/devices.h"

namespace bankside {
namespace {

const char* const reason = "this build has no CUDA kernels (nvcc was not found when it was configured)";

[[noreturn]] void refuse() { throw Error(ErrorCode::Unsupported, reason); }

std::unique_ptr<Engine> absent(const char* name) {
  return std::make_unique<AbsentEngine>(name, "NVIDIA GPU", reason);
}

}  // namespace

namespace cuda {
std::string CudaEngine::device() const { return "NVIDIA GPU"; }
Support CudaEngine::available() const { return Support::no(reason); }
Support tensorState() { return Support::no(reason); }
TensorUnits tensorUnits() { refuse(); }
const DeviceRates& deviceRates() { refuse(); }
}  // namespace cuda

std::unique_ptr<Engine> makeSingleChannelEngine() { return absent("cuda:single-channel"); }
std::unique_ptr<Engine> makePaperEngine() { return absent("cuda:single-channel-paper"); }
std::unique_ptr<Engine> makeMultichannelEngine() { return absent("cuda:multichannel"); }
std::unique_ptr<Engine> makePaperMultichannelEngine() { return absent("cuda:multichannel-paper"); }
std::unique_ptr<Engine> makeSplitHalfMultichannelEngine() { return absent("cuda:multichannel-fp16x3"); }
std::unique_ptr<Engine> makeHalfMultichannelEngine() { return absent("cuda:multichannel-fp16"); }
std::unique_ptr<Engine> makeTensorEngine() { return absent("cuda:tensor"); }
std::unique_ptr<Engine> makeHalfTensorEngine() { return absent("cuda:tensor-fp16"); }
std::unique_ptr<Engine> makeCudaFftEngine() { return absent("cuda:fft"); }

EngineList makeDeviceEngines() { return {}; }
Support deviceEnginesAvailable(int) { return Support::no(reason); }
class ForDevice::Scope {};
ForDevice::ForDevice(int) {}
ForDevice::~ForDevice() = default;
void orderStreams(void*, void*) { refuse(); }
const MapDevices* mapDevices() { return nullptr; }

std::vector<DeviceLine> describeDevices() { return {}; }

ImageMemory* pinnedImages() { return nullptr; }

std::int64_t pinnedBytes() { return 0; }
std::int64_t pinnedBesideImages() { return 0; }
bool seesDevices() { return false; }
void useDevices(const std::vector<int>&) { refuse(); }
void requireNamedDevices() {}
bool lostDevices() { return false; }

bool runsOnDevice(const Engine&) { return false; }
Support deviceBenchAvailable() { return Support::no(reason); }
void measureDevice(BenchReport&) { refuse(); }
void runDeviceBench(BenchReport&, const std::vector<DeviceCell>&, const DeviceBenchOptions&,
                    std::stop_token) {
  refuse();
}
void runPaperClaims(BenchReport&, bool, const std::filesystem::path&, std::stop_token) { refuse(); }
void runBankWidth(BenchReport&, std::stop_token) { refuse(); }
std::filesystem::path requireTuningFile(const std::filesystem::path&) { refuse(); }
std::optional<TuningFile> tuneDevice(BenchReport&, const std::vector<DeviceCell>&,
                                     const std::filesystem::path&, const DeviceBenchOptions&,
                                     std::stop_token) {
  refuse();
}

}  // namespace bankside
