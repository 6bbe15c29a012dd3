#include "gui/window/panels/own_window_button.h"

#include <QDockWidget>
#include <QScreen>
#include <QSignalBlocker>

namespace bankside::window {

OwnWindowButton::OwnWindowButton(const QString& name, QWidget* parent) : QToolButton(parent) {
  setObjectName(name);
  setText(tr("Enlarge"));
  setToolTip(tr("Show this panel in a window of its own, and back again"));
  setCheckable(true);
  setAutoRaise(true);
  connect(this, &QToolButton::toggled, this, &OwnWindowButton::letOut);
}

QDockWidget* OwnWindowButton::dock() const {
  for (QWidget* at = parentWidget(); at != nullptr; at = at->parentWidget()) {
    if (auto* found = qobject_cast<QDockWidget*>(at)) return found;
  }
  return nullptr;
}

void OwnWindowButton::letOut(bool out) {
  QDockWidget* const panel = dock();
  if (panel == nullptr || panel->isFloating() == out) return;
  panel->setFloating(out);
  if (!out) return;
  const QRect room = panel->screen()->availableGeometry();
  QRect place(QPoint(), QSize(1000, 700).boundedTo(room.size() * 0.9));
  place.moveCenter(room.center());
  panel->setGeometry(place);
}

void OwnWindowButton::showEvent(QShowEvent* event) {
  QToolButton::showEvent(event);
  QDockWidget* const panel = dock();
  if (panel == nullptr) return;
  // Others take it out, and back, by its title.
  connect(panel, &QDockWidget::topLevelChanged, this, &QToolButton::setChecked, Qt::UniqueConnection);
  const QSignalBlocker quiet(this);
  setChecked(panel->isFloating());
}

}  // namespace bankside::window
