/// What the window takes from a key to the painted pixels of four panes, and for a paint alone: 1411 x 1411
/// pixels, twelve filters; panning and zooming 4096 x 4096 pixels; and what a start takes. Run by hand on a
/// quiet machine:
///   cmake --build build --target window-turns bankside-window
///   QT_QPA_PLATFORM=offscreen taskset -c 0,1 build/bin/window-turns --json turns.json
#include <sys/resource.h>

#include <QApplication>
#include <QDoubleSpinBox>
#include <QEventLoop>
#include <QProcess>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <vector>

#include "core/environment.h"
#include "core/imageio/image_io.h"
#include "core/parallel.h"
#include "core/run/report_values.h"
#include "core/stopwatch.h"
#include "gui/window/canvas/canvas.h"
#include "gui/window/canvas/image_pane.h"
#include "gui/window/shell/main_window.h"
#include "kernels/engines.h"
#include "tests/support/made_images.h"

namespace bankside::window {
namespace {

using Json = nlohmann::ordered_json;

constexpr int turns = 120;
constexpr int moves = 600;
constexpr int starts = 9;

/// Times of everything that a window paints: all its widgets that asked for it since the last time.
class Application : public QApplication {
 public:
  using QApplication::QApplication;
  bool notify(QObject* receiver, QEvent* event) override {
    const auto* widget = event->type() == QEvent::UpdateRequest ? qobject_cast<QWidget*>(receiver) : nullptr;
    if (widget == nullptr || !widget->isWindow()) return QApplication::notify(receiver, event);
    const Clock::time_point start = Clock::now();
    const bool taken = QApplication::notify(receiver, event);
    paints.push_back(1e3 * secondsSince(start));
    return taken;
  }
  std::vector<double> paints;
};

Application& application() { return *static_cast<Application*>(QCoreApplication::instance()); }

void waitFor(const std::function<bool()>& there) {
  while (!there()) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
}

double percentile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

/// The program's window with its session, on an image.
struct Opened {
  Session session;
  RunController controller;
  Workflow workflow;
  MainWindow window;
  Canvas& canvas;

