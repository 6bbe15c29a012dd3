#include "gui/window/session/history.h"

namespace bankside::window {

History::History(Session& session, Workflow& workflow, QObject* parent)
    : QObject(parent), session_(session), workflow_(workflow) {
  soon_.setSingleShot(true);
  soon_.setInterval(0);
  connect(&soon_, &QTimer::timeout, this, &History::record);
  for (const auto signal :
       {&Session::pictureChanged, &Session::bankChanged, &Session::recipeChanged, &Session::planesChanged,
        &Session::panesChanged, &Session::levelsChanged, &Session::regionChanged, &Session::truthChanged}) {
    connect(&session_, signal, &soon_, qOverload<>(&QTimer::start));
  }
  restart();
}

void History::restart() {
  soon_.stop();
  steps_ = {{tr("Start"), {}, session_.setup()}};
  present_ = 0;
  turning_ = false;
  beginning_ = false;
  Q_EMIT changed();
}

void History::awaitStart(RunController& controller) {
  restart();
  beginning_ = true;
  connect(&controller, &RunController::finished, this, [this, &controller](Work kind) {
    const bool last = kind == Work::Open || kind == Work::Bank;
    if (!beginning_ || !last || controller.working(Work::Open) || controller.working(Work::Bank)) return;
    record();
    beginning_ = false;
    Q_EMIT changed();
  });
}

void History::takeStart(const Setup& now) {
  const Setup before = steps_[static_cast<std::size_t>(present_)].setup;
  const bool brought = before.bank != now.bank || before.then != now.then ||
                       before.stepBanks != now.stepBanks || before.state.imagePath != now.state.imagePath ||
                       before.state.page != now.state.page;
  if (!brought) return;
  // What a person set in the meantime differs from step to step, and stays.
  const auto take = [&](auto field) {
    if (field(before) == field(now)) return;
    for (Step& step : steps_) field(step.setup) = field(now);
  };
  const auto of = [&](auto member) { take([member](auto& setup) -> auto& { return setup.state.*member; }); };
  take([](auto& setup) -> auto& { return setup.bank; });
  take([](auto& setup) -> auto& { return setup.bankEdited; });
  take([](auto& setup) -> auto& { return setup.then; });
  take([](auto& setup) -> auto& { return setup.stepBanks; });
  of(&SessionState::imagePath);
  of(&SessionState::page);
  of(&SessionState::recipe);
  of(&SessionState::pixelsPerDegree);
  of(&SessionState::alone);
  of(&SessionState::selectedPlane);
  of(&SessionState::region);
  of(&SessionState::truth);
}

void History::endAction() {
  if (soon_.isActive()) record();
  turning_ = false;
}

void History::record() {
  soon_.stop();
  Setup now = session_.setup();
  if (beginning_) takeStart(now);
  auto& present = steps_[static_cast<std::size_t>(present_)];
  if (sameSetup(present.setup, now)) return;
  const SetupChange change = changeBetween(present.setup, now);
  if (turning_ && !canRedo() && !change.turned.isEmpty() && change.turned == present.turned) {
    present.setup = std::move(now);
    present.title = change.title;
  } else {
    steps_.resize(static_cast<std::size_t>(present_) + 1);
    steps_.push_back({change.title, change.turned, std::move(now)});
    if (steps_.size() > mostSteps) steps_.erase(steps_.begin());
    present_ = static_cast<int>(steps_.size()) - 1;
    turning_ = true;
  }
  Q_EMIT changed();
}

void History::undo() {
  endAction();  // what was just done is the step that is undone
  goTo(present_ - 1);
}

void History::redo() {
  endAction();
  goTo(present_ + 1);
}

void History::goTo(int step) {
  endAction();
  if (beginning_ || step < 0 || step >= static_cast<int>(steps_.size()) || step == present_) return;
  workflow_.takeUp(steps_[static_cast<std::size_t>(step)].setup, [this, step] {
    soon_.stop();
    if (step >= static_cast<int>(steps_.size())) return;
    present_ = step;
    turning_ = false;
    // A kept result that was shown may be gone.
    steps_[static_cast<std::size_t>(step)].setup = session_.setup();
    Q_EMIT changed();
  });
}

}  // namespace bankside::window
