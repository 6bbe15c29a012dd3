#include "tests/made_up/made_up_engine.h"

#include <algorithm>

#include "core/combine.h"
#include "core/host_plan.h"

namespace bankside::testing {
namespace {

class MadeUpPlan final : public HostPlan {
 public:
  MadeUpPlan(const ConvolutionProblem& problem, const FilterBank& bank, const PlanOptions& options)
      : HostPlan(problem, bank, options) {}
  PlanInfo info() const override { return {.shape = "one row at a time"}; }
  NumericTraits traits() const override {
    NumericTraits traits = HostPlan::traits();
    traits.dependsOnWholeBank = true;
    traits.partEqualsWhole = false;
    return traits;
  }

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
    std::vector<float> response(width);
    std::vector<float> value(width);
    std::vector<std::uint16_t> index(p.combine == Combine::ArgMax ? width : 0);
    for (int g = 0; g < p.responseGroups(); ++g) {
      for (int f = 0; f < p.filterCount; ++f) {
        sum(in, out.region, g, f, row, response);
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
      if (!index.empty())
        std::copy(index.begin(), index.end(), out.planes[plane + 1].as<std::uint16_t>().row(row));
    }
  }

  void sum(const SourceBand& in, const Region& region, int group, int filter, int row,
           std::vector<float>& response) const {
    const ConvolutionProblem& p = problem();
    const int each = p.filterHeight * p.filterWidth;
    const int count = p.tapChannels() * each;
    std::vector<float> pixels(response.size());
    std::fill(response.begin(), response.end(), 0.0f);
    for (int i = 0; i < count; ++i) {
      const int t = (i + p.filterCount + region.x) % count;
      const float tap = taps().taps[static_cast<std::size_t>(filter) * static_cast<std::size_t>(count) +
                                    static_cast<std::size_t>(t)];
      if (tap == 0) continue;
      const int channel = p.channelMode == ChannelMode::Summed ? t / each : group;
      const int y = region.y + row - taps().anchorY + t % each / p.filterWidth;
      const int x = region.x - taps().anchorX + t % p.filterWidth;
      gatherRow(in.row(channel, y), p.srcType, p.width, p.border, x, region.width, pixels.data());
      for (std::size_t at = 0; at < response.size(); ++at) response[at] += tap * pixels[at];
    }
  }

  static void store(const std::vector<float>& values, MutablePlane plane, int row) {
    visit(plane.type, [&](auto element) {
      auto* dst = plane.as<decltype(element)>().row(row);
      for (std::size_t x = 0; x < values.size(); ++x) dst[x] = fromFloat<decltype(element)>(values[x]);
    });
  }
};

class MadeUpEngine final : public Engine {
 public:
  std::string name() const override { return "madeup:cycle"; }
  std::string device() const override { return "CPU"; }
  std::string description() const override { return "made up, for tests"; }
  Support supports(const ConvolutionProblem&) const override { return Support::yes(); }
  std::unique_ptr<Plan> prepare(const ConvolutionProblem& problem, const FilterBank& bank,
                                const PlanOptions& options) const override {
    return std::make_unique<MadeUpPlan>(problem, bank, options);
  }
};

}  // namespace

std::unique_ptr<Engine> makeMadeUpEngine() { return std::make_unique<MadeUpEngine>(); }

}  // namespace bankside::testing
