/// Sessions of a person who does anything: clicks, keys, files good and broken, cancels, undoes, closes.
/// BANKSIDE_SESSIONS says how many, BANKSIDE_FIRST_SESSION the number that the first one is seeded with.
#include <QAction>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QJsonObject>
#include <QListWidget>
#include <QMimeData>
#include <QProcess>
#include <QPushButton>
#include <QSlider>
#include <cstdlib>
#include <fstream>
#include <random>

#include "gui/window/canvas/image_pane.h"
#include "gui/window/session/history.h"
#include "gui/window/session/pane_comparison.h"
#include "gui/window/session/pane_message.h"
#include "gui/window/session/travelling_recipe.h"
#include "tests/gui/window/window_fixture.h"

namespace bankside::window {
namespace {

using bankside::testing::bytesOf;
using bankside::testing::randomImage;
using bankside::testing::WindowFixture;

unsigned fromEnvironment(const char* name, unsigned otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? static_cast<unsigned>(std::atoi(text)) : otherwise;
}

class RandomSessions : public WindowFixture {
 protected:
  void SetUp() override {
    writeImage(folder_ / "grey.png", randomImage(1, 60, 80, ElementType::U8), FileFormat::Png);
    writeImage(folder_ / "colour.png", randomImage(3, 50, 70, ElementType::U8), FileFormat::Png);
    writeImage(folder_ / "deep.tif", randomImage(1, 40, 90, ElementType::U16), FileFormat::Tiff);
    writeImage(folder_ / "float.tif", randomImage(1, 30, 30, ElementType::F32), FileFormat::Tiff);
    writeImage(folder_ / "one.png", randomImage(1, 1, 1, ElementType::U8), FileFormat::Png);
    const std::string good = bytesOf(folder_ / "colour.png");
    std::ofstream(folder_ / "half.png", std::ios::binary) << good.substr(0, good.size() / 2);
    std::ofstream(folder_ / "empty.png");
    std::ofstream(folder_ / "words.json") << "{\"bankside\": \"recipe\", \"version\": 9}";
    std::ofstream(folder_ / "steps.json") << R"({"bankside": "recipe", "version": 4, "title": "edges",
      "steps": [{"do": "unit"}, {"name": "edges", "bank": "sobel", "combine": ["magnitude"]}]})";
    std::ofstream(folder_ / "two.json") << R"({"bankside": "recipe", "version": 2,
      "stages": [{"bank": "sobel", "combine": ["magnitude"]}, {"bank": "gaussian:sigma=1.5"}]})";
  }
  int below(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
  template <class List>
  auto any(const List& list) {
    return list[static_cast<std::size_t>(below(static_cast<int>(std::size(list))))];
  }
  QString anyFile() {
    static const char* const names[] = {"grey.png",   "colour.png", "deep.tif",  "float.tif",
                                        "one.png",    "half.png",   "empty.png", "gone.png",
                                        "words.json", "steps.json", "two.json"};
    return QString::fromStdString((folder_ / any(names)).string());
  }
  void act();
  void point();
  void turn();
  void compare();
  void dropFiles();
  void endsWell();
  void undoesToTheStart();
  void replays();
  QJsonObject state() {
    QJsonObject json = toJson(session_->state());
    for (const char* key : {"recent", "zoom", "centerX", "centerY", "fit", "pixel", "swipe"})
      json.remove(QLatin1String(key));
    return json;
  }
  /// Nothing says that it computes where nothing does.
  void nobodyWaitsForNothing() {
    ASSERT_TRUE(QTest::qWaitFor([&] { return !controller_->busy(); }, 120000));
    QTest::qWait(1);
    if (controller_->busy()) return;
    for (const PaneSpec& pane : session_->state().panes) {
      const PaneMessage message = messageFor(*session_, session_->keyOf(pane));
      EXPECT_FALSE(message.pending) << toString(pane.layer) << " " << message.text.toStdString();
    }
    auto* comparison = window_->findChild<PaneComparison*>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !comparison->busy(); }, 120000));
    EXPECT_FALSE(comparison->sentence().endsWith(QStringLiteral("…")))
        << comparison->sentence().toStdString();
  }

  std::mt19937 random_;
  QJsonObject start_;
  std::shared_ptr<const FilterBank> startBank_;
};

