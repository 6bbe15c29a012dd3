/// A against B: results that are kept, looked at and measured beside others.
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <atomic>
#include <cmath>
#include <thread>

#include "gui/window/canvas/image_pane.h"
#include "gui/window/session/pane_comparison.h"
#include "tests/gui/window/window_fixture.h"

namespace bankside::window {
namespace {

using bankside::testing::integerImage;
using bankside::testing::randomImage;
using bankside::testing::WindowFixture;

PlanePtr planeOf(const Image& image) { return makePlane(std::make_shared<const Image>(image.clone()), 0); }

Image filled(int height, int width, float value) {
  Image image(1, height, width, ElementType::F32);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) image.view<float>(0).at(x, y) = value;
  }
  return image;
}

TEST(PlaneMetrics, AreWhatTheirFormulasSay) {
  Image a = filled(20, 30, 4);
  a.view<float>(0).at(0, 0) = 14;
  Image b = a.clone();
  b.view<float>(0).at(7, 3) = 1;
  const PlaneMetrics metrics = comparePlanes(*planeOf(a), *planeOf(b), nullptr);
  EXPECT_EQ(metrics.pixels, 600);
  EXPECT_EQ(metrics.equal, 599);
  EXPECT_FLOAT_EQ(metrics.largest, 3);
  EXPECT_EQ(metrics.x, 7);
  EXPECT_EQ(metrics.y, 3);
  const double rmse = 3 / std::sqrt(600.0);
  EXPECT_NEAR(metrics.rootMeanSquare, rmse, 1e-12);
  EXPECT_NEAR(*metrics.share, rmse / std::sqrt((599 * 16 + 14 * 14) / 600.0), 1e-12);
  EXPECT_EQ(metrics.peak, 10);
  EXPECT_NEAR(*metrics.psnr, 20 * std::log10(10 / rmse), 1e-9);
  EXPECT_LT(*metrics.ssim, 1);

  // Of planes that are even everywhere SSIM is its first factor alone.
  Image low = filled(15, 15, 100);
  Image high = filled(15, 15, 110);
  low.view<float>(0).at(0, 0) = 99;  // outside of the windows of the one pixel that is looked at
  Image mask(1, 15, 15, ElementType::U8);
  for (int y = 0; y < 15; ++y) {
    for (int x = 0; x < 15; ++x)
      mask.view<std::uint8_t>(0).at(x, y) = (x == 0 && y == 0) || (x == 9 && y == 9);
  }
  const PlaneMetrics even = comparePlanes(*planeOf(low), *planeOf(high), &mask);
  EXPECT_EQ(even.pixels, 2);
  EXPECT_EQ(even.peak, 1);
  EXPECT_NEAR(*even.ssim, (2 * 100.0 * 110 + 1e-4) / (100.0 * 100 + 110.0 * 110 + 1e-4), 1e-6);
}

TEST(PlaneMetrics, EqualPlanesAreOneAndWhatIsNotFiniteIsLeftOut) {
  Image a = randomImage(1, 40, 50, ElementType::F32);
  a.view<float>(0).at(30, 20) = NAN;
  const PlaneMetrics same = comparePlanes(*planeOf(a), *planeOf(a), nullptr);
  EXPECT_EQ(same.pixels, 1999);
  EXPECT_EQ(same.equal, 1999);
  EXPECT_EQ(same.rootMeanSquare, 0);
  EXPECT_FALSE(same.psnr);
  EXPECT_NEAR(*same.ssim, 1, 1e-12);
  EXPECT_THROW(comparePlanes(*planeOf(a), *planeOf(filled(40, 51, 0)), nullptr), Error);
}

TEST(KeptResults, TheOldestGoesWhereTheMemoryIsFullAndIsNamed) {
  KeptResults kept(3 * planeOf(filled(32, 32, 0))->bytes());
  std::vector<QString> gone;
  for (const char* title : {"a", "b", "c", "d", "e"}) {
    KeptResult result;
    result.title = QLatin1String(title);
    result.result.plane = planeOf(filled(32, 32, 0));
    for (const KeptResult& each : kept.add(result)) gone.push_back(each.title);
  }
  EXPECT_EQ(gone, (std::vector<QString>{QStringLiteral("a"), QStringLiteral("b")}));
  EXPECT_EQ(kept.all().size(), 3u);
  EXPECT_EQ(kept.find(1), nullptr);
  ASSERT_NE(kept.find(5), nullptr);
  EXPECT_EQ(kept.find(5)->title, QStringLiteral("e"));
}

