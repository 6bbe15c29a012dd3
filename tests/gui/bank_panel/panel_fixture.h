/// A bank panel on the screen (offscreen, as a rule) and short words for what a person does with it.
#pragma once

#include <gtest/gtest.h>

#include <functional>

#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QTreeView>

#include "filters/catalog.h"
#include "gui/window/panels/bank_panel.h"

namespace bankside::window {

class PanelTest : public testing::Test {
 protected:
  PanelTest() {
    panel.resize(420, 900);
    panel.show();
    panel.activateWindow();
    EXPECT_TRUE(QTest::qWaitForWindowActive(&panel));
  }

  template <class Widget>
  Widget* child(const QString& name) {
    auto* found = panel.findChild<Widget*>(name);
    EXPECT_NE(found, nullptr) << "no control is called " << name.toStdString();
    return found;
  }

  void click(QWidget* widget) { QTest::mouseClick(widget, Qt::LeftButton); }

  void type(QWidget* widget, const QString& text) {
    widget->setFocus();
    QTest::keyClick(widget, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(widget, text);
  }

  void enter(QWidget* widget, const QString& text) {
    type(widget, text);
    QTest::keyClick(widget, Qt::Key_Return);
  }

  static bool within(const std::function<bool()>& condition) { return QTest::qWaitFor(condition, 3000); }

  bool becomes(const QString& specification) {
    return within([&] { return panel.bank().info().name == specification.toStdString(); });
  }

  void edit(const FilterBank& bank) {
    panel.setBank(bank);
    child<QTabWidget>("bankTabs")->setCurrentIndex(1);
    table = child<QTableView>("tapTable");
    table->setFocus();
    table->setCurrentIndex(table->model()->index(0, 0));
  }

  float tap(int y, int x) { return panel.bank()[panel.selectedFilter()].tap(0, y, x); }

  QString message(const QString& name) {
    auto* label = child<QLabel>(name);
    return label->isVisible() ? label->text() : QString();
  }

  BankPanel panel;
  QTableView* table = nullptr;
  QSignalSpy chosen{&panel, &BankPanel::bankChosen};
  QSignalSpy edited{&panel, &BankPanel::bankEdited};
};

/// Same filters and same words, whatever the bank is called.
inline bool sameButForName(const FilterBank& a, const FilterBank& b) {
  BankInfo info = a.info();
  info.name = b.info().name;
  return a.filters() == b.filters() && info == b.info();
}

}  // namespace bankside::window
