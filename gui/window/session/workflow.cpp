#include "gui/window/session/workflow.h"

#include <QFileInfo>
#include <algorithm>

#include "core/error.h"
#include "core/run/recipe_runner.h"
#include "filters/catalog.h"
#include "gui/window/compute/core_sentence.h"
#include "gui/window/compute/field_of_view.h"
#include "gui/window/session/travelling_recipe.h"

namespace bankside::window {
Workflow::Workflow(Session& session, RunController& controller, SelectEngine select,
                   std::vector<const Engine*> engines, QObject* parent)
    : QObject(parent),
      session_(session),
      controller_(controller),
      select_(std::move(select)),
      engines_(std::move(engines)) {
  soon_.setSingleShot(true);
  soon_.setInterval(0);
  connect(&soon_, &QTimer::timeout, this, &Workflow::computeMissing);
  connect(&session_, &Session::panesChanged, &soon_, qOverload<>(&QTimer::start));
  soonRegion_.setSingleShot(true);
  soonRegion_.setInterval(0);
  connect(&soonRegion_, &QTimer::timeout, this, &Workflow::measureRegion);
  // At once: what is under way was measured inside another region.
  connect(&session_, &Session::regionChanged, this, [this] { controller_.cancel(Work::Region); });
  for (const auto signal :
       {&Session::regionChanged, &Session::resultsChanged, &Session::panesChanged, &Session::rested}) {
    connect(&session_, signal, &soonRegion_, qOverload<>(&QTimer::start));
  }
  for (const auto signal : {&Session::panesChanged, &Session::recipeChanged}) {
    connect(&session_, signal, this, [this] {
      if (!session_.maskStopped()) return;
      session_.setMaskStopped(false);
      soonRegion_.start();
    });
  }
  soonParts_.setSingleShot(true);
  soonParts_.setInterval(0);
  connect(&soonParts_, &QTimer::timeout, this, &Workflow::computeMissingParts);
  for (const auto signal : {&Session::visibleChanged, &Session::panesChanged})
    connect(&session_, signal, &soonParts_, qOverload<>(&QTimer::start));
  for (const auto signal : {&Session::recipeChanged, &Session::pictureChanged})
    connect(&session_, signal, &nearby_, &RunController::cancelAll);
  // At once: what is under way is of the old picture.
  connect(&session_, &Session::pictureChanged, this, [this] { controller_.cancel(Work::Compute); });
  connect(&session_, &Session::recipeChanged, this, [this] {
    controller_.cancel(Work::Measure);
    // At once: what is under way has the old settings, and must not arrive as a result of the new ones.
    controller_.cancel(Work::Compute);
    soon_.start();
    // A stack of pages is another picture of the same file.
    const bool stacked = isOfPages(session_.recipe().channel);
    if (session_.picture() && session_.picture()->stacked != stacked) reload();
  });
  connect(&controller_, &RunController::finished, this, [this](Work kind, bool) {
    // Opening stops what is computed; where it fails, the old picture still has planes to come.
    if (kind == Work::Bank) session_.setBankComing(controller_.working(Work::Bank));
    if (kind != Work::Open && kind != Work::Bank) return;
    if (!session_.stopped()) soon_.start();
    soonRegion_.start();
  });
  connect(&controller_, &RunController::failed, this, [this](Work work, const QString& sentence) {
    if (work == Work::Compute) session_.setStopped(true);
    if (work == Work::Region && session_.maskMissing()) session_.setMask(nullptr, sentence);
    Q_EMIT problem(sentence, work);
  });
  connect(&nearby_, &RunController::failed, this,
          [this](Work work, const QString& sentence) { Q_EMIT problem(sentence, work); });
}

Workflow::~Workflow() {
  controller_.stopAll();
  nearby_.stopAll();
}

void Workflow::chooseBank(const QString& spec, const std::optional<Recipe>& recipe, const QString& otherwise,
                          const std::optional<RegionSpec>& region) {
  session_.setBankComing(true);
  controller_.start(
      Work::Bank, tr("Making bank %1").arg(bankTitle(spec.toStdString())),
      [this, spec, recipe, otherwise, region](RunController::Context& context) {
        const auto complain = [&](const Error& error) {
          context.deliver([this, sentence = sentenceOf(error)] { Q_EMIT problem(sentence, Work::Bank); });
        };
        const auto make = [](const QString& name) {
          return std::make_shared<FilterBank>(loadBank(name.toStdString()));
        };
        const auto give = [&](const QString& name) {
          const auto bank = make(name);
          std::shared_ptr<FilterBank> second;
          std::optional<Error> missing;
          if (recipe && recipe->stages.size() > 1) {
            try {
              second = make(QString::fromStdString(recipe->stages[1].bank));
            } catch (const Error& error) {
              missing = error;
            }
          }
          context.deliver([this, bank, second, name, recipe, region] {
            if (recipe) session_.clearSecondBank();
            session_.setBank(std::move(*bank), name);
            if (second)
              session_.setSecondBank(std::move(*second), QString::fromStdString(recipe->stages[1].bank));
            if (recipe) session_.setRecipe(*recipe);
            if (region) session_.setRegion(*region);
          });
          if (missing) complain(*missing);
        };
        try {
          give(spec);
        } catch (const Error& error) {
          if (otherwise.isEmpty()) throw;
          give(otherwise);
          complain(error);
        }
      });
}

void Workflow::openRecipe(const Recipe& recipe, const QString& otherwise,
                          const std::optional<RegionSpec>& region) {
  if (!recipe.ofMaps() && recipe.stages.size() < 3) {
    return chooseBank(QString::fromStdString(recipe.stages.front().bank), recipe, otherwise, region);
  }
  if (!recipe.ofMaps()) {
    Q_EMIT problem(
        tr("The recipe has %1 banks in a row, and the window shows two; \"bankside filter --recipe\" "
           "runs it.")
            .arg(recipe.stages.size()),
        Work::Bank);
    return;
  }
  session_.setBankComing(true);
  controller_.start(Work::Bank, tr("Making the banks of the recipe"),
                    [this, recipe, otherwise, region](RunController::Context& context) {
                      const auto banks = std::make_shared<std::vector<FilterBank>>();
                      try {
                        for (const RecipeStep& step : recipe.steps) {
                          if (!step.bank.empty()) banks->push_back(loadBank(step.bank));
                        }
                        makeRunner(recipe, *banks, {}, nullptr);  // says what does not go together
                      } catch (const Error& error) {
                        context.deliver([this, otherwise, sentence = sentenceOf(error)] {
                          Q_EMIT problem(sentence, Work::Bank);
                          if (!otherwise.isEmpty()) chooseBank(otherwise);
                        });
                        return;
                      }
                      context.deliver([this, recipe, banks, region] {
                        session_.setSteps(recipe, std::move(*banks));
                        if (region) session_.setRegion(*region);
                      });
                    });
}

void Workflow::takeAngle(double degrees) {
  if (!session_.picture()) return;
  controller_.start(Work::Bank, tr("Measuring the field of view"),
                    [this, degrees, picture = session_.picture()](RunController::Context& context) {
                      const double width = fieldOfViewWidth(*picture, context.stop);
                      context.deliver([this, width, degrees] { session_.setScale(width / degrees); });
                    });
}

void Workflow::compute() {
  session_.setStopped(false);
  session_.setMaskStopped(false);
  soon_.start();
  soonRegion_.start();
  soonParts_.start();
}

void Workflow::chooseSecondBank(const QString& spec) {
  if (spec.isEmpty()) {
    controller_.cancel(Work::Bank);
    return session_.clearSecondBank();
  }
  controller_.start(Work::Bank, tr("Making bank %1").arg(bankTitle(spec.toStdString())),
                    [this, spec](RunController::Context& context) {
                      const auto bank = std::make_shared<FilterBank>(loadBank(spec.toStdString()));
                      context.deliver([this, bank, spec] { session_.setSecondBank(std::move(*bank), spec); });
                    });
}

void Workflow::measureRegion() {
  const bool make = session_.maskMissing();
  // Inside a region the levels hang on it, and are seen.
  if (session_.turning() && !make && session_.state().region.kind == RegionKind::Whole) return;
  const auto planes = session_.unmeasured();
  if (!make && planes.empty()) return;
  controller_.start(
      Work::Region, tr("Measuring the region"),
      [this, make, planes, spec = session_.state().region, picture = session_.picture(),
       known = session_.mask()](RunController::Context& context) {
        MaskPtr mask = known;
        if (make) {
          QString error;
          try {
            mask = makeMask(spec, *picture);
          } catch (const Error& failure) {
            error = sentenceOf(failure);
          }
          context.deliver([this, mask, error] { session_.setMask(mask, error); });
          if (!error.isEmpty()) return;
        }
        for (const auto& [key, plane] : planes) {
          if (context.stop.stop_requested()) throw Cancelled();
          const RegionStatistics inside = measureInside(*plane, mask.get(), context.stop);
          context.deliver([this, k = key, p = plane, inside] { session_.addStatistics(k, p, inside); });
        }
      });
}

void Workflow::exportResponses(const QString& folder, bool force) {
  if (!session_.picture() || !session_.runSettings().complete()) {
    Q_EMIT problem(tr("Open an image and choose a bank first; then there is something to export."),
                   session_.picture() ? Work::Bank : Work::Open);
    return;
  }
  if (session_.recipe().map == OutputMap::Binary && !session_.recipe().threshold) {
    Q_EMIT problem(tr("Black and white needs a threshold: give it in Export, below “Export as”."),
                   Work::Export);
    return;
  }
  ExportSettings options{folder.toStdString(), force, baseline(), session_.mask()};
  controller_.start(
      Work::Export, tr("Exporting to %1").arg(folder),
      [this, settings = session_.runSettings(), options, folder](RunController::Context& context) {
        ImageRun run;
        try {
          run = bankside::window::exportResponses(settings, options, select_, context.stop);
        } catch (const WouldReplace& there) {
          context.deliver([this, folder, file = QString::fromStdString(there.file())] {
            Q_EMIT wouldReplace(folder, file);
          });
          return;
        }
        context.deliver([this, run, folder] {
          exported_ = run;
          Q_EMIT exported(folder, static_cast<int>(run.outputs.size()));
        });
      });
}

const Engine* Workflow::baseline() const {
  const auto at = std::find_if(engines_.begin(), engines_.end(), [](const Engine* engine) {
    return engine->kind().role == EngineKind::Role::Baseline && engine->available();
  });
  return at == engines_.end() ? nullptr : *at;
}

void Workflow::cancel() {
  for (const Work kind : allWork) {
    if (kind != Work::Thumbnails) controller_.cancel(kind);
  }
  nearby_.cancelAll();
  // What was about to begin would begin again what is stopped here.
  soon_.stop();
  soonParts_.stop();
  if (session_.maskMissing()) session_.setMaskStopped(true);
  session_.setStopped(!session_.missingPlanes().empty());
}

std::vector<std::pair<ConvolutionProblem, FilterBank>> Workflow::problems() const {
  std::vector<std::pair<ConvolutionProblem, FilterBank>> problems;
  if (!session_.picture() || !session_.bank() || session_.channels().empty()) return problems;
  const ImageInfo& image = session_.picture()->info;
  const Recipe& recipe = session_.recipe();
  int channels = static_cast<int>(session_.channels().size());
  ElementType type = image.type;
  const std::vector<FilterBank> banks = session_.runSettings().banks();
  for (std::size_t i = 0; i < banks.size(); ++i) {
    const Stage& stage = recipe.stages[i];
    const bool last = i + 1 == banks.size();
    const auto groups = groupBySize(banks[i]);
    // As the runner has it: a combine is fused where responses are not wanted and all filters are of one
    // size.
    const bool fused = stage.combine != Combine::None && (!last || !recipe.responses) && groups.size() == 1;
    for (const UniformGroup& group : groups) {
      auto problem = makeProblem(group.bank, channels, image.height, image.width, type, ElementType::F32,
                                 recipe.border, fused ? stage.combine : Combine::None);
      problem.mode = stage.mode.value_or(problem.mode);
      problems.emplace_back(problem, group.bank);
    }
    const int groupsOfOne = banks[i].channels() == channels ? 1 : channels;
    channels = groupsOfOne * (stage.combine == Combine::None ? banks[i].size() : 1);
    type = ElementType::F32;
  }
  return problems;
}

QString Workflow::refusal(const Engine& engine) const {
  if (const Support available = engine.available(); !available) return sentenceOf(available.reason);
  try {
    for (const auto& [problem, bank] : problems()) {
      if (const Support support = engine.supports(problem); !support) return sentenceOf(support.reason);
    }
  } catch (const Error& error) {
    return sentenceOf(error);
  }
  return {};
}

std::string Workflow::pinnedEngine() const {
  const std::string& name = session_.recipe().engine;
  try {
    std::string pinned;
    for (const auto& [problem, bank] : problems()) {
      const Engine& engine = select_(name, problem);
      const std::string chosen = pathName(engine, problem, bank, session_.recipe().precision);
      // One name cannot stand for two; the family's picks the same two again.
      if (!pinned.empty() && chosen != pinned) return chosen != engine.name() ? engine.name() : name;
      pinned = chosen;
    }
    return pinned.empty() ? name : pinned;
  } catch (const Error&) {
    return name;
  }
}

}  // namespace bankside::window
