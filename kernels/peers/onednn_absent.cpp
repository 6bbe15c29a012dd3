#include "core/error.h"
#include "kernels/peers/onednn_engine.h"

namespace bankside {
namespace {

/// Stands where oneDNN would, so that lists and refusals are the same in every build.
class AbsentEngine final : public Engine {
 public:
  std::string name() const override { return "onednn:convolution"; }
  EngineKind kind() const override { return {.role = EngineKind::Role::Peer}; }
  std::string device() const override { return "CPU"; }
  std::string description() const override { return "oneDNN, not built in"; }
  Support available() const override {
    return Support::no(
        "oneDNN was not found when this program was built, or BANKSIDE_PEERS is off; install libdnnl-dev and "
        "build again");
  }
  Support supports(const ConvolutionProblem&) const override { return available(); }
  std::unique_ptr<Plan> prepare(const ConvolutionProblem& problem, const FilterBank&,
                                const PlanOptions&) const override {
    requireSupport(*this, problem);
    return nullptr;  // never reached: every problem is refused
  }
};

}  // namespace

std::unique_ptr<Engine> makeOneDnnEngine() { return std::make_unique<AbsentEngine>(); }

}  // namespace bankside
