/// What a turn of a parameter costs, from the key to the painted pixels of four panes: 1411 x 1411 pixels,
/// twelve filters. A program to be run by hand on a quiet machine: QT_QPA_PLATFORM=offscreen
/// build/bin/window-spin-cost
#include <QApplication>
#include <QDoubleSpinBox>
#include <QEventLoop>
#include <QTest>
#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>

#include "core/imageio/image_io.h"
#include "core/stopwatch.h"
#include "gui/window/canvas/canvas.h"
#include "gui/window/canvas/image_pane.h"
#include "gui/window/shell/main_window.h"
#include "kernels/engines.h"
#include "tests/support/made_images.h"

namespace bankside::window {
namespace {

constexpr int side = 1411;
constexpr int turns = 60;

void waitFor(const std::function<bool()>& there) {
  while (!there()) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
}

double percentile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

class Spin {
 public:
  Spin(Session& session, MainWindow& window)
      : session_(session),
        canvas_(*window.findChild<Canvas*>(QStringLiteral("canvas"))),
        sigma_(*window.findChild<QDoubleSpinBox*>(QStringLiteral("parameter.sigma"))) {}

  void measure(const char* what, std::vector<PaneSpec> panes) {
    session_.setPanes(std::move(panes));
    waitFor([this] { return present(); });
    std::vector<double> toPixels;
    std::vector<double> paints;
    int blank = 0;
    for (int turn = 0; turn < turns; ++turn) {
      const std::int64_t colored = this->colored();
      const std::string before = session_.recipe().stages.front().bank;
      const Clock::time_point start = Clock::now();
      QTest::keyClick(&sigma_, turn % 2 == 0 ? Qt::Key_Up : Qt::Key_Down);
      waitFor([&] {
        for (int pane = 0; pane < mostPanes; ++pane) blank += session_.shown(pane).plane == nullptr;
        return session_.recipe().stages.front().bank != before && present();
      });
      waitFor([&] { return this->colored() > colored; });
      QCoreApplication::sendPostedEvents();
      QCoreApplication::processEvents();
      toPixels.push_back(1e3 * secondsSince(start));
      const Clock::time_point painting = Clock::now();
      canvas_.repaint();
      paints.push_back(1e3 * secondsSince(painting));
    }
    std::printf(
        "%s: key to pixels: median %.1f ms, 95 %% %.1f ms; four panes painted: median %.2f ms, 99 %% "
        "%.2f ms; %d times blank\n",
        what, percentile(toPixels, 0.5), percentile(toPixels, 0.95), percentile(paints, 0.5),
        percentile(paints, 0.99), blank);
  }

 private:
  bool present() const {
    for (int pane = 0; pane < mostPanes; ++pane) {
      if (session_.shown(pane).age != Session::Shown::Age::Present || !session_.shown(pane).plane)
        return false;
    }
    return true;
  }
  std::int64_t colored() const {
    std::int64_t sum = 0;
    for (int pane = 0; pane < mostPanes; ++pane) sum += canvas_.pane(pane)->colored();
    return sum;
  }

  Session& session_;
  Canvas& canvas_;
  QDoubleSpinBox& sigma_;
};

void run() {
  const bankside::testing::TemporaryFolder folder;
  writeImage(folder / "noise.png", bankside::testing::randomImage(1, side, side, ElementType::U8),
             FileFormat::Png);
  std::vector<const Engine*> list;
  for (const auto& engine : engines()) list.push_back(engine.get());
  Session session;
  RunController controller;
  Workflow workflow(session, controller, selectEngine, list);
  MainWindow window(session, workflow, controller);
  window.resize(1366, 768);
  window.show();
  workflow.open(QString::fromStdString((folder / "noise.png").string()));
  waitFor([&] { return session.picture() != nullptr; });
  workflow.chooseBank(QStringLiteral("vessel-matched:sigma=2"));
  waitFor([&] { return session.bank() && session.bank()->size() == 12; });
  Recipe recipe = session.recipe();
  recipe.stages.front().combine = Combine::Max;
  session.setRecipe(recipe);
  Spin spin(session, window);
  spin.measure("input, maximum of twelve, two of them",
               {{Layer::Input}, {Layer::Output, 12}, {Layer::Output, 0}, {Layer::Output, 6}});
  spin.measure("input, one of twelve, OpenCV's, judged difference",
               {{Layer::Input}, {Layer::Output, 0}, {Layer::OpenCv, 0}, {Layer::Difference, 0}});
}

}  // namespace
}  // namespace bankside::window

int main(int argc, char** argv) {
  QApplication application(argc, argv);
  bankside::window::run();
}
