/// Computes planes one by one, each with the bytes that it has when the whole bank is exported.
#include <algorithm>
#include <exception>
#include <map>
#include <set>

#include "core/error.h"
#include "core/run/recipe_runner.h"
#include "gui/window/compute/bank_part.h"
#include "gui/window/compute/gathering.h"
#include "gui/window/compute/last_maps.h"
#include "gui/window/compute/magnitude_plane.h"
#include "gui/window/compute/work.h"

namespace bankside::window {
namespace {

/// Pixels from which on the visible part of a plane is worth computing before the whole.
constexpr double worthAPatch = 4e6;

/// Bands this large keep the runner's own buffers small beside the planes that the window holds.
constexpr std::int64_t bandBytes = std::int64_t{256} << 20;
constexpr std::int64_t partBytes = bandBytes / 16;

/// One call of `computePlanes`.
class Computation {
 public:
  Computation(const RunSettings& settings, const SelectEngine& select,
              const std::function<void(PlaneResult)>& receive, std::stop_token stop)
      : settings_(settings),
        select_(select),
        receive_(receive),
        stop_(std::move(stop)),
        whole_(settings.picture->source()) {
    try {
      selection_ = selectChannels(*whole_, settings.picture->info.channelNames, settings.recipe.channel,
                                  imageChannels(settings));
    } catch (const Error&) {
      refusal_ = std::current_exception();  // of results; the input is shown as the file has it
    }
    if (settings.bank == nullptr || refusal_) return;
    responseGroups_ =
        settings.bank->channels() == selection_.source->channels() ? 1 : selection_.source->channels();
  }

  /// The visible part of every plane, where the whole would keep one waiting.
  void runVisible(const std::vector<PlaneKey>& wanted, const std::function<void(PlanePatch)>& receive) {
    if (settings_.picture->finest > 0) return;  // whoever holds no whole planes asks for parts by itself
    const Region& area = settings_.visible;
    const double whole = static_cast<double>(whole_->width()) * whole_->height();
    const double part = static_cast<double>(area.width) * area.height;
    if (part <= 0 || whole < worthAPatch || part > whole / 2) return;
    runParts(wanted, receive);
  }

  void runParts(const std::vector<PlaneKey>& wanted, const std::function<void(PlanePatch)>& receive) {
    want(wanted);
    const Region& area = settings_.visible;
    MapParts maps(settings_.known, area, settings_.threads, stop_);
    std::map<PlaneKey, PlanePatch> made;
    const auto patch = [&](const PlaneKey& key) -> const PlanePatch& {
      if (!made.contains(key)) {
        for (PlaneResult& result : parts(key, area)) {
          made[result.key] = {result.key, area, result.plane, result.partEqualsWhole};
          receive(made[result.key]);
        }
      }
      return made.at(key);
    };
    for (const PlaneKey& key : wanted) {
      if (stop_.stop_requested()) throw Cancelled();
      const bool ofMaps = settings_.recipe.ofMaps();
      const bool none = refusal_ || (settings_.bank == nullptr && !ofMaps);
      // An input in memory is there at once.
      if (key.layer == Layer::Input ? settings_.picture->finest == 0 : none) continue;
      try {
        if (key.layer == Layer::Input) {
          receive({key, area, readPart(seen(), key.index, area, stop_)});
          continue;
        }
        if (ofMaps) {
          if (const PlanePtr part = maps.part(key)) receive({key, area, part});
          continue;
        }
        if (key.layer != Layer::Difference) {
          patch(key);
          continue;
        }
        const PlanePatch& ours = patch({Layer::Output, key.index});
        const PlanePatch& theirs = patch({Layer::OpenCv, key.index});
        receive({key, area, differencePlane(*ours.plane, *theirs.plane), ours.final && theirs.final});
      } catch (const Error&) {
        // The whole plane will say it.
      }
    }
  }

  void run(std::vector<PlaneKey> wanted) {
    want(wanted);
    // Combined planes bring responses along.
    std::stable_partition(wanted.begin(), wanted.end(), [this](const PlaneKey& key) {
      return key.layer == Layer::Input || isCombined(key);
    });
    for (const PlaneKey& key : wanted) {
      if (stop_.stop_requested()) throw Cancelled();
      if (given_.contains(key)) continue;
      try {
        give(key);
      } catch (const Cancelled&) {
        throw;
      } catch (const std::exception& error) {
        PlaneResult refused;
        refused.key = key;
        refused.error = error.what();
        receive_(std::move(refused));
      }
    }
  }

