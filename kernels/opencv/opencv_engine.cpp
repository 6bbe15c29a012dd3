#include "kernels/opencv/opencv_engine.h"

#include <mutex>
#include <opencv2/core.hpp>

#include "kernels/opencv/filter2d_plan.h"

namespace bankside {
namespace {

/// Once, before the first plan, and never changed after: OpenCV calls run on their caller's thread (plans
/// spread them over their own team), and its errors come as exceptions alone instead of on stderr too.
void quietOnce() {
  static std::once_flag once;
  std::call_once(once, [] {
    cv::setNumThreads(1);
    cv::redirectError([](int, const char*, const char*, const char*, int, void*) { return 0; });
  });
}

Support takes(const std::string& function, const ConvolutionProblem& p) {
  if (p.border.wraps()) return Support::no(function + " has no wrapping border");
  if (p.dstType == ElementType::F16 && p.combine != Combine::ArgMax) {
    return Support::no(function + " has no half-precision results");
  }
  return Support::yes();
}

class OpenCvEngine final : public Engine {
 public:
  std::string name() const override { return "opencv:filter2D"; }
  EngineKind kind() const override { return {.role = EngineKind::Role::Baseline}; }
  std::string device() const override { return "CPU"; }
  std::string description() const override {
    return "OpenCV " + cv::getVersionString() + ", filter2D, one call a filter, each call on one thread";
  }

  Support supports(const ConvolutionProblem& p) const override { return takes("filter2D", p); }

  std::unique_ptr<Plan> prepare(const ConvolutionProblem& problem, const FilterBank& bank,
                                const PlanOptions& options) const override {
    requireSupport(*this, problem);
    quietOnce();
    return makeFilter2dPlan(problem, bank, options);
  }
};

class SeparableEngine final : public Engine {
 public:
  std::string name() const override { return "opencv:sepFilter2D"; }
  EngineKind kind() const override { return {.role = EngineKind::Role::Baseline, .rankOneOnly = true}; }
  std::string device() const override { return "CPU"; }
  std::string description() const override {
    return "OpenCV " + cv::getVersionString() +
           ", sepFilter2D, for banks of filters that are a column times a row";
  }

  Support supports(const ConvolutionProblem& p) const override { return takes("sepFilter2D", p); }

  std::unique_ptr<Plan> prepare(const ConvolutionProblem& problem, const FilterBank& bank,
                                const PlanOptions& options) const override {
    requireSupport(*this, problem);
    quietOnce();
    return makeSepFilter2dPlan(problem, bank, options);
  }
};

}  // namespace

std::unique_ptr<Engine> makeOpenCvEngine() { return std::make_unique<OpenCvEngine>(); }
std::unique_ptr<Engine> makeSepFilter2dEngine() { return std::make_unique<SeparableEngine>(); }

}  // namespace bankside
