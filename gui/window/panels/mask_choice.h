/// A button for each pattern of names that tells the masks of a picture apart; nothing where there is one
/// mask a picture.
#pragma once

#include <QDateTime>
#include <QWidget>
#include <filesystem>
#include <vector>

class QLabel;

namespace bankside::window {

class MaskChoice : public QWidget {
  Q_OBJECT
 public:
  explicit MaskChoice(QWidget* parent = nullptr);
  /// `place`: what is chosen now, a folder or one of the patterns.
  void read(const QString& place, const std::vector<std::filesystem::path>& images);
  /// There are several masks of a picture, and nobody said which.
  bool open() const { return open_; }

 Q_SIGNALS:
  void chosen(const QString& pattern);

 private:
  void fill(const std::vector<std::string>& patterns);

  QLabel* title_;
  QString place_;
  std::vector<std::filesystem::path> images_;
  QDateTime changed_;  // the folder of the masks
  bool open_ = false;
};

}  // namespace bankside::window