 private:
  /// The sides of a difference are wanted with it.
  void want(const std::vector<PlaneKey>& keys) {
    wanted_ = keys;
    for (const PlaneKey& key : keys) {
      if (key.layer != Layer::Difference) continue;
      for (const Layer side : {Layer::Output, Layer::OpenCv}) wanted_.push_back({side, key.index});
    }
  }

  bool isCombined(const PlaneKey& key) const {
    return settings_.bank && key.index >= responseGroups_ * settings_.bank->size();
  }

  void give(const PlaneKey& key) {
    switch (key.layer) {
      case Layer::Input: return giveInput(key);
      case Layer::Output:
      case Layer::OpenCv: return giveResults(key);
      case Layer::Difference: {
        if (settings_.picture->finest > 0 && !settings_.recipe.ofMaps()) return giveDifferenceInBands(key);
        const PlaneKey ours{Layer::Output, key.index};
        const PlaneKey theirs{Layer::OpenCv, key.index};
        for (const PlaneKey& side : {ours, theirs}) {
          if (const auto known = settings_.known.find(side); known != settings_.known.end())
            given_[side] = known->second;
          if (!given_.contains(side)) giveResults(side);
        }
        if (given_.at(ours).parts && given_.at(theirs).parts) return giveDifferenceInBands(key);
        PlaneResult difference;
        difference.key = key;
        difference.plane = differencePlane(*given_.at(ours).plane, *given_.at(theirs).plane);
        judge(difference, given_.at(ours), given_.at(theirs));
        return keep(std::move(difference));
      }
      case Layer::Kept: throw Error(ErrorCode::BadInput, "what is kept is not computed");
    }
  }

  void keep(PlaneResult result) {
    given_[result.key] = result;
    receive_(std::move(result));
  }

  /// Where both sides are results of one bank, whose bounds say how far they may be apart.
  void judge(PlaneResult& difference, const PlaneResult& ours, const PlaneResult& theirs) {
    difference.reach = std::max(largestOf(ours.plane->range), largestOf(theirs.plane->range));
    if (!ours.bound || !theirs.bound) return;
    const bool combined = isCombined(difference.key);
    if (combined && settings_.recipe.stages.front().combine == Combine::ArgMax) return;  // no rounding
    const double further = combined ? 2 * (settings_.bank->size() + 2) * 0x1p-24 : 0;    // as `verify`
    if (!combined)
      difference.verdict =
          judgedByResults(*difference.plane, *ours.plane, *theirs.plane, *ours.bound, *theirs.bound);
    if (difference.verdict) return;
    const Image magnitudes =
        magnitudePlane(settings_, *selection_.source, difference.key.index, select_, stop_);
    difference.verdict = judgeDifference(*difference.plane, magnitudes, *ours.bound, *theirs.bound, further);
  }

  /// What the bank sees or, where there is no such thing, what the file has.
  Source& seen() { return refusal_ ? *whole_ : *selection_.source; }

  /// In bands, where the planes of the two sides are not held.
  void giveDifferenceInBands(const PlaneKey& key) {
    if (refusal_) std::rethrow_exception(refusal_);
    const int width = whole_->width();
    const int height = whole_->height();
    CoarsePlane difference({width, height, ElementType::F32}, settings_.picture->finest, Coarsen::Largest);
    const int rows = std::max(1, static_cast<int>(bandBytes / 4 / (4 * width)));
    for (int y = 0; y < height; y += rows) {
      const Region area{0, y, width, std::min(rows, height - y)};
      if (settings_.recipe.ofMaps()) {
        difference.add(*MapParts(given_, area, settings_.threads, stop_).part(key)->image);
        continue;
      }
      const auto side = [&](Layer layer) {
        const std::vector<PlaneResult> made = parts({layer, key.index}, area);
        return std::find_if(made.begin(), made.end(),
                            [&](const PlaneResult& each) {
                              return each.key == PlaneKey{layer, key.index};
                            })
            ->plane;
      };
      difference.add(*differencePlane(*side(Layer::Output), *side(Layer::OpenCv))->image);
    }
    PlaneResult result;
    result.key = key;
    result.plane = difference.take();
    keep(std::move(result));
  }

