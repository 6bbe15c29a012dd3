/// Manual vessels beside what is found, live while a parameter changes.
#include <QCheckBox>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QSlider>

#include "core/phantom/phantom.h"
#include "gui/window/canvas/image_pane.h"
#include "gui/window/session/history.h"
#include "gui/window/session/truth.h"
#include "tests/gui/window/odd_engines.h"
#include "tests/gui/window/window_fixture.h"

namespace bankside::window {
namespace {

using bankside::testing::randomImage;
using bankside::testing::WaitingEngine;
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
    raiseTruth();
  }
  void raiseTruth() {
    find<QDockWidget>("truthDock")->show();
    find<QDockWidget>("truthDock")->raise();
    QTest::qWait(1);
  }
  /// A phantom with its vessels, which are chosen.
  void openEyeWithTruth() {
    const Phantom phantom = makePhantom({.size = 96});
    writeImage(folder_ / "vessels.png", phantom.vessels, FileFormat::Png);
    open("eye.png", phantom.photograph);
    ASSERT_TRUE(chooseBank(QStringLiteral("vessel-matched:sigma=1.5")));
    ASSERT_TRUE(settled());
    raiseTruth();
    chooseTruth(folder_ / "vessels.png");
  }
  void chooseTruth(const std::filesystem::path& file) {
    clickAndChoose(find<QPushButton>("openTruth"), file);
  }
  Truth& truth() { return *window_->findChild<Truth*>(); }
  /// A pixel of that kind.
  QPoint firstOf(PixelOutcome finding) {
    const auto findings = truth().score().findings->view<std::uint8_t>(0);
    for (int y = 0; y < findings.height; ++y) {
      for (int x = 0; x < findings.width; ++x) {
        if (findings.at(x, y) == static_cast<std::uint8_t>(finding)) return {x, y};
      }
    }
    ADD_FAILURE() << "no pixel is " << static_cast<int>(finding);
    return {};
  }
  /// The colour of that pixel over the input.
  QRgb painted(QPoint pixel) {
    session_->setView({false, 16, pixel.x() + 0.5, pixel.y() + 0.5});
    auto* pane = find<Canvas>("canvas")->pane(0);
    const QImage image = pane->grab().toImage().convertToFormat(QImage::Format_RGB32);
    return image.pixel(pane->geometryNow().rectOf(pixel).center().toPoint() * image.devicePixelRatio());
  }
  bool compared(const PlanePtr& before) {
    return QTest::qWaitFor(
        [&] { return session_->shown(1).plane != before && truth().curve() && !truth().busy(); }, 60000);
  }
};

TEST_F(TruthWindow, ShowsFoundMissedAndFalseAndFollowsTheParameter) {
  openPhantom();
  chooseTruth(BANKSIDE_ASSETS "/images/phantom_vessels.png");
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
      found += findings.at(x, y) == static_cast<std::uint8_t>(PixelOutcome::Found);
  }
  EXPECT_EQ(found, score.confusion.truePositives);
  for (const PixelOutcome finding : {PixelOutcome::Found, PixelOutcome::Missed, PixelOutcome::False})
    EXPECT_EQ(painted(firstOf(finding)), colorOf(finding)) << static_cast<int>(finding);

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
  chooseTruth(BANKSIDE_ASSETS "/images/phantom_vessels.png");
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
  chooseTruth(folder_ / "small.png");
  ASSERT_TRUE(QTest::qWaitFor([&] { return !truth().error().isEmpty(); }, 60000));
  EXPECT_TRUE(find<QLabel>("truthFile")->text().contains(QStringLiteral("20 x 20")))
      << find<QLabel>("truthFile")->text().toStdString();
  EXPECT_EQ(truth().curve(), nullptr);
  QTest::mouseClick(find<QPushButton>("closeTruth"), Qt::LeftButton);
  EXPECT_TRUE(truth().error().isEmpty());
}

TEST_F(TruthWindow, TheOldScoreStaysDimmedUntilTheNewOneIsThere) {
  WaitingEngine engine;
  engine.finish = true;
  makeWindow([&](const std::string&, const ConvolutionProblem&) -> const Engine& { return engine; },
             {&engine});
  openEyeWithTruth();
  ASSERT_TRUE(compared(nullptr)) << truth().error().toStdString();
  const QPoint found = firstOf(PixelOutcome::Found);
  const QString area = find<QLabel>("truthArea")->text();
  ASSERT_EQ(painted(found), colorOf(PixelOutcome::Found));

  engine.finish = false;
  ASSERT_TRUE(chooseBank(QStringLiteral("vessel-matched:sigma=3")));
  ASSERT_TRUE(QTest::qWaitFor([&] { return !find<QLabel>("truthArea")->isEnabled(); }, 60000));
  EXPECT_EQ(find<QLabel>("truthArea")->text(), area) << "the old one stays";
  EXPECT_NE(painted(found), colorOf(PixelOutcome::Found)) << "dimmed over the panes too";
  EXPECT_EQ(find<QLabel>("truthFile")->text(), QStringLiteral("vessels.png · comparing…"));
  QTest::keyClick(window_.get(), Qt::Key_Escape);
  ASSERT_TRUE(QTest::qWaitFor(
      [&] { return find<QLabel>("truthFile")->text() == QStringLiteral("vessels.png · stopped"); }, 60000));
  EXPECT_FALSE(find<QLabel>("truthArea")->isEnabled());

  engine.finish = true;
  click(offer(QStringLiteral("Compute")));
  ASSERT_TRUE(QTest::qWaitFor([&] { return find<QLabel>("truthArea")->isEnabled(); }, 60000));
  EXPECT_NE(find<QLabel>("truthArea")->text(), area);
  EXPECT_EQ(find<QLabel>("truthFile")->text(), QStringLiteral("vessels.png"));
  EXPECT_EQ(painted(firstOf(PixelOutcome::Found)), colorOf(PixelOutcome::Found));
}

