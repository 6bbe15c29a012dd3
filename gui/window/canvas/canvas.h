/// The one to four panes, and what concerns all of them: layout, swiping, blinking, the pixel under the
/// mouse.
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "gui/window/session/session.h"

class QGridLayout;

namespace bankside::window {

class PaneFrame;
class ImagePane;
struct Offer;

class Canvas : public QWidget {
  Q_OBJECT
 public:
  explicit Canvas(Session& session, QWidget* parent = nullptr);

  ImagePane* pane(int index) const;
  int visiblePanes() const;
  void zoomBy(double factor);
  void zoomTo(double zoom);
  void fit();
  /// While on, the first of the compared panes shows what the second does.
  void setBlink(bool on);
  /// The next drag in any pane draws a region; nothing gives that up.
  void setDrawing(std::optional<RegionKind> kind);

 Q_SIGNALS:
  /// The space key went down or up in a pane.
  void blinkWanted(bool on);
  void hovered(std::optional<QPoint> pixel);
  void resized();
  void drawingEnded();
  /// Somebody took the help that a pane offered.
  void offerChosen(const bankside::window::Offer& offer);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void arrange();

  Session& session_;
  QGridLayout* grid_;
  std::vector<PaneFrame*> frames_;
  bool blinking_ = false;
  bool spaceDown_ = false;
};

}  // namespace bankside::window
