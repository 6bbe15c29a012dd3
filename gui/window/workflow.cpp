#include "gui/window/workflow.h"

#include <QFileInfo>

#include "core/error.h"
#include "core/parallel.h"
#include "filters/catalog.h"

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
  connect(&session_, &Session::recipeChanged, this, [this] { controller_.cancel(Work::Measure); });
  connect(&controller_, &RunController::failed, this,
          [this](Work, const QString& sentence) { Q_EMIT problem(sentence); });
}

void Workflow::open(const QString& path, int page) {
  const std::filesystem::path file = path.toStdString();
  controller_.start(Work::Open, tr("Opening %1").arg(QFileInfo(path).fileName()),
                    [this, file, page](RunController::Context& context) {
                      const PicturePtr picture = openPicture(file, page);
                      context.deliver([this, picture] {
                        session_.setPicture(picture);
                        for (const std::string& note : picture->info.notes) {
                          Q_EMIT notice(QString::fromStdString(note));
                        }
                      });
                    });
}

void Workflow::reload() {
  if (session_.picture()) open(session_.state().imagePath, session_.state().page);
}

bool Workflow::chooseBank(const QString& spec) {
  try {
    session_.setBank(loadBank(spec.toStdString()), spec);
    return true;
  } catch (const std::exception& error) {
    Q_EMIT problem(QString::fromUtf8(error.what()));
    return false;
  }
}

void Workflow::computeMissing() {
  const std::vector<PlaneKey> wanted = session_.missingPlanes();
  if (wanted.empty()) return;
  const QString what = session_.bank() ? QString::fromStdString(session_.bank()->info().name) : QString();
  controller_.start(
      Work::Compute, tr("Filtering with %1").arg(what),
      [this, settings = session_.runSettings(), wanted](RunController::Context& context) {
        computePlanes(
            settings, wanted, select_,
            [&](PlaneResult result) { context.deliver([this, result] { session_.addResult(result); }); },
            context.stop);
      });
}

void Workflow::measure(const MeasureOptions& options, std::vector<const Engine*> chosen) {
  if (!session_.picture() || !session_.bank()) {
    Q_EMIT problem(tr("Open an image first; then there is something to measure."));
    return;
  }
  controller_.start(
      Work::Measure, tr("Measuring"),
      [settings = session_.runSettings(), options, chosen = std::move(chosen),
       this](RunController::Context& context) {
        const Stage& stage = settings.recipe.stages.front();
        ImageSource whole(*settings.picture->image);
        const ChannelSelection selection = selectChannels(whole, settings.picture->info.channelNames,
                                                          settings.recipe.channel, settings.bank->channels());
        std::vector<Contender> contenders;
        std::vector<int> threads = {1};
        if (availableThreads() > 1) threads.push_back(availableThreads());
        for (const int count : threads) {
          for (const Engine* engine : chosen) contenders.push_back({engine, count});
        }
        auto measurement = std::make_shared<Measurement>();
        measurement->recipe = settings.recipe;
        measurement->input = QString::fromStdString(settings.picture->path.string());
        measurement->decodeSeconds = settings.picture->decodeSeconds;
        ComparisonReport& report = measurement->report;
        report.environment = currentEnvironment();
        report.input = settings.picture->path.string();
        report.inputNote = selection.note;
        report.bank = settings.bank->info().name;
        report.bankTitle = settings.bank->info().title;
        report.bankHash = settings.bank->contentHash();
        ComparisonOptions comparison;
        comparison.border = settings.recipe.border;
        comparison.mode = stage.mode;
        comparison.combine = stage.combine;
        comparison.measure = options;
        comparison.progress = [&](const std::string& what) { context.say(QString::fromStdString(what)); };
        compareEngines(report, *settings.bank, *selection.source, contenders, comparison, context.stop);
        context.deliver([this, measurement] {
          measurement_ = measurement;
          Q_EMIT measured();
        });
      });
}

void Workflow::exportResponses(const QString& folder, bool force) {
  if (!session_.picture() || !session_.bank()) {
    Q_EMIT problem(tr("Open an image and choose a bank first; then there is something to export."));
    return;
  }
  ExportSettings options{folder.toStdString(), force};
  controller_.start(
      Work::Export, tr("Exporting to %1").arg(folder),
      [this, settings = session_.runSettings(), options, folder](RunController::Context& context) {
        const ImageRun run = bankside::window::exportResponses(settings, options, select_, context.stop);
        context.deliver([this, run, folder] {
          exported_ = run;
          Q_EMIT exported(folder, static_cast<int>(run.outputs.size()));
        });
      });
}

void Workflow::cancel() {
  for (const Work kind : {Work::Open, Work::Compute, Work::Export, Work::Measure}) controller_.cancel(kind);
}

std::vector<ConvolutionProblem> Workflow::problems() const {
  std::vector<ConvolutionProblem> problems;
  if (!session_.picture() || !session_.bank() || session_.channels().empty()) return problems;
  const Image& image = *session_.picture()->image;
  for (const UniformGroup& group : groupBySize(*session_.bank())) {
    auto problem =
        makeProblem(group.bank, static_cast<int>(session_.channels().size()), image.height(), image.width(),
                    image.type(), ElementType::F32, session_.recipe().border, Combine::None);
    problem.mode = session_.recipe().stages.front().mode.value_or(problem.mode);
    problems.push_back(problem);
  }
  return problems;
}

QString Workflow::refusal(const Engine& engine) const {
  if (const Support available = engine.available(); !available)
    return QString::fromStdString(available.reason);
  try {
    for (const ConvolutionProblem& problem : problems()) {
      if (const Support support = engine.supports(problem); !support)
        return QString::fromStdString(support.reason);
    }
  } catch (const Error& error) {
    return QString::fromUtf8(error.what());
  }
  return {};
}

std::string Workflow::pinnedEngine() const {
  const std::string& name = session_.recipe().engine;
  if (name != "auto") return name;
  try {
    std::string pinned;
    for (const ConvolutionProblem& problem : problems()) {
      const std::string chosen = select_(name, problem).name();
      if (!pinned.empty() && chosen != pinned) return name;  // one name cannot stand for two
      pinned = chosen;
    }
    return pinned.empty() ? name : pinned;
  } catch (const Error&) {
    return name;
  }
}

}  // namespace bankside::window
