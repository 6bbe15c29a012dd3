/// Manual vessels beside what is found, live while a parameter changes.
#include <QCheckBox>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QSlider>

#include "gui/window/canvas/image_pane.h"
#include "gui/window/session/truth.h"
#include "tests/gui/window/window_fixture.h"

namespace bankside::window {
namespace {

using bankside::testing::randomImage;
using bankside::testing::WindowFixture;

class TruthWindow : public WindowFixture {
 protected:
  void openPhantom() {
    window_->openPath(QStringLiteral(BANKSIDE_ASSETS "/images/phantom.png"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return session_->picture() != nullptr; }, 60000));
    Recipe recipe = session_->recipe();
    recipe.channel = ChannelChoice::Green;
    session_->setRecipe(recipe);
    ASSERT_TRUE(chooseBank(QStringLiteral("vessel-matched:sigma=2")));
    recipe = session_->recipe();
    recipe.stages.front().combine = Combine::Max;
    session_->setRecipe(recipe);
    ASSERT_TRUE(settled());
    find<QDockWidget>("truthDock")->show();
    find<QDockWidget>("truthDock")->raise();
  }
  Truth& truth() { return *window_->findChild<Truth*>(); }
  bool compared(const PlanePtr& before) {
    return QTest::qWaitFor(
        [&] { return session_->shown(1).plane != before && truth().curve() && !truth().busy(); }, 60000);
  }
};

TEST_F(TruthWindow, ShowsFoundMissedAndFalseAndFollowsTheParameter) {
  openPhantom();
  truth().setFile(QStringLiteral(BANKSIDE_ASSETS "/images/phantom_vessels.png"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return truth().curve() != nullptr; }, 60000))
      << truth().error().toStdString();
  const double whole = truth().curve()->roc.area;
  QTest::mouseClick(find<QPushButton>("truthInside"), Qt::LeftButton);
  ASSERT_TRUE(settled());
  ASSERT_TRUE(QTest::qWaitFor([&] { return !truth().busy() && truth().curve()->roc.area != whole; }, 60000));
  const double area = truth().curve()->roc.area;
  EXPECT_GT(area, 0.8);
  EXPECT_TRUE(find<QLabel>("truthArea")->text().contains(QString::number(area, 'f', 4)));

  // Every finding is painted, in its colour, over the photograph too.
  const TruthScore& score = truth().score();
  const auto findings = score.findings->view<std::uint8_t>(0);
  std::int64_t found = 0;
  for (int y = 0; y < findings.height; ++y) {
    for (int x = 0; x < findings.width; ++x)
      found += findings.at(x, y) == static_cast<std::uint8_t>(Finding::Found);
  }
  EXPECT_EQ(found, score.confusion.truePositives);
  const auto colourOf = [&](Finding finding) {
    for (int y = 0; y < findings.height; ++y) {
      for (int x = 0; x < findings.width; ++x) {
        if (findings.at(x, y) != static_cast<std::uint8_t>(finding)) continue;
        session_->setView({false, 16, x + 0.5, y + 0.5});
        auto* pane = find<Canvas>("canvas")->pane(0);
        const QImage image = pane->grab().toImage().convertToFormat(QImage::Format_RGB32);
        return image.pixel(pane->geometryNow().rectOf({x, y}).center().toPoint() * image.devicePixelRatio());
      }
    }
    return QRgb{0};
  };
  for (const Finding finding : {Finding::Found, Finding::Missed, Finding::False})
    EXPECT_EQ(colourOf(finding), colorOf(finding)) << static_cast<int>(finding);

  // A higher threshold calls less vessel.
  auto* slider = find<QSlider>("truthThreshold");
  const Confusion best = score.confusion;
  slider->setFocus();
  for (int i = 0; i < 3; ++i) QTest::keyClick(slider, Qt::Key_Left);
  EXPECT_FALSE(find<QCheckBox>("truthBest")->isChecked());
  EXPECT_NE(truth().score().confusion, best);
  QTest::mouseClick(find<QCheckBox>("truthBest"), Qt::LeftButton, {}, {8, 8});
  EXPECT_EQ(truth().score().confusion, best);

  // Another parameter, another area, without a click.
  const PlanePtr before = session_->shown(1).plane;
  ASSERT_TRUE(chooseBank(QStringLiteral("vessel-matched:sigma=4")));
  ASSERT_TRUE(settled());
  ASSERT_TRUE(compared(before));
  EXPECT_NE(truth().curve()->roc.area, area);

  // Spun by its keys: what it comes to rest at has its area, its findings and its figure.
  const double turned = truth().curve()->roc.area;
  const PlanePtr last = session_->shown(1).plane;
  auto* sigma = find<QDoubleSpinBox>("parameter.sigma");
  for (int i = 0; i < 3; ++i) QTest::keyClick(sigma, Qt::Key_Up);
  ASSERT_TRUE(QTest::qWaitFor(
      [&] { return session_->recipe().stages.front().bank != "vessel-matched:sigma=4"; }, 60000));
  ASSERT_TRUE(settled());
  ASSERT_TRUE(compared(last));
  EXPECT_NE(truth().curve()->roc.area, turned);
  EXPECT_TRUE(find<QLabel>("truthArea")->text().contains(QString::number(truth().curve()->roc.area, 'f', 4)));
}

TEST_F(TruthWindow, ARegionThatIsNotThereHasNoScore) {
  openPhantom();
  truth().setFile(QStringLiteral(BANKSIDE_ASSETS "/images/phantom_vessels.png"));
  ASSERT_TRUE(compared(nullptr)) << truth().error().toStdString();
  writeImage(folder_ / "small.png", randomImage(1, 20, 20, ElementType::U8), FileFormat::Png);
  session_->setRegion({RegionKind::File, 0, 0, 0, 0, (folder_ / "small.png").string()});
  ASSERT_TRUE(QTest::qWaitFor([&] { return truth().curve() == nullptr; }, 60000));
  EXPECT_TRUE(truth().error().contains(QStringLiteral("20 x 20"))) << truth().error().toStdString();
  session_->setRegion({});
  ASSERT_TRUE(QTest::qWaitFor([&] { return truth().curve() != nullptr; }, 60000));
  EXPECT_TRUE(truth().error().isEmpty());
}

TEST_F(TruthWindow, ATruthOfAnotherSizeIsOneSentence) {
  openPhantom();
  writeImage(folder_ / "small.png", randomImage(1, 20, 20, ElementType::U8), FileFormat::Png);
  truth().setFile(QString::fromStdString((folder_ / "small.png").string()));
  ASSERT_TRUE(QTest::qWaitFor([&] { return !truth().error().isEmpty(); }, 60000));
  EXPECT_TRUE(find<QLabel>("truthFile")->text().contains(QStringLiteral("20 x 20")))
      << find<QLabel>("truthFile")->text().toStdString();
  EXPECT_EQ(truth().curve(), nullptr);
  QTest::mouseClick(find<QPushButton>("closeTruth"), Qt::LeftButton);
  EXPECT_TRUE(truth().error().isEmpty());
}

}  // namespace
}  // namespace bankside::window
