/// Pictures of the window for people: asked for with BANKSIDE_SCREENSHOTS=FOLDER, at the scale of
/// QT_SCALE_FACTOR, dark where BANKSIDE_SCREENSHOTS_DARK is set, those of 1024 x 700 at another size with
/// BANKSIDE_SCREENSHOTS_SIZE=1600x1000. `cmake --build build --target window-pictures` asks for all of them.
#pragma once

#include <QSize>
#include <QWidget>
#include <filesystem>
#include <string>

#include "gui/window/shell/appearance.h"

namespace bankside::testing {

class PictureFolder {
 public:
  /// Whether somebody asks for pictures.
  static bool wanted();
  /// Gives the program the colours that are asked for, as long as it lives.
  PictureFolder();
  ~PictureFolder();
  PictureFolder(const PictureFolder&) = delete;
  PictureFolder& operator=(const PictureFolder&) = delete;

  void keep(const std::string& name, QWidget* widget) const;
  window::Appearance usual() const { return usual_; }
  QSize small() const { return size(); }
  /// The window's, in points.
  static QSize size();
  /// Whether pictures of that one size are asked for.
  static bool sized();

 private:
  std::filesystem::path into_;
  window::Appearance usual_ = window::Appearance::Light;
};

}  // namespace bankside::testing
