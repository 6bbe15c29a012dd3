/// The session's recipe over the whole folder: where results go, what is measured, how far it is, what
/// failed.
#pragma once

#include <QDialog>
#include <functional>

#include "gui/window/session/folder_run.h"

class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QTreeWidget;

namespace bankside::window {

class MaskChoice;

class FolderRunDialog : public QDialog {
  Q_OBJECT
 public:
  FolderRunDialog(Session& session, Folder& folder, FolderRun& run, QWidget* parent = nullptr);

 Q_SIGNALS:
  /// `replace`: results of other images or settings too.
  void runWanted(bool replace);
  void pictureWanted(const QString& path);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  using TakeFolder = std::function<void(const QString&)>;
  /// A folder to be written down or chosen.
  QLineEdit* addFolder(QFormLayout* form, const QString& title, const QString& name, const QString& question,
                       const TakeFolder& set);
  QPushButton* addButton(const QString& title, const QString& name, const QString& hint);
  void readSession();
  void readRun();
  void listResults();
  void ask();
  QString recipeText() const;
  QString stateText() const;

  Session& session_;
  Folder& folder_;
  FolderRun& run_;
  QFormLayout* form_;
  QLabel* recipe_;
  QDoubleSpinBox* scale_;
  QLabel* images_;
  QLineEdit* output_;
  QLineEdit* truth_;
  MaskChoice* which_;
  QLabel* judged_;
  QComboBox* region_;
  QProgressBar* bar_;
  QLabel* status_;
  QTreeWidget* list_;
  QPushButton* start_;
  QPushButton* sheet_;
  QPushButton* table_;
  QPushButton* place_;
};

}  // namespace bankside::window
