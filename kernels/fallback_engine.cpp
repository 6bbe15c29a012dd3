#include "kernels/fallback_engine.h"

#include "core/error.h"
#include "core/log.h"
#include "kernels/cuda/runtime/device_pass.h"

namespace bankside {
namespace {

bool isOfDevice(const Error& error) {
  return error.code() == ErrorCode::Device || error.code() == ErrorCode::Limit;
}

/// Notices rows that cannot be given a second time.
class WatchedSink final : public Sink {
 public:
  explicit WatchedSink(Sink& sink) : sink_(sink) {}
  int planes() const override { return sink_.planes(); }
  ElementType type(int plane) const override { return sink_.type(plane); }
  std::optional<MutablePlane> resident(int plane) override { return sink_.resident(plane); }
  void writeRows(int plane, int firstRow, ConstPlane src) override {
    written_ = true;
    sink_.writeRows(plane, firstRow, src);
  }
  bool written() const { return written_; }

 private:
  Sink& sink_;
  bool written_ = false;
};

/// A problem, and the engines that can take it.
struct Task {
  ConvolutionProblem problem;
  FilterBank bank;
  PlanOptions options;
  const EngineList& others;
};

class FallbackPlan final : public Plan {
 public:
  FallbackPlan(std::unique_ptr<Plan> plan, const Engine& first, Task task)
      : plan_(std::move(plan)), first_(first), task_(std::move(task)) {}

  /// For a device that no plan can be made on.
  FallbackPlan(const Error& error, const Engine& first, Task task) : first_(first), task_(std::move(task)) {
    moveOn(error);
  }

  PhaseTimes run(Source& source, Sink& sink, const Region& region, std::stop_token stop) override {
    if (substitute_ != nullptr) return plan_->run(source, sink, region, std::move(stop));
    WatchedSink watched(sink);
    try {
      return plan_->run(source, watched, region, stop);
    } catch (const Error& error) {
      if (!isOfDevice(error) || watched.written()) throw;
      moveOn(error);
    }
    return plan_->run(source, sink, region, std::move(stop));
  }

  /// Images that were not done when the device failed are undone: whoever gave them runs them again, and gets
  /// them from the substitute.
  void runAll(RunQueue& queue, std::stop_token stop) override {
    try {
      plan_->runAll(queue, std::move(stop));
    } catch (const Error& error) {
      if (isOfDevice(error) && substitute_ == nullptr) moveOn(error);
      throw;
    }
  }

  PlanInfo info() const override {
    PlanInfo info = plan_->info();
    if (substitute_ != nullptr) info.why = "instead of " + why_ + (info.why.empty() ? "" : "; " + info.why);
    return info;
  }
  std::string device() const override { return plan_->device(); }
  ImageMemory* imageMemory() const override { return plan_->imageMemory(); }
  const Engine* substitute() const override { return substitute_; }
  NumericTraits traits() const override { return plan_->traits(); }

 private:
  void moveOn(const Error& error) {
    for (const auto& engine : task_.others) {
      if (dynamic_cast<const DeviceEngine*>(engine.get()) != nullptr || !engine->available() ||
          !engine->supports(task_.problem))
        continue;
      plan_ = engine->prepare(task_.problem, task_.bank, task_.options);
      substitute_ = engine.get();
      why_ = first_.name() + ", which failed: " + error.what();
      log(LogLevel::Warning, engine->name() + " goes on where " + first_.name() + " failed: " + error.what());
      return;
    }
    throw error;
  }

  std::unique_ptr<Plan> plan_;
  const Engine& first_;
  Task task_;
  const Engine* substitute_ = nullptr;
  std::string why_;
};

class FallbackEngine final : public DeviceEngine {
 public:
  FallbackEngine(const Engine& first, const EngineList& others) : first_(first), others_(others) {}
  std::string name() const override { return first_.name(); }
  std::string device() const override { return first_.device(); }
  std::string description() const override { return first_.description(); }
  EngineKind kind() const override { return first_.kind(); }
  Support available() const override { return first_.available(); }
  Support supports(const ConvolutionProblem& problem) const override { return first_.supports(problem); }

  std::unique_ptr<Plan> prepare(const ConvolutionProblem& problem, const FilterBank& bank,
                                const PlanOptions& options) const override {
    Task task{problem, bank, options, others_};
    try {
      return std::make_unique<FallbackPlan>(first_.prepare(problem, bank, options), first_, task);
    } catch (const Error& error) {
      if (!isOfDevice(error)) throw;
      return std::make_unique<FallbackPlan>(error, first_, std::move(task));
    }
  }

  /// Over device memory there is nothing to fall back on: whoever holds it has to.
  std::unique_ptr<DevicePlan> prepareDevice(const ConvolutionProblem& problem, const FilterBank& bank,
                                            const DevicePlanOptions& options) const override {
    return onDevice().prepareDevice(problem, bank, options);
  }
  std::unique_ptr<DevicePass> preparePass(const ConvolutionProblem& problem,
                                          const FilterBank& bank) const override {
    return onDevice().preparePass(problem, bank);
  }

 private:
  const DeviceEngine& onDevice() const {
    if (const auto* const device = dynamic_cast<const DeviceEngine*>(&first_)) return *device;
    throw Error(ErrorCode::Unsupported, "engine " + name() + ": it computes on no device");
  }

  const Engine& first_;
  const EngineList& others_;
};

}  // namespace

std::unique_ptr<Engine> makeFallbackEngine(const Engine& first, const EngineList& others) {
  return std::make_unique<FallbackEngine>(first, others);
}

}  // namespace bankside
