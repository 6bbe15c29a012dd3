/// Without a mouse, or without sight: every panel and every control is reached by keys and has a name.
#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QSet>
#include <QSlider>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTimer>
#include <QTranslator>
#include <algorithm>
#include <set>

#include "filters/catalog.h"
#include "gui/window/canvas/image_pane.h"
#include "gui/window/compute/assets.h"
#include "gui/window/compute/core_sentence.h"
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

/// Marks what is ready for translation.
class Marks final : public QTranslator {
 public:
  bool isEmpty() const override { return false; }
  QString translate(const char*, const char* source, const char*, int) const override {
    return QStringLiteral("‹") + QString::fromUtf8(source);
  }
};

/// What is called the same in every language: banks, filters, engines, parameters, formats. Core's sentences
/// stay English (decision 0153).
class TranslatedWindow : public KeyboardWindow {
 protected:
  QSet<QString> namesAndSentences() {
    QSet<QString> all;
    const auto add = [&](const std::string& text) { all.insert(QString::fromStdString(text)); };
    for (const Engine* engine : workflow_->engines()) {
      add(engine->name());
      all.insert(sentenceOf(engine->description()));
      all.insert(sentenceOf(engine->available().reason));
    }
    for (const RecipeFile& recipe : recipeFiles()) {
      const QString name = QFileInfo(recipe.path).completeBaseName();
      all << name << recipe.title << QStringLiteral("%1: %2").arg(name, recipe.title);
    }
    for (const CatalogEntry& entry : catalog()) {
      add(entry.name);
      for (const BankParameter& parameter : entry.parameters) add(parameter.name);
    }
    add(session_->bank()->info().title);
    add(session_->bank()->info().citation);
    for (const Filter& filter : session_->bank()->filters()) add(filter.label);
    const auto* formats = find<QComboBox>("format");
    for (int i = 0; i < formats->count(); ++i) all.insert(formats->itemText(i));
    for (const char* quoted : {"settingsNote", "paneText1", "paneText2"}) {
      all.insert(find<QLabel>(quoted)->text());
      all.insert(find<QLabel>(quoted)->toolTip());
    }
    const QString opened = session_->state().imagePath;
    return all << opened << QFileInfo(opened).fileName();
  }
};

TEST_F(TranslatedWindow, EveryWordOnShowIsReadyForTranslation) {
  Marks marks;
  QCoreApplication::installTranslator(&marks);
  makeWindow();
  open("photo.png", bankside::testing::randomImage(3, 60, 80, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("vessel-matched")));
  trigger("actionPanes4");
  session_->setPixel(QPoint(7, 9));
  for (QDockWidget* dock : window_->findChildren<QDockWidget*>()) dock->show();
  ASSERT_TRUE(settled());
  QTest::qWait(1);
  int words = 0;
  const QSet<QString> data = namesAndSentences();
  const auto read = [&](const QString& text, const QObject* of, const char* what) {
    static const QRegularExpression word(QStringLiteral("\\p{L}{3,}"));
    if (!text.contains(word) || data.contains(text.section(QStringLiteral("  ("), 0, 0))) return;
    if (text.contains(QStringLiteral("‹"))) return void(++words);
    ADD_FAILURE() << what << " of " << of->metaObject()->className() << " " << of->objectName().toStdString()
                  << ": " << text.toStdString();
  };
  for (QWidget* widget : window_->findChildren<QWidget*>()) {
    read(widget->toolTip(), widget, "tooltip");
    read(widget->accessibleName(), widget, "spoken name");
    read(widget->windowTitle(), widget, "title");
    if (auto* label = qobject_cast<QLabel*>(widget)) read(label->text(), label, "text");
    if (auto* button = qobject_cast<QAbstractButton*>(widget)) read(button->text(), button, "text");
    if (auto* line = qobject_cast<QLineEdit*>(widget)) read(line->placeholderText(), line, "placeholder");
    if (auto* tabs = qobject_cast<QTabBar*>(widget)) {
      for (int i = 0; i < tabs->count(); ++i) read(tabs->tabText(i), tabs, "tab");
    }
    if (auto* box = qobject_cast<QComboBox*>(widget)) {
      for (int i = 0; i < box->count(); ++i) read(box->itemText(i), box, "choice");
    }
    if (auto* view = qobject_cast<QTableView*>(widget)) {
      for (int i = 0; i < view->model()->columnCount(); ++i)
        read(view->model()->headerData(i, Qt::Horizontal).toString(), view, "column");
    }
  }
  for (QAction* action : window_->findChildren<QAction*>()) {
    read(action->text(), action, "text");
    read(action->toolTip(), action, "tooltip");
    read(action->statusTip(), action, "hint");
  }
  EXPECT_GT(words, 300);
  QCoreApplication::removeTranslator(&marks);
}

}  // namespace
}  // namespace bankside::window