void RandomSessions::point() {
  auto* pane = find<Canvas>("canvas")->pane(below(find<Canvas>("canvas")->visiblePanes()));
  const QPoint at(below(500), below(400));
  static const Qt::Key keys[] = {Qt::Key_Left,  Qt::Key_Right,    Qt::Key_Up,     Qt::Key_Plus,
                                 Qt::Key_Minus, Qt::Key_Home,     Qt::Key_Tab,    Qt::Key_Space,
                                 Qt::Key_F8,    Qt::Key_PageDown, Qt::Key_PageUp, Qt::Key_Escape};
  switch (below(4)) {
    case 0: QTest::keyClick(pane, any(keys)); break;
    case 1: QTest::mouseClick(pane, Qt::LeftButton, {}, at); break;
    case 2: QTest::mouseDClick(pane, below(2) == 0 ? Qt::LeftButton : Qt::MiddleButton, {}, at); break;
    default:
      QTest::mousePress(pane, Qt::LeftButton, below(2) == 0 ? Qt::ShiftModifier : Qt::NoModifier, at);
      QTest::mouseMove(pane, at + QPoint(below(90), 30));
      QTest::mouseRelease(pane, Qt::LeftButton, {}, at + QPoint(20, 30));
  }
}

void RandomSessions::turn() {
  static const char* const boxes[] = {"channel",    "combine",    "paneLayer0",
                                      "panePlane0", "levelGroup", "colorMap"};
  switch (below(4)) {
    case 0: {
      auto* box = find<QComboBox>(any(boxes));
      QTest::keyClick(box, below(2) == 0 ? Qt::Key_Down : Qt::Key_Up);
      break;
    }
    case 1: {
      const auto spins = window_->findChildren<QDoubleSpinBox*>();
      if (spins.isEmpty()) break;
      auto* spin = spins[below(static_cast<int>(spins.size()))];
      if (!spin->isEnabled()) break;
      for (int i = 0; i < 3; ++i) QTest::keyClick(spin, Qt::Key_Up);
      break;
    }
    case 2: {
      if (below(2) == 0) trigger("actionColors");
      QTest::keyClick(find<QSlider>("overlayOpacity"), below(3) == 0 ? Qt::Key_Home : Qt::Key_Right);
      break;
    }
    default: {
      if (!session_->bank()) break;
      std::vector<Filter> filters = session_->bank()->filters();
      filters[0].taps[0] = static_cast<float>(below(9)) - 4;
      BankInfo info = session_->bank()->info();
      info.name.clear();
      session_->setBank(FilterBank(info, filters), {}, true);
    }
  }
}

void RandomSessions::compare() {
  static const char* const buttons[] = {"keptShow", "keptAgain", "keptForget"};
  if (below(4) == 0) session_->keepResult(below(4));
  const char* name = any(buttons);
  auto* button = find<QAbstractButton>(name);
  if (button->isEnabled()) button->click();
  if (below(3) == 0) session_->setCompared(below(4), below(4));
  if (below(3) != 0) return;
  const int pane = below(static_cast<int>(session_->state().panes.size()));
  switch (below(4)) {
    case 0: session_->keepRecipe(pane, below(3) != 0); break;
    case 1: session_->keepPicture(pane, below(3) != 0); break;
    case 2: session_->editBranch(pane); break;
    default: {
      auto panes = session_->state().panes;
      panes[static_cast<std::size_t>(pane)].branch.imagePath = anyFile();
      session_->setPanes(std::move(panes));
    }
  }
}

void RandomSessions::dropFiles() {
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(anyFile()), QUrl::fromLocalFile(anyFile())});
  drop(data);
}

void RandomSessions::act() {
  static const char* const commands[] = {"actionPanes1",       "actionPanes2",      "actionPanes3",
                                         "actionPanes4",       "actionSwipe",       "actionFit",
                                         "actionFullSize",     "actionZoomIn",      "actionBlink",
                                         "actionKeep",         "actionNextFilter",  "actionPreviousFilter",
                                         "actionRegionWhole",  "actionReload",      "actionRegionFieldOfView",
                                         "actionNextPage",     "actionCopyCommand", "actionNextImage",
                                         "actionRegionEllipse"};
  static const char* const banks[] = {"sobel",          "gaussian:sigma=2", "kirsch",
                                      "vessel-matched", "gaussian:size=31", "no-such-bank",
                                      "laplacian"};
  switch (below(12)) {
    case 0: window_->openPath(anyFile()); break;
    case 1: workflow_->chooseBank(QLatin1String(any(banks))); break;
    case 2: dropFiles(); break;
    case 3: trigger("actionUndo"); break;
    case 4: trigger(below(2) == 0 ? "actionRedo" : "actionUndo"); break;
    case 5: compare(); break;
    case 6: turn(); break;
    case 7:
      trigger("actionCancel");
      nobodyWaitsForNothing();
      break;
    case 8:
    case 9: trigger(any(commands)); break;
    default: point();
  }
  if (below(3) == 0) QTest::qWait(1);
  if (below(10) == 0) window_->grab();
}

