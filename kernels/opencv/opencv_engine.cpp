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

class OpenCvEngine final : public Engine {
 public:
  std::string name() const override { return "opencv:filter2D"; }
  std::string device() const override { return "CPU"; }
  std::string description() const override {
    return "OpenCV " + cv::getVersionString() + ", filter2D, one call a filter, each call on one thread";
  }

  Support supports(const ConvolutionProblem& p) const override {
    if (p.border.kind == BorderKind::Wrap) return Support::no("filter2D has no wrapping border");
    if (p.dstType == ElementType::F16 && p.combine != Combine::ArgMax) {
      return Support::no("filter2D has no half-precision results");
    }
    return Support::yes();
  }

  std::unique_ptr<Plan> prepare(const ConvolutionProblem& problem, const FilterBank& bank,
                                const PlanOptions& options) const override {
    requireSupport(*this, problem);
    quietOnce();
    return makeFilter2dPlan(problem, bank, options);
  }
};

}  // namespace

std::unique_ptr<Engine> makeOpenCvEngine() { return std::make_unique<OpenCvEngine>(); }

}  // namespace bankside
