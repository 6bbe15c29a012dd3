/// Without a mouse: every panel comes to the front and takes the keys.
#include <QApplication>
#include <QDockWidget>

#include "tests/gui/window/window_fixture.h"

namespace bankside::window {
namespace {

class KeyboardWindow : public bankside::testing::WindowFixture {};

TEST_F(KeyboardWindow, EveryPanelIsReachedByTheKeyboard) {
  open("photo.png", bankside::testing::randomImage(1, 60, 80, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  ASSERT_TRUE(settled());
  int number = 0;
  for (QDockWidget* dock : window_->findChildren<QDockWidget*>()) {
    // There are ten digits; panels beyond are reached through the menu and the palette.
    auto* action = find<QAction>((QStringLiteral("actionShow-") + dock->objectName()).toLatin1().constData());
    ASSERT_NE(action, nullptr);
    if (action->shortcut().isEmpty()) {
      action->trigger();
    } else {
      ++number;
      QTest::keySequence(window_.get(), action->shortcut());
    }
    EXPECT_TRUE(dock->widget()->isVisible()) << dock->objectName().toStdString();
    const QWidget* focus = QApplication::focusWidget();
    ASSERT_NE(focus, nullptr);
    EXPECT_TRUE(dock->isAncestorOf(focus)) << dock->objectName().toStdString();
  }
  EXPECT_EQ(number, 10);
}

}  // namespace
}  // namespace bankside::window
