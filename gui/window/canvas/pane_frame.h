/// An image pane under its header: what it shows, of which filter, and the value under the mouse.
#pragma once

#include <QWidget>
#include <optional>

#include "gui/window/session.h"

class QComboBox;
class QLabel;

namespace bankside::window {

class ImagePane;

class PaneFrame : public QWidget {
  Q_OBJECT
 public:
  PaneFrame(Session& session, int pane, QWidget* parent = nullptr);
  ImagePane* image() const { return image_; }
  /// The pixel whose value the header shows; nothing for a summary of the plane.
  void showPixel(std::optional<QPoint> pixel);

 private:
  void readSession();
  void writeSession();
  void showSummary();

  Session& session_;
  int pane_;
  QComboBox* layer_;
  QComboBox* plane_;
  QLabel* text_;
  ImagePane* image_;
  std::optional<QPoint> hovered_;
};

/// "cpu:direct, 12.3 ms" for a result, "0 .. 255" for an input, "largest 2.4e-06" for a difference.
QString planeSummary(const PlaneResult& result);

}  // namespace bankside::window
