/// How values become colours: levels on a histogram, automatic or by hand, a colour map, a tolerance.
#pragma once

#include <QWidget>

#include "gui/window/session/session.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QSlider;

namespace bankside::window {

class HistogramView;

class LevelsPanel : public QWidget {
  Q_OBJECT
 public:
  explicit LevelsPanel(Session& session, QWidget* parent = nullptr);

 private:
  LevelGroup group() const;
  /// The first plane on show that belongs to the group, or null.
  const PlaneResult* plane() const;
  void readSession();
  void write(const LevelSetting& setting);
  LevelSetting manualSetting() const;
  QWidget* makeOverInput();

  Session& session_;
  QComboBox* group_;
  HistogramView* histogram_;
  QDoubleSpinBox* low_;
  QDoubleSpinBox* high_;
  QCheckBox* automatic_;
  QCheckBox* own_;
  QComboBox* map_;
  QDoubleSpinBox* tolerance_;
  QLabel* note_;
  QCheckBox* colors_;
  QSlider* overlay_;
  QLabel* overlayText_;
  QFormLayout* form_;
};

}  // namespace bankside::window