class CompareWindow : public WindowFixture {
 protected:
  void SetUp() override {
    open("photo.png", randomImage(1, 90, 120, ElementType::U8));
    ASSERT_TRUE(chooseBank(QStringLiteral("gaussian:sigma=1")));
    ASSERT_TRUE(settled());
    comparison_ = window_->findChild<PaneComparison*>();
    ASSERT_NE(comparison_, nullptr);
  }
  /// What a person does to choose an entry: open the list, move there.
  void choose(const char* name, const QString& text) {
    auto* box = find<QComboBox>(name);
    int row = 0;
    while (row < box->count() && !box->itemText(row).contains(text)) ++row;
    ASSERT_LT(row, box->count()) << text.toStdString();
    box->setFocus();
    QTest::keyClick(box, Qt::Key_Home);
    for (int i = 0; i < row; ++i) QTest::keyClick(box, Qt::Key_Down);
  }
  void keep(int pane) {
    auto* menu = find<QMenu>(pane == 0 ? "keepMenu0" : "keepMenu1");
    menu->popup(window_->pos());
    auto* action = menu->findChild<QAction*>(QStringLiteral("keepResult"));
    ASSERT_NE(action, nullptr);
    QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
    menu->close();
  }
  bool measured() {
    return settled() && QTest::qWaitFor([&] { return !comparison_->busy(); }, 60000);
  }
  QString figures() { return find<QLabel>("compareFigures")->text(); }
  PaneComparison* comparison_ = nullptr;
};

TEST_F(CompareWindow, AKeptResultStaysAsItWasBesideWhatComesAndIsMeasured) {
  const PlanePtr before = session_->shown(1).plane;
  keep(1);
  ASSERT_EQ(session_->kept().all().size(), 1u);
  EXPECT_TRUE(session_->kept().all().front().title.contains(QStringLiteral("gaussian:sigma=1")));
  choose("paneLayer0", QStringLiteral("1 · gaussian"));
  EXPECT_FALSE(find<QComboBox>("panePlane0")->isVisible());
  ASSERT_TRUE(measured());
  EXPECT_TRUE(figures().contains(QStringLiteral("equal in all 10800 pixels"))) << figures().toStdString();

  ASSERT_TRUE(chooseBank(QStringLiteral("gaussian:sigma=2.5")));
  ASSERT_TRUE(measured());
  EXPECT_EQ(session_->shown(0).plane, before);
  EXPECT_EQ(session_->shown(0).age, Session::Shown::Age::Present);
  EXPECT_NE(session_->shown(1).plane, before);
  EXPECT_EQ(session_->shown(0).style.levels, session_->shown(1).style.levels)
      << "looked at with the same eyes";
  ASSERT_TRUE(comparison_->metrics());
  const PlaneMetrics expected = comparePlanes(*before, *session_->shown(1).plane, nullptr);
  EXPECT_EQ(comparison_->metrics()->rootMeanSquare, expected.rootMeanSquare);
  for (const char* word : {"RMSE", "Relative", "PSNR", "SSIM", "in the whole picture"})
    EXPECT_TRUE(figures().contains(QLatin1String(word))) << word;

  // Inside a region the figures are of the region.
  session_->setRegion({RegionKind::Rectangle, 10, 10, 20, 30, {}});
  ASSERT_TRUE(measured());
  ASSERT_TRUE(comparison_->metrics());
  EXPECT_EQ(comparison_->metrics()->pixels, 600);
  EXPECT_TRUE(figures().contains(QStringLiteral("inside the region")));
}

TEST_F(CompareWindow, WhatTellsTheTwoApartIsSaidInWords) {
  const auto says = [&](const char* words) {
    EXPECT_TRUE(comparison_->words().contains(QLatin1String(words)))
        << words << ": " << comparison_->words().toStdString();
    EXPECT_TRUE(figures().contains(comparison_->words().toHtmlEscaped()));
  };
  keep(1);
  choose("paneLayer0", QStringLiteral("1 · gaussian"));
  ASSERT_TRUE(measured());
  says("The same result.");
  ASSERT_TRUE(chooseBank(QStringLiteral("gaussian:sigma=1.1")));
  ASSERT_TRUE(measured());
  says("Different filters: gaussian:sigma=1 and gaussian:sigma=1.1.");
  says("a small difference; their structure is much the same.");
  ASSERT_TRUE(chooseBank(QStringLiteral("laplacian")));
  ASSERT_TRUE(measured());
  says("Different filters: gaussian:sigma=1 and laplacian.");
  says("a large difference");

  ASSERT_TRUE(chooseBank(QStringLiteral("gaussian:sigma=1")));
  Recipe recipe = session_->recipe();
  recipe.border = {BorderKind::Constant, 9};
  session_->setRecipe(recipe);
  ASSERT_TRUE(measured());
  says("The same filters under other settings.");

  choose("paneLayer0", QStringLiteral("OpenCV"));
  ASSERT_TRUE(measured());
  says("The same filters, computed by different engines.");
  choose("paneLayer0", QStringLiteral("Input"));
  ASSERT_TRUE(measured());
  says("One is the picture itself, the other what filters make of it.");
  choose("paneLayer0", QStringLiteral("1 · gaussian"));
  open("other.png", randomImage(1, 90, 120, ElementType::U8, 5));
  ASSERT_TRUE(measured());
  says("The same filters under other settings. On different pictures: photo.png and other.png.");
}

