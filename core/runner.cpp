#include "core/runner.h"

#include <algorithm>
#include <chrono>

#include "core/combine.h"
#include "core/error.h"
#include "core/parallel.h"
#include "core/sample_rows.h"

namespace bankside {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t keptPlans = 16;

/// Writes into some of the runner's buffers, in place.
class BufferSink final : public Sink {
 public:
  BufferSink(std::vector<Image>& buffers, std::vector<int> which, int rows)
      : buffers_(buffers), which_(std::move(which)), rows_(rows) {}
  int planes() const override { return static_cast<int>(which_.size()); }
  ElementType type(int plane) const override { return buffer(plane).type(); }
  std::optional<MutablePlane> resident(int plane) override {
    MutablePlane view = buffer(plane).plane(0);
    view.height = rows_;
    return view;
  }
  void writeRows(int plane, int firstRow, ConstPlane src) override {
    const MutablePlane view = buffer(plane).plane(0);
    const std::size_t bytes = static_cast<std::size_t>(src.width) * sizeOf(src.type);
    for (int y = 0; y < src.height; ++y) std::copy_n(src.row(y), bytes, view.row(firstRow + y));
  }

 private:
  Image& buffer(int plane) const {
    return buffers_[static_cast<std::size_t>(which_[static_cast<std::size_t>(plane)])];
  }
  std::vector<Image>& buffers_;
  std::vector<int> which_;
  int rows_;
};

FilterBank withMode(const FilterBank& bank, std::optional<FilterMode> mode) {
  BankInfo info = bank.info();
  info.mode = mode.value_or(info.mode);
  return FilterBank(std::move(info), bank.filters());
}

}  // namespace

PhaseTimes BankRun::times() const {
  PhaseTimes sum{.compute = combineSeconds};
  for (const StepReport& step : steps) {
    sum.upload += step.times.upload;
    sum.compute += step.times.compute;
    sum.download += step.times.download;
  }
  return sum;
}

/// One problem of a run, and which buffers its planes go to.
struct Runner::Step {
  ConvolutionProblem problem;
  const FilterBank* bank = nullptr;
  std::shared_ptr<Plan> plan;
  std::vector<int> buffers;
};

Runner::Runner(FilterBank bank, RunnerOptions options, ChooseEngine choose)
    : bank_(withMode(bank, options.mode)),
      groups_(groupBySize(bank_)),
      options_(std::move(options)),
      choose_(std::move(choose)) {
  if (options_.combine == Combine::None) options_.responses = true;
  fused_ = !options_.responses && groups_.size() == 1;
}

std::vector<PlaneName> Runner::planes(int channels) const {
  const int groups = bank_.channels() == channels ? 1 : channels;
  std::vector<PlaneName> names;
  if (options_.responses) {
    for (int g = 0; g < groups; ++g) {
      for (const Filter& f : bank_.filters()) names.push_back({g, f.label});
    }
  }
  if (options_.combine != Combine::None) {
    for (int g = 0; g < groups; ++g) {
      names.push_back({g, toString(options_.combine)});
      if (options_.combine == Combine::ArgMax) names.push_back({g, "argmax-index"});
    }
  }
  return names;
}

std::vector<Runner::Step> Runner::makeSteps(const Source& source) {
  std::vector<Step> steps;
  for (const UniformGroup& group : groups_) {
    Step step;
    step.bank = &group.bank;
    step.problem = makeProblem(group.bank, source.channels(), source.height(), source.width(), source.type(),
                               ElementType::F32, options_.border, fused_ ? options_.combine : Combine::None);
    const Engine& engine = choose_(step.problem);
    const std::string key =
        engine.name() + " " + format(step.problem) + " " + std::to_string(group.indices.front());
    if (plans_.size() > keptPlans) plans_.clear();
    auto& plan = plans_[key];
    if (plan == nullptr) plan = engine.prepare(step.problem, group.bank, {options_.threads});
    step.plan = plan;
    if (fused_) {
      for (std::size_t i = 0; i < outputPlanes(step.problem).size(); ++i)
        step.buffers.push_back(static_cast<int>(i));
    } else {
      for (int g = 0; g < step.problem.responseGroups(); ++g) {
        for (const int f : group.indices) step.buffers.push_back(g * bank_.size() + f);
      }
    }
    steps.push_back(std::move(step));
  }
  return steps;
}

