/// The matrix editor for the selected filter of the bank.
#pragma once

#include <QWidget>

#include "core/filter_bank.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace bankside::window {

class BankDocument;
class FilterActions;
class FilterReadout;
class FilterTableModel;
class MessageLine;
class TapGridView;

class FilterEditor : public QWidget {
  Q_OBJECT

 public:
  explicit FilterEditor(BankDocument& document, QWidget* parent = nullptr);

 signals:
  void saveWanted();
  void openWanted();

 private:
  void buildFields();
  void buildLayout();
  void follow();
  void takeTexts();
  void takeShape();
  void takeInfo();

  BankDocument& document_;
  FilterTableModel* model_;
  QWidget* taps_;  // all that moves into a window of its own
  TapGridView* table_;
  FilterActions* actions_;
  FilterReadout* readout_;
  MessageLine* message_;
  QLineEdit* title_;
  QComboBox* mode_;
  QLineEdit* label_;
  QLineEdit* orientation_;
  QLineEdit* scale_;
  QSpinBox* rows_;
  QSpinBox* columns_;
  QSpinBox* anchorRow_;
  QSpinBox* anchorColumn_;
  QSpinBox* channel_;
  QLabel* channelLabel_;
  bool following_ = false;
};

}  // namespace bankside::window
