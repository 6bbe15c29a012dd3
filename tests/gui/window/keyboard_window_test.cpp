/// Without a mouse, or without sight: every panel and every control is reached by keys and has a name.
#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QSlider>
#include <QTabBar>
#include <QTabWidget>
#include <QTimer>
#include <algorithm>
#include <set>

#include "gui/window/canvas/image_pane.h"
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

TEST_F(KeyboardWindow, PageKeysTurnWhatHasTheFocusAndElseTheFilters) {
  open("photo.png", bankside::testing::randomImage(1, 60, 80, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  ASSERT_TRUE(settled());
  find<QDockWidget>("levelsDock")->raise();
  auto* slider = find<QSlider>("overlayOpacity");
  slider->setFocus();
  QTest::keyClick(slider, Qt::Key_PageUp);
  EXPECT_EQ(slider->value(), slider->pageStep());
  EXPECT_EQ(session_->state().selectedPlane, 0);
  auto* pane = find<Canvas>("canvas")->pane(1);
  pane->setFocus();
  QTest::keyClick(pane, Qt::Key_PageDown);
  EXPECT_EQ(session_->state().selectedPlane, 1);
  QTest::keyClick(pane, Qt::Key_PageUp);
  EXPECT_EQ(session_->state().selectedPlane, 0);
  EXPECT_EQ(slider->value(), slider->pageStep());
}

TEST_F(KeyboardWindow, ThePaletteGoesToAParameter) {
  open("photo.png", bankside::testing::randomImage(1, 60, 80, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("gaussian")));
  ASSERT_TRUE(settled());
  find<QTabWidget>("bankTabs")->setCurrentIndex(1);
  find<QDockWidget>("settingsDock")->raise();
  QTimer::singleShot(0, [&] {
    auto* text = QApplication::activeModalWidget()->findChild<QLineEdit*>(QStringLiteral("paletteText"));
    QTest::keyClicks(text, QStringLiteral("parameter sig"));
    QTest::keyClick(text, Qt::Key_Return);
  });
  trigger("actionPalette");
  QApplication::setActiveWindow(window_.get());  // as a window manager does when a dialog is gone
  auto* sigma = find<QWidget>("parameter.sigma");
  ASSERT_TRUE(QTest::qWaitFor([&] { return sigma->hasFocus(); }, 60000));
  EXPECT_TRUE(sigma->isVisible());
  EXPECT_FALSE(sigma->visibleRegion().isEmpty()) << "scrolled to where it is seen";
  // The keys then turn it.
  const QString before = QString::fromStdString(session_->recipe().stages.front().bank);
  QTest::keyClick(sigma, Qt::Key_Up);
  EXPECT_TRUE(QTest::qWaitFor(
      [&] { return QString::fromStdString(session_->recipe().stages.front().bank) != before; }, 60000));
}

/// What a screen reader says of a widget: its own name, its text, or the label beside it.
QString spokenName(QWidget* widget) {
  const QAccessibleInterface* interface = QAccessible::queryAccessibleInterface(widget);
  return interface == nullptr ? QString() : interface->text(QAccessible::Name);
}

/// Parts of a control that speak through it.
bool isPart(const QWidget* widget) {
  const QWidget* parent = widget->parentWidget();
  return widget->objectName().startsWith(QLatin1String("qt_")) ||
         qobject_cast<const QAbstractSpinBox*>(parent) != nullptr ||
         qobject_cast<const QComboBox*>(parent) != nullptr || widget->inherits("QComboBoxPrivateContainer") ||
         widget->inherits("QComboBoxListView") || widget->inherits("QHeaderView") ||
         widget->inherits("QTableCornerButton");
}

TEST_F(KeyboardWindow, EveryControlHasASpokenName) {
  open("photo.png", bankside::testing::randomImage(3, 60, 80, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("vessel-matched")));
  ASSERT_TRUE(settled());
  int controls = 0;
  for (QWidget* widget : window_->findChildren<QWidget*>()) {
    if (widget->focusPolicy() == Qt::NoFocus || isPart(widget)) continue;
    const auto* label = qobject_cast<QLabel*>(widget);
    const auto* button = qobject_cast<QAbstractButton*>(widget);
    const auto* tabs = qobject_cast<QTabBar*>(widget);
    const bool empty = (label && label->text().isEmpty()) || (tabs && tabs->count() == 0) ||
                       (button && !button->isVisible() && button->text().isEmpty());
    if (empty) continue;  // it speaks with its text, and has none now
    ++controls;
    EXPECT_FALSE(spokenName(widget).isEmpty())
        << widget->metaObject()->className() << " " << widget->objectName().toStdString() << " in "
        << widget->parentWidget()->objectName().toStdString();
  }
  EXPECT_GT(controls, 60);
}

TEST_F(KeyboardWindow, TheTabKeyReachesEveryControlAndIsHeldByNone) {
  open("photo.png", bankside::testing::randomImage(3, 60, 80, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("vessel-matched")));
  session_->setPixel(QPoint(7, 9));
  ASSERT_TRUE(settled());
  std::set<QWidget*> reached;
  std::set<QWidget*> wanted;
  for (QDockWidget* dock : window_->findChildren<QDockWidget*>()) {
    dock->show();
    dock->raise();
    QTest::qWait(1);
    for (QWidget* widget : window_->findChildren<QWidget*>()) {
      const bool takesTab = (widget->focusPolicy() & Qt::TabFocus) == Qt::TabFocus;
      if (takesTab && widget->isVisible() && widget->isEnabled() && !isPart(widget)) wanted.insert(widget);
    }
    QWidget* home = find<Canvas>("canvas")->pane(0);
    home->setFocus();
    std::set<QWidget*> round;
    constexpr int most = 400;  // more than there are controls: a key that is held goes round for ever
    for (int i = 0; i < most && (i == 0 || QApplication::focusWidget() != home); ++i) {
      round.insert(QApplication::focusWidget());
      QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    }
    EXPECT_EQ(QApplication::focusWidget(), home)
        << dock->objectName().toStdString() << ": the focus does not come round, it is at "
        << QApplication::focusWidget()->objectName().toStdString();
    reached.insert(round.begin(), round.end());
  }
  for (QWidget* widget : wanted) {
    const bool inside = std::any_of(reached.begin(), reached.end(), [&](QWidget* at) {
      return at == widget || (at != nullptr && (widget->focusProxy() == at || at->focusProxy() == widget));
    });
    EXPECT_TRUE(inside) << widget->metaObject()->className() << " " << widget->objectName().toStdString();
  }
}

}  // namespace
}  // namespace bankside::window
