/// The window on small and on twice-scaled screens: 1024 x 700 points hold it, and nothing is cut.
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QListWidget>
#include <QMouseEvent>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QStyleOptionComboBox>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <QTreeView>
#include <algorithm>

#include "gui/window/canvas/eliding_box.h"
#include "gui/window/canvas/image_pane.h"
#include "gui/window/canvas/pane_frame.h"
#include "gui/window/compute/value_text.h"
#include "gui/window/models/explanation_model.h"
#include "gui/window/models/region_model.h"
#include "gui/window/session/truth.h"
#include "gui/window/shell/appearance.h"
#include "tests/gui/window/window_fixture.h"

namespace bankside::window {
namespace {

using bankside::testing::randomImage;
using bankside::testing::WindowFixture;

class LayoutWindow : public WindowFixture {
 protected:
  /// Whether the closed box has room for its text, or for the short one.
  static bool readable(QComboBox* box) {
    QStyleOptionComboBox option;
    option.initFrom(box);
    const int room = box->style()
                         ->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, box)
                         .width() -
                     4;
    const QString shorter = box->itemData(box->currentIndex(), ElidingBox::shortRole).toString();
    return box->fontMetrics().horizontalAdvance(shorter.isEmpty() ? box->currentText() : shorter) <= room;
  }
  static constexpr QSize small{1024, 700};
};

TEST_F(LayoutWindow, FitsASmallScreenWithEveryPanelInFront) {
  open("photo.png", randomImage(3, 200, 200, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("vessel-matched")));
  ASSERT_TRUE(settled());
  writeImage(folder_ / "marks.png", randomImage(1, 200, 200, ElementType::U8), FileFormat::Png);
  session_->setTruth({QString::fromStdString((folder_ / "marks.png").string())});
  ASSERT_TRUE(QTest::qWaitFor([&] { return window_->findChild<Truth*>()->curve() != nullptr; }, 60000));
  EXPECT_TRUE(find<QDockWidget>("timingDock")->isHidden()) << "nothing was measured";
  find<QDockWidget>("timingDock")->show();
  window_->resize(small);
  for (auto* dock : window_->findChildren<QDockWidget*>()) {
    dock->show();
    dock->raise();
    window_->resizeDocks({dock}, {1}, Qt::Horizontal);
    QTest::qWait(1);
    EXPECT_EQ(window_->size(), small) << dock->objectName().toStdString() << " makes the window larger";
    const QRect place(dock->mapTo(window_.get(), QPoint(0, 0)), dock->size());
    EXPECT_TRUE(QRect(QPoint(0, 0), small).contains(place)) << dock->objectName().toStdString();
    if (auto* area = qobject_cast<QScrollArea*>(dock->widget())) {
      EXPECT_EQ(area->horizontalScrollBar()->maximum(), 0)
          << dock->objectName().toStdString() << " is cut at " << area->viewport()->width() << ", wants "
          << area->widget()->minimumSizeHint().width();
    }
  }
  EXPECT_LE(window_->minimumSizeHint().width(), small.width());
  EXPECT_LE(window_->minimumSizeHint().height(), small.height());
}

TEST_F(LayoutWindow, ComesUpNoLargerThanItsScreen) {
  const QSize screen = QGuiApplication::primaryScreen()->availableSize();
  if (screen.width() < small.width() * 3 / 4 || screen.height() < small.height())
    GTEST_SKIP() << "a scaled screen that no window is made for";
  MainWindow fresh(*session_, *workflow_, *controller_);
  EXPECT_LE(fresh.height(), screen.height() * 9 / 10) << "before it is shown";
  fresh.show();
  QTest::qWait(1);
  EXPECT_LE(fresh.height(), screen.height() * 9 / 10);
  // Where there is no room for two panels one below the other, they stand one behind the other.
  auto* levels = fresh.findChild<QDockWidget*>(QStringLiteral("levelsDock"));
  auto* pixel = fresh.findChild<QDockWidget*>(QStringLiteral("pixelDock"));
  EXPECT_EQ(fresh.tabifiedDockWidgets(levels).contains(pixel), fresh.height() < 760);
  open("photo.png", randomImage(1, 200, 200, ElementType::U8));
  session_->setPixel(QPoint(3, 4));
  EXPECT_FALSE(pixel->visibleRegion().isEmpty()) << "the first pixel brings its panel";
}

TEST_F(LayoutWindow, NamesOfPanelsAreNotCut) {
  window_->resize(972, 630);  // as it comes up on a screen of 1024 x 700
  trigger("actionEvaluate");
  const auto cut = [&] {
    int count = 0;
    for (auto* tabs : window_->findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
      for (int i = 0; tabs->isVisible() && i < tabs->count(); ++i)
        count += tabs->rect().contains(tabs->tabRect(i)) ? 0 : 1;
    return count;
  };
  EXPECT_TRUE(QTest::qWaitFor([&] { return cut() == 0; }, 60000)) << cut();
  int names = 0;
  for (auto* tabs : window_->findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
    for (int i = 0; tabs->isVisible() && i < tabs->count(); ++i) {
      const QSize room = tabs->tabRect(i).size();
      EXPECT_GE(std::max(room.width(), room.height()),
                tabs->fontMetrics().horizontalAdvance(tabs->tabText(i)))
          << tabs->tabText(i).toStdString();
      ++names;
    }
  }
  EXPECT_GE(names, 8);
}

TEST_F(LayoutWindow, NamesOfPanelsStayInSightWhenOneComesUpBelow) {
  auto* pixel = find<QDockWidget>("pixelDock");
  auto* levels = find<QDockWidget>("levelsDock");
  // As on a large screen, one below the other.
  window_->splitDockWidget(pixel, levels, Qt::Vertical);
  for (const char* name : {"regionDock", "truthDock", "compareDock", "analysisDock"})
    window_->tabifyDockWidget(levels, find<QDockWidget>(name));
  levels->raise();
  window_->resize(1360, 860);
  QTest::qWait(1);
  window_->resizeDocks({pixel, levels}, {600, 100}, Qt::Vertical);
  QTest::qWait(1);
  find<QDockWidget>("folderDock")->show();
  QTabBar* names = nullptr;
  for (auto* tabs : window_->findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
    for (int i = 0; tabs->isVisible() && i < tabs->count(); ++i)
      if (tabs->tabText(i) == levels->windowTitle()) names = tabs;
  }
  ASSERT_NE(names, nullptr);
  const auto last = [&] { return names->tabRect(names->count() - 1).bottom(); };
  EXPECT_TRUE(QTest::qWaitFor([&] { return last() < names->height(); }, 60000)) << last();
  EXPECT_GE(pixel->height(), pixel->minimumSizeHint().height());
}

TEST_F(LayoutWindow, TheTapEditorIsNotCut) {
  open("photo.png", randomImage(1, 200, 200, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("vessel-matched")));
  ASSERT_TRUE(settled());
  window_->resize(small);
  window_->resizeDocks({find<QDockWidget>("bankDock")}, {1}, Qt::Horizontal);
  auto* tabs = find<QTabWidget>("bankTabs");
  QTest::mouseClick(tabs->tabBar(), Qt::LeftButton, {}, tabs->tabBar()->tabRect(1).center());
  auto* area = qobject_cast<QScrollArea*>(tabs->currentWidget());
  ASSERT_NE(area, nullptr);
  QTest::qWait(1);
  EXPECT_EQ(area->horizontalScrollBar()->maximum(), 0) << area->viewport()->width();
  for (const char* name : {"labelField", "orientationField", "scaleField", "rowsField", "columnsField",
                           "anchorRowField", "anchorColumnField", "bankTitleField", "modeField"}) {
    auto* field = find<QWidget>(name);
    EXPECT_GE(field->width(), field->minimumSizeHint().width()) << name;
    const int right = field->mapTo(area->widget(), QPoint(field->width(), 0)).x();
    EXPECT_LE(right, area->viewport()->width()) << name;
  }
  // The taps come soon enough: some rows of them are seen without scrolling.
  auto* table = find<QTableView>("tapTable");
  const int top = table->viewport()->mapTo(area->widget(), QPoint(0, 0)).y();
  EXPECT_LE(top + 3 * table->rowHeight(0), area->viewport()->height());
}

TEST_F(LayoutWindow, ChoicesOfThePanelsAreNotCut) {
  open("photo.png", randomImage(1, 200, 200, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  workflow_->chooseSecondBank(QStringLiteral("box"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->secondBank() != nullptr; }, 60000));
  ASSERT_TRUE(settled());
  window_->resize(small);
  int boxes = 0;
  for (const char* name : {"bankDock", "settingsDock", "exportDock", "compareDock"}) {
    auto* dock = find<QDockWidget>(name);
    dock->raise();
    window_->resizeDocks({dock}, {1}, Qt::Horizontal);
    QTest::qWait(1);
    for (auto* box : dock->findChildren<ElidingBox*>()) {
      // Names of engines are as long as they are; both their ends stay.
      if (!box->isVisible() || box->isEditable() || box->objectName() == QStringLiteral("engine")) continue;
      ++boxes;
      const QSignalBlocker quiet(box);
      for (int i = 0; i < box->count(); ++i) {
        if (box->itemText(i).isEmpty()) continue;  // a line between two kinds
        box->setCurrentIndex(i);
        EXPECT_TRUE(readable(box)) << box->itemText(i).toStdString() << " in " << box->width();
      }
    }
  }
  EXPECT_GE(boxes, 11);
}

TEST_F(LayoutWindow, NamesOfTheFoldersPicturesAreNotCut) {
  for (const char* name : {"a.png", "b.png"})
    writeImage(folder_ / name, randomImage(1, 20, 30, ElementType::U8), FileFormat::Png);
  open("photo.png", randomImage(1, 200, 200, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  find<QDockWidget>("folderDock")->show();
  auto* list = find<QListWidget>("folderList");
  for (const QSize size : {small, QSize(1366, 768), QSize(1600, 1000)}) {
    window_->resize(size);
    ASSERT_TRUE(settled());
    ASSERT_EQ(list->count(), 3);
    const int room = list->viewport()->height();
    EXPECT_LE(list->visualItemRect(list->item(0)).bottom(), room) << size.width();
    EXPECT_GE(list->gridSize().height(), list->iconSize().height() + list->fontMetrics().height());
    EXPECT_TRUE(list->iconSize().height() == 96 || list->gridSize().height() == room) << size.width();
  }
}

TEST_F(LayoutWindow, PaneTitlesAreNotCut) {
  open("photo.png", randomImage(1, 200, 200, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  window_->resize(small);
  trigger("actionPanes2");
  ASSERT_TRUE(settled());
  for (int i = 0; i < 2; ++i) {
    auto* layer = find<QComboBox>(i == 0 ? "paneLayer0" : "paneLayer1");
    EXPECT_GE(layer->width(), layer->minimumSizeHint().width());
    auto* frame = find<PaneFrame>(i == 0 ? "paneFrame0" : "paneFrame1");
    const QRect inside(QPoint(0, 0), frame->size());
    EXPECT_TRUE(inside.contains(QRect(layer->pos(), layer->size()))) << i;
    EXPECT_GE(find<Canvas>("canvas")->pane(i)->width(), 180);
  }
}

TEST_F(LayoutWindow, PanesFitWhateverCameBeforeAndNoTextIsCut) {
  open("photo.png", randomImage(1, 200, 200, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("vessel-matched")));
  window_->resize(small);
  trigger("actionPanes2");
  trigger("actionSwipe");
  ASSERT_TRUE(settled());
  EXPECT_EQ(window_->size(), small);
  trigger("actionSwipe");
  trigger("actionPanes3");
  ASSERT_TRUE(settled());
  EXPECT_EQ(window_->size(), small);
  trigger("actionPanes4");
  ASSERT_TRUE(settled());
  QTest::qWait(1);
  EXPECT_EQ(window_->size(), small);
  for (int i = 0; i < 4; ++i) {
    auto* text = find<QLabel>(("paneText" + std::to_string(i)).c_str());
    EXPECT_LE(text->fontMetrics().horizontalAdvance(text->text()), text->width()) << i;
    auto* layer = find<QComboBox>(("paneLayer" + std::to_string(i)).c_str());
    EXPECT_TRUE(readable(layer)) << i << " " << layer->width();
    auto* plane = find<QComboBox>(("panePlane" + std::to_string(i)).c_str());
    EXPECT_TRUE(!plane->isVisible() || readable(plane)) << i << " " << plane->width();
  }
  window_->resize(1600, 1000);
  QTest::qWait(1);
  for (int i = 0; i < 4; ++i)
    EXPECT_FALSE(find<QLabel>(("paneText" + std::to_string(i)).c_str())->text().isEmpty()) << i;
}

TEST_F(LayoutWindow, TheValueUnderTheMouseIsShownInNarrowPanesToo) {
  open("photo.png", randomImage(1, 200, 200, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("vessel-matched")));
  const QSize narrow(930, 700);
  for (const auto& [size, panes] : {std::pair(narrow, 3), std::pair(QSize(1600, 1000), 4)}) {
    window_->resize(size);
    trigger(("actionPanes" + std::to_string(panes)).c_str());
    ASSERT_TRUE(settled());
    const QPoint pixel(100, 120);
    auto* pane = find<Canvas>("canvas")->pane(1);
    // Sent to the pane itself: a scaled window may be larger than its screen, and the mouse stays on that.
    const QPointF at = pane->geometryNow().rectOf(pixel).center();
    QMouseEvent move(QEvent::MouseMove, at, pane->mapToGlobal(at), Qt::NoButton, Qt::NoButton, {});
    QApplication::sendEvent(pane, &move);
    for (int i = 0; i < panes; ++i) {
      const PlaneKey key = session_->keyOf(session_->state().panes[static_cast<std::size_t>(i)]);
      const QString value =
          valueText(*session_->valueAt(key, 100, 120), session_->result(key)->plane->type());
      auto* corner = find<QLabel>(("paneValue" + std::to_string(i)).c_str());
      auto* header = find<QLabel>(("paneText" + std::to_string(i)).c_str());
      EXPECT_NE(corner->isVisible(), header->text() == value) << i << " is shown once";
      if (!corner->isVisible()) continue;
      EXPECT_EQ(corner->text(), value) << i;
      EXPECT_GE(corner->width(), corner->sizeHint().width()) << i;
      const QRect free = corner->parentWidget()->rect().adjusted(0, 60, 0, -24);
      EXPECT_TRUE(free.contains(corner->geometry())) << i << " has no caption over it";
    }
    EXPECT_TRUE(size != narrow || find<QLabel>("paneValue1")->isVisible());
    window_->grab();
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(pane, &leave);
    for (int i = 0; i < panes; ++i)
      EXPECT_FALSE(find<QLabel>(("paneValue" + std::to_string(i)).c_str())->isVisible()) << i;
  }
}

TEST_F(LayoutWindow, ThePixelPanelIsNotCut) {
  open("photo.png", randomImage(3, 1411, 1411, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("vessel-matched")));
  trigger("actionPanes4");
  for (const QSize size : {small, QSize(1366, 768), QSize(1600, 1000)}) {
    window_->resize(size);
    session_->setPixel(QPoint(712, 841));
    find<QDockWidget>("pixelDock")->raise();
    ASSERT_TRUE(settled());
    QTest::qWait(1);
    auto* area = qobject_cast<QScrollArea*>(find<QDockWidget>("pixelDock")->widget());
    ASSERT_NE(area, nullptr);
    EXPECT_EQ(area->horizontalScrollBar()->maximum(), 0) << size.width();
    auto* values = find<QTableView>("inspectorTable");
    EXPECT_EQ(values->model()->rowCount(), 3 + 4) << "the file's channels and the panes";
    EXPECT_EQ(values->verticalScrollBar()->maximum(), 0) << size.width();
    for (int row = 0; row < values->model()->rowCount(); ++row) {
      for (int column = 0; column < values->model()->columnCount(); ++column) {
        const QString text = values->model()->index(row, column).data().toString();
        EXPECT_LE(values->fontMetrics().horizontalAdvance(text) + 6, values->columnWidth(column))
            << text.toStdString() << " at " << size.width();
      }
    }
    auto* terms = find<QTableView>("explainTable");
    EXPECT_EQ(terms->horizontalScrollBar()->maximum(), 0) << size.width();
    EXPECT_GE(terms->viewport()->height(), 3 * terms->rowHeight(0)) << size.width();
    for (const int column : {ExplanationModel::Position, ExplanationModel::Tap, ExplanationModel::Pixel,
                             ExplanationModel::RunningSum})
      EXPECT_FALSE(terms->isColumnHidden(column)) << column;
    const QString tap = terms->model()->index(0, ExplanationModel::Tap).data(Qt::ToolTipRole).toString();
    EXPECT_TRUE(tap.contains(QStringLiteral(" times "))) << tap.toStdString();
  }
}

TEST_F(LayoutWindow, StatisticsOfTwoPanesAreAllInSight) {
  open("photo.png", randomImage(1, 200, 200, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("vessel-matched")));
  trigger("actionPanes2");
  window_->resize(small);
  find<QDockWidget>("regionDock")->raise();
  ASSERT_TRUE(settled());
  QTest::qWait(1);
  auto* table = find<QTableView>("regionTable");
  EXPECT_EQ(table->model()->columnCount(), 2);
  EXPECT_EQ(table->model()->rowCount(), RegionModel::ColumnCount);
  EXPECT_EQ(table->horizontalScrollBar()->maximum(), 0);
  EXPECT_EQ(table->verticalScrollBar()->maximum(), 0);
}

TEST_F(LayoutWindow, TheChosenBankIsInSight) {
  open("photo.png", randomImage(1, 200, 200, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("vessel-gabor")));
  ASSERT_TRUE(settled());
  auto* tree = find<QTreeView>("bankTree");
  for (const QSize size : {QSize(1600, 1000), small}) {
    window_->resize(size);
    QTest::qWait(1);
    const QRect row = tree->visualRect(tree->currentIndex());
    EXPECT_TRUE(tree->viewport()->rect().contains(QRect(0, row.top(), 1, row.height()))) << size.width();
  }
}

TEST_F(LayoutWindow, ButtonsOfMenusAreReadInTheDarkAndInTheLight) {
  open("photo.png", randomImage(1, 200, 200, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  ASSERT_TRUE(settled());
  for (const Appearance appearance : {Appearance::Light, Appearance::Dark, Appearance::Light}) {
    applyAppearance(appearance);
    QTest::qWait(1);
    const QImage grabbed = find<QToolButton>("keepPane1")->grab().toImage();
    int least = 255;
    int most = 0;
    for (int y = 0; y < grabbed.height(); ++y) {
      for (int x = 0; x < grabbed.width(); ++x) {
        least = std::min(least, qGray(grabbed.pixel(x, y)));
        most = std::max(most, qGray(grabbed.pixel(x, y)));
      }
    }
    EXPECT_GE(most - least, 130) << toString(appearance).toStdString();
  }
  applyAppearance(Appearance::System);
}

TEST_F(LayoutWindow, MeasuringBringsItsPanel) {
  open("photo.png", randomImage(1, 20, 20, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  ASSERT_TRUE(settled());
  find<QComboBox>("measureEffort")->setCurrentIndex(0);
  trigger("actionMeasure");
  EXPECT_TRUE(find<QDockWidget>("timingDock")->isVisible());
  EXPECT_TRUE(QTest::qWaitFor([&] { return workflow_->measurement() != nullptr; }, 60000));
}

}  // namespace
}  // namespace bankside::window
