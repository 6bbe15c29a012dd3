/// What `bankside evaluate` does: which pictures and masks, how far it is, and the figures, the curve and the
/// pictures one by one.
#pragma once

#include <QWidget>

#include "gui/window/session/evaluation_run.h"

class QGridLayout;
class QLabel;
class QLayout;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QTabWidget;
class QTreeWidget;

namespace bankside::window {

class MaskChoice;
class RocView;

class EvaluationPanel : public QWidget {
  Q_OBJECT
 public:
  explicit EvaluationPanel(EvaluationRun& run, QWidget* parent = nullptr);

 Q_SIGNALS:
  void exportWanted();
  void commandWanted();
  /// Of the report's images.
  void pictureWanted(int image);

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  QWidget* makeStudy();
  QWidget* makeFigures();
  QWidget* makeCurve();
  QWidget* makePictures();
  QLayout* makeBar();
  QTreeWidget* makeTable(const QString& name, const QString& title, const QStringList& columns);
  /// A folder, a file or a pattern, to be written down or chosen.
  void addPlace(QGridLayout* grid, const QString& title, const QString& name, const QString& hint,
                std::string EvaluationRequest::*place);
  void takeThreshold();
  void readChoices(const EvaluationRequest& request);
  /// Somebody has to say which masks count.
  bool choosing() const;
  void readRun();
  void readResult();
  void listPictures();
  void dim(bool old);
  QString stateText() const;

  struct Place {
    QLineEdit* line;
    std::string EvaluationRequest::*place;
    MaskChoice* which;  ///< among masks; null where there are none
  };

  EvaluationRun& run_;
  QTabWidget* tabs_;
  std::vector<Place> places_;
  std::string listedOf_;  ///< where the pictures lie that masks are chosen for
  std::vector<std::filesystem::path> listed_;
  std::vector<QWidget*> asked_;  ///< what cannot be changed while it runs
  QLineEdit* threshold_ = nullptr;
  QLabel* head_ = nullptr;
  QTreeWidget* points_ = nullptr;
  RocView* roc_ = nullptr;
  QLabel* legend_ = nullptr;
  QLabel* where_ = nullptr;
  QTreeWidget* pictures_ = nullptr;
  QPushButton* start_ = nullptr;
  QProgressBar* bar_ = nullptr;
  QLabel* status_ = nullptr;
  QPushButton* copy_ = nullptr;
  QPushButton* export_ = nullptr;
  EvaluatedPtr shown_;
};

}  // namespace bankside::window
