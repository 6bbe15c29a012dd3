#include "core/judge/looking.h"

namespace bankside {
namespace {

class LookingPlan final : public HostPlan {
 public:
  LookingPlan(const ConvolutionProblem& problem, const FilterBank& bank, int blockRows, int threads,
              const Look& look)
      : HostPlan(problem, bank, {threads}), blockRows_(blockRows), look_(look) {}
  PlanInfo info() const override { return {.shape = "looks"}; }

 private:
  int blockRows() const override { return blockRows_; }
  void compute(const SourceBand& in, const SinkBand& out, const std::stop_token&) override {
    look_(in, out.region, team());
  }
  int blockRows_;
  const Look& look_;
};

/// Planes without memory, for a plan that writes nothing.
class NoSink final : public Sink {
 public:
  explicit NoSink(const ConvolutionProblem& problem) : types_(outputPlanes(problem)) {}
  int planes() const override { return static_cast<int>(types_.size()); }
  ElementType type(int plane) const override { return types_[static_cast<std::size_t>(plane)]; }
  std::optional<MutablePlane> resident(int plane) override {
    return MutablePlane{.data = nullptr, .type = type(plane)};
  }
  void writeRows(int, int, ConstPlane) override {}

 private:
  std::vector<ElementType> types_;
};

}  // namespace

void lookAt(const ConvolutionProblem& problem, const FilterBank& bank, Source& source, const Region& region,
            int blockRows, int threads, const Look& look, std::stop_token stop) {
  LookingPlan plan(problem, bank, blockRows, threads, look);
  NoSink nothing(problem);
  plan.run(source, nothing, region, std::move(stop));
}

}  // namespace bankside
