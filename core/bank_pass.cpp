#include "core/bank_pass.h"

#include <algorithm>
#include <chrono>

#include "core/combine.h"
#include "core/parallel.h"

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

FilterBank withMode(const FilterBank& bank, std::optional<FilterMode> mode) {
  BankInfo info = bank.info();
  info.mode = mode.value_or(info.mode);
  return FilterBank(std::move(info), bank.filters());
}

}  // namespace

BankPass::BankPass(FilterBank bank, PassOptions options, ChooseEngine choose)
    : bank_(withMode(bank, options.mode)),
      uniform_(groupBySize(bank_)),
      options_(std::move(options)),
      choose_(std::move(choose)) {
  if (options_.combine == Combine::None) options_.responses = true;
  fused_ = !options_.responses && uniform_.size() == 1;
}

std::vector<BankPass::Step> BankPass::steps(const Source& source) const {
  std::vector<Step> steps;
  for (const UniformGroup& group : uniform_) {
    Step step;
    step.bank = &group.bank;
    step.indices = group.indices;
    step.problem = makeProblem(group.bank, source.channels(), source.height(), source.width(), source.type(),
                               ElementType::F32, options_.border, fused_ ? options_.combine : Combine::None);
    step.engine = &choose_(step.problem);
    if (fused_) {
      for (std::size_t i = 0; i < outputPlanes(step.problem).size(); ++i)
        step.planes.push_back(static_cast<int>(i));
    } else {
      for (int g = 0; g < step.problem.responseGroups(); ++g) {
        for (const int f : group.indices) step.planes.push_back(g * bank_.size() + f);
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
    if (plans_.size() > keptPlans) plans_.clear();
    auto& plan = plans_[key];
    if (plan == nullptr)
      plan = step.engine->prepare(step.problem, *step.bank, {options_.threads, options_.precision});
    step.plan = plan;
  }
}

std::vector<PlaneName> BankPass::names(int channels) const {
  std::vector<PlaneName> names;
  if (options_.responses) {
    for (int g = 0; g < groups(channels); ++g) {
      for (const Filter& f : bank_.filters()) names.push_back({g, f.label});
    }
  }
  if (options_.combine != Combine::None) {
    for (int g = 0; g < groups(channels); ++g) {
      names.push_back({g, toString(options_.combine)});
      if (options_.combine == Combine::ArgMax) names.push_back({g, "argmax-index"});
    }
  }
  return names;
}

std::vector<ElementType> BankPass::planes(int channels) const {
  const auto count = static_cast<std::size_t>(groups(channels));
  std::vector<ElementType> types;
  if (!fused_) types.assign(count * static_cast<std::size_t>(bank_.size()), ElementType::F32);
  for (std::size_t g = 0; options_.combine != Combine::None && g < count; ++g) {
    types.push_back(ElementType::F32);
    if (options_.combine == Combine::ArgMax) types.push_back(ElementType::U16);
  }
  return types;
}

std::size_t BankPass::hidden(int channels) const {
  return options_.responses || fused_
             ? 0
             : static_cast<std::size_t>(groups(channels)) * static_cast<std::size_t>(bank_.size());
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
  if (fused_ || options_.combine == Combine::None) return 0;
  const auto start = std::chrono::steady_clock::now();
  const Combiner combiner{options_.combine, bank_.size()};
  const bool withIndex = options_.combine == Combine::ArgMax;
  const int combinedFrom = groups(channels) * bank_.size();
  const ThreadTeam team(options_.threads);
  for (int g = 0; g < groups(channels); ++g) {
    const auto plane = static_cast<std::size_t>(combinedFrom + (withIndex ? 2 * g : g));
    const auto value = buffers[plane].view<float>(0);
    team.forRanges(0, rows, 16, [&](int first, int last) {
      for (int y = first; y < last; ++y) {
        std::uint16_t* index = withIndex ? buffers[plane + 1].view<std::uint16_t>(0).row(y) : nullptr;
        for (int f = 0; f < bank_.size(); ++f) {
          const auto response = buffers[static_cast<std::size_t>(g * bank_.size() + f)].view<float>(0);
          combiner.accumulate(f, response.row(y), value.width, value.row(y), index);
        }
        combiner.finish(value.width, value.row(y));
      }
    });
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace bankside