BankRun Runner::run(Source& source, const Receive& receive, std::stop_token stop) {
  std::vector<Step> steps = makeSteps(source);
  const int width = source.width();
  const int height = source.height();
  const int groups = steps.front().problem.responseGroups();

  // What is computed: responses (kept or not), then combined planes. Only what was asked for is given.
  std::vector<ElementType> types;
  if (!fused_) types.assign(static_cast<std::size_t>(groups) * bank_.size(), ElementType::F32);
  const std::size_t combinedFrom = types.size();
  for (int g = 0; options_.combine != Combine::None && g < groups; ++g) {
    types.push_back(ElementType::F32);
    if (options_.combine == Combine::ArgMax) types.push_back(ElementType::U16);
  }
  std::int64_t bytesPerRow = 0;
  for (const ElementType type : types)
    bytesPerRow += static_cast<std::int64_t>(width) * static_cast<std::int64_t>(sizeOf(type));
  const int bandRows =
      static_cast<int>(std::clamp<std::int64_t>(options_.memoryBudget / bytesPerRow, 1, height));

  BankRun result;
  for (const Step& step : steps) {
    const Engine& engine = choose_(step.problem);
    result.steps.push_back({.problem = step.problem,
                            .engine = engine.name(),
                            .device = engine.device(),
                            .variant = step.plan->variant(),
                            .times = {},
                            .reference = {},
                            .baseline = {},
                            .baselineReason = {}});
  }
  result.bands = (height + bandRows - 1) / bandRows;
  for (int y = 0; y < height; y += bandRows) {
    const Region band{0, y, width, std::min(bandRows, height - y)};
    const bool reusable = buffers_.size() == types.size() && buffers_.front().height() == band.height &&
                          buffers_.front().width() == width;
    if (!reusable) {
      buffers_.clear();
      for (const ElementType type : types) buffers_.emplace_back(1, band.height, width, type);
    }
    for (std::size_t i = 0; i < steps.size(); ++i) runStep(steps[i], source, band, result.steps[i], stop);
    if (!fused_ && options_.combine != Combine::None) {
      const auto start = Clock::now();
      combineBand(groups, band.height);
      result.combineSeconds += std::chrono::duration<double>(Clock::now() - start).count();
    }
    const bool wrong = std::any_of(result.steps.begin(), result.steps.end(), [](const StepReport& step) {
      return step.reference && !step.reference->passed;
    });
    if (wrong) {
      result.passed = false;
      continue;
    }
    const std::size_t hidden = options_.responses ? 0 : combinedFrom;
    if (hidden == 0) {
      receive(y, buffers_);
      continue;
    }
    std::vector<Image> given(std::make_move_iterator(buffers_.begin() + static_cast<std::ptrdiff_t>(hidden)),
                             std::make_move_iterator(buffers_.end()));
    receive(y, given);
    std::move(given.begin(), given.end(), buffers_.begin() + static_cast<std::ptrdiff_t>(hidden));
  }
  result.verified = options_.verifyReference;
  return result;
}

void Runner::runStep(Step& step, Source& source, const Region& band, StepReport& report,
                     const std::stop_token& stop) {
  BufferSink sink(buffers_, step.buffers, band.height);
  const PhaseTimes times = step.plan->run(source, sink, band, stop);
  report.times.upload += times.upload;
  report.times.compute += times.compute;
  report.times.download += times.download;
  if (!options_.verifyReference && options_.baseline == nullptr) return;

  std::vector<Image> mine;
  for (const int b : step.buffers) mine.push_back(std::move(buffers_[static_cast<std::size_t>(b)]));
  const auto accumulate = [](std::optional<Verification>& sum, const Verification& v, int firstRow) {
    if (!sum) {
      sum = v;
      sum->y += firstRow;
      return;
    }
    Verification placed = v;
    placed.y += firstRow;
    sum->add(placed);
  };
  if (options_.verifyReference) {
    accumulate(
        report.reference,
        verifyRows(step.problem, *step.bank, source, band, mine, step.plan->errorBound(),
                   sampleRows(band.height, options_.verifyRows, hash(step.problem)), options_.threads, stop),
        band.y);
  }
  if (options_.baseline != nullptr) {
    if (const Support support = options_.baseline->supports(step.problem); !support) {
      report.baselineReason = support.reason;
    } else {
      const auto plan = options_.baseline->prepare(step.problem, *step.bank, {options_.threads});
      ImageSink other(step.problem, band);
      plan->run(source, other, band, stop);
      accumulate(report.baseline, difference(mine, other.images()), band.y);
      report.baselineReason = plan->variant();
    }
  }
  for (std::size_t i = 0; i < mine.size(); ++i) {
    buffers_[static_cast<std::size_t>(step.buffers[i])] = std::move(mine[i]);
  }
}

void Runner::combineBand(int groups, int rows) {
  const Combiner combiner{options_.combine, bank_.size()};
  const bool withIndex = options_.combine == Combine::ArgMax;
  const int combinedFrom = groups * bank_.size();
  const ThreadTeam team(options_.threads);
  for (int g = 0; g < groups; ++g) {
    const auto plane = static_cast<std::size_t>(combinedFrom + (withIndex ? 2 * g : g));
    const auto value = buffers_[plane].view<float>(0);
    team.forRanges(0, rows, 16, [&](int first, int last) {
      for (int y = first; y < last; ++y) {
        std::uint16_t* index = withIndex ? buffers_[plane + 1].view<std::uint16_t>(0).row(y) : nullptr;
        for (int f = 0; f < bank_.size(); ++f) {
          const auto response = buffers_[static_cast<std::size_t>(g * bank_.size() + f)].view<float>(0);
          combiner.accumulate(f, response.row(y), value.width, value.row(y), index);
        }
        combiner.finish(value.width, value.row(y));
      }
    });
  }
}

}  // namespace bankside
