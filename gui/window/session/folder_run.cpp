#include "gui/window/session/folder_run.h"

#include <QDir>

#include "gui/window/compute/core_sentence.h"
#include "gui/window/session/travelling_recipe.h"

namespace bankside::window {

FolderRun::FolderRun(Session& session, Folder& folder, QObject* parent)
    : QObject(parent), session_(session), folder_(folder) {
  // What came to its end has said so before.
  connect(&controller_, &RunController::finished, this, [this] {
    if (state_ == State::Running || state_ == State::Stopping) end(State::Stopped);
  });
  connect(&controller_, &RunController::failed, this,
          [this](Work, const QString& sentence) { end(State::Failed, sentence); });
  // Another folder, another run.
  connect(&folder_, &Folder::changed, this, [this] {
    if (state_ != State::Running && state_ != State::Stopping) Q_EMIT changed();
  });
  connect(&folder_, &Folder::selectionChanged, this, &FolderRun::changed);
}

QString FolderRun::output() const {
  if (!output_.isEmpty() || folder_.root().empty()) return output_;
  return QString::fromStdString(folder_.root().string()) + QStringLiteral("-results");
}

void FolderRun::setOutput(const QString& folder) {
  output_ = folder.isEmpty() ? QString() : QDir(folder).absolutePath();
  Q_EMIT changed();
}

void FolderRun::setTruth(const QString& folder) {
  truth_ = folder;
  Q_EMIT changed();
}

void FolderRun::setRegion(RegionKind kind) {
  region_ = kind;
  Q_EMIT changed();
}

QString FolderRun::fileOf(const char* name) const {
  const QString folder = of_ ? QString::fromStdString(of_->output.string()) : output();
  return QDir(folder).filePath(QString::fromLatin1(name));
}

FolderRequest FolderRun::request(const Recipe& recipe, bool replace) const {
  FolderRequest request{.input = folder_.root(),
                        .output = output().toStdString(),
                        .images = folder_.chosen(),
                        .recipe = recipe,
                        .pixelsPerDegree = session_.state().pixelsPerDegree,
                        .threads = session_.state().threads,
                        .replace = replace,
                        .region = session_.state().region,
                        .truth = truth_.toStdString(),
                        .threshold = threshold_};
  const bool drawn = region_ != RegionKind::Whole && region_ != RegionKind::FieldOfView;
  if (!drawn) request.region = {region_, 0, 0, 0, 0, {}};
  return request;
}

bool FolderRun::outdated() const {
  if (!of_ || busy()) return false;
  FolderRequest now = request(travellingRecipe(session_.setup(), false), of_->replace);
  now.threads = of_->threads;  // results do not depend on them
  now.threshold = of_->threshold;
  return now != *of_;
}

void FolderRun::start(const Recipe& recipe, bool replace) {
  if (busy()) return;
  folder_.read();
  if (folder_.root().empty()) return end(State::Failed, tr("Open a picture of the folder first."));
  const FolderRequest request = this->request(recipe, replace);
  of_ = request;
  state_ = State::Running;
  progress_ = {};
  ended_.clear();
  report_.reset();
  error_.clear();
  Q_EMIT changed();
  controller_.start(
      Work::Export, tr("Running over the folder"),
      [this, request, runner = runner_](RunController::Context& context) {
        try {
          const auto report = std::make_shared<const FolderReport>(runner(
              request,
              [&](const FolderProgress& progress) { context.deliver([this, progress] { take(progress); }); },
              context.stop));
          context.deliver([this, report] {
            report_ = report;
            end(State::Done);
            Q_EMIT completed(QString::fromStdString(of_->output.string()));
          });
        } catch (const OtherRun&) {
          context.deliver([this] {
            end(State::Idle);
            Q_EMIT otherRun();
          });
        }
      });
}

void FolderRun::stop() {
  if (state_ != State::Running) return;
  state_ = State::Stopping;
  Q_EMIT changed();
  controller_.cancelAll();
}

void FolderRun::take(const FolderProgress& progress) {
  progress_ = progress;
  if (!progress.image.empty())
    ended_.push_back({QString::fromStdString(progress.image),
                      progress.error.empty() ? QString() : sentenceOf(progress.error)});
  Q_EMIT changed();
}

void FolderRun::end(State state, const QString& error) {
  state_ = state;
  error_ = error;
  Q_EMIT changed();
}

}  // namespace bankside::window
