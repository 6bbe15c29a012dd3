#include <QAbstractButton>
#include <QApplication>
#include <QClipboard>
#include <QCryptographicHash>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPainter>
#include <QPushButton>
#include <QStandardPaths>
#include <QStatusBar>
#include <algorithm>

#include "core/bench/bench_report.h"
#include "core/bench/command_text.h"
#include "core/error.h"
#include "core/imageio/atomic_file.h"
#include "core/imageio/image_io.h"
#include "core/text.h"
#include "gui/window/canvas/canvas.h"
#include "gui/window/canvas/image_pane.h"
#include "gui/window/compute/assets.h"
#include "gui/window/compute/core_sentence.h"
#include "gui/window/compute/thumbnail.h"
#include "gui/window/compute/value_text.h"
#include "gui/window/panels/timing_panel.h"
#include "gui/window/session/kept_again.h"
#include "gui/window/session/travelling_recipe.h"
#include "gui/window/shell/main_window.h"

namespace bankside::window {
namespace {

QString imageFilter() {
  QStringList patterns;
  for (const std::string& ending : imageEndings())
    patterns << QStringLiteral("*.") + QString::fromStdString(ending);
  return QObject::tr("Images (%1);;All files (*)").arg(patterns.join(QLatin1Char(' ')));
}

/// A file of the program's own, named by what it holds: for a command line, which can hold no more than a
/// name.
QString fileByContent(const QString& kind, const QByteArray& json) {
  const QString folder =
      QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/%1s").arg(kind);
  QDir().mkpath(folder);
  const QByteArray name = QCryptographicHash::hash(json, QCryptographicHash::Sha256).toHex().left(16);
  QString file = folder + QStringLiteral("/%1-%2.json").arg(kind, QLatin1String(name));
  writeFileAtomically(file.toStdString(), json.toStdString());
  return file;
}

QString fileBank(const std::string& text) {
  return fileByContent(QStringLiteral("bank"), QByteArray::fromStdString(text));
}

}  // namespace

void MainWindow::chooseImage() {
  const QString folder = QFileInfo(session_.state().imagePath).absolutePath();
  const QString path = QFileDialog::getOpenFileName(this, tr("Open an image"), folder, imageFilter());
  if (!path.isEmpty()) openPath(path);
}

void MainWindow::chooseFolder() {
  const QString folder = QFileDialog::getExistingDirectory(
      this, tr("Open a folder of pictures"), QFileInfo(session_.state().imagePath).absolutePath());
  if (!folder.isEmpty()) openPath(folder);
}

void MainWindow::showSample(const QString& another) {
  const QString recipe = another.isEmpty() ? assetFile(QStringLiteral("recipes/vessels.json")) : another;
  const QString picture = assetFile(QStringLiteral("images/retina.jpg"));
  if (recipe.isEmpty() || picture.isEmpty())
    return showProblem(tr("The sample is not installed beside this program."), Work::Open);
  session_.setScaleOf(picture, sampleScale);
  takeRecipe(recipe);
  workflow_.open(picture);
}

void MainWindow::showStartPage() {
  Setup setup = session_.setup();
  setup.state.endAlone({});
  setup.state.setImage({}, 0);
  const auto& panes = setup.state.panes;
  // Pictures that stood side by side go too.
  if (std::any_of(panes.begin(), panes.end(),
                  [](const PaneSpec& pane) { return !pane.branch.imagePath.isEmpty(); }))
    setup.state.panes = SessionState().panes;
  workflow_.takeUp(setup);
}

void MainWindow::openPath(const QString& path) {
  const QFileInfo file(path);
  if (file.isDir()) {
    const auto images = imagesBeside((file.absoluteFilePath() + QStringLiteral("/.")).toStdString());
    if (images.empty())
      return showProblem(tr("There is no image in %1.").arg(file.absoluteFilePath()), Work::Open);
    folderWanted_ = true;
    return workflow_.open(QString::fromStdString(images.front().string()));
  }
  const QString suffix = file.suffix().toLower();
  if (suffix == QLatin1String("json")) return openJson(file.absoluteFilePath());
  if (suffix == QLatin1String("csv") || suffix == QLatin1String("txt")) {
    return workflow_.chooseBank(file.absoluteFilePath());
  }
  workflow_.open(file.absoluteFilePath());
}

void MainWindow::openJson(const QString& path) {
  // What is no recipe may be a bank, and whoever reads banks says what else it is.
  if (isRecipe(path.toStdString())) return takeRecipe(path);
  workflow_.chooseBank(path);
}

void MainWindow::chooseRecipe() {
  const QString path =
      QFileDialog::getOpenFileName(this, tr("Open a recipe"), {}, tr("Recipes (*.json);;All files (*)"));
  if (!path.isEmpty()) takeRecipe(path);
}

void MainWindow::takeRecipe(const QString& path) {
  try {
    const QString masks =
        QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/masks");
    const auto region = regionBeside(path.toStdString(), masks.toStdString());
    workflow_.openRecipe(readRecipe(path.toStdString()), {}, region);
  } catch (const std::exception& error) {
    showProblem(sentenceOf(error), Work::Bank, tr("Open another…"), [this] { chooseRecipe(); });
  }
}

void MainWindow::saveRecipe() {
  const QString path = QFileDialog::getSaveFileName(this, tr("Save the recipe"),
                                                    QStringLiteral("recipe.json"), tr("Recipes (*.json)"));
  if (path.isEmpty()) return;
  try {
    const std::string ran = session_.recipe().ofMaps() ? std::string() : workflow_.pinnedEngine();
    writeFileAtomically(path.toStdString(), travellingText(session_.setup(), ran));
    showSaved(tr("Recipe saved; run it with: bankside filter IMAGE --recipe %1 --output FOLDER").arg(path));
  } catch (const std::exception& error) {
    showUnsaved(sentenceOf(error), [this] { saveRecipe(); });
  }
}

SessionState MainWindow::stateToKeep() const {
  SessionState state = session_.state();
  state.recipe = travellingRecipe(session_.setup(), false);
  state.panes = panesMadeAgain(session_);
  return state;
}

Recipe MainWindow::pinnedRecipe() const {
  Recipe recipe = travellingRecipe(session_.setup(), false);
  recipe.engine = workflow_.pinnedEngine();
  return recipe;
}

QString MainWindow::fileRecipe(const Recipe& recipe) {
  return fileByContent(QStringLiteral("recipe"), QByteArray::fromStdString(writeRecipe(recipe)));
}

QString MainWindow::commandLine() {
  const Recipe recipe = pinnedRecipe();
  const auto& picture = session_.picture();
  if (recipe.ofMaps() || holdsBanks(recipe)) {
    const auto word = [](const QString& text) {
      return QString::fromStdString(shellWord(text.toStdString()));
    };
    QString line = QStringLiteral("bankside filter %1 --recipe %2")
                       .arg(word(session_.state().imagePath), word(fileRecipe(recipe)));
    if (session_.asksForScale() && session_.state().pixelsPerDegree > 0)
      line += QStringLiteral(" --scale %1")
                  .arg(QString::fromStdString(formatNumber(session_.state().pixelsPerDegree)));
    if (picture && picture->info.pages > 1 && !isOfPages(recipe.channel))
      line += QStringLiteral(" --page %1").arg(session_.state().page + 1);
    return line + QStringLiteral(" --output out");
  }
  return QString::fromStdString(filterCommand(session_.state().imagePath.toStdString(), session_.state().page,
                                              picture ? picture->info.pages : 1, recipe, "out"));
}

void MainWindow::copyCommand() {
  if (!session_.picture())
    return showProblem(tr("Open an image first; then there is a command to copy."), Work::Open);
  copyLine([this] { return commandLine(); });
}

void MainWindow::copyLine(const std::function<QString()>& line) {
  try {
    const QString text = line();
    QApplication::clipboard()->setText(text);
    statusBar()->showMessage(tr("Copied: %1").arg(text), 12000);
  } catch (const std::exception& error) {
    showProblem(sentenceOf(error));
  }
}

void MainWindow::copyMeasurement() {
  if (session_.recipe().ofMaps())
    return showProblem(tr("A recipe of steps is not timed as a whole; choose a bank by itself."), Work::Bank,
                       tr("Use a bank by itself"),
                       [this] { findChild<QPushButton*>(QStringLiteral("leaveRecipe"))->click(); });
  if (!session_.picture())
    return showProblem(tr("Open an image first; then there is a command to copy."), Work::Open);
  std::vector<std::string> names;
  for (const Engine* engine : timing_->contenders()) names.push_back(engine->name());
  copyLine([&] {
    Recipe recipe = travellingRecipe(session_.setup(), false);
    for (Stage& stage : recipe.stages) {
      if (isBankText(stage.bank)) stage.bank = fileBank(stage.bank).toStdString();
    }
    return QString::fromStdString(compareCommand(session_.state().imagePath.toStdString(),
                                                 session_.state().page, session_.picture()->info.pages,
                                                 recipe, names, timing_->options()));
  });
}

void MainWindow::exportResponses() {
  const QString folder = QFileDialog::getExistingDirectory(this, tr("Export responses into a folder"));
  if (!folder.isEmpty()) workflow_.exportResponses(folder, false);
}

void MainWindow::connectExport() {
  connect(&workflow_, &Workflow::exported, this, [this](const QString& folder, int files) {
    QString text = (files == 1 ? tr("1 file") : tr("%1 files").arg(files)) + tr(" written to %1").arg(folder);
    const ImageRun& run = *workflow_.lastExport();
    for (const StepReport& step : run.run.steps) {
      if (step.reference)
        text += tr(", checked: largest error %1").arg(shortValueText(step.reference->maxAbsError, 3));
      if (step.baseline) {
        text += tr(", OpenCV differs by at most %1").arg(shortValueText(step.baseline->maxAbsError, 3));
      } else if (!step.baselineReason.empty()) {
        text += tr(", not compared: %1").arg(QString::fromStdString(step.baselineReason));
      }
    }
    if (run.clippedValues > 0) text += tr(", %1 values clipped").arg(run.clippedValues);
    if (run.nonFiniteValues > 0) text += tr(", %1 values not finite").arg(run.nonFiniteValues);
    statusBar()->showMessage(text, 20000);
  });
  connect(&workflow_, &Workflow::wouldReplace, this, [this](const QString& folder, const QString& file) {
    QMessageBox box(QMessageBox::Warning, tr("Export responses"),
                    tr("%1 is there already and holds something else.").arg(file), QMessageBox::Cancel, this);
    box.setObjectName(QStringLiteral("replace"));
    box.setInformativeText(tr("Nothing was written. Replace every file of this export that differs?"));
    const QAbstractButton* replace = box.addButton(tr("Replace"), QMessageBox::AcceptRole);
    box.setDefaultButton(QMessageBox::Cancel);
    box.exec();
    if (box.clickedButton() == replace) workflow_.exportResponses(folder, true);
  });
}

/// The panes as they are, below their titles instead of their fields.
QPixmap MainWindow::panesPicture() const {
  QPixmap picture(canvas_->size() * devicePixelRatioF());
  picture.setDevicePixelRatio(devicePixelRatioF());
  picture.fill(palette().color(QPalette::Window));
  QPainter painter(&picture);
  painter.setPen(palette().color(QPalette::WindowText));
  const bool swiping = session_.state().mode == CanvasMode::Swipe;  // both titles stand in the picture
  for (int i = 0; i < canvas_->visiblePanes(); ++i) {
    ImagePane* pane = canvas_->pane(i);
    const QPoint at = pane->mapTo(canvas_, QPoint());
    painter.drawPixmap(at, pane->grab());
    if (swiping) continue;
    const PlaneKey key = session_.keyOf(session_.state().panes[static_cast<std::size_t>(i)]);
    const QString plane = session_.planeTitle(key);
    const QString title =
        session_.titleOf(key) + (plane.isEmpty() ? QString() : QStringLiteral(" · ") + plane);
    const QRect above(at.x() + 4, at.y() - fontMetrics().height() - 4, pane->width() - 8,
                      fontMetrics().height() + 2);
    painter.drawText(above, Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(title, Qt::ElideRight, above.width()));
  }
  return picture;
}

void MainWindow::savePicture() {
  const QString path = QFileDialog::getSaveFileName(
      this, tr("Save the side-by-side"), QStringLiteral("side-by-side.png"), tr("Pictures (*.png)"));
  if (path.isEmpty()) return;
  if (panesPicture().save(path, "PNG")) {
    showSaved(tr("Saved %1").arg(path));
  } else {
    showUnsaved(tr("%1 cannot be written.").arg(path), [this] { savePicture(); });
  }
}

void MainWindow::saveReport() {
  const auto measurement = timing_->measurement();
  if (!measurement)
    return showProblem(tr("Nothing was measured yet, so there is no report."), Work::Measure, tr("Measure"),
                       [this] { findChild<QAction*>(QStringLiteral("actionMeasure"))->trigger(); });
  const QString path =
      QFileDialog::getSaveFileName(this, tr("Save the timing report"), QStringLiteral("compare.json"),
                                   tr("JSON, every sample (*.json);;CSV (*.csv);;Markdown (*.md)"));
  if (path.isEmpty()) return;
  try {
    const BenchReport& report = measurement->report;
    const QString suffix = QFileInfo(path).suffix().toLower();
    writeFileAtomically(path.toStdString(), suffix == QLatin1String("csv")  ? toCsv(report)
                                            : suffix == QLatin1String("md") ? toMarkdown(report)
                                                                            : toJson(report));
    showSaved(tr("Saved %1").arg(path));
  } catch (const std::exception& error) {
    showUnsaved(sentenceOf(error), [this] { saveReport(); });
  }
}

}  // namespace bankside::window
