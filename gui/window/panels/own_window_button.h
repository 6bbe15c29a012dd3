/// Lets the panel that it stands in out into a window as large as the screen has room for, and back.
#pragma once

#include <QToolButton>

class QDockWidget;

namespace bankside::window {

class OwnWindowButton final : public QToolButton {
  Q_OBJECT
 public:
  OwnWindowButton(const QString& name, QWidget* parent);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  QDockWidget* dock() const;
  void letOut(bool out);
};

}  // namespace bankside::window
