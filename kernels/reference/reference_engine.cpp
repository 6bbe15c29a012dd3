#include "kernels/reference/reference_engine.h"

#include <cmath>

#include "core/combine.h"
#include "core/judge/exact.h"

namespace bankside {
namespace {

class ReferencePlan final : public HostPlan {
 public:
  ReferencePlan(const ConvolutionProblem& problem, const FilterBank& bank, const PlanOptions& options)
      : HostPlan(problem, bank, options) {}
  PlanInfo info() const override { return {.shape = "double"}; }
  /// Exact to double's rounding, then rounded once; combines of rounded responses round once more each.
  NumericTraits traits() const override { return {.errorBound = {gammaBound(1)}}; }

 private:
  void compute(const SourceBand& in, const SinkBand& out, const std::stop_token& stop) override {
    team().forRanges(0, out.region.height, 1, [&](int first, int last) {
      for (int row = first; row < last; ++row) {
        if (stop.stop_requested()) throw Cancelled();
        computeRow(in, out, row);
      }
    });
  }

  void computeRow(const SourceBand& in, const SinkBand& out, int row) const {
    const ConvolutionProblem& p = problem();
    const Combiner combiner{p.combine, p.filterCount};
    const auto width = static_cast<std::size_t>(out.region.width);
    ExactRow exact;
    std::vector<float> response(width);
    std::vector<float> value(width);
    std::vector<std::uint16_t> index(p.combine == Combine::ArgMax ? width : 0);
    for (int g = 0; g < p.responseGroups(); ++g) {
      for (int f = 0; f < p.filterCount; ++f) {
        exactResponse(p, taps(), in, g, f, out.region.y + row, out.region.x, out.region.width, exact);
        for (std::size_t x = 0; x < width; ++x) response[x] = static_cast<float>(exact.value[x]);
        if (p.combine == Combine::None) {
          store(response, out.planes[static_cast<std::size_t>(g * p.filterCount + f)], row);
        } else {
          combiner.accumulate(f, response.data(), out.region.width, value.data(),
                              index.empty() ? nullptr : index.data());
        }
      }
      if (p.combine == Combine::None) continue;
      combiner.finish(out.region.width, value.data());
      const auto plane = static_cast<std::size_t>(p.combine == Combine::ArgMax ? 2 * g : g);
      store(value, out.planes[plane], row);
      if (!index.empty()) {
        std::copy(index.begin(), index.end(), out.planes[plane + 1].as<std::uint16_t>().row(row));
      }
    }
  }

  static void store(const std::vector<float>& values, MutablePlane plane, int row) {
    visit(plane.type, [&](auto element) {
      auto* dst = plane.as<decltype(element)>().row(row);
      for (std::size_t x = 0; x < values.size(); ++x) dst[x] = fromFloat<decltype(element)>(values[x]);
    });
  }
};

class ReferenceEngine final : public Engine {
 public:
  std::string name() const override { return "reference"; }
  EngineKind kind() const override { return {.role = EngineKind::Role::Judge, .sharedPlans = true}; }
  std::string device() const override { return "CPU"; }
  std::string description() const override { return "double precision, four loops"; }
  Support supports(const ConvolutionProblem&) const override { return Support::yes(); }
  std::unique_ptr<Plan> prepare(const ConvolutionProblem& problem, const FilterBank& bank,
                                const PlanOptions& options) const override {
    return std::make_unique<ReferencePlan>(problem, bank, options);
  }
};

}  // namespace

std::unique_ptr<Engine> makeReferenceEngine() { return std::make_unique<ReferenceEngine>(); }

}  // namespace bankside
