/// The session's recipe judged on a set of pictures by what experts marked in them, on a worker of its own,
/// so that nothing on show waits for it. Part of the state.
#pragma once

#include "gui/window/compute/evaluation_work.h"
#include "gui/window/compute/run_controller.h"
#include "gui/window/session/folder.h"

namespace bankside::window {

/// `runEvaluation`; tests bring their own.
using RunEvaluation = std::function<EvaluatedPtr(const EvaluationRequest&, int threads,
                                                 const std::function<void(const EvaluationProgress&)>& watch,
                                                 const std::stop_token&)>;

class EvaluationRun : public QObject {
  Q_OBJECT
 public:
  EvaluationRun(Session& session, Folder& folder, QObject* parent = nullptr);

  enum class State { Idle, Running, Stopping, Stopped, Failed, Done };
  State state() const { return state_; }

  /// What is asked for: folders, files and thresholds as people chose them, and the session's settings.
  EvaluationRequest request() const;
  /// Where pictures or masks lie, by the member of the request; empty: none, of pictures the open folder.
  void setPlace(std::string EvaluationRequest::*place, const QString& path);
  void setThreshold(std::optional<double> threshold);
  /// Why nothing can be started; empty where it can.
  QString trouble() const;

  void setRunner(RunEvaluation runner) { runner_ = std::move(runner); }
  void start();
  void stop();
  RunController& worker() { return controller_; }
  bool busy() const { return controller_.busy(); }

  const EvaluationProgress& progress() const { return progress_; }
  /// Of the last run that came to its end, until another one has; null before. Its responses go when another
  /// one begins, which needs their memory.
  const EvaluatedPtr& evaluated() const { return evaluated_; }
  /// The responses are there, which overlays are drawn of.
  bool exportable() const { return evaluated_ && !evaluated_->images.empty(); }
  /// What is asked for now is not what the figures are of.
  bool outdated() const;
  const QString& error() const { return error_; }

  /// `recipe`: a file that holds that of the figures. `replace`: what lies in the folder.
  void exportTo(const QString& folder, const QString& recipe, bool replace);
  /// The request that the figures are of.
  const EvaluationRequest& evaluatedRequest() const { return of_; }

 Q_SIGNALS:
  void changed();
  void exported(const QString& folder);
  /// Nothing was written: something is there already.
  void wouldReplace(const QString& folder, const QString& file);

 private:
  void end(State state, const QString& error = {});
  /// What is asked for is something else: why the last one failed says nothing of it.
  void askAgain();

  Session& session_;
  Folder& folder_;
  RunEvaluation runner_ = runEvaluation;
  RunController controller_;
  State state_ = State::Idle;
  EvaluationRequest wanted_;  // without the session's part
  EvaluationProgress progress_;
  EvaluationRequest of_;
  EvaluatedPtr evaluated_;
  QString error_;
};

}  // namespace bankside::window