void RandomSessions::endsWell() {
  nobodyWaitsForNothing();
  workflow_->compute();  // what was cancelled stays cancelled until somebody asks
  ASSERT_TRUE(settled()) << banner().toStdString();
  window_->grab();
  nobodyWaitsForNothing();
}

void RandomSessions::undoesToTheStart() {
  History& history = window_->history();
  history.endAction();
  while (history.canUndo()) {
    const int to = history.present() - 1;
    trigger("actionUndo");
    ASSERT_TRUE(QTest::qWaitFor([&] { return history.present() == to; }, 60000)) << banner().toStdString();
  }
  QTest::qWait(1);
  EXPECT_EQ(state(), start_);
  EXPECT_EQ(session_->bank(), startBank_);
  const int last = static_cast<int>(history.steps().size()) - 1;
  if (last == 0) return;
  history.goTo(last);
  ASSERT_TRUE(QTest::qWaitFor([&] { return history.present() == last; }, 60000)) << banner().toStdString();
}

void RandomSessions::replays() {
  ASSERT_TRUE(settled());
  if (!session_->picture() || session_->planes().empty() || !session_->channelError().isEmpty() ||
      session_->scaleMissing())
    return;
  const std::filesystem::path recipe = folder_ / "recorded.json";
  std::ofstream(recipe) << travellingText(session_->setup(), {});
  std::filesystem::remove_all(folder_ / "window");
  std::filesystem::remove_all(folder_ / "headless");
  int files = 0;
  const auto listening = QObject::connect(workflow_.get(), &Workflow::exported, workflow_.get(),
                                          [&](const QString&, int count) { files = count; });
  workflow_->exportResponses(QString::fromStdString((folder_ / "window").string()), false);
  QTest::qWait(1);
  ASSERT_TRUE(QTest::qWaitFor([&] { return !controller_->busy(); }, 60000));
  QObject::disconnect(listening);
  ASSERT_GT(files, 0) << banner().toStdString() << writeRecipe(session_->recipe());
  QStringList line = {QStringLiteral("filter"),   session_->state().imagePath,
                      QStringLiteral("--recipe"), QString::fromStdString(recipe.string()),
                      QStringLiteral("--output"), QString::fromStdString((folder_ / "headless").string())};
  if (session_->asksForScale())
    line << QStringLiteral("--scale") << QString::number(session_->state().pixelsPerDegree);
  QProcess headless;
  headless.start(QStringLiteral(BANKSIDE_PROGRAM), line);
  ASSERT_TRUE(headless.waitForFinished(120000));
  ASSERT_EQ(headless.exitCode(), 0) << headless.readAllStandardError().toStdString();
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "window")) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".region.png")) continue;  // what was looked at, no result
    EXPECT_TRUE(bytesOf(entry.path()) == bytesOf(folder_ / "headless" / name)) << name;
  }
}

TEST_F(RandomSessions, NothingCrashesHangsOrLiesAndEverythingIsUndoneAndReplayed) {
  const unsigned first = fromEnvironment("BANKSIDE_FIRST_SESSION", 1);
  const unsigned sessions = fromEnvironment("BANKSIDE_SESSIONS", 20);
  for (unsigned number = first; number < first + sessions; ++number) {
    SCOPED_TRACE(::testing::Message() << "BANKSIDE_FIRST_SESSION=" << number << " BANKSIDE_SESSIONS=1");
    random_.seed(number);
    makeWindow();  // the one before is closed in whatever it does
    if (below(4) != 0) {
      window_->openPath(QString::fromStdString((folder_ / "grey.png").string()));
      ASSERT_TRUE(QTest::qWaitFor([&] { return session_->picture() != nullptr; }, 60000));
      ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
    }
    window_->history().restart();
    start_ = state();
    startBank_ = session_->bank();
    const int actions = 10 + below(30);
    for (int i = 0; i < actions && !HasFatalFailure(); ++i) act();
    if (below(5) == 0) continue;  // closed in the middle
    endsWell();
    if (HasFatalFailure()) return;
    undoesToTheStart();
    if (HasFatalFailure()) return;
    replays();
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace bankside::window
