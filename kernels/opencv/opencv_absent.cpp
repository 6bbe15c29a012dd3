#include "core/error.h"
#include "kernels/opencv/opencv_engine.h"

namespace bankside {
namespace {

/// Stands where OpenCV would, so that lists and refusals are the same in every build.
class AbsentEngine final : public Engine {
 public:
  explicit AbsentEngine(const char* name) : name_(name) {}
  std::string name() const override { return name_; }
  EngineKind kind() const override { return {.role = EngineKind::Role::Baseline}; }
  std::string device() const override { return "CPU"; }
  std::string description() const override { return "OpenCV, not built in"; }
  Support available() const override {
    return Support::no(
        "OpenCV was not found when this program was built; install libopencv-core-dev and "
        "libopencv-imgproc-dev "
        "and build again");
  }
  Support supports(const ConvolutionProblem&) const override { return available(); }
  std::unique_ptr<Plan> prepare(const ConvolutionProblem& problem, const FilterBank&,
                                const PlanOptions&) const override {
    requireSupport(*this, problem);
    return nullptr;  // never reached: every problem is refused
  }

 private:
  const char* name_;
};

}  // namespace

std::unique_ptr<Engine> makeOpenCvEngine() { return std::make_unique<AbsentEngine>("opencv:filter2D"); }
std::unique_ptr<Engine> makeSepFilter2dEngine() {
  return std::make_unique<AbsentEngine>("opencv:sepFilter2D");
}

}  // namespace bankside
