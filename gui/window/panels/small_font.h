/// For tables of many columns in a narrow panel.
#pragma once

#include <QHeaderView>
#include <QTableView>

namespace bankside::window {

inline void useSmallFont(QTableView* table) {
  QFont font = table->font();
  font.setPointSizeF(font.pointSizeF() * 0.88);
  table->setFont(font);
  table->horizontalHeader()->setFont(font);
  table->horizontalHeader()->setMinimumSectionSize(20);
}

}  // namespace bankside::window
