#include "core/bank_pass.h"

#include <algorithm>
#include <functional>
#include <map>
#include <mutex>

#include "core/combine.h"
#include "core/parallel.h"
#include "core/stopwatch.h"

namespace bankside {
namespace {

constexpr std::size_t keptPlans = 16;

/// Writes into some of the buffers, in place.
class BufferSink final : public Sink {
 public:
  BufferSink(std::vector<Image>& buffers, const std::vector<int>& which, int rows)
      : buffers_(buffers), which_(which), rows_(rows) {}
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
  const std::vector<int>& which_;
  int rows_;
};

}  // namespace

/// By engine and problem.
class BankPass::KeptPlans {
 public:
  struct Kept {
    std::mutex making;
    std::shared_ptr<Plan> plan;
  };
  /// The place of a plan, which nobody may have made yet.
  std::shared_ptr<Kept> at(const std::string& key) {
    const std::lock_guard lock(mutex_);
    if (kept_.size() > keptPlans) kept_.clear();
    std::shared_ptr<Kept>& kept = kept_[key];
    if (kept == nullptr) kept = std::make_shared<Kept>();
    return kept;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Kept>> kept_;
};

BankPass::~BankPass() = default;
BankPass::BankPass(BankPass&&) noexcept = default;

BankPass::BankPass(BankStage stage, Border border, bool responses, PlanOptions options, ChooseEngine choose)
    : stage_(std::move(stage)),
      border_(border),
      responses_(responses || stage_.combine == Combine::None),
      uniform_(groupBySize(stage_.bank)),
      options_(options),
      choose_(std::move(choose)),
      fused_(!responses_ && uniform_.size() == 1),
      plans_(std::make_unique<KeptPlans>()) {
  // What is combined here needs all responses, and filters are counted within a problem.
  if (stage_.combine != Combine::None || uniform_.size() > 1) options_.only.clear();
}

std::vector<BankPass::Step> BankPass::steps(const Source& source) const {
  std::vector<Step> steps;
  for (const UniformGroup& group : uniform_) {
    Step step;
    step.bank = &group.bank;
    step.indices = group.indices;
    step.problem = makeProblem(group.bank, source.channels(), source.height(), source.width(), source.type(),
                               ElementType::F32, border_, fused_ ? stage_.combine : Combine::None);
    step.engine = &choose_(step.problem);
    if (fused_) {
      for (std::size_t i = 0; i < outputPlanes(step.problem).size(); ++i)
        step.planes.push_back(static_cast<int>(i));
    } else {
      for (int g = 0; g < step.problem.responseGroups(); ++g) {
        for (const int f : group.indices) step.planes.push_back(g * stage_.bank.size() + f);
      }
    }
    steps.push_back(std::move(step));
  }
  return steps;
}

void BankPass::makePlans(std::vector<Step>& steps) {
  for (Step& step : steps) {
    if (step.plan != nullptr) continue;
    const std::string key =
        step.engine->name() + " " + format(step.problem) + " " + std::to_string(step.indices.front());
    const std::shared_ptr<KeptPlans::Kept> kept = plans_->at(key);
    const std::lock_guard lock(kept->making);
    if (kept->plan == nullptr) {
      const SingleThreaded off(false);
      kept->plan = step.engine->prepare(step.problem, *step.bank, options_);
    }
    step.plan = kept->plan;
  }
}

bool BankPass::sharesPlans(const Source& source) const {
  const std::vector<Step> all = steps(source);
  return std::all_of(all.begin(), all.end(),
                     [](const Step& step) { return step.engine->kind().sharedPlans; });
}

std::vector<PlaneName> BankPass::names(int channels) const {
  std::vector<PlaneName> names;
  if (responses_) {
    for (int g = 0; g < groups(channels); ++g) {
      for (const Filter& f : stage_.bank.filters()) names.push_back({g, f.label});
    }
  }
  if (stage_.combine != Combine::None) {
    for (int g = 0; g < groups(channels); ++g) {
      names.push_back({g, toString(stage_.combine)});
      if (stage_.combine == Combine::ArgMax) names.push_back({g, "argmax-index"});
    }
  }
  return names;
}

std::vector<ElementType> BankPass::planes(int channels) const {
  const auto count = static_cast<std::size_t>(groups(channels));
  std::vector<ElementType> types;
  if (!fused_) types.assign(count * static_cast<std::size_t>(stage_.bank.size()), ElementType::F32);
  for (std::size_t g = 0; stage_.combine != Combine::None && g < count; ++g) {
    types.push_back(ElementType::F32);
    if (stage_.combine == Combine::ArgMax) types.push_back(ElementType::U16);
  }
  return types;
}

std::size_t BankPass::hidden(int channels) const {
  return responses_ || fused_
             ? 0
             : static_cast<std::size_t>(groups(channels)) * static_cast<std::size_t>(stage_.bank.size());
}

std::unique_ptr<Sink> BankPass::sinkFor(const Step& step, std::vector<Image>& buffers, int rows) {
  return std::make_unique<BufferSink>(buffers, step.planes, rows);
}

PhaseTimes BankPass::run(const Step& step, Source& source, const Region& band, std::vector<Image>& buffers,
                         const std::stop_token& stop) {
  BufferSink sink(buffers, step.planes, band.height);
  return step.plan->run(source, sink, band, stop);
}

double BankPass::combine(int channels, int rows, std::vector<Image>& buffers) const {
  if (fused_ || stage_.combine == Combine::None) return 0;
  const Clock::time_point start = Clock::now();
  const Combiner combiner{stage_.combine, stage_.bank.size()};
  const bool withIndex = stage_.combine == Combine::ArgMax;
  const int combinedFrom = groups(channels) * stage_.bank.size();
  const ThreadTeam team(options_.threads);
  for (int g = 0; g < groups(channels); ++g) {
    const auto plane = static_cast<std::size_t>(combinedFrom + (withIndex ? 2 * g : g));
    const auto value = buffers[plane].view<float>(0);
    const auto combineRows = [&](int first, int last) {
      for (int y = first; y < last; ++y) {
        std::uint16_t* index = withIndex ? buffers[plane + 1].view<std::uint16_t>(0).row(y) : nullptr;
        for (int f = 0; f < stage_.bank.size(); ++f) {
          const auto response = buffers[static_cast<std::size_t>(g * stage_.bank.size() + f)].view<float>(0);
          combiner.accumulate(f, response.row(y), value.width, value.row(y), index);
        }
        combiner.finish(value.width, value.row(y));
      }
    };
    team.forRanges(0, rows, 16, std::ref(combineRows));
  }
  return secondsSince(start);
}

double BankPass::activate(int channels, int rows, std::vector<Image>& buffers) const {
  if (stage_.activation == Activation::None) return 0;
  const Clock::time_point start = Clock::now();
  const ThreadTeam team(options_.threads);
  for (std::size_t plane = hidden(channels); plane < buffers.size(); ++plane) {
    const auto values = buffers[plane].view<float>(0);
    team.forRanges(0, rows, 16, [&](int first, int last) {
      for (int y = first; y < last; ++y) bankside::activate(stage_.activation, values.row(y), values.width);
    });
  }
  return secondsSince(start);
}

}  // namespace bankside
