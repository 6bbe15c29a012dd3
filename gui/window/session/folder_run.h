/// A run of the session's recipe over the folder, on a worker of its own, so that nothing on show waits for
/// it. Part of the state.
#pragma once

#include <QStringList>

#include "gui/window/compute/folder_work.h"
#include "gui/window/compute/run_controller.h"
#include "gui/window/session/folder.h"

namespace bankside::window {

/// `runFolder`; tests bring their own.
using RunFolder = std::function<FolderReport(
    const FolderRequest&, const std::function<void(const FolderProgress&)>& watch, const std::stop_token&)>;

class FolderRun : public QObject {
  Q_OBJECT
 public:
  FolderRun(Session& session, Folder& folder, QObject* parent = nullptr);

  enum class State { Idle, Running, Stopping, Stopped, Failed, Done };
  State state() const { return state_; }

  /// Where results go; beside the folder of the images where nobody chose.
  QString output() const;
  void setOutput(const QString& folder);
  const QString& truth() const { return truth_; }
  void setTruth(const QString& folder);  ///< empty: none
  RegionKind region() const { return region_; }
  /// Whole, FieldOfView, or anything else for the region of the session.
  void setRegion(RegionKind kind);
  void setRunner(RunFolder runner) { runner_ = std::move(runner); }
  void setThreshold(std::optional<float> threshold) { threshold_ = threshold; }

  /// `recipe`: what runs, with banks that can be found again. Goes on where it was stopped; `replace`:
  /// results of other settings too.
  void start(const Recipe& recipe, bool replace);
  /// Images in hand are finished.
  void stop();
  RunController& worker() { return controller_; }
  bool busy() const { return controller_.busy(); }

  const FolderProgress& progress() const { return progress_; }
  struct Ended {
    QString image;
    QString reason;  ///< why it failed; empty if it did not
  };
  /// Pictures of this run as they came to their end.
  const std::vector<Ended>& ended() const { return ended_; }
  /// What is known is of other settings, pictures or folders than those that would run now.
  bool outdated() const;
  /// Of the last run that came to its end; null before.
  const std::shared_ptr<const FolderReport>& report() const { return report_; }
  const QString& error() const { return error_; }
  QString fileOf(const char* name) const;  ///< in the folder of the last run's results

 Q_SIGNALS:
  void changed();
  /// A run came to its end by itself.
  void completed(const QString& output);
  /// Nothing was done: in the folder of results are those of other images or settings.
  void otherRun();

 private:
  FolderRequest request(const Recipe& recipe, bool replace) const;
  void take(const FolderProgress& progress);
  void end(State state, const QString& error = {});

  Session& session_;
  Folder& folder_;
  RunFolder runner_ = runFolder;
  RunController controller_;
  State state_ = State::Idle;
  QString output_;
  QString truth_;
  RegionKind region_ = RegionKind::FieldOfView;
  std::optional<float> threshold_;
  FolderProgress progress_;
  std::vector<Ended> ended_;
  std::optional<FolderRequest> of_;  // the last run
  std::shared_ptr<const FolderReport> report_;
  QString error_;
};

}  // namespace bankside::window
