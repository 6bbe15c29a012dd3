#include <QApplication>
#include <QCommandLineParser>
#include <QFileInfo>
#include <QJsonObject>
#include <QTimer>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "core/environment.h"
#include "core/log.h"
#include "core/own_threads.h"
#include "core/printable.h"
#include "core/process.h"
#include "gui/window/compute/assets.h"
#include "gui/window/session/history.h"
#include "gui/window/session/session_file.h"
#include "gui/window/shell/appearance.h"
#include "gui/window/shell/main_window.h"
#include "kernels/cuda/tuning/device_bench.h"
#include "kernels/engines.h"
#include "kernels/highway/limits.h"

namespace bankside::window {
namespace {

/// What Qt said while it began.
QStringList& said() {
  static QStringList texts;
  return texts;
}

/// Qt ends a program that it cannot begin by a signal.
void endWithSentence(QtMsgType type, const QMessageLogContext& /*context*/, const QString& text) {
  said().append(text);
  if (type != QtFatalMsg) return;
  const auto none = [](const char* name) { return qEnvironmentVariableIsEmpty(name); };
  if (none("DISPLAY") && none("WAYLAND_DISPLAY") && none("QT_QPA_PLATFORM")) {
    std::fputs(
        "bankside-window: error: there is no display to open a window on; bankside --help says what goes "
        "without\n",
        stderr);
  } else {
    for (const QString& line : said())
      std::fprintf(stderr, "bankside-window: %s\n", printable(line.toStdString()).c_str());
    std::fputs("bankside-window: error: the window cannot be opened\n", stderr);
  }
  std::_Exit(2);
}

}  // namespace
}  // namespace bankside::window

int main(int argc, char** argv) {
  using namespace bankside;
  using namespace bankside::window;
  keepStandardStreams();
  raiseOpenFileLimit();
  countThreads();
  QCoreApplication::setApplicationName(QStringLiteral("bankside"));
  QCoreApplication::setApplicationVersion(QString::fromStdString(versionText()));
  QCommandLineParser arguments;
  arguments.setApplicationDescription(
      QStringLiteral("Filter banks over images, side by side with OpenCV's filter2D."));
  arguments.addHelpOption();
  arguments.addVersionOption();
  arguments.addPositionalArgument(QStringLiteral("IMAGE"),
                                  QStringLiteral("Images, to be seen side by side, a folder of them, a bank "
                                                 "or a recipe"),
                                  QStringLiteral("[IMAGE...]"));
  const QCommandLineOption bank({QStringLiteral("b"), QStringLiteral("bank")},
                                QStringLiteral("Catalogue bank with parameters, or a bank file."),
                                QStringLiteral("NAME|FILE"));
  const QCommandLineOption fresh(QStringLiteral("new"), QStringLiteral("Start without the last session."));
  const QCommandLineOption appearance(QStringLiteral("appearance"), QStringLiteral("system, light or dark."),
                                      QStringLiteral("COLOURS"));
  arguments.addOptions({bank, fresh, appearance});
  // Help needs no display.
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const bool help = word == "--help" || word == "-h" || word == "--help-all";
    if (!help && word != "--version" && word != "-v") continue;
    int program = 1;
    const QCoreApplication withoutDisplay(program, argv);
    if (help) arguments.showHelp();
    arguments.showVersion();
  }
  qInstallMessageHandler(endWithSentence);
  QApplication application(argc, argv);
  qInstallMessageHandler(nullptr);
  for (const QString& line : said()) qWarning("%s", qUtf8Printable(line));
  QApplication::setApplicationDisplayName(QStringLiteral("Bankside"));
  arguments.process(application);
  setLogSink([](LogLevel, const std::string& sentence) {
    std::fprintf(stderr, "bankside-window: %s\n", printable(sentence).c_str());
  });

  const bool first = arguments.isSet(fresh) || !QFileInfo::exists(sessionFile());
  SavedSession saved = first ? SavedSession() : loadSession(sessionFile());
  const QStringList given = arguments.positionalArguments();
  if (arguments.isSet(bank)) {
    // The session outlives the folder that a file is named from.
    const QFileInfo file(arguments.value(bank));
    const QString spec = file.isFile() ? file.absoluteFilePath() : arguments.value(bank);
    if (saved.state.recipe.ofMaps()) saved.state.recipe = SessionState().recipe;
    saved.state.recipe.stages.front().bank = spec.toStdString();
  }

  std::vector<const Engine*> list;
  for (const auto& engine : engines()) list.push_back(engine.get());
  applyAppearance(
      parseAppearance(arguments.isSet(appearance) ? arguments.value(appearance) : saved.appearance));
  Session session;
  RunController controller;
  Workflow workflow(session, controller, selectEngine, list);
  workflow.setMachine([](int threads) { return measureLimits({.threads = threads, .seconds = 0.1}); });
  workflow.setDevice([]() -> std::optional<MachineLimits> {
    if (!deviceBenchAvailable()) return std::nullopt;
    BenchReport report;
    measureDevice(report);
    return report.limits.front();
  });
  MainWindow window(session, workflow, controller);
  session.restore(saved.state);
  window.restoreLayout(saved.geometry, saved.docks);
  window.show();
  // Who has nothing yet sees what the program is for.
  const bool sample = first && given.isEmpty() && !arguments.isSet(bank) &&
                      !assetFile(QStringLiteral("images/retina.jpg")).isEmpty();
  if (!sample) workflow.openRecipe(saved.state.recipe, QStringLiteral("sobel"));
  if (sample) {
    window.showSample();
  } else if (!given.isEmpty()) {
    window.openPaths(given);
  } else if (!saved.state.imagePath.isEmpty()) {
    workflow.open(saved.state.imagePath, saved.state.page);
  }
  window.history().awaitStart(controller);

  const auto save = [&] {
    saveSession(sessionFile(), {window.stateToKeep(), window.saveGeometry(), window.saveState(),
                                toString(currentAppearance())});
  };
  // Who is logged out, or loses power, is not asked to close: now and then what changed is kept.
  QTimer now;
  QJsonObject kept;
  QObject::connect(&now, &QTimer::timeout, &window, [&] {
    QJsonObject state = toJson(window.stateToKeep());
    if (state == kept) return;
    save();
    kept = std::move(state);
  });
  now.start(5000);
  const int code = QApplication::exec();
  save();
  return code;
}
