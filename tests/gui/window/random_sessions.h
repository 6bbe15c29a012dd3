/// A person who does anything: clicks, keys, files good and broken, cancels, undoes, closes.
#pragma once

#include <QJsonObject>
#include <QTimer>
#include <random>

#include "tests/gui/window/window_fixture.h"

namespace bankside::window {

class RandomSessions : public bankside::testing::WindowFixture {
 protected:
  void SetUp() override;
  int below(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
  template <class List>
  auto any(const List& list) {
    return list[static_cast<std::size_t>(below(static_cast<int>(std::size(list))))];
  }
  QString anyFile();
  void act();
  void point();
  void turn();
  void edit();
  void turnPage();
  void compare();
  void judge();
  void measure();
  void runFolder();
  void dropFiles();
  void endsWell();
  void undoesToTheStart();
  void replays();
  /// What can be undone of the state.
  QJsonObject state();
  /// Nothing says that it computes where nothing does.
  void nobodyWaitsForNothing();
  /// Replaces what another run over the folder has left, and every second time lets it be.
  void answer();

  std::filesystem::path in_ = folder_ / "files";
  std::mt19937 random_;
  QTimer answering_;
  int asked_ = 0;
  QJsonObject start_;
  std::shared_ptr<const FilterBank> startBank_;
};

}  // namespace bankside::window
