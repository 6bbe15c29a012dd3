/// The command palette.
#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QTimer>

#include "tests/gui/window/window_fixture.h"

namespace bankside::window {
namespace {

using bankside::testing::randomImage;
using bankside::testing::WindowFixture;

class PaletteWindow : public WindowFixture {};

TEST_F(PaletteWindow, RunsACommandByAFewLetters) {
  QTimer::singleShot(0, [&] {
    QWidget* palette = QApplication::activeModalWidget();
    ASSERT_NE(palette, nullptr);
    auto* text = palette->findChild<QLineEdit*>(QStringLiteral("paletteText"));
    QTest::keyClicks(text, QStringLiteral("4 pan"));
    QTest::keyClick(text, Qt::Key_Return);
  });
  trigger("actionPalette");
  EXPECT_TRUE(QTest::qWaitFor([&] { return session_->state().panes.size() == 4; }, 60000));
}

TEST_F(PaletteWindow, SaysThatItFoundNothingAndWhatWould) {
  bool looked = false;
  QTimer::singleShot(0, [&] {
    QWidget* palette = QApplication::activeModalWidget();
    ASSERT_NE(palette, nullptr);
    auto* text = palette->findChild<QLineEdit*>(QStringLiteral("paletteText"));
    auto* nothing = palette->findChild<QLabel*>(QStringLiteral("paletteNothing"));
    auto* list = palette->findChild<QListWidget*>(QStringLiteral("paletteList"));
    EXPECT_FALSE(nothing->isVisible());
    QTest::keyClicks(text, QStringLiteral("zebra <b>"));
    EXPECT_TRUE(nothing->isVisible());
    EXPECT_FALSE(list->isVisible());
    EXPECT_TRUE(nothing->text().startsWith(QStringLiteral("Nothing found for “zebra <b>”.")))
        << nothing->text().toStdString();
    QTest::keyClick(text, Qt::Key_Return);
    EXPECT_TRUE(palette->isVisible()) << "there is nothing to be run";
    text->clear();
    QTest::keyClicks(text, QStringLiteral("kirsch"));
    EXPECT_FALSE(nothing->isVisible());
    EXPECT_GT(list->count(), 0);
    palette->close();
    looked = true;
  });
  trigger("actionPalette");
  EXPECT_TRUE(looked);
}

TEST_F(PaletteWindow, FindsBanksAndPictures) {
  open("photo.png", randomImage(3, 60, 80, ElementType::U8));
  const auto find = [&](const QString& letters) {
    bool typed = false;
    QTimer::singleShot(0, window_.get(), [&] {
      auto* text = QApplication::activeModalWidget()->findChild<QLineEdit*>(QStringLiteral("paletteText"));
      QTest::keyClicks(text, letters);
      QTest::keyClick(text, Qt::Key_Return);
      typed = true;
    });
    trigger("actionPalette");
    EXPECT_TRUE(typed);
  };
  find(QStringLiteral("Bank kirsch"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->recipe().stages.front().bank == "kirsch"; }, 60000));
  find(QStringLiteral("Picture photo.png"));
  ASSERT_TRUE(settled());
}

}  // namespace
}  // namespace bankside::window
