/// The region that statistics and levels are taken of: its kind, its place, and what is inside.
#pragma once

#include <QWidget>

#include "gui/window/models/region_model.h"

class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;
class QTableView;

namespace bankside::window {

class RegionPanel : public QWidget {
  Q_OBJECT
 public:
  explicit RegionPanel(Session& session, QWidget* parent = nullptr);
  const RegionModel& model() const { return *model_; }

 Q_SIGNALS:
  void drawWanted(bankside::window::RegionKind kind);
  void maskFileWanted();
  void saveMaskWanted();
  void saveStatisticsWanted();

 private:
  void readSession();
  void writeBounds();
  void chooseKind();

  Session& session_;
  RegionModel* model_;
  QComboBox* kind_;
  QSpinBox* bounds_[4];
  QWidget* boundsRow_;
  QLabel* note_;
  QPushButton* again_;
  QPushButton* saveMask_;
  QPushButton* saveStatistics_;
  QTableView* table_;
};

}  // namespace bankside::window
