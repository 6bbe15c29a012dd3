#include "gui/window/session/evaluation_run.h"

#include <QDir>
#include <QFileInfo>

#include "gui/window/compute/core_sentence.h"
#include "gui/window/session/travelling_recipe.h"

namespace bankside::window {
namespace {

EvaluatedPtr withoutResponses(const headless::StudyOutcome& outcome) {
  auto figures = std::make_shared<headless::StudyOutcome>();
  figures->code = outcome.code;
  figures->study = outcome.study;
  figures->report = outcome.report;
  figures->options = outcome.options;
  figures->warning = outcome.warning;
  return figures;
}

}  // namespace

EvaluationRun::EvaluationRun(Session& session, Folder& folder, QObject* parent)
    : QObject(parent), session_(session), folder_(folder) {
  // What came to its end has said so before.
  connect(&controller_, &RunController::finished, this, [this](Work work, bool cancelled) {
    const bool cut = work == Work::Measure && (state_ == State::Running || state_ == State::Stopping);
    if (cut) return end(State::Stopped);
    if (work == Work::Export && cancelled)
      error_ = tr("The export was stopped: what is in the folder is not all of it.");
    Q_EMIT changed();  // nothing is busy any more
  });
  connect(&controller_, &RunController::failed, this, [this](Work work, const QString& sentence) {
    if (work == Work::Measure) return end(State::Failed, sentence);
    error_ = sentence;
    Q_EMIT changed();
  });
  connect(&folder_, &Folder::changed, this, &EvaluationRun::changed);
  for (const auto signal : {&Session::recipeChanged, &Session::bankChanged})
    connect(&session_, signal, this, &EvaluationRun::askAgain);
}

void EvaluationRun::askAgain() {
  if (state_ == State::Failed) {
    state_ = evaluated_ ? State::Done : State::Idle;
    error_.clear();
  }
  Q_EMIT changed();
}

EvaluationRequest EvaluationRun::request() const {
  EvaluationRequest request = wanted_;
  if (request.images.empty()) request.images = folder_.root().string();
  request.recipe = travellingRecipe(session_.setup(), false);
  if (session_.asksForScale()) request.pixelsPerDegree = session_.state().pixelsPerDegree;
  return request;
}

void EvaluationRun::setPlace(std::string EvaluationRequest::*place, const QString& path) {
  const std::string text =
      path.trimmed().isEmpty() ? "" : QDir().absoluteFilePath(path.trimmed()).toStdString();
  const bool follows = place == &EvaluationRequest::images && wanted_.images.empty();
  if (follows && text == folder_.root()) return;
  if (wanted_.*place == text) return;
  wanted_.*place = text;
  askAgain();
}

void EvaluationRun::setThreshold(std::optional<double> threshold) {
  if (wanted_.threshold == threshold) return;
  wanted_.threshold = threshold;
  askAgain();
}

QString EvaluationRun::trouble() const {
  const Recipe& recipe = session_.recipe();
  if (!recipe.ofMaps() && !session_.bank()) return tr("Choose a bank or a recipe first.");
  if (session_.scaleMissing())
    return tr("The recipe must know how many pixels a degree has: answer in the pane, or in Bank, first.");
  if (!recipe.ofMaps() && recipe.stages.back().combine == Combine::ArgMax)
    return tr("The number of the strongest filter is no response; choose another way to combine.");
  if (wanted_.images.empty() && folder_.root().empty()) return tr("Choose the folder of the pictures.");
  if (wanted_.truth.empty()) return tr("Choose the folder of the manual vessels.");
  return {};
}

bool EvaluationRun::outdated() const { return evaluated_ != nullptr && request() != of_; }

void EvaluationRun::start() {
  if (controller_.busy()) return;
  if (const QString why = trouble(); !why.isEmpty()) return end(State::Failed, why);
  state_ = State::Running;
  progress_ = {};
  error_.clear();
  if (evaluated_) evaluated_ = withoutResponses(*evaluated_);
  Q_EMIT changed();
  controller_.start(Work::Measure, tr("Evaluating"),
                    [this, request = request(), threads = session_.state().threads,
                     runner = runner_](RunController::Context& context) {
                      const EvaluatedPtr evaluated = runner(
                          request, threads,
                          [&](const EvaluationProgress& progress) {
                            context.deliver([this, progress] {
                              progress_ = progress;
                              Q_EMIT changed();
                            });
                          },
                          context.stop);
                      context.deliver([this, request, evaluated] {
                        of_ = request;
                        evaluated_ = evaluated;
                        end(State::Done);
                      });
                    });
}

void EvaluationRun::stop() {
  if (state_ == State::Running) {
    state_ = State::Stopping;
    Q_EMIT changed();
  }
  controller_.cancelAll();
}

void EvaluationRun::exportTo(const QString& folder, const QString& recipe, bool replace) {
  if (!exportable() || controller_.busy()) return;
  for (const char* name : evaluationFiles) {
    const QString file = QDir(folder).filePath(QLatin1String(name));
    if (!replace && QFileInfo::exists(file)) return Q_EMIT wouldReplace(folder, file);
  }
  error_.clear();
  controller_.start(Work::Export, tr("Writing the evaluation"),
                    [this, request = of_, evaluated = evaluated_, folder, recipe,
                     replace](RunController::Context& context) {
                      exportEvaluation(request, *evaluated, recipe.toStdString(), folder.toStdString(),
                                       replace, context.stop);
                      context.deliver([this, folder] { Q_EMIT exported(folder); });
                    });
}

void EvaluationRun::end(State state, const QString& error) {
  state_ = state;
  error_ = error;
  Q_EMIT changed();
}

}  // namespace bankside::window
