#include "kernels/cuda/maps/map_maker.h"

#include <deque>

#include "core/error.h"
#include "kernels/cuda/maps/few_taps.h"
#include "kernels/cuda/maps/operations.h"
#include "kernels/cuda/runtime/current_device.h"
#include "kernels/cuda/runtime/device_pass.h"
#include "kernels/cuda/runtime/devices_in_use.h"
#include "kernels/cuda/runtime/stream.h"

namespace bankside::cuda {
namespace {

constexpr auto pixelBytes = static_cast<std::ptrdiff_t>(sizeof(float));

/// A bank that runs over maps that lie side by side.
class MapBank : public DeviceBank {
 public:
  explicit MapBank(const ConvolutionProblem& p) : problem_(p) {}
  virtual DeviceMaps run(MapWork& work, const DeviceMaps& seen) = 0;

 protected:
  static std::ptrdiff_t planeOf(const DeviceMaps& maps) {
    const PlaneView<float>& first = pixelsOf(maps.front());
    return first.stride * first.height;
  }

  const ConvolutionProblem problem_;
};

/// By an engine's plan.
class PlannedBank final : public MapBank {
 public:
  PlannedBank(const ConvolutionProblem& p, std::string engine, std::unique_ptr<DevicePlan> plan)
      : MapBank(p), engine_(std::move(engine)), plan_(std::move(plan)) {}
  std::string engine() const override { return engine_; }
  PlanInfo info() const override { return plan_->info(); }
  NumericTraits traits() const override { return plan_->traits(); }

  DeviceMaps run(MapWork& work, const DeviceMaps& seen) override {
    const int each = problem_.combine == Combine::None ? problem_.filterCount : 1;
    DeviceMaps made = work.make({problem_.height, problem_.width},
                                static_cast<std::size_t>(each * problem_.responseGroups()));
    const auto planesFrom = [](const DeviceMaps& maps, int group) {
      const PlaneView<float>& at = pixelsOf(maps.front());
      const std::ptrdiff_t plane = planeOf(maps) * pixelBytes;
      return DevicePlanes{at.data, plane, at.stride * pixelBytes, pixelBytes, plane * group};
    };
    plan_->start(planesFrom(seen, 0), planesFrom(made, each), nullptr, work.stream());
    return made;
  }

 private:
  std::string engine_;
  std::unique_ptr<DevicePlan> plan_;
};

/// Of taps that are nearly all zeros, in the direct order.
class FewTapBank final : public MapBank {
 public:
  FewTapBank(const ConvolutionProblem& p, const CorrelationTaps& taps, const MapWork& work)
      : MapBank(p), taps_(p, taps, work) {}
  std::string engine() const override { return "cuda"; }
  PlanInfo info() const override { return {.path = "few taps", .why = "nearly all of them are 0"}; }
  NumericTraits traits() const override {
    return {.errorBound = {.factor = gammaBound(taps_.mostOfAFilter())}};
  }

  DeviceMaps run(MapWork& work, const DeviceMaps& seen) override {
    const int groups = problem_.responseGroups();
    const auto filters = static_cast<std::size_t>(problem_.filterCount);
    DeviceMaps made = work.likeFirst(seen, filters * static_cast<std::size_t>(groups));
    for (int g = 0; g < groups; ++g) {
      taps_.start(pixelsOf(seen[static_cast<std::size_t>(g)]), planeOf(seen),
                  pixelsOf(made[static_cast<std::size_t>(g) * filters]), work.stream());
    }
    if (problem_.combine == Combine::None) return made;
    DeviceMaps combined = work.likeFirst(seen, static_cast<std::size_t>(groups));
    for (std::size_t g = 0; g < combined.size(); ++g) {
      const Planes all = pixelsOf(made);
      const auto first = all.begin() + static_cast<std::ptrdiff_t>(g * filters);
      startCombine(problem_.combine, {first, first + problem_.filterCount}, pixelsOf(combined[g]),
                   work.stream());
    }
    return combined;
  }

