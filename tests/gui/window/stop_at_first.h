/// A stop that comes at a certain point of a run over a folder.
#pragma once

#include <QObject>
#include <atomic>
#include <memory>

#include "gui/window/session/folder_run.h"

namespace bankside::window {

/// While it lives, a run is held at its first picture that is done until it was told to stop.
class StopAtFirst {
 public:
  explicit StopAtFirst(FolderRun& run) {
    run.setRunner(
        [asked = asked_](const FolderRequest& request, const auto& watch, const std::stop_token& stop) {
          return runFolder(
              request,
              [&](const FolderProgress& progress) {
                watch(progress);
                if (progress.done > 0) asked->wait(false);
              },
              stop);
        });
    connection_ = QObject::connect(&run, &FolderRun::changed, &run, [&run, asked = asked_] {
      if (run.state() != FolderRun::State::Running || run.progress().done == 0) return;
      run.stop();
      letGo(*asked);
    });
  }
  ~StopAtFirst() {
    QObject::disconnect(connection_);
    letGo(*asked_);  // of a test that failed
  }
  StopAtFirst(const StopAtFirst&) = delete;
  StopAtFirst& operator=(const StopAtFirst&) = delete;

 private:
  static void letGo(std::atomic<bool>& asked) {
    asked = true;
    asked.notify_all();
  }
  std::shared_ptr<std::atomic<bool>> asked_ = std::make_shared<std::atomic<bool>>(false);
  QMetaObject::Connection connection_;
};

}  // namespace bankside::window
