/// The start page: each of its buttons, clicked.
#include <QLabel>

#include "gui/window/compute/assets.h"
#include "gui/window/session/history.h"
#include "tests/gui/window/window_fixture.h"

namespace bankside::window {
namespace {

using bankside::testing::randomImage;
using bankside::testing::WindowFixture;

class StartPage : public WindowFixture {
 protected:
  /// The sample as that recipe of the assets sees it.
  void showsSample(const QString& button, const std::string& recipe) {
    click(offer(button));
    ASSERT_TRUE(QTest::qWaitFor([&] { return session_->picture() && session_->recipe().ofMaps(); }, 60000))
        << banner().toStdString();
    ASSERT_TRUE(settled());
    EXPECT_EQ(session_->picture()->path.filename(), "retina.jpg");
    EXPECT_EQ(session_->recipe(), readRecipe(std::string(BANKSIDE_ASSETS "/recipes/") + recipe));
    EXPECT_EQ(session_->state().pixelsPerDegree, sampleScale);
    EXPECT_NE(session_->shown(1).plane, nullptr);
    EXPECT_EQ(session_->shown(1).age, Session::Shown::Age::Present);
    EXPECT_EQ(offer(button), nullptr) << "the start page is gone";
    EXPECT_TRUE(banner().isEmpty()) << banner().toStdString();
  }
};

TEST_F(StartPage, Vessels) { showsSample(QStringLiteral("Sample: vessels"), "vessels.json"); }
TEST_F(StartPage, Frangi) { showsSample(QStringLiteral("Sample: Frangi's vesselness"), "frangi.json"); }
TEST_F(StartPage, EdgesAndBars) { showsSample(QStringLiteral("Sample: edges and bars (MR8)"), "mr8.json"); }

TEST_F(StartPage, APicture) {
  writeImage(folder_ / "photo.png", randomImage(1, 40, 60, ElementType::U8), FileFormat::Png);
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  clickAndChoose(offer(QStringLiteral("Open a picture…")), folder_ / "photo.png");
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->picture() != nullptr; }, 60000))
      << banner().toStdString();
  ASSERT_TRUE(settled());
  EXPECT_EQ(session_->picture()->path.filename(), "photo.png");
  EXPECT_NE(session_->shown(1).plane, nullptr);

  // Undone to the start, nothing says that there is a picture.
  auto* image = find<QLabel>("statusImage");
  EXPECT_TRUE(image->text().startsWith(QStringLiteral("photo.png")));
  EXPECT_FALSE(find<QLabel>("statusPixel")->text().isEmpty());
  window_->history().endAction();
  while (window_->history().canUndo()) {
    const int to = window_->history().present() - 1;
    trigger("actionUndo");
    ASSERT_TRUE(QTest::qWaitFor([&] { return window_->history().present() == to; }, 60000));
  }
  ASSERT_EQ(session_->picture(), nullptr);
  EXPECT_EQ(image->text(), QString());
  EXPECT_EQ(find<QLabel>("statusPixel")->text(), QString());
}

}  // namespace
}  // namespace bankside::window
