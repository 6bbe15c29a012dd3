#include "kernels/cuda/maps/map_maker.h"

#include <deque>

#include "core/error.h"
#include "kernels/cuda/maps/operations.h"
#include "kernels/cuda/runtime/current_device.h"
#include "kernels/cuda/runtime/device_pass.h"
#include "kernels/cuda/runtime/stream.h"

namespace bankside::cuda {
namespace {

constexpr auto pixelBytes = static_cast<std::ptrdiff_t>(sizeof(float));

class PreparedBank final : public DeviceBank {
 public:
  PreparedBank(const ConvolutionProblem& p, std::unique_ptr<DevicePlan> prepared)
      : problem(p), plan(std::move(prepared)) {}
  PlanInfo info() const override { return plan->info(); }
  NumericTraits traits() const override { return plan->traits(); }

  const ConvolutionProblem problem;
  const std::unique_ptr<DevicePlan> plan;
};

class CudaMapMaker final : public MapMaker {
 public:
  std::string name() const override {
    cudaDeviceProp properties{};
    return cudaGetDeviceProperties(&properties, CurrentDevice::ours) == cudaSuccess ? properties.name
                                                                                     : "NVIDIA GPU";
  }

  void begin() override {
    work_.begin();
    lapsUsed_ = 0;
  }

  std::shared_ptr<DeviceBank> prepare(const Engine& engine, const ConvolutionProblem& problem,
                                      const FilterBank& bank, const PlanOptions& options) override {
    const auto* const device = dynamic_cast<const DeviceEngine*>(&engine);
    if (device == nullptr || problem.combine == Combine::ArgMax) return nullptr;
    try {
      return std::make_shared<PreparedBank>(
          problem, device->prepareDevice(problem, bank, {.precision = options.precision}));
    } catch (const Error& error) {
      if (error.code() != ErrorCode::Unsupported) throw;
      return nullptr;
    }
  }

  DeviceMaps run(DeviceBank& bank, const DeviceMaps& seen) override {
    const CurrentDevice device;
    auto& mine = static_cast<PreparedBank&>(bank);
    const ConvolutionProblem& p = mine.problem;
    const DeviceMaps image = work_.sideBySide(seen);
    const PlaneView<float>& first = pixelsOf(image.front());
    const int each = p.combine == Combine::None ? p.filterCount : 1;
    DeviceMaps made = work_.make({p.height, p.width}, static_cast<std::size_t>(each * p.responseGroups()));
    const auto planesFrom = [&](const PlaneView<float>& at, int group) {
      const std::ptrdiff_t row = at.stride * pixelBytes;
      return DevicePlanes{at.data, row * at.height, row, pixelBytes, row * at.height * group};
    };
    mine.plan->start(planesFrom(first, 0), planesFrom(pixelsOf(made.front()), each), nullptr, work_.stream());
    return made;
  }

  std::shared_ptr<DeviceMap> combine(Combine combine, const DeviceMaps& maps) override {
    const CurrentDevice device;
    const auto made = work_.likeFirst(maps, 1).front();
    startCombine(combine, pixelsOf(maps), pixelsOf(made), work_.stream());
    return made;
  }

  bool has(const Operation& operation) const override { return operationOnDevice(operation) != nullptr; }

  std::optional<DeviceMaps> operate(const Operation& operation, const std::vector<DeviceMaps>& taken,
                                    OperationContext& context, const Extent& after) override {
    const CurrentDevice device;
    return operationOnDevice(operation)(work_, operation, taken, context, after);
  }

  DeviceMaps put(const Maps& maps) override {
    const CurrentDevice device;
    DeviceMaps there = work_.make(maps.extent, maps.size());
    for (std::size_t m = 0; m < maps.size(); ++m) {
      const auto from = maps.view(m);
      const auto& to = pixelsOf(there[m]);
      work_.copy(to.data, to.stride, from.data, from.stride, maps.extent, cudaMemcpyHostToDevice);
    }
    work_.stream().synchronize();
    return there;
  }

  void bring(const DeviceMaps& from, Maps& to) override {
    const CurrentDevice device;
    for (std::size_t m = 0; m < from.size(); ++m) {
      const auto& there = pixelsOf(from[m]);
      const auto here = to.view(m);
      work_.copy(here.data, here.stride, there.data, there.stride, to.extent, cudaMemcpyDeviceToHost);
    }
    work_.stream().synchronize();
  }

  void beginLap() override {
    const CurrentDevice device;
    if (lapsUsed_ == laps_.size()) laps_.emplace_back();
    laps_[lapsUsed_].begin.record(work_.stream());
  }
  void endLap() override {
    const CurrentDevice device;
    laps_[lapsUsed_++].end.record(work_.stream());
  }
  std::vector<double> laps() override {
    const CurrentDevice device;
    work_.stream().synchronize();
    std::vector<double> seconds;
    for (std::size_t i = 0; i < lapsUsed_; ++i) seconds.push_back(secondsBetween(laps_[i].begin, laps_[i].end));
    lapsUsed_ = 0;
    return seconds;
  }

 private:
  struct Lap {
    Event begin, end;
  };

  MapWork work_;
  std::deque<Lap> laps_;
  std::size_t lapsUsed_ = 0;
};

}  // namespace

std::unique_ptr<MapMaker> makeMapMaker() {
  const CurrentDevice device;
  return std::make_unique<CudaMapMaker>();
}

}  // namespace bankside::cuda
