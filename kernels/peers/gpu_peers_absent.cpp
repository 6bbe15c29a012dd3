#include "core/error.h"
#include "kernels/peers/gpu_peers.h"

namespace bankside {
namespace {

/// Stands where a peer would, so that lists and refusals are the same in every build.
class AbsentEngine final : public Engine {
 public:
  explicit AbsentEngine(std::string name) : name_(std::move(name)) {}
  std::string name() const override { return name_; }
  EngineKind kind() const override { return {.role = EngineKind::Role::Peer}; }
  std::string device() const override { return "NVIDIA GPU"; }
  std::string description() const override { return available().reason; }
  Support available() const override {
    return Support::no(
        "this build has no peers of the GPU (nvcc or cudnn.h was not found, or BANKSIDE_PEERS is off)");
  }
  Support supports(const ConvolutionProblem&) const override { return available(); }
  std::unique_ptr<Plan> prepare(const ConvolutionProblem& problem, const FilterBank&,
                                const PlanOptions&) const override {
    requireSupport(*this, problem);
    return nullptr;  // never reached: every problem is refused
  }

 private:
  std::string name_;
};

}  // namespace

std::unique_ptr<Engine> makeCudnnEngine(CudnnMath math) {
  return std::make_unique<AbsentEngine>(math == CudnnMath::Fma    ? "cudnn:fma"
                                        : math == CudnnMath::Tf32 ? "cudnn:tf32"
                                                                  : "cudnn:fp16");
}
std::unique_ptr<Engine> makeIm2colEngine() { return std::make_unique<AbsentEngine>("cublas:im2col"); }
std::unique_ptr<Engine> makeNppEngine() { return std::make_unique<AbsentEngine>("npp:filter-border"); }
std::unique_ptr<Engine> makeCufftEngine() { return std::make_unique<AbsentEngine>("cufft:bank"); }

}  // namespace bankside
