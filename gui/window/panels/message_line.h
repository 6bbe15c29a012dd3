/// One sentence where something went wrong; takes no room while there is nothing to say.
#pragma once

#include <QLabel>

namespace bankside::window {

class MessageLine : public QLabel {
  Q_OBJECT

 public:
  explicit MessageLine(QWidget* parent = nullptr);

  /// Begins with a capital and ends with a full stop, whatever the sentence did.
  void showError(const QString& sentence);
  void showNote(const QString& sentence);
  void clearMessage();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  enum class Tone { Quiet, Note, Error };
  void show(const QString& sentence, Tone tone);
  void recolor();
  Tone tone_ = Tone::Quiet;
};

}  // namespace bankside::window
