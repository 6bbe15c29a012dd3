#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLineEdit>
#include <QSpinBox>
#include <QStatusBar>
#include <QTableView>
#include <QTimer>

#include "gui/window/canvas/image_pane.h"
#include "gui/window/models/region_model.h"
#include "gui/window/panels/region_panel.h"
#include "tests/gui/window/window_fixture.h"

namespace bankside::window {
namespace {

using bankside::testing::randomImage;
using bankside::testing::WindowFixture;

class RegionWindow : public WindowFixture {
 protected:
  void openPhoto() {
    open("photo.png", randomImage(1, 90, 120, ElementType::U8));
    ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
    ASSERT_TRUE(settled());
  }
  ImagePane* pane(int index) { return find<Canvas>("canvas")->pane(index); }
  QPoint middleOf(QPoint pixel, int index = 0) {
    return pane(index)->geometryNow().rectOf(pixel).center().toPoint();
  }
  void drag(int index, QPoint from, QPoint to, Qt::KeyboardModifiers keys = {}) {
    QTest::mousePress(pane(index), Qt::LeftButton, keys, middleOf(from, index));
    QTest::mouseMove(pane(index), middleOf((from + to) / 2, index));
    QTest::mouseMove(pane(index), middleOf(to, index));
    QTest::mouseRelease(pane(index), Qt::LeftButton, keys, middleOf(to, index));
  }
  /// Types a path into the file dialog that is about to open.
  void answerDialog(const QString& path) {
    QTimer::singleShot(0, [path] {
      QWidget* dialog = QApplication::activeModalWidget();
      ASSERT_NE(dialog, nullptr);
      auto* name = dialog->findChild<QLineEdit*>();
      name->setText(path);
      QTest::keyClick(name, Qt::Key_Return);
    });
  }
};

TEST_F(RegionWindow, ADragDrawsTheRegionThatStatisticsAndLevelsAreOf) {
  openPhoto();
  RegionModel model(*session_);
  QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
  const PlaneKey output{Layer::Output, 0};
  const Levels whole = session_->styleFor(output).levels;
  QTest::keySequence(window_.get(), QKeySequence(QStringLiteral("Ctrl+Shift+R")));
  EXPECT_FALSE(window_->statusBar()->currentMessage().isEmpty()) << "it says what to do";
  drag(1, {10, 20}, {29, 49});
  EXPECT_EQ(window_->statusBar()->currentMessage(), QString()) << "and no longer than it is to be done";
  ASSERT_TRUE(settled());
  EXPECT_EQ(session_->state().region, (RegionSpec{RegionKind::Rectangle, 10, 20, 20, 30, {}}));
  EXPECT_TRUE(session_->state().view.fit) << "drawing does not move the image";
  EXPECT_FALSE(session_->state().pixel) << "and is no click";
  const RegionStatistics* inside = session_->statistics(output);
  ASSERT_NE(inside, nullptr);
  EXPECT_EQ(inside->pixels, 600);
  const Plane& plane = *session_->result(output)->plane;
  float most = -INFINITY;
  double sum = 0;
  for (int y = 20; y < 50; ++y) {
    for (int x = 10; x < 30; ++x) {
      most = std::max(most, plane.value(x, y));
      sum += plane.value(x, y);
    }
  }
  EXPECT_EQ(inside->range.high, most);
  EXPECT_DOUBLE_EQ(inside->mean, sum / 600);
  EXPECT_NE(session_->styleFor(output).levels, whole) << "automatic levels are those of the region";
  ASSERT_EQ(model.rowCount(), 2);
  EXPECT_EQ(model.index(1, RegionModel::Pixels).data().toString(), QStringLiteral("600"));

  // The rim is drawn where inside meets outside.
  const QImage shown = pane(1)->grab().toImage().convertToFormat(QImage::Format_RGB32);
  const QRectF corner = pane(1)->geometryNow().rectOf({10, 20});
  const QPointF rim(corner.center().x(), corner.top());
  EXPECT_EQ(shown.pixel((rim * shown.devicePixelRatio()).toPoint()), 0xff00c8ffu);

  // The next drag moves the image again; with shift it draws.
  session_->setView({false, 4, 60, 45});
  drag(0, {60, 45}, {70, 45});
  EXPECT_NE(session_->state().view.centerX, 60);
  drag(0, {55, 40}, {60, 44}, Qt::ShiftModifier);
  EXPECT_EQ(session_->state().region, (RegionSpec{RegionKind::Rectangle, 55, 40, 6, 5, {}}));
  trigger("actionRegionWhole");
  ASSERT_TRUE(settled());
  EXPECT_EQ(session_->mask(), nullptr);
  EXPECT_EQ(session_->statistics(output)->pixels, 120 * 90);
}

TEST_F(RegionWindow, TheKeyboardAloneMakesARegion) {
  openPhoto();
  auto* kind = find<QComboBox>("regionKind");
  QTest::keyClick(kind, Qt::Key_Down);
  QTest::keyClick(kind, Qt::Key_Down);
  EXPECT_EQ(session_->state().region.kind, RegionKind::Ellipse);
  auto* width = find<QSpinBox>("regionWidth");
  width->setFocus();
  width->selectAll();
  QTest::keyClicks(width, QStringLiteral("8"));
  QTest::keyClick(width, Qt::Key_Return);
  ASSERT_TRUE(settled());
  EXPECT_EQ(session_->state().region.width, 8);
  EXPECT_NE(session_->mask(), nullptr);
}

TEST_F(RegionWindow, MaskAndStatisticsAreSavedAndTheMaskIsReadAgain) {
  openPhoto();
  session_->setRegion({RegionKind::Ellipse, 5, 6, 40, 30, {}});
  ASSERT_TRUE(settled());
  const MaskPtr drawn = session_->mask();
  ASSERT_NE(drawn, nullptr);
  const auto mask = folder_ / "mask.png";
  answerDialog(QString::fromStdString(mask.string()));
  trigger("actionSaveMask");
  ASSERT_TRUE(samePixels(readImage(mask).image, *drawn));
  const auto table = folder_ / "inside.csv";
  answerDialog(QString::fromStdString(table.string()));
  trigger("actionSaveStatistics");
  EXPECT_TRUE(std::filesystem::exists(table));
  trigger("actionRegionWhole");
  answerDialog(QString::fromStdString(mask.string()));
  trigger("actionRegionFile");
  ASSERT_TRUE(settled());
  EXPECT_EQ(session_->state().region.kind, RegionKind::File);
  ASSERT_NE(session_->mask(), nullptr) << banner().toStdString();
  EXPECT_TRUE(samePixels(*session_->mask(), *drawn));

  workflow_->exportResponses(QString::fromStdString((folder_ / "out").string()), false);
  ASSERT_TRUE(QTest::qWaitFor([&] { return workflow_->lastExport().has_value(); }, 60000));
  EXPECT_TRUE(samePixels(readImage(folder_ / "out" / "photo.region.png").image, *drawn));
}

TEST_F(RegionWindow, AMaskOfAnotherSizeIsOneSentence) {
  openPhoto();
  writeImage(folder_ / "small.png", randomImage(1, 9, 9, ElementType::U8), FileFormat::Png);
  session_->setRegion({RegionKind::File, 0, 0, 0, 0, (folder_ / "small.png").string()});
  ASSERT_TRUE(settled());
  EXPECT_TRUE(banner().contains(QStringLiteral("9 x 9"))) << banner().toStdString();
  EXPECT_EQ(session_->mask(), nullptr);
  EXPECT_EQ(session_->statistics({Layer::Output, 0}), nullptr) << "no region, no statistics of it";
}

}  // namespace
}  // namespace bankside::window
