/// Pictures of the main states, as in assets/screenshots (`PictureFolder` says how to ask for them). They are
/// looked at by people; what they show is tested elsewhere.
#include <gtest/gtest.h>

#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QSlider>
#include <QSplitter>
#include <QTabWidget>
#include <QTimer>
#include <optional>

#include "gui/window/canvas/image_pane.h"
#include "gui/window/session/pane_comparison.h"
#include "gui/window/session/truth.h"
#include "gui/window/shell/appearance.h"
#include "kernels/highway/limits.h"
#include "tests/gui/window/picture_folder.h"
#include "tests/gui/window/window_fixture.h"

namespace bankside::window {
namespace {

using bankside::testing::PictureFolder;

class Screenshots : public bankside::testing::WindowFixture {
 protected:
  void SetUp() override {
    if (!PictureFolder::wanted()) GTEST_SKIP() << "asked for with BANKSIDE_SCREENSHOTS=FOLDER";
    pictures_.emplace();
    usual_ = pictures_->usual();
    small_ = pictures_->small();
    workflow_->setMachine([](int threads) { return measureLimits({.threads = threads, .seconds = 0.1}); });
    window_->resize(PictureFolder::sized() ? small_ : QSize(1500, 950));
  }
  void openRetina() {
    Recipe recipe = session_->recipe();
    recipe.channel = ChannelChoice::Green;
    session_->setRecipe(recipe);
    window_->openPath(QStringLiteral(BANKSIDE_ASSETS "/images/retina.jpg"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return session_->picture() != nullptr; }, 60000));
    ASSERT_TRUE(chooseBank(QStringLiteral("vessel-matched")));
    ASSERT_TRUE(settled());
  }
  void keep(const std::string& name, QWidget* widget = nullptr) {
    const auto* comparison = window_->findChild<PaneComparison*>();
    EXPECT_TRUE(QTest::qWaitFor([&] { return !comparison->busy(); }, 60000)) << name;
    pictures_->keep(name, widget != nullptr ? widget : window_.get());
  }
  std::vector<QSize> sizes(std::vector<QSize> usual) const {
    return PictureFolder::sized() ? std::vector<QSize>{small_} : usual;
  }
  void raise(const char* dock) { find<QDockWidget>(dock)->raise(); }
  void measure() {
    find<QComboBox>("measureEffort")->setCurrentIndex(0);
    trigger("actionMeasure");
    ASSERT_TRUE(QTest::qWaitFor([&] { return workflow_->measurement() != nullptr; }, 120000));
    ASSERT_TRUE(settled());
  }
  std::optional<PictureFolder> pictures_;
  Appearance usual_ = Appearance::Light;
  QSize small_;
};

TEST_F(Screenshots, OfEveryMainState) {
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  keep("empty");
  openRetina();
  trigger("actionPanes4");
  session_->setPixel(QPoint(712, 841));
  ASSERT_TRUE(settled());
  measure();
  keep("side-by-side");
  applyAppearance(Appearance::Dark);
  keep("side-by-side-dark");
  applyAppearance(usual_);

  Recipe recipe = session_->recipe();
  recipe.stages.front().combine = Combine::Max;
  session_->setRecipe(recipe);
  session_->selectPlane(session_->responseCount());
  trigger("actionPanes2");
  trigger("actionRegionFieldOfView");
  ASSERT_TRUE(settled());
  raise("settingsDock");
  raise("regionDock");
  raise("folderDock");
  keep("field-of-view");
  trigger("actionSwipe");
  ASSERT_TRUE(settled());
  raise("levelsDock");
  keep("swipe");
  trigger("actionRegionWhole");

  trigger("actionPanes4");
  session_->selectPlane(2);
  session_->setView({false, 56, 712, 841});
  ASSERT_TRUE(settled());
  raise("pixelDock");
  raise("bankDock");
  find<QTabWidget>("bankTabs")->setCurrentIndex(1);
  keep("explain-and-edit");
  const QSize large = window_->size();
  window_->resize(small_);
  keep("small-edit");
  window_->resize(large);
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  workflow_->chooseSecondBank(QStringLiteral("gaussian:sigma=2,size=7"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->secondBank() != nullptr; }, 60000));
  raise("settingsDock");
  ASSERT_TRUE(settled());
  keep("two-banks");
  workflow_->chooseSecondBank({});
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->secondBank() == nullptr; }, 60000));
  ASSERT_TRUE(settled());
  ASSERT_TRUE(chooseBank(QStringLiteral("vessel-gabor")));
  ASSERT_TRUE(settled());
  raise("analysisDock");
  keep("analysis");
  window_->showProblem(QStringLiteral("lost.tif: the file ends in the middle of row 311"));
  keep("problem");
  for (const char* dialog : {"actionPalette", "actionAbout"}) {
    QTimer::singleShot(200, [&] {
      QWidget* shown = QApplication::activeModalWidget();
      ASSERT_NE(shown, nullptr);
      keep(dialog, shown);
      shown->close();
    });
    trigger(dialog);
  }
  applyAppearance(usual_);
}

TEST_F(Screenshots, AgainstOneAnother) {
  for (const QSize size : sizes({{1024, 700}, {1366, 768}})) {
    const std::string name = std::to_string(size.width());
    makeWindow();
    window_->resize(size);
    keep("start-" + name);
    openRetina();
    trigger("actionKeep");
    ASSERT_TRUE(chooseBank(QStringLiteral("vessel-gabor")));
    session_->setPane(0, {Layer::Kept, 1});
    trigger("actionRegionFieldOfView");
    ASSERT_TRUE(settled());
    raise("compareDock");
    QTest::qWait(3000);
    keep("compare-" + name);
    trigger("actionSwipe");
    trigger("actionKeep");
    ASSERT_TRUE(settled());
    raise("historyDock");
    keep("history-" + name);
    raise("levelsDock");
    keep("levels-" + name);
    trigger("actionSwipe");
    trigger("actionPanes4");
    ASSERT_TRUE(settled());
    raise("compareDock");
    keep("four-" + name);
  }
  QTimer::singleShot(200, [&] {
    QWidget* shown = QApplication::activeModalWidget();
    ASSERT_NE(shown, nullptr);
    QTest::keyClicks(shown->focusWidget(), QStringLiteral("sigma"));
    keep("palette", shown);
    shown->close();
  });
  trigger("actionPalette");
}

