/// One sentence above the canvas, with the button that mends what it says and one that sends it away. It goes
/// with its cause.
#pragma once

#include <QFrame>
#include <functional>
#include <optional>

#include "gui/window/compute/run_controller.h"

class QLabel;
class QPushButton;

namespace bankside::window {

class Banner : public QFrame {
  Q_OBJECT
 public:
  /// What the button says and does; without a title there is none.
  struct Help {
    QString title;
    std::function<void()> run;
  };

  explicit Banner(QWidget* parent = nullptr);
  /// `cause`: what failed.
  void showSentence(const QString& sentence, std::optional<Work> cause, Help help);
  /// That kind of work has succeeded since, or nobody wants it any more.
  void clear(Work cause);
  QString sentence() const;

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void colourHelp();

  QLabel* text_;
  QPushButton* help_ = nullptr;
  std::optional<Work> cause_;
  std::function<void()> run_;
};

}  // namespace bankside::window