  void giveInput(const PlaneKey& key) {
    PlaneResult input;
    input.key = key;
    input.plane = readPlane(seen(), key.index, *settings_.picture, stop_);
    keep(std::move(input));
  }

  static bool partsEqualTheWhole(const BankRun& run) {
    return std::all_of(run.steps.begin(), run.steps.end(),
                       [](const StepReport& step) { return step.traits.partEqualsWhole; });
  }

  /// Of all problems of a bank together.
  static ErrorBound boundOf(const BankRun& run) {
    ErrorBound all;
    for (const StepReport& step : run.steps) {
      const ErrorBound& bound = step.traits.errorBound;
      all.factor = std::max(all.factor, bound.factor);
      all.pixelwise = all.pixelwise && bound.pixelwise;
      all.rowsTogether = std::max(all.rowsTogether, bound.rowsTogether);
    }
    return all;
  }

  std::vector<PlaneResult> parts(const PlaneKey& key, const std::optional<Region>& area) {
    return settings_.recipe.stages.size() > 1 ? chainedResults(key, area) : results(key, area);
  }

  void giveResults(const PlaneKey& key) {
    if (refusal_) std::rethrow_exception(refusal_);
    auto results = settings_.recipe.ofMaps()
                       ? lastMaps(settings_, *selection_.source, key.layer, select_, stop_)
                       : parts(key, std::nullopt);
    for (PlaneResult& result : results) keep(std::move(result));
  }

  /// Whose responses are wanted.
  std::set<int> filtersWanted(Layer layer) const {
    std::set<int> filters;
    for (const PlaneKey& each : wanted_) {
      if (each.layer == layer && !isCombined(each)) filters.insert(each.index % settings_.bank->size());
    }
    return filters;
  }

  /// The plane, and what else comes with it or is wanted of the same run; of `area` alone if there is one.
  /// apart: a combined map is not made without its responses
  std::vector<PlaneResult> results(const PlaneKey& key, const std::optional<Region>& area,
                                   bool apart = false) {
    const FilterBank& bank = *settings_.bank;
    const Stage& stage = settings_.recipe.stages.front();
    const int responses = responseGroups_ * bank.size();
    const bool combined = isCombined(key);
    const std::string asked = key.layer == Layer::OpenCv ? "opencv" : settings_.recipe.engine;
    const std::set<int> wanted = filtersWanted(key.layer);
    // Then they cost less by themselves than all of them beside their combined map.
    const bool few = 4 * static_cast<int>(wanted.size()) <= bank.size();
    Recipe recipe = settings_.recipe;
    recipe.verify = VerifyLevel::Off;
    recipe.stages.front().combine = combined ? stage.combine : Combine::None;
    // Whether responses are wanted too decides whether the combine is fused: as when they are exported.
    recipe.responses = !combined || recipe.responses;
    const std::optional<PlanFacts> alone =
        combined && recipe.responses && !apart && few
            ? factsOfResponses(settings_, *selection_.source, select_, asked)
            : std::nullopt;
    if (alone) recipe.responses = false;
    if (alone && key.layer == Layer::Output) path_ = alone->path;
    const bool known = key.layer == Layer::Output && !path_.empty();  // not to be chosen once more
    const BankPart part = combined ? wholeBank(bank, alone ? alone->path : asked)
                                   : partFor(settings_, *selection_.source, select_, known ? path_ : asked,
                                             key.index % bank.size(), wanted);
    RunOptions options;
    options.plan.threads = settings_.threads;
    options.plan.only = part.only;
    options.memoryBudget = bandBytes;
    Runner runner =
        makeRunner(recipe, {part.bank}, options,
                   [&](const ConvolutionProblem& p) -> const Engine& { return select_(part.engine, p); });
    std::vector<int> planes;         // as `PlaneKey` counts them
    std::vector<std::size_t> which;  // as they come in bands
    const int width = part.bank.size();
    const int combines = static_cast<int>(runner.planes(selection_.source->channels()).size()) -
                         (recipe.responses ? responseGroups_ * width : 0);
    for (int i = 0; i < combines; ++i) {
      planes.push_back(responses + i);
      which.push_back(static_cast<std::size_t>(i + (recipe.responses ? responses : 0)));
    }
    for (int at = 0; at < static_cast<int>(part.filters.size()) && recipe.responses; ++at) {
      const int filter = part.filters[static_cast<std::size_t>(at)];
      if (!wanted.contains(filter)) continue;
      for (int group = 0; group < responseGroups_; ++group) {
        planes.push_back(group * bank.size() + filter);
        which.push_back(static_cast<std::size_t>(group * width + at));
      }
    }
    Gathering gathered(*settings_.picture, area, std::move(which));
    const BankRun run = gathered.run(runner, *selection_.source, stop_);
    std::vector<PlaneResult> made;
    const StepReport& report = run.steps.front();
    if (alone &&
        (report.plan.shape != alone->shape || report.traits.errorBound.rowsTogether != alone->rowsTogether))
      return results(key, area, true);
    for (std::size_t i = 0; i < planes.size(); ++i) {
      if (stop_.stop_requested()) throw Cancelled();
      made.push_back({.key = {key.layer, planes[i]},
                      .plane = gathered.take(i),
                      .error = {},
                      .engine = pathName(report.engine, report.plan),
                      .variant = toString(report.plan),
                      .times = run.times(),
                      .filters = report.traits.heedsOnly && !part.only.empty()
                                     ? static_cast<int>(part.only.size())
                                     : part.bank.size(),
                      .partEqualsWhole = partsEqualTheWhole(run),
                      .bound = boundOf(run)});
    }
    return made;
  }

