/// What has little room on a small screen gets more: taps and curves in windows of their own, the start page
/// all of the canvas, parameters as much as they want.
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QStyleOptionComboBox>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>

#include "filters/catalog.h"
#include "gui/window/canvas/image_pane.h"
#include "tests/gui/window/picture_folder.h"
#include "tests/gui/window/window_fixture.h"

namespace bankside::window {
namespace {

using bankside::testing::PictureFolder;
using bankside::testing::randomImage;
using bankside::testing::WindowFixture;

class RoomWindow : public WindowFixture {
 protected:
  void SetUp() override { window_->resize(small); }
  void lookAt(const std::string& name, QWidget* widget = nullptr) {
    if (PictureFolder::wanted()) PictureFolder().keep(name, widget != nullptr ? widget : window_.get());
  }
  /// All of it is seen, below whatever lies over it.
  static bool whole(const QWidget* widget) {
    return widget->isVisible() && widget->visibleRegion() == QRegion(widget->rect());
  }
  void editFilter() {
    auto* tabs = find<QTabWidget>("bankTabs");
    QTest::mouseClick(tabs->tabBar(), Qt::LeftButton, {}, tabs->tabBar()->tabRect(1).center());
  }
  const QSize small = PictureFolder::wanted() ? PictureFolder::size() : QSize(1024, 700);
};

TEST_F(RoomWindow, TheStartPageIsWholeWhateverPanesAndPanelsThereAre) {
  ASSERT_TRUE(chooseBank(QStringLiteral("vessel-matched")));
  trigger("actionPanes4");
  for (const char* dock : {"evaluationDock", "folderDock"}) find<QDockWidget>(dock)->show();
  trigger("actionEvaluate");
  QTest::qWait(1);
  int buttons = 0;
  for (auto* button : window_->findChildren<QPushButton*>()) {
    if (!button->objectName().startsWith(QStringLiteral("paneOffer"))) continue;
    ++buttons;
    EXPECT_TRUE(whole(button)) << button->text().toStdString();
    EXPECT_GE(button->width(), button->minimumSizeHint().width()) << button->text().toStdString();
  }
  EXPECT_EQ(buttons, 5);
  lookAt("room-start");
  open("photo.png", randomImage(1, 20, 30, ElementType::U8));
  EXPECT_EQ(find<Canvas>("canvas")->visiblePanes(), 4);
  EXPECT_TRUE(find<Canvas>("canvas")->pane(3)->isVisible());
}

TEST_F(RoomWindow, ParametersAreInSight) {
  open("photo.png", randomImage(1, 200, 200, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("vessel-matched")));
  ASSERT_TRUE(settled());
  QTest::qWait(1);
  for (const char* name : {"parameter.sigma", "parameter.length", "parameter.orientations"})
    EXPECT_TRUE(whole(find<QWidget>(name))) << name;
  lookAt("room-parameters");
}

TEST_F(RoomWindow, TapsHaveAWindowOfTheirOwn) {
  open("photo.png", randomImage(1, 200, 200, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("vessel-matched")));
  ASSERT_TRUE(settled());
  editFilter();
  auto* table = find<QTableView>("tapTable");
  const auto button = [&](const char* action) {
    for (auto* each : window_->findChildren<QToolButton*>()) {
      if (each->defaultAction() == find<QAction>(action)) return each;
    }
    return static_cast<QToolButton*>(nullptr);
  };
  lookAt("room-editor");
  for (const char* name : {"clipboardMenu", "tapsMenu", "filterMenu"}) {
    auto* menu = find<QToolButton>(name);
    EXPECT_TRUE(menu->isVisible() && menu->mapTo(window_.get(), menu->rect().bottomRight()).x() < 300)
        << name;
  }
  ASSERT_NE(button("enlargeTaps"), nullptr);
  click(button("enlargeTaps"));
  auto* large = find<QDialog>("tapWindow");
  ASSERT_TRUE(large->isVisible());
  EXPECT_EQ(table->window(), large);
  QApplication::setActiveWindow(large);  // as in the fixture
  QTest::qWait(1);
  // All rows, where the screen has room for them.
  EXPECT_GE(table->viewport()->height(),
            std::min(13 * table->rowHeight(0), large->screen()->availableSize().height() * 6 / 10));
  lookAt("room-taps", large);

  // A tap is set there, and is the bank's.
  const QPoint cell = table->visualRect(table->model()->index(2, 1)).center();
  QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, cell);
  QTest::keyClicks(table, QStringLiteral("7"));
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->bank()->filters().front().tap(0, 2, 1) == 7; }, 60000));
  QTest::keyClick(large, Qt::Key_Escape);
  EXPECT_FALSE(large->isVisible());
  EXPECT_EQ(table->window(), window_.get());
  EXPECT_TRUE(table->isVisible());
  click(button("enlargeTaps"));
  click(find<QPushButton>("tapsBack"));
  EXPECT_EQ(table->window(), window_.get());
}

