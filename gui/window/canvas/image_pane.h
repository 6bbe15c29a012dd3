/// Shows one plane, or two parted by a line. All panes share the session's view, so that they move as one.
#pragma once

#include <QImage>
#include <QTimer>
#include <QWidget>
#include <array>
#include <cstdint>
#include <optional>

#include "gui/window/canvas/pane_content.h"
#include "gui/window/canvas/pane_geometry.h"
#include "gui/window/session/session.h"

namespace bankside::window {

struct Offer;
class PaneNotice;

class ImagePane : public QWidget {
  Q_OBJECT
 public:
  ImagePane(Session& session, int pane, QWidget* parent = nullptr);

  /// Shows `other`'s plane instead while on: blinking between two.
  void setBlink(std::optional<int> other);
  /// While set, the next drag draws a region of that kind; holding shift draws one at any time.
  void setDrawing(std::optional<RegionKind> kind);
  PaneGeometry geometryNow() const;
  /// Device pixels that have been given a colour since the pane was made: what its paints cost.
  std::int64_t colored() const { return colored_; }
  /// Not a kept result of a picture of another size.
  bool showsThePicture() const;
  /// Where it shows the picture that follows the panels, or results of the selected plane: what is known of
  /// that plane can be drawn over it.
  QRegion showsTheSelected() const;
  QSize sizeHint() const override { return {360, 320}; }
  QSize minimumSizeHint() const override { return {140, 120}; }

 Q_SIGNALS:
  /// Nothing when the mouse leaves.
  void hovered(std::optional<QPoint> pixel);
  /// A region was drawn, or given up.
  void drawn();
  void offerChosen(const bankside::window::Offer& offer);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  bool swiping() const;
  double dividerX() const;
  /// A part of the widget, what it shows, and by which pane's choice.
  struct Part {
    int pane = 0;
    QRect area;
  };
  /// One or, while swiping, two.
  std::vector<Part> parts() const;
  int inRange(int pane) const;
  PlaneKey keyOfPane(int pane) const;
  /// Whether what a part shows is dimmed, as it is not what was asked for.
  bool dimmed(const Session::Shown& shown, std::size_t part) const;
  void readSession();
  /// Of a part in columns [first, last).
  PartContent contentOf(std::size_t part, int pane, int first, int last) const;
  PaneGeometry geometryOf(const Session::Shown& shown) const;
  void paintPart(QPainter& painter, std::size_t number, const Part& part);
  void paintValues(QPainter& painter, const PlaneKey& key, const Session::Shown& shown,
                   const PaneGeometry& geometry);
  void paintSelection(QPainter& painter, const PaneGeometry& geometry);
  void paintCaption(QPainter& painter, const QString& text, Qt::Corner corner, int mostLines = 1);
  int captionRoom() const { return width() - 26; }
  void paintDivider(QPainter& painter);
  void paintRegion(QPainter& painter, const PaneGeometry& geometry);
  void drawTo(QPointF at);
  bool inImage(QPoint pixel) const;

  Session& session_;
  int pane_;
  std::optional<int> blink_;
  std::array<PaneNotice*, 2> notices_;
  QTimer patience_;  // what is replaced before one could look is not dimmed
  bool dim_ = false;
  QImage buffer_;
  PaneContent content_;  // of the buffer
  std::int64_t colored_ = 0;
  QPointF pressed_;
  QPointF last_;
  enum class Drag { None, Undecided, Pan, Divider, Region } drag_ = Drag::None;
  std::optional<RegionKind> drawing_;
};

}  // namespace bankside::window