  /// With two banks everything runs as it is exported, and the plane that is wanted is kept.
  std::vector<PlaneResult> chainedResults(const PlaneKey& key, const std::optional<Region>& area) {
    Recipe recipe = settings_.recipe;
    recipe.verify = VerifyLevel::Off;
    const ResultPlanes planes = resultPlanes(settings_, selection_.names);
    const bool combined = key.index >= planes.responses;
    recipe.responses = recipe.responses || !combined;
    RunOptions rest;
    rest.plan.threads = settings_.threads;
    // Of a part only the maps that it reaches: as many as fit would otherwise be computed whole.
    rest.memoryBudget = area ? partBytes : bandBytes;
    const std::string asked = key.layer == Layer::OpenCv ? "opencv" : recipe.engine;
    Runner runner =
        makeRunner(recipe, settings_.banks(), rest,
                   [&](const ConvolutionProblem& p) -> const Engine& { return select_(asked, p); });
    const int plane = key.index - (recipe.responses ? 0 : planes.responses);
    Gathering gathered(*settings_.picture, area, {static_cast<std::size_t>(plane)});
    const BankRun run = gathered.run(runner, *selection_.source, stop_);
    if (stop_.stop_requested()) throw Cancelled();
    const StepReport& one = run.steps.front();
    const StepReport& two = run.steps.back();
    const std::string first = pathName(one.engine, one.plan);
    const std::string second = pathName(two.engine, two.plan);
    return {{.key = key,
             .plane = gathered.take(0),
             .error = {},
             .engine = first == second ? first : first + ", then " + second,
             .variant = toString(one.plan) + ", then " + toString(two.plan),
             .times = run.times(),
             .filters = settings_.bank->size() + settings_.then->size(),
             .partEqualsWhole = partsEqualTheWhole(run)}};
  }

  const RunSettings& settings_;
  const SelectEngine& select_;
  const std::function<void(PlaneResult)>& receive_;
  std::stop_token stop_;
  std::unique_ptr<Source> whole_;
  ChannelSelection selection_;
  std::exception_ptr refusal_;  // why there is no such selection
  int responseGroups_ = 1;
  std::string path_;  // that our engine takes for the responses, once it is known
  std::vector<PlaneKey> wanted_;
  std::map<PlaneKey, PlaneResult> given_;
};

}  // namespace

void computePlanes(const RunSettings& settings, const std::vector<PlaneKey>& wanted,
                   const SelectEngine& select, const std::function<void(PlaneResult)>& receive,
                   std::stop_token stop, const std::function<void(PlanePatch)>& receivePatch) {
  Computation computation(settings, select, receive, std::move(stop));
  if (receivePatch) computation.runVisible(wanted, receivePatch);
  computation.run(wanted);
}

void computeParts(const RunSettings& settings, const std::vector<PlaneKey>& wanted,
                  const SelectEngine& select, std::stop_token stop,
                  const std::function<void(PlanePatch)>& receive) {
  const std::function<void(PlaneResult)> none = [](const PlaneResult&) {};
  Computation(settings, select, none, std::move(stop)).runParts(wanted, receive);
}

}  // namespace bankside::window