/// Where there is room for the time that it took, there is for its name.
TEST_F(RoomWindow, TheNameOfAResultIsNotCutBesideItsTime) {
  open("photo.png", randomImage(1, 200, 200, ElementType::U8));
  session_->setSteps(parseRecipe(R"({"bankside":"recipe","version":4,
                                     "steps":[{"name":"vesselness","bank":"log"}]})",
                                 "r"),
                     {makeBank("log")});
  ASSERT_TRUE(settled());
  auto* box = find<QComboBox>("panePlane1");
  for (int width = 1024; width < 1600; width += 20) {
    window_->resize(width, 720);
    QTest::qWait(1);
    QStyleOptionComboBox option;
    option.initFrom(box);
    const QRect room =
        box->style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, box);
    const bool readable =
        box->fontMetrics().horizontalAdvance(QStringLiteral("vesselness")) <= room.width() - 4;
    EXPECT_TRUE(readable || find<QLabel>("paneText1")->text().isEmpty()) << width;
  }
}

TEST_F(RoomWindow, TheEvaluationHasItsRoomHoweverItComes) {
  window_->resize(1366, 720);
  const auto height = [&](const char* action) {
    auto* dock = find<QDockWidget>("evaluationDock");
    dock->hide();
    window_->resizeDocks({find<QDockWidget>("folderDock")}, {120}, Qt::Vertical);
    trigger(action);
    QTest::qWait(1);
    return dock->height();
  };
  EXPECT_EQ(height("actionShow-evaluationDock"), height("actionEvaluate"));
}

TEST_F(RoomWindow, TheEvaluationHasAWindowOfItsOwn) {
  trigger("actionEvaluate");
  auto* dock = find<QDockWidget>("evaluationDock");
  auto* tabs = find<QTabWidget>("evaluationTabs");
  QTest::mouseClick(tabs->tabBar(), Qt::LeftButton, {}, tabs->tabBar()->tabRect(2).center());
  auto* curve = find<QWidget>("evaluationCurve");
  click(find<QToolButton>("enlargeEvaluation"));
  EXPECT_TRUE(dock->isFloating());
  QTest::qWait(1);
  EXPECT_GE(curve->height(), std::min(360, dock->screen()->availableSize().height() * 5 / 10));
  lookAt("room-curve", dock);
  click(find<QToolButton>("enlargeEvaluation"));
  EXPECT_FALSE(dock->isFloating());
  dock->setFloating(true);
  EXPECT_TRUE(find<QToolButton>("enlargeEvaluation")->isChecked()) << "taken out by its title";
}

TEST_F(RoomWindow, ThePixelPanelScrollsUpAndDownAlone) {
  open("photo.png", randomImage(3, 1411, 1411, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  trigger("actionPanes4");
  session_->setPixel(QPoint(712, 841));
  auto* dock = find<QDockWidget>("pixelDock");
  dock->raise();
  ASSERT_TRUE(settled());
  const auto* area = qobject_cast<QScrollArea*>(dock->widget());
  EXPECT_LE(area->widget()->minimumSizeHint().width() + area->verticalScrollBar()->sizeHint().width(),
            area->width())
      << "beside the bar it is cut";
}

TEST_F(RoomWindow, PagesMakeNoWindowLarger) {
  bankside::testing::writePages(folder_ / "stack.tif");
  ASSERT_TRUE(chooseBank(QStringLiteral("gaussian:sigma=2")));
  window_->openPath(QString::fromStdString((folder_ / "stack.tif").string()));
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->picture() != nullptr; }, 60000));
  ASSERT_TRUE(settled());
  trigger("actionPanes2");
  QTest::qWait(1);
  auto* bank = find<QDockWidget>("bankDock");
  const int left = bank->width();
  auto* largest = find<QCheckBox>("pagesLargest");
  for (const bool on : {true, false, true}) {
    click(largest);
    ASSERT_TRUE(QTest::qWaitFor([&] { return session_->picture()->stacked == on; }, 60000));
    ASSERT_TRUE(settled());
    QTest::qWait(1);
    EXPECT_EQ(window_->size(), small) << on;
    EXPECT_EQ(bank->width(), left) << on;
    EXPECT_LE(window_->minimumSizeHint().width(), small.width()) << on;
    lookAt(on ? "room-pages-all" : "room-pages-one");
  }
}

}  // namespace
}  // namespace bankside::window
