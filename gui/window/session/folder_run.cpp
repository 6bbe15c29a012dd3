#include "gui/window/session/folder_run.h"

#include <QDir>
#include <algorithm>
#include <utility>

#include "gui/window/compute/core_sentence.h"
#include "gui/window/session/travelling_recipe.h"

namespace bankside::window {

FolderRun::FolderRun(Session& session, Folder& folder, QObject* parent)
    : QObject(parent), session_(session), folder_(folder) {
  // What came to its end has said so before.
  connect(&controller_, &RunController::finished, this, [this] {
    if (known_.state == State::Running || known_.state == State::Stopping) end(State::Stopped);
  });
  connect(&controller_, &RunController::failed, this,
          [this](Work, const QString& sentence) { end(State::Failed, sentence); });
  // Another folder, another run.
  connect(&folder_, &Folder::changed, this, [this] {
    if (known_.state != State::Running && known_.state != State::Stopping) Q_EMIT changed();
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
  const QString folder = known_.of ? QString::fromStdString(known_.of->output.string()) : output();
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
                        .judged = judgedFile(true),
                        .judgedAlone = judgedFile(false),
                        .threshold = threshold_};
  const bool drawn = region_ != RegionKind::Whole && region_ != RegionKind::FieldOfView;
  if (!drawn) request.region = {region_, 0, 0, 0, 0, {}};
  return request;
}

int FolderRun::judgedPlane() const {
  const auto& planes = session_.planes();
  const int count = static_cast<int>(planes.size());
  const int selected = std::clamp(session_.state().selectedPlane, -1, count - 1);
  const Recipe& recipe = session_.recipe();
  if (selected < 0 || recipe.responses || recipe.ofMaps()) return selected;
  const auto channel = planes[static_cast<std::size_t>(selected)].channel;
  for (int i = std::max(selected, session_.responseCount()); i < count; ++i) {
    if (planes[static_cast<std::size_t>(i)].channel == channel) return i;
  }
  return selected;
}

std::string FolderRun::judgedFile(bool withChannel) const {
  const int plane = judgedPlane();
  if (plane < 0) return {};
  const PlaneList& list = session_.list(0);
  const PlaneName& name = list.planes[static_cast<std::size_t>(plane)];
  const auto channel = static_cast<std::size_t>(name.channel);
  const bool several = withChannel && list.planes.back().channel > 0 && channel < list.groups.size();
  return (several ? list.groups[channel] + "." : std::string()) + name.label;
}

bool FolderRun::outdated() const {
  const auto& of = known_.of;
  if (!of || busy()) return false;
  FolderRequest now = request(travellingRecipe(session_.setup(), false), of->replace);
  now.threads = of->threads;  // results do not depend on them
  now.threshold = of->threshold;
  return now != *of;
}

void FolderRun::start(const Recipe& recipe, bool replace) {
  if (busy()) return;
  folder_.read();
  if (folder_.root().empty()) return end(State::Failed, tr("Open a picture of the folder first."));
  const FolderRequest request = this->request(recipe, replace);
  before_ = std::exchange(known_, {.state = State::Running, .of = request});
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
            known_.report = report;
            end(State::Done);
            Q_EMIT completed(QString::fromStdString(known_.of->output.string()));
          });
        } catch (const OtherRun&) {
          context.deliver([this] {
            known_ = std::exchange(before_, {});  // nothing was done
            Q_EMIT changed();
            Q_EMIT otherRun();
          });
        }
      });
}

void FolderRun::stop() {
  if (known_.state != State::Running) return;
  known_.state = State::Stopping;
  Q_EMIT changed();
  controller_.cancelAll();
}

void FolderRun::take(const FolderProgress& progress) {
  before_ = {};
  known_.progress = progress;
  if (!progress.image.empty())
    known_.ended.push_back({QString::fromStdString(progress.image),
                            progress.error.empty() ? QString() : sentenceOf(progress.error)});
  Q_EMIT changed();
}

void FolderRun::end(State state, const QString& error) {
  before_ = {};
  known_.state = state;
  known_.error = error;
  Q_EMIT changed();
}

}  // namespace bankside::window
