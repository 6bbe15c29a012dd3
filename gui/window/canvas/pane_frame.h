/// An image pane under its header: what it shows, of which filter, and the value under the mouse.
#pragma once

#include <QWidget>
#include <optional>

#include "gui/window/session/session.h"

class QComboBox;
class QHBoxLayout;
class QLabel;
class QMenu;
class QToolButton;

namespace bankside::window {

class ImagePane;

class PaneFrame : public QWidget {
  Q_OBJECT
 public:
  PaneFrame(Session& session, int pane, QWidget* parent = nullptr);
  ImagePane* image() const { return image_; }
  /// The pixel whose value the header shows, or the pane's corner where the header has no room; nothing for a
  /// summary of the plane.
  void showPixel(std::optional<QPoint> pixel);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void readSession();
  void showSummary();
  void showInCorner(const QString& value);
  /// The header's width among the choices, in two rows where they are not read in one; the time has room
  /// where the names are.
  void shareOut();
  void fillRows();
  /// The longest name among all that panes may show.
  int widestPlane() const;
  /// The pane behind a side of this frame; while swiping those that are compared.
  int shownPane(int side) const;

  Session& session_;
  int pane_;
  /// The two choices of one pane; while swiping the first frame has those of the second pane too.
  struct Choices {
    QComboBox* layer = nullptr;
    QComboBox* plane = nullptr;
  };
  Choices makeChoices(int side, const QString& suffix);
  void readChoices(const Choices& choices, int pane);
  void writeChoices(const Choices& choices, int pane);

  Choices own_;
  Choices other_;
  /// What the pane keeps to; grows out of the button that keeps its result.
  void fillKeepMenu(QMenu* menu);

  QToolButton* keep_;
  QToolButton* colors_;  // where there are any
  QLabel* text_;
  ImagePane* image_;
  QLabel* value_;  // in the corner
  std::optional<QPoint> hovered_;
  QHBoxLayout* first_;
  QHBoxLayout* second_;
  bool below_ = false;  // the choice of filters stands below that of the layer
};

}  // namespace bankside::window
