/// The photograph in its colours, and a response or found vessels over it.
#include <QCheckBox>
#include <QDockWidget>
#include <QSlider>
#include <QToolButton>

#include "gui/window/canvas/image_pane.h"
#include "gui/window/session/history.h"
#include "gui/window/session/truth.h"
#include "tests/gui/window/window_fixture.h"

namespace bankside::window {
namespace {

using bankside::testing::randomImage;
using bankside::testing::WindowFixture;

class ColourWindow : public WindowFixture {
 protected:
  void openColoured() {
    photograph_ = randomImage(3, 300, 400, ElementType::U8);
    open("photo.png", photograph_);
    Recipe recipe = session_->recipe();
    recipe.channel = ChannelChoice::Green;
    session_->setRecipe(recipe);
    ASSERT_TRUE(chooseBank(QStringLiteral("gaussian:sigma=1")));
    ASSERT_TRUE(settled());
  }
  /// The screen's colour in the middle of an image pixel of a pane.
  QRgb colourAt(int pane, QPoint pixel) {
    session_->setView({false, 16, pixel.x() + 0.5, pixel.y() + 0.5});
    auto* shown = find<Canvas>("canvas")->pane(pane);
    const QImage image = shown->grab().toImage().convertToFormat(QImage::Format_RGB32);
    return image.pixel((shown->geometryNow().rectOf(pixel).center() * image.devicePixelRatio()).toPoint());
  }
  QRgb inTheFile(QPoint p) {
    const auto value = [&](int c) { return photograph_.view<std::uint8_t>(c).at(p.x(), p.y()); };
    return qRgb(value(0), value(1), value(2));
  }
  void slide(const char* name, int percent) {
    auto* slider = find<QSlider>(name);
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_Home);
    for (int i = 0; i < percent / 5; ++i) QTest::keyClick(slider, Qt::Key_Right);
    EXPECT_EQ(slider->value(), percent);
  }
  Image photograph_;
};

TEST_F(ColourWindow, TheInputIsShownInColourAndFilteredAsBefore) {
  openColoured();
  const QPoint at(150, 120);
  const int green = qGreen(inTheFile(at));
  EXPECT_EQ(colourAt(0, at), qRgb(green, green, green));
  const PlanePtr output = session_->shown(1).plane;
  const QRgb response = colourAt(1, at);

  QTest::mouseClick(find<QToolButton>("colorPane0"), Qt::LeftButton);
  ASSERT_TRUE(settled());
  EXPECT_TRUE(find<QCheckBox>("inputColors")->isChecked());
  for (const QPoint pixel : {at, QPoint(0, 0), QPoint(399, 299)})
    EXPECT_EQ(colourAt(0, pixel), inTheFile(pixel));
  EXPECT_EQ(session_->shown(1).plane, output) << "nothing is filtered anew";
  EXPECT_EQ(colourAt(1, at), response);
  EXPECT_EQ(session_->shown(0).plane->value(at.x(), at.y()), static_cast<float>(green))
      << "what is read out stays what is filtered";

  // Levels are the three colours' together.
  LevelSetting setting = session_->levels(LevelGroup::Input);
  setting.automatic = false;
  setting.manual = {0, 127.5f};
  session_->setLevels(LevelGroup::Input, setting);
  EXPECT_NEAR(qRed(colourAt(0, at)), std::min(255, 2 * qRed(inTheFile(at))), 1);

  QTest::mouseClick(find<QToolButton>("colorPane0"), Qt::LeftButton);
  session_->setLevels(LevelGroup::Input, {});
  EXPECT_EQ(colourAt(0, at), qRgb(green, green, green));
}

TEST_F(ColourWindow, AGreyPictureOffersNoColour) {
  window_->resize(1024, 700);
  openColoured();
  QTest::mouseClick(find<QToolButton>("colorPane0"), Qt::LeftButton);
  ASSERT_TRUE(settled());
  open("grey.png", randomImage(1, 300, 400, ElementType::U8));
  ASSERT_TRUE(settled());
  EXPECT_FALSE(find<QToolButton>("colorPane0")->isVisible());
  EXPECT_FALSE(find<QCheckBox>("inputColors")->isEnabled());
  EXPECT_EQ(session_->photograph(), nullptr);
  const QRgb shown = colourAt(0, {7, 9});
  EXPECT_EQ(qRed(shown), qBlue(shown));
  open("again.png", photograph_);
  ASSERT_TRUE(settled());
  EXPECT_EQ(colourAt(0, {7, 9}), inTheFile({7, 9})) << "what was asked for is there again";
  EXPECT_EQ(window_->size(), QSize(1024, 700))
      << "what comes and goes above a pane makes the window no wider";
}

TEST_F(ColourWindow, AResponseLiesOverItWithTheOpacityOfTheSlider) {
  openColoured();
  find<QDockWidget>("levelsDock")->raise();
  QTest::mouseClick(find<QCheckBox>("inputColors"), Qt::LeftButton, {}, {8, 8});
  LevelSetting setting = session_->levels(LevelGroup::Response);
  setting.map = ColorMap::Viridis;
  session_->setLevels(LevelGroup::Response, setting);
  ASSERT_TRUE(settled());
  const RenderStyle style = session_->styleFor({Layer::Output, 0});
  const Plane& response = *session_->shown(1).plane;
  QPoint strong;
  QPoint weak;
  for (int y = 0; y < response.height(); ++y) {
    for (int x = 0; x < response.width(); ++x) {
      if (response.value(x, y) >= style.levels.high) strong = {x, y};
      if (response.value(x, y) <= style.levels.low) weak = {x, y};
    }
  }
  for (const int percent : {0, 40, 100}) {
    slide("overlayOpacity", percent);
    ASSERT_TRUE(settled());
    EXPECT_EQ(colourAt(0, weak), inTheFile(weak)) << "the weakest response covers nothing";
    const QRgb above = colorOf(style.levels.high, style);
    const QRgb below = inTheFile(strong);
    const QRgb shown = colourAt(0, strong);
    const auto mixed = [&](int from, int to) { return from + (to - from) * percent / 100.0; };
    EXPECT_NEAR(qRed(shown), mixed(qRed(below), qRed(above)), 1) << percent;
    EXPECT_NEAR(qGreen(shown), mixed(qGreen(below), qGreen(above)), 1) << percent;
    EXPECT_NEAR(qBlue(shown), mixed(qBlue(below), qBlue(above)), 1) << percent;
  }
  // A turn of the slider is one step of the history.
  trigger("actionUndo");
  EXPECT_EQ(session_->state().overlay, 0);
  trigger("actionRedo");
  EXPECT_EQ(session_->state().overlay, 1);
  const SessionState read = sessionFromJson(toJson(session_->state()));
  EXPECT_EQ(read.overlay, 1);
  EXPECT_TRUE(read.colors);
}

TEST_F(ColourWindow, TheOverlayStaysWhileAParameterIsTurned) {
  openColoured();
  trigger("actionPanes1");
  session_->setPane(0, {Layer::Input});
  trigger("actionOverlay");
  ASSERT_TRUE(settled());
  const PlanePtr before = session_->overlay().plane;
  ASSERT_NE(before, nullptr) << "what no pane shows is computed for the overlay";
  int blank = 0;
  QObject::connect(session_.get(), &Session::resultsChanged, session_.get(),
                   [&] { blank += session_->overlay().plane == nullptr; });
  ASSERT_TRUE(chooseBank(QStringLiteral("gaussian:sigma=3")));
  EXPECT_NE(session_->overlay().plane, nullptr);
  ASSERT_TRUE(settled());
  EXPECT_NE(session_->overlay().plane, before);
  EXPECT_EQ(blank, 0);
  // Never over another photograph than its own.
  open("other.png", randomImage(3, 300, 400, ElementType::U8));
  EXPECT_EQ(session_->overlay().plane, nullptr);
  ASSERT_TRUE(settled());
  EXPECT_NE(session_->overlay().plane, nullptr);
}

TEST_F(ColourWindow, AnOverlayCostsThePixelsOfTheInputOnceMore) {
  photograph_ = randomImage(3, 2048, 2048, ElementType::U8);
  open("large.png", photograph_);
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  session_->setColors(true);
  session_->setOverlay(0.5);
  ASSERT_TRUE(settled());
  auto* canvas = find<Canvas>("canvas");
  const auto pixels = [&](int pane) {
    const QSize size = canvas->pane(pane)->geometryNow().deviceSize();
    return std::int64_t{size.width()} * size.height();
  };
  for (const double zoom : {0.1, 0.4, 1.0, 7.0}) {
    const std::int64_t colored[] = {canvas->pane(0)->colored(), canvas->pane(1)->colored()};
    session_->setView({false, zoom, 1000, 900});
    QCoreApplication::processEvents();
    EXPECT_EQ(canvas->pane(0)->colored() - colored[0], 2 * pixels(0)) << zoom;
    EXPECT_EQ(canvas->pane(1)->colored() - colored[1], pixels(1)) << zoom;
  }
}

TEST_F(ColourWindow, FoundVesselsLieOverItWithAnOpacityOfTheirOwn) {
  openColoured();
  session_->setColors(true);
  Image marks = randomImage(1, 300, 400, ElementType::U8);
  const auto view = marks.view<std::uint8_t>(0);
  for (int y = 0; y < view.height; ++y) {
    for (int x = 0; x < view.width; ++x) view.at(x, y) = x < 200 ? 255 : 0;
  }
  writeImage(folder_ / "marks.png", marks, FileFormat::Png);
  auto* truth = window_->findChild<Truth*>();
  session_->setTruth({QString::fromStdString((folder_ / "marks.png").string())});
  ASSERT_TRUE(QTest::qWaitFor([&] { return truth->curve() && !truth->busy(); }, 60000));
  find<QDockWidget>("truthDock")->show();
  find<QDockWidget>("truthDock")->raise();
  ASSERT_TRUE(settled());  // and laid out: a panel in front may be wider than the one before
  const auto findings = truth->score().findings->view<std::uint8_t>(0);
  const QPoint at(100, 100);
  const QRgb above = colorOf(static_cast<PixelOutcome>(findings.at(at.x(), at.y())));
  EXPECT_EQ(colourAt(0, at), above);
  slide("truthOpacity", 30);
  const QRgb shown = colourAt(0, at);
  EXPECT_NEAR(qRed(shown), 0.7 * qRed(inTheFile(at)) + 0.3 * qRed(above), 2);
  EXPECT_NEAR(qBlue(shown), 0.7 * qBlue(inTheFile(at)) + 0.3 * qBlue(above), 2);
  slide("truthOpacity", 0);
  EXPECT_EQ(colourAt(0, at), inTheFile(at));
}

}  // namespace
}  // namespace bankside::window