TEST_F(CompareWindow, TheStatusLineKnowsWhatIsDoneBesideThePanes) {
  ASSERT_TRUE(measured());
  auto* status = find<QLabel>("statusWork");
  ASSERT_EQ(status->text(), QStringLiteral("Ready"));
  std::atomic<bool> go = false;
  comparison_->worker().start(Work::Region, QStringLiteral("Comparing two panes"),
                              [&](RunController::Context&) { go.wait(false); });
  EXPECT_TRUE(
      QTest::qWaitFor([&] { return status->text() == QStringLiteral("Comparing two panes…"); }, 60000))
      << status->text().toStdString();
  go = true;
  go.notify_all();
  EXPECT_TRUE(QTest::qWaitFor([&] { return status->text() == QStringLiteral("Ready"); }, 60000));
}

TEST_F(CompareWindow, EachPaneCanHaveItsOwnContrast) {
  keep(1);
  choose("paneLayer0", QStringLiteral("1 · gaussian"));
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  ASSERT_TRUE(settled());
  EXPECT_EQ(session_->shown(0).style.levels, session_->shown(1).style.levels);
  LevelSetting own = session_->levels(LevelGroup::Response);
  own.own = true;
  session_->setLevels(LevelGroup::Response, own);
  EXPECT_NE(session_->shown(0).style.levels, session_->shown(1).style.levels);
  const Histogram& mine = session_->shown(0).plane->histogram;
  EXPECT_EQ(session_->shown(0).style.levels.low, mine.percentile(0.002));
}

TEST_F(CompareWindow, BlinkAndSwipeAreBetweenAnyTwoAndBlinkingNeedsNoFocus) {
  keep(1);
  trigger("actionPanes3");
  ASSERT_TRUE(settled());
  auto panes = session_->state().panes;
  panes[2] = {Layer::Kept, 1};
  session_->setPanes(panes);
  choose("compareFirst", QStringLiteral("2: "));
  choose("compareSecond", QStringLiteral("3: "));
  EXPECT_EQ(session_->comparedPanes(), (std::array<int, 2>{1, 2}));
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  ASSERT_TRUE(measured());
  auto* canvas = find<Canvas>("canvas");
  const QImage ours = canvas->pane(1)->grab().toImage();
  find<QDockWidget>("compareDock")->raise();
  QTest::qWait(1);
  QApplication::setActiveWindow(window_.get());  // as a window manager does when a menu is gone
  auto* list = find<QListWidget>("keptList");
  list->setFocus();
  QTest::keyClick(list, Qt::Key_F8);
  const QImage theirs = canvas->pane(1)->grab().toImage();
  EXPECT_NE(ours, theirs);
  QTest::keyClick(list, Qt::Key_F8);
  EXPECT_EQ(canvas->pane(1)->grab().toImage(), ours);

  trigger("actionSwipe");
  ASSERT_TRUE(settled());
  EXPECT_EQ(canvas->visiblePanes(), 1);
  EXPECT_EQ(find<QComboBox>("paneLayer0")->currentText(), QStringLiteral("Our output"));
  EXPECT_TRUE(find<QComboBox>("paneLayerRight")->currentText().contains(QStringLiteral("gaussian")));
  session_->setSwipe(1);
  const QImage left = canvas->pane(0)->grab().toImage();
  session_->setSwipe(0);
  EXPECT_NE(canvas->pane(0)->grab().toImage(), left);
}