TEST_F(TruthWindow, ChoosingAFileAThresholdAndNoneIsUndoneAndRedone) {
  const Phantom phantom = makePhantom({.size = 96});
  writeImage(folder_ / "vessels.png", phantom.vessels, FileFormat::Png);
  open("eye.png", phantom.photograph);
  ASSERT_TRUE(chooseBank(QStringLiteral("vessel-matched:sigma=1.5")));
  ASSERT_TRUE(settled());
  History& history = window_->history();
  history.restart();
  raiseTruth();
  chooseTruth(folder_ / "vessels.png");
  ASSERT_TRUE(compared(nullptr)) << truth().error().toStdString();
  EXPECT_EQ(history.steps().back().title, QStringLiteral("Manual vessels vessels.png"));
  const Confusion best = truth().score().confusion;
  auto* slider = find<QSlider>("truthThreshold");
  for (int i = 0; i < 3; ++i) QTest::keyClick(slider, Qt::Key_Left);
  const Confusion turned = truth().score().confusion;
  ASSERT_NE(turned, best);
  QTest::qWait(1);
  EXPECT_EQ(history.present(), 2) << "a slider that is moved is one step";
  click(find<QCheckBox>("truthShown"));
  QTest::qWait(1);
  QTest::keyClick(find<QPushButton>("closeTruth"), Qt::Key_Space);
  QTest::qWait(1);
  EXPECT_EQ(history.steps().back().title, QStringLiteral("No manual vessels"));
  EXPECT_EQ(truth().curve(), nullptr);
  EXPECT_FALSE(find<QPushButton>("closeTruth")->isEnabled());
  ASSERT_EQ(history.present(), 4);

  trigger("actionUndo");
  ASSERT_TRUE(compared(nullptr)) << truth().error().toStdString();
  EXPECT_EQ(truth().score().confusion, turned);
  EXPECT_FALSE(find<QCheckBox>("truthShown")->isChecked());
  trigger("actionUndo");
  EXPECT_TRUE(find<QCheckBox>("truthShown")->isChecked());
  trigger("actionUndo");
  EXPECT_EQ(truth().score().confusion, best);
  EXPECT_TRUE(find<QCheckBox>("truthBest")->isChecked());
  trigger("actionUndo");
  ASSERT_TRUE(QTest::qWaitFor([&] { return truth().curve() == nullptr; }, 60000));
  EXPECT_FALSE(history.canUndo());
  EXPECT_TRUE(session_->state().truth.file.isEmpty());
  trigger("actionRedo");
  ASSERT_TRUE(compared(nullptr));
  EXPECT_EQ(truth().score().confusion, best);
}

TEST_F(TruthWindow, OurOutputIsHeldAgainstThemWhereNoPaneShowsIt) {
  const Phantom phantom = makePhantom({.size = 96});
  writeImage(folder_ / "vessels.png", phantom.vessels, FileFormat::Png);
  open("eye.png", phantom.photograph);
  trigger("actionPanes1");
  ASSERT_TRUE(chooseBank(QStringLiteral("vessel-matched:sigma=1.5")));
  ASSERT_TRUE(settled());
  raiseTruth();
  chooseTruth(folder_ / "vessels.png");
  ASSERT_TRUE(QTest::qWaitFor([&] { return truth().curve() != nullptr; }, 60000));
  EXPECT_EQ(truth().waiting(), QString());
}

TEST_F(TruthWindow, TheMarksAreOnePicturesAndComeBackWithIt) {
  openEyeWithTruth();
  ASSERT_TRUE(compared(nullptr));
  open("other.png", randomImage(1, 96, 96, ElementType::U8));
  ASSERT_TRUE(settled());
  ASSERT_TRUE(QTest::qWaitFor([&] { return truth().curve() == nullptr; }, 60000));
  EXPECT_TRUE(session_->state().truth.file.isEmpty());
  trigger("actionUndo");
  ASSERT_TRUE(QTest::qWaitFor([&] { return truth().curve() != nullptr; }, 60000));
  EXPECT_EQ(session_->picture()->path.filename(), "eye.png");
}

}  // namespace
}  // namespace bankside::window