 private:
  FewTaps taps_;
};

class CudaMapMaker final : public MapMaker {
 public:
  CudaMapMaker() {
    cudaDeviceProp properties{};
    BANKSIDE_CUDA_CHECK(cudaGetDeviceProperties(&properties, device_));
    name_ = properties.name;
    if (devicesNamed() || devicesInUse().size() > 1) name_ += " (" + nameOf(device_) + ")";
  }
  std::string name() const override { return name_; }

  void begin() override {
    const CurrentDevice here(device_);
    work_.begin();
    lapsUsed_ = 0;
  }

  std::shared_ptr<DeviceBank> prepare(const Engine& engine, const ConvolutionProblem& problem,
                                      const FilterBank& bank, const PlanOptions& options) override {
    if (problem.combine == Combine::ArgMax) return nullptr;
    const CurrentDevice here(device_);
    if (const auto* const device = dynamic_cast<const DeviceEngine*>(&engine)) {
      try {
        return std::make_shared<PlannedBank>(
            problem, engine.name(), device->prepareDevice(problem, bank, {.precision = options.precision}));
      } catch (const Error& error) {
        if (error.code() != ErrorCode::Unsupported) throw;
        return nullptr;
      }
    }
    const CorrelationTaps taps = correlationTaps(problem, bank);
    if (!FewTaps::takes(problem, taps)) return nullptr;
    return std::make_shared<FewTapBank>(problem, taps, work_);
  }

  DeviceMaps run(DeviceBank& bank, const DeviceMaps& seen) override {
    const CurrentDevice here(device_);
    return static_cast<MapBank&>(bank).run(work_, work_.sideBySide(seen));
  }

  std::shared_ptr<DeviceMap> combine(Combine combine, const DeviceMaps& maps) override {
    const CurrentDevice here(device_);
    const auto made = work_.likeFirst(maps, 1).front();
    startCombine(combine, pixelsOf(maps), pixelsOf(made), work_.stream());
    return made;
  }

  bool has(const Operation& operation) const override { return operationOnDevice(operation) != nullptr; }

  std::optional<DeviceMaps> operate(const Operation& operation, const std::vector<DeviceMaps>& taken,
                                    OperationContext& context, const Extent& after) override {
    const CurrentDevice here(device_);
    return operationOnDevice(operation)(work_, operation, taken, context, after);
  }

  DeviceMaps put(const Maps& maps) override {
    const CurrentDevice here(device_);
    DeviceMaps there = work_.make(maps.extent, maps.size());
    for (std::size_t m = 0; m < maps.size(); ++m) work_.put(maps.view(m), pixelsOf(there[m]));
    return there;
  }

  void bring(const DeviceMaps& from, Maps& to) override {
    const CurrentDevice here(device_);
    for (std::size_t m = 0; m < from.size(); ++m) work_.bring(pixelsOf(from[m]), to.view(m));
  }

  void beginLap() override {
    const CurrentDevice here(device_);
    if (lapsUsed_ == laps_.size()) laps_.emplace_back();
    laps_[lapsUsed_].begin.record(work_.stream());
  }
  void endLap() override {
    const CurrentDevice here(device_);
    laps_[lapsUsed_++].end.record(work_.stream());
  }
  std::vector<double> laps() override {
    const CurrentDevice here(device_);
    work_.stream().synchronize();
    std::vector<double> seconds;
    for (std::size_t i = 0; i < lapsUsed_; ++i)
      seconds.push_back(secondsBetween(laps_[i].begin, laps_[i].end));
    lapsUsed_ = 0;
    return seconds;
  }

 private:
  struct Lap {
    Event begin, end;
  };

  const int device_ = currentDevice();
  std::string name_;
  MapWork work_;
  std::deque<Lap> laps_;
  std::size_t lapsUsed_ = 0;
};

}  // namespace

std::unique_ptr<MapMaker> makeMapMaker(int device) {
  const CurrentDevice here(device);
  return std::make_unique<CudaMapMaker>();
}

}  // namespace bankside::cuda