TEST_F(CompareWindow, AKeptResultGoesBackToItsPictureAndBankAndCanBeForgotten) {
  keep(1);
  const PlanePtr before = session_->shown(1).plane;
  open("other.png", integerImage(1, 40, 60, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  auto* list = find<QListWidget>("keptList");
  list->setCurrentRow(0);
  QTest::mouseClick(find<QPushButton>("keptShow"), Qt::LeftButton);
  ASSERT_TRUE(measured());
  EXPECT_EQ(session_->state().panes[2], (PaneSpec{Layer::Kept, 1}));
  EXPECT_EQ(session_->shown(2).plane, before) << "a picture of another size beside";
  window_->grab();
  EXPECT_TRUE(figures().contains(QStringLiteral("different sizes"))) << figures().toStdString();
  session_->setRegion({RegionKind::Rectangle, 2, 2, 20, 20, {}});
  ASSERT_TRUE(measured());
  session_->setRegion({});

  QTest::mouseClick(find<QPushButton>("keptAgain"), Qt::LeftButton);
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->picture()->path.filename() == "photo.png"; }, 60000));
  choose("paneLayer0", QStringLiteral("Our output"));
  ASSERT_TRUE(measured());
  EXPECT_EQ(session_->recipe().stages.front().bank, "gaussian:sigma=1");
  EXPECT_TRUE(figures().contains(QStringLiteral("equal in all"))) << figures().toStdString();

  QTest::mouseClick(find<QPushButton>("keptForget"), Qt::LeftButton);
  EXPECT_TRUE(session_->kept().all().empty());
  EXPECT_EQ(session_->state().panes[2].layer, Layer::Output);
  ASSERT_TRUE(settled());
}

/// Two panes whose planes are there, and a field of view that nobody looks for any more.
TEST_F(CompareWindow, WithoutTheFieldOfViewItSaysWhyAndGoesOnWhenAsked) {
  Image eye = randomImage(1, 90, 120, ElementType::U8);
  for (int y = 0; y < 90; ++y) {
    for (int x = 0; x < 120; ++x) {
      const bool inside = (x - 60) * (x - 60) + (y - 45) * (y - 45) < 40 * 40;
      std::uint8_t& pixel = eye.view<std::uint8_t>(0).at(x, y);
      pixel = inside ? static_cast<std::uint8_t>(100 + pixel / 2) : std::uint8_t{0};
    }
  }
  open("eye.png", eye);
  ASSERT_TRUE(measured());
  const auto stop = [&] {
    // The search waits behind work that ends with it.
    std::atomic<bool> running = false;
    controller_->start(Work::Export, {}, [&](RunController::Context& context) {
      running = true;
      while (!context.stop.stop_requested()) std::this_thread::yield();
    });
    ASSERT_TRUE(QTest::qWaitFor([&] { return running.load(); }, 60000));
    trigger("actionRegionFieldOfView");
    QTest::qWait(1);
    ASSERT_TRUE(session_->maskMissing());
    EXPECT_EQ(figures(), QStringLiteral("Comparing…"));
    QTest::keyClick(window_.get(), Qt::Key_Escape);
    ASSERT_TRUE(measured());
  };
  const auto found = [&] {
    ASSERT_TRUE(measured());
    ASSERT_TRUE(comparison_->metrics()) << figures().toStdString();
    EXPECT_LT(comparison_->metrics()->pixels, 90 * 120);
    EXPECT_TRUE(find<QPushButton>("regionAgain")->isHidden());
    trigger("actionRegionWhole");
    ASSERT_TRUE(measured());
    EXPECT_EQ(comparison_->metrics()->pixels, 90 * 120);
  };
  stop();
  const QString why = QStringLiteral("Stopped before the region was found.");
  EXPECT_EQ(figures(), why);
  EXPECT_EQ(find<QLabel>("regionNote")->text(), why);
  EXPECT_TRUE(banner().isEmpty()) << banner().toStdString();
  find<QDockWidget>("regionDock")->raise();
  QTest::mouseClick(find<QPushButton>("regionAgain"), Qt::LeftButton);
  found();
  stop();
  trigger("actionRegionFieldOfView");
  found();
  stop();
  workflow_->compute();
  found();
  stop();
  ASSERT_TRUE(chooseBank(QStringLiteral("gaussian:sigma=2")));
  found();

  // Nor are figures of the whole picture those of a region that is not there.
  open("photo.png", randomImage(1, 90, 120, ElementType::U8));
  trigger("actionRegionFieldOfView");
  ASSERT_TRUE(measured());
  EXPECT_TRUE(figures().startsWith(QStringLiteral("No field of view was found"))) << figures().toStdString();
  EXPECT_FALSE(comparison_->metrics());
}

TEST_F(CompareWindow, TheKeyKeepsAndAnUnfinishedPaneSaysWhyNot) {
  trigger("actionKeep");
  EXPECT_EQ(session_->kept().all().size(), 1u);
  EXPECT_TRUE(banner().isEmpty());
  trigger("actionPanes1");
  session_->setPane(0, {Layer::Input});
  trigger("actionKeep");
  EXPECT_TRUE(banner().contains(QStringLiteral("No pane shows a finished result"))) << banner().toStdString();
}

}  // namespace
}  // namespace bankside::window
