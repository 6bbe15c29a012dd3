/// What was done, step by step, and the way back. A step is an action of a person: what changes in one turn
/// of the event loop, and of a value that is spun or dragged the whole turn of it.
#pragma once

#include <QObject>
#include <QTimer>
#include <vector>

#include "gui/window/session/setup_change.h"
#include "gui/window/session/workflow.h"

namespace bankside::window {

class History : public QObject {
  Q_OBJECT
 public:
  struct Step {
    QString title;
    QString turned;  ///< see SetupChange
    Setup setup;     ///< after it
  };

  History(Session& session, Workflow& workflow, QObject* parent = nullptr);

  /// What there is now is the start.
  void restart();
  /// The same, and so is what is being opened and made: what a person does meanwhile is a step. Nothing is
  /// undone before it is there.
  void awaitStart(RunController& controller);
  /// The next turn of the same value is a step of its own.
  void endAction();
  void undo();
  void redo();
  /// Back or forth to after that step; where its picture is not there any more, nothing happens but that it
  /// is said.
  void goTo(int step);

  const std::vector<Step>& steps() const { return steps_; }  ///< the first is the start
  int present() const { return present_; }
  bool canUndo() const { return !beginning_ && present_ > 0; }
  bool canRedo() const { return !beginning_ && present_ + 1 < static_cast<int>(steps_.size()); }

 Q_SIGNALS:
  void changed();

 private:
  void record();
  /// What has come of the start is in every step.
  void takeStart(const Setup& now);

  Session& session_;
  Workflow& workflow_;
  QTimer soon_;  // what one action changes is one step
  std::vector<Step> steps_;
  int present_ = 0;
  bool turning_ = false;
  bool beginning_ = false;
};

/// More steps than that forget the first ones.
inline constexpr int mostSteps = 500;

}  // namespace bankside::window