  static std::vector<const Engine*> allEngines() {
    std::vector<const Engine*> list;
    for (const auto& engine : engines()) list.push_back(engine.get());
    return list;
  }
  Opened(QSize size, const std::filesystem::path& image, const char* bank)
      : workflow(session, controller, selectEngine, allEngines()),
        window(session, workflow, controller),
        canvas(*window.findChild<Canvas*>(QStringLiteral("canvas"))) {
    window.resize(size);
    window.show();
    workflow.open(QString::fromStdString(image.string()));
    waitFor([&] { return session.picture() != nullptr; });
    workflow.chooseBank(QLatin1String(bank));
    waitFor([&] { return session.bank() != nullptr && present(); });
  }
  int panes() const { return static_cast<int>(session.state().panes.size()); }
  bool present() const {
    for (int pane = 0; pane < panes(); ++pane) {
      const Session::Shown shown = session.shown(pane);
      if (shown.age != Session::Shown::Age::Present || !shown.plane) return false;
    }
    return true;
  }
  int blank() const {
    int count = 0;
    for (int pane = 0; pane < panes(); ++pane) count += session.shown(pane).plane == nullptr;
    return count;
  }
  std::int64_t colored() const {
    std::int64_t sum = 0;
    for (int pane = 0; pane < panes(); ++pane) sum += canvas.pane(pane)->colored();
    return sum;
  }
  void paintAll() {
    QCoreApplication::sendPostedEvents();
    QCoreApplication::processEvents();
  }
};

void addPaints(Json& row, const std::vector<double>& paints) {
  row["paints"] = paints.size();
  row["paint_ms"] = percentile(paints, 0.5);
  row["paint_99_ms"] = percentile(paints, 0.99);
}

/// Of all threads, the system's share included.
double processorSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Turns sigma back and forth by the keyboard, waiting each time until all panes show the new results.
Json spin(Opened& opened, const char* what, std::vector<PaneSpec> panes) {
  Session& session = opened.session;
  session.setPanes(std::move(panes));
  waitFor([&] { return opened.present(); });
  opened.paintAll();
  auto& sigma = *opened.window.findChild<QDoubleSpinBox*>(QStringLiteral("parameter.sigma"));
  application().paints.clear();
  std::vector<double> first;
  std::vector<double> last;
  int blank = 0;
  const double cpu = processorSeconds();
  for (int turn = 0; turn < turns; ++turn) {
    const std::string before = session.recipe().stages.front().bank;
    const PlanePtr old = session.shown(1).plane;
    const std::int64_t colored = opened.colored();
    double turned = 0;
    const Clock::time_point start = Clock::now();
    QTest::keyClick(&sigma, turn % 2 == 0 ? Qt::Key_Up : Qt::Key_Down);
    waitFor([&] {
      blank += opened.blank();
      if (turned == 0 && session.shown(1).plane != old) {
        opened.paintAll();
        turned = 1e3 * secondsSince(start);
      }
      return session.recipe().stages.front().bank != before && opened.present();
    });
    opened.paintAll();
    if (opened.colored() == colored) throw std::logic_error("nothing was painted");
    last.push_back(1e3 * secondsSince(start));
    first.push_back(turned);
  }
  const double busy = 1e3 * (processorSeconds() - cpu) / turns;
  Json row = {{"what", what},
              {"turns", turns},
              {"processor_ms", busy},
              {"first_ms", percentile(first, 0.5)},
              {"all_ms", percentile(last, 0.5)},
              {"all_95_ms", percentile(last, 0.95)},
              {"blank", blank}};
  addPaints(row, application().paints);
  return row;
}

/// Along a path of zooms and pans, every step painted.
Json move(Opened& opened, const char* what, int side) {
  opened.paintAll();
  application().paints.clear();
  for (int i = 0; i < moves; ++i) {
    const double t = static_cast<double>(i) / moves * 6.283185;
    opened.session.setView({false, std::pow(2.0, -2.5 + 6.5 * (0.5 - 0.5 * std::cos(t))),
                            side * (0.5 + 0.37 * std::sin(2 * t)), side * (0.5 + 0.37 * std::cos(3 * t))});
    opened.paintAll();
  }
  Json row = {{"what", what}};
  addPaints(row, application().paints);
  return row;
}

/// The program with its libraries up to its answer, and a window up to its first picture with a bank.
Json start(const std::filesystem::path& image) {
  std::vector<double> loading;
  std::vector<double> showing;
  for (int i = 0; i < starts; ++i) {
    Clock::time_point from = Clock::now();
    QProcess program;
    program.start(QCoreApplication::applicationDirPath() + QStringLiteral("/bankside-window"),
                  {QStringLiteral("--version")});
    program.waitForFinished();
    loading.push_back(1e3 * secondsSince(from));
    from = Clock::now();
    const Opened opened({1366, 768}, image, "sobel");
    showing.push_back(1e3 * secondsSince(from));
  }
  return {{"what", "start"},
          {"libraries_ms", percentile(loading, 0.5)},
          {"first_picture_ms", percentile(showing, 0.5)}};
}

double residentMiB() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

Json measure() {
  const bankside::testing::TemporaryFolder folder;
  const std::filesystem::path medium = folder / "noise.png";
  const std::filesystem::path large = folder / "large.png";
  writeImage(medium, bankside::testing::randomImage(1, 1411, 1411, ElementType::U8), FileFormat::Png);
  writeImage(large, bankside::testing::randomImage(1, 4096, 4096, ElementType::U16), FileFormat::Png);
  Json rows = Json::array();
  rows.push_back(start(medium));
  {
    Opened opened({1366, 768}, medium, "vessel-matched:sigma=2");
    Recipe recipe = opened.session.recipe();
    recipe.stages.front().combine = Combine::Max;
    opened.session.setRecipe(recipe);
    rows.push_back(spin(opened, "input, maximum of twelve, two of them",
                        {{Layer::Input}, {Layer::Output, 12}, {Layer::Output, 0}, {Layer::Output, 6}}));
    rows.push_back(spin(opened, "input, one of twelve, OpenCV's, judged difference",
                        {{Layer::Input}, {Layer::Output, 0}, {Layer::OpenCv, 0}, {Layer::Difference, 0}}));
    rows.push_back(move(opened, "four panes of 1411 x 1411", 1411));
    rows.back()["resident_mib"] = residentMiB();
  }
  Opened opened({1920, 1080}, large, "vessel-matched");
  opened.session.setPanes({{Layer::Input}, {Layer::Output, 0}});
  waitFor([&] { return opened.present(); });
  rows.push_back(move(opened, "two panes of 4096 x 4096 u16", 4096));
  rows.back()["resident_mib"] = residentMiB();
  return rows;
}

}  // namespace
}  // namespace bankside::window

int main(int argc, char** argv) {
  bankside::window::Application application(argc, argv);
  const QStringList given = QCoreApplication::arguments();
  if (given.size() != 3 || given[1] != QStringLiteral("--json")) {
    std::fprintf(stderr, "window-turns --json FILE\n");
    return 2;
  }
  bankside::window::Json report;
  report["bankside"] = "window-turns";
  report["schema_version"] = 2;
  report["environment"] = bankside::toJsonValue(bankside::currentEnvironment());
  report["environment"]["threads"] = bankside::availableThreads();
  report["command"] = "QT_QPA_PLATFORM=offscreen taskset -c 0,1 build/bin/window-turns --json turns.json";
  report["rows"] = bankside::window::measure();
  std::ofstream(given[2].toStdString()) << report.dump(1) << "\n";
  for (const auto& row : report["rows"]) std::printf("%s\n", row.dump().c_str());
}
