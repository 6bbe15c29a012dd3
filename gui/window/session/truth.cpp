#include "gui/window/session/truth.h"

#include "gui/window/session/pane_message.h"

namespace bankside::window {

Truth::Truth(Session& session, QObject* parent)
    : InquiryOf(session,
                {&Session::resultsChanged, &Session::panesChanged, &Session::regionMeasured,
                 &Session::regionChanged},
                parent) {
  connect(&session_, &Session::truthChanged, this, [this] {
    rate();
    look(false);
  });
  connect(&controller_, &RunController::failed, this, [this](Work, const QString& sentence) {
    give(asked().value_or(TruthQuestion()), nullptr, {}, sentence);
    look(false);
  });
}

void Truth::look(bool hold) {
  const PlaneKey key = session_.keyOf({Layer::Output});
  const PaneMessage message = messageFor(session_, key);
  const QString& file = session_.state().truth.file;
  if (file.isEmpty() || !session_.picture()) return drop({});
  if (message.stopped) return wait(tr("stopped"));
  if (message.pending || session_.maskMissing()) return wait(tr("comparing…"));
  if (!message.text.isEmpty()) return drop(message.text);
  if (const QString trouble = session_.regionTrouble(); !trouble.isEmpty()) return drop(trouble);
  const TruthQuestion now{file, session_.result(key)->plane, session_.mask()};
  const bool wasStopped = stopped();
  switch (next(now, now == answered_, hold)) {
    case Step::There: return wait({});
    case Step::Stopped:
      if (!wasStopped) Q_EMIT changed();
      return wait(tr("stopped"));
    case Step::UnderWay: return wait(tr("comparing…"));
    case Step::Begin: break;
  }
  wait(tr("comparing…"));
  controller_.start(Work::Region, tr("Comparing with manual vessels"),
                    [this, now, threshold = session_.state().truth.threshold,
                     compare = comparing_](RunController::Context& context) {
                      const auto curve =
                          compare(*now.plane, now.file.toStdString(), now.inside.get(), context.stop);
                      const TruthScore score = scoreAt(*curve, threshold);
                      context.deliver([this, now, curve, score, threshold] {
                        rated_ = threshold;
                        give(now, curve, score, {});
                        rate();
                        look(false);
                      });
                    });
}

void Truth::readAnew() {
  letGo();
  if (answered_.file == session_.state().truth.file) {  // else it is being read
    forgetWork();
    answered_ = {};
  }
  look(false);
}

void Truth::give(const TruthQuestion& question, std::shared_ptr<const TruthCurve> curve,
                 const TruthScore& score, const QString& error) {
  answered_ = question;
  curve_ = std::move(curve);
  score_ = score;
  error_ = error;
  Q_EMIT changed();
}

void Truth::drop(const QString& why) {
  dropQuestion();
  if (curve_ || error_ != why) give({}, nullptr, {}, why);
  wait({});
}

void Truth::rate() {
  const auto& threshold = session_.state().truth.threshold;
  if (curve_ && threshold != rated_) score_ = scoreAt(*curve_, threshold);
  rated_ = threshold;
  Q_EMIT changed();
}

void Truth::wait(const QString& why) {
  if (why == waiting_) return;
  waiting_ = why;
  rest(!why.isEmpty());
  Q_EMIT changed();
}

}  // namespace bankside::window