TEST_F(Screenshots, SmallWindow) {
  window_->resize(small_);
  keep("small-welcome");
  window_->showSample();
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->picture() && session_->recipe().ofMaps(); }, 60000));
  ASSERT_TRUE(settled());
  keep("small-sample");
  session_->setScale(0);
  ASSERT_TRUE(settled());
  keep("small-scale");
  ASSERT_TRUE(chooseBank(QStringLiteral("vessel-matched")));
  trigger("actionPanes4");
  session_->setPixel(QPoint(712, 841));
  ASSERT_TRUE(settled());
  raise("pixelDock");
  keep("small-bank");
  applyAppearance(Appearance::Dark);
  keep("small-bank-dark");
  applyAppearance(usual_);
  session_->setView({false, 48, 712, 841});
  keep("small-explain");
  session_->setView({});
  session_->setPixel({});
  Recipe strongest = session_->recipe();
  strongest.stages.front().combine = Combine::Max;
  session_->setRecipe(strongest);
  session_->selectPlane(session_->responseCount());
  trigger("actionPanes2");
  trigger("actionRegionFieldOfView");
  ASSERT_TRUE(settled());
  raise("regionDock");
  keep("small-region");
  trigger("actionRegionWhole");
  trigger("actionPanes4");
  ASSERT_TRUE(settled());
  raise("settingsDock");
  raise("regionDock");
  keep("small-filtering");
  raise("exportDock");
  raise("levelsDock");
  keep("small-export");
  trigger("actionPanes2");
  measure();
  keep("small-timings");
  Recipe recipe = session_->recipe();
  recipe.channel = ChannelChoice::Green;
  session_->setRecipe(recipe);
  window_->openPath(QStringLiteral(BANKSIDE_ASSETS "/images/grain.png"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->picture()->info.channels == 1; }, 60000));
  ASSERT_TRUE(settled());
  keep("small-grey");
  window_->openPath(QStringLiteral("/no/such.png"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return !banner().isEmpty(); }, 60000));
  keep("small-problem");
}

TEST_F(Screenshots, ColourAndPages) {
  window_->resize(small_);
  openRetina();
  Recipe recipe = session_->recipe();
  recipe.stages.front().combine = Combine::Max;
  session_->setRecipe(recipe);
  trigger("actionColors");
  ASSERT_TRUE(settled());
  raise("levelsDock");
  keep("colour");
  LevelSetting setting = session_->levels(LevelGroup::Response);
  setting.map = ColorMap::Viridis;
  session_->setLevels(LevelGroup::Response, setting);
  session_->setOverlay(0.8);
  ASSERT_TRUE(settled());
  keep("colour-overlay");
  applyAppearance(Appearance::Dark);
  session_->setView({false, 48, 712, 841});
  keep("colour-values-dark");
  applyAppearance(usual_);
  session_->setOverlay(0);
  session_->setView({});
  window_->openPath(QStringLiteral(BANKSIDE_ASSETS "/images/phantom.png"));
  ASSERT_TRUE(QTest::qWaitFor(
      [&] { return session_->state().imagePath.endsWith(QLatin1String("phantom.png")); }, 60000));
  ASSERT_TRUE(settled());
  auto* truth = window_->findChild<Truth*>();
  session_->setTruth({QStringLiteral(BANKSIDE_ASSETS "/images/phantom_vessels.png"), {}, true, 0.6});
  ASSERT_TRUE(QTest::qWaitFor([&] { return truth->curve() && !truth->busy(); }, 60000));
  raise("truthDock");
  keep("colour-truth");
}

TEST_F(Screenshots, PagesAndBranches) {
  window_->resize(small_);
  ASSERT_TRUE(chooseBank(QStringLiteral("gaussian:sigma=2")));
  bankside::testing::writePages(folder_ / "stack.tif");
  window_->openPath(QString::fromStdString((folder_ / "stack.tif").string()));
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->picture() != nullptr; }, 60000))
      << banner().toStdString();
  ASSERT_TRUE(settled());
  keep("pages");
  trigger("actionNextPage");
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->state().page == 1; }, 60000));
  applyAppearance(Appearance::Dark);
  ASSERT_TRUE(settled());
  keep("pages-dark");
  applyAppearance(usual_);
  for (const QSize size : sizes({{1024, 700}, {1366, 768}, {1600, 1000}})) {
    const std::string name = std::to_string(size.width());
    makeWindow();
    window_->resize(size);
    openRetina();
    trigger("actionPanes4");
    session_->setPanes({{Layer::Input}, {Layer::Output}, {Layer::Output}, {Layer::Output}});
    ASSERT_TRUE(settled());
    session_->keepRecipe(2, true);
    ASSERT_TRUE(chooseBank(QStringLiteral("vessel-gabor")));
    session_->keepRecipe(3, true);
    ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
    ASSERT_TRUE(settled());
    raise("compareDock");
    keep("branches-" + name);
    auto* menu = find<QMenu>("keepMenu2");
    menu->popup(QPoint(0, 0));
    keep("branches-menu-" + name, menu);
    menu->close();
  }
}

}  // namespace
}  // namespace bankside::window
