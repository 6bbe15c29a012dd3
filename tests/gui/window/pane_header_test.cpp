/// What stands above the panes and below them is read, and true, in a window of any width.
#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QScreen>
#include <QStyleOptionComboBox>
#include <QToolBar>
#include <QToolButton>

#include "gui/window/canvas/eliding_box.h"
#include "gui/window/canvas/image_pane.h"
#include "tests/gui/window/window_fixture.h"

namespace bankside::window {
namespace {

using bankside::testing::randomImage;
using bankside::testing::WindowFixture;

class PaneHeader : public WindowFixture {
 protected:
  /// As it comes up on a screen of 1024 x 700.
  static constexpr QSize first{972, 630};

  /// The part of the text that the closed box has room for.
  static QString seen(QComboBox* box) {
    QStyleOptionComboBox option;
    option.initFrom(box);
    const int room = box->style()
                         ->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, box)
                         .width() -
                     4;
    QString text = box->currentText();
    const QString shorter = box->itemData(box->currentIndex(), ElidingBox::shortRole).toString();
    if (!shorter.isEmpty() && box->fontMetrics().horizontalAdvance(text) > room) text = shorter;
    return box->fontMetrics().elidedText(text, Qt::ElideRight, room);
  }
  void namesAreRead(int panes) {
    for (int i = 0; i < panes; ++i) {
      const std::string number = std::to_string(i);
      for (const char* name : {"paneLayer", "panePlane"}) {
        auto* box = find<QComboBox>((name + number).c_str());
        if (!box->isVisible()) continue;
        const QString text = seen(box);
        EXPECT_FALSE(text.contains(QStringLiteral("…")))
            << box->currentText().toStdString() << " is " << text.toStdString() << " in pane " << i << " of "
            << panes << ", " << box->width() << " of " << box->parentWidget()->width();
        EXPECT_TRUE(box->parentWidget()->rect().contains(box->geometry())) << name << i;
      }
      auto* keep = find<QToolButton>(("keepPane" + number).c_str());
      EXPECT_TRUE(keep->parentWidget()->rect().contains(keep->geometry())) << i;
    }
    const int top = find<Canvas>("canvas")->pane(0)->y();
    for (int i = 1; i < panes; ++i) EXPECT_EQ(find<Canvas>("canvas")->pane(i)->y(), top) << "out of line";
  }
  double saidZoom() {
    QString text = find<QLabel>("statusPixel")->text().section(QStringLiteral("·"), -1);
    return text.remove(QLatin1Char('%')).trimmed().toDouble() / 100;
  }
  double trueZoom() {
    return find<Canvas>("canvas")->pane(0)->geometryNow().zoom() * window_->devicePixelRatioF();
  }
};

TEST_F(PaneHeader, NamesAreReadWithAnyNumberOfPanes) {
  open("photo.png", randomImage(3, 200, 200, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("vessel-matched")));
  for (const QSize size : {first, QSize(1024, 700), QSize(1366, 768), QSize(1600, 1000)}) {
    window_->resize(size);
    for (const int panes : {2, 3, 4}) {
      trigger(("actionPanes" + std::to_string(panes)).c_str());
      ASSERT_TRUE(settled());
      QTest::qWait(1);
      namesAreRead(panes);
      EXPECT_EQ(window_->size(), size) << panes << " panes";
    }
    trigger("actionSwipe");
    QTest::qWait(1);
    namesAreRead(1);
    trigger("actionSwipe");
    EXPECT_EQ(window_->size(), size);
  }
}

TEST_F(PaneHeader, TheZoomThatIsSaidIsThatOfThePane) {
  open("photo.png", randomImage(1, 900, 1100, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  ASSERT_TRUE(settled());
  const auto agree = [&](const char* what) {
    QTest::qWait(1);
    EXPECT_NEAR(saidZoom(), trueZoom(), 0.006) << what;
  };
  agree("two panes");
  for (const char* action : {"actionPanes3", "actionSwipe", "actionPanes1", "actionPanes4", "actionPanes2"}) {
    trigger(action);
    agree(action);
  }
  window_->resize(first);
  agree("another size");
  open("small.png", randomImage(1, 90, 110, ElementType::U8));
  agree("another picture");
  trigger("actionFullSize");
  EXPECT_EQ(saidZoom(), 1) << "as the button says";
}

TEST_F(PaneHeader, TheNumberOfPanesThatThereAreStaysPressed) {
  open("photo.png", randomImage(1, 60, 80, ElementType::U8));
  ASSERT_TRUE(settled());
  QTest::keyClick(window_.get(), Qt::Key_2, Qt::AltModifier);
  const auto pressed = [&] {
    QList<int> numbers;
    for (int i = 1; i <= mostPanes; ++i)
      if (find<QAction>(("actionPanes" + std::to_string(i)).c_str())->isChecked()) numbers << i;
    return numbers;
  };
  EXPECT_EQ(pressed(), QList<int>{2});
  auto* bar = find<QToolBar>("mainToolBar");
  click(qobject_cast<QAbstractButton*>(bar->widgetForAction(find<QAction>("actionPanes2"))));
  EXPECT_EQ(pressed(), QList<int>{2});
}

}  // namespace
}  // namespace bankside::window
