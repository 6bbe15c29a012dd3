/// A window with real engines, and the waiting that every test of it needs.
#pragma once

#include <gtest/gtest.h>

#include <QPushButton>
#include <QTest>
#include <filesystem>
#include <memory>
#include <string>

#include "gui/window/canvas/canvas.h"
#include "gui/window/shell/main_window.h"
#include "tests/support/made_images.h"

namespace bankside::testing {

std::string bytesOf(const std::filesystem::path& file);
/// A TIFF of three pages, 40 x 30, of one channel.
void writePages(const std::filesystem::path& file);

class WindowFixture : public ::testing::Test {
 protected:
  WindowFixture();
  ~WindowFixture() override;

  /// Replaces the window by a new one, with the real engines or with others.
  void makeWindow();
  void makeWindow(window::SelectEngine select, std::vector<const Engine*> engines);
  /// Writes a test image and opens it through the window.
  void open(const std::string& name, const Image& image);
  /// Makes a bank the chosen one and waits for it; false, with `banner`, if there is none.
  [[nodiscard]] bool chooseBank(const QString& spec);
  /// Waits until nothing runs and every pane has its plane.
  [[nodiscard]] bool settled(int milliseconds = 120000);

  template <class Widget>
  Widget* find(const char* name) {
    auto* widget = window_->findChild<Widget*>(QLatin1String(name));
    if (widget == nullptr) ADD_FAILURE() << "there is no " << name;
    return widget;
  }
  void trigger(const char* action);
  void click(QAbstractButton* button);
  /// Clicks, and gives the file dialog that comes up a file or a folder by its name.
  void clickAndChoose(QAbstractButton* button, const std::filesystem::path& path);
  /// The button of that title in a pane that has nothing to show; null where there is none.
  QPushButton* offer(const QString& title);
  /// Drags over the window and lets go.
  void drop(const QMimeData& data);
  QString banner();

  TemporaryFolder folder_;
  std::unique_ptr<window::Session> session_;
  std::unique_ptr<window::RunController> controller_;
  std::unique_ptr<window::Workflow> workflow_;
  std::unique_ptr<window::MainWindow> window_;
};

}  // namespace bankside::testing
