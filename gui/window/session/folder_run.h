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
  State state() const { return known_.state; }

  /// Where results go; beside the folder of the images where nobody chose.
  QString output() const;
  void setOutput(const QString& folder);
  const QString& truth() const { return truth_; }
  void setTruth(const QString& folder);  ///< empty: none
  RegionKind region() const { return region_; }
  /// Whole, FieldOfView, or anything else for the region of the session.
  void setRegion(RegionKind kind);
  void setRunner(RunFolder runner) { runner_ = std::move(runner); }
  /// The plane whose values are averaged and scored: the selected one or, where filters' responses are not
  /// written, the one that combines them. -1 where there is none.
  int judgedPlane() const;
  void setThreshold(std::optional<float> threshold) { threshold_ = threshold; }

  /// `recipe`: what runs, with banks that can be found again. Goes on where it was stopped; `replace`:
  /// results of other settings too.
  void start(const Recipe& recipe, bool replace);
  /// Images in hand are finished.
  void stop();
  RunController& worker() { return controller_; }
  bool busy() const { return controller_.busy(); }

  const FolderProgress& progress() const { return known_.progress; }
  struct Ended {
    QString image;
    QString reason;  ///< why it failed; empty if it did not
  };
  /// Pictures of this run as they came to their end.
  const std::vector<Ended>& ended() const { return known_.ended; }
  /// What is known is of other settings, pictures or folders than those that would run now.
  bool outdated() const;
  /// Of the last run that came to its end; null before.
  const std::shared_ptr<const FolderReport>& report() const { return known_.report; }
  const QString& error() const { return known_.error; }
  QString fileOf(const char* name) const;  ///< in the folder of the last run's results

 Q_SIGNALS:
  void changed();
  /// A run came to its end by itself.
  void completed(const QString& output);
  /// Nothing was done: in the folder of results are those of other images or settings.
  void otherRun();

 private:
  FolderRequest request(const Recipe& recipe, bool replace) const;
  std::string judgedFile(bool withChannel) const;
  void take(const FolderProgress& progress);
  void end(State state, const QString& error = {});

  Session& session_;
  Folder& folder_;
  RunFolder runner_ = runFolder;
  RunController controller_;
  QString output_;
  QString truth_;
  RegionKind region_ = RegionKind::FieldOfView;
  std::optional<float> threshold_;
  struct Known {
    State state = State::Idle;
    FolderProgress progress;
    std::vector<Ended> ended;
    std::optional<FolderRequest> of;  // the last run
    std::shared_ptr<const FolderReport> report;
    QString error;
  };
  Known known_;
  Known before_;  // of the run before, until this one is under way
};

}  // namespace bankside::window
