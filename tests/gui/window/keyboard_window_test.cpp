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
    QTest::keyClick(window_.get(), static_cast<Qt::Key>(Qt::Key_1 + number++),
                    Qt::ControlModifier | Qt::AltModifier);
    EXPECT_TRUE(dock->widget()->isVisible()) << dock->objectName().toStdString();
    const QWidget* focus = QApplication::focusWidget();
    ASSERT_NE(focus, nullptr);
    EXPECT_TRUE(dock->isAncestorOf(focus)) << dock->objectName().toStdString();
  }
  EXPECT_EQ(number, 9);
}

}  // namespace
}  // namespace bankside::window
