#include "gui/window/session/truth.h"

#include "gui/window/session/pane_message.h"

namespace bankside::window {

Truth::Truth(Session& session, QObject* parent) : QObject(parent), session_(session) {
  soon_.setSingleShot(true);
  soon_.setInterval(0);
  connect(&soon_, &QTimer::timeout, this, [this] { compare(); });
  patience_.setSingleShot(true);
  patience_.setInterval(patience);
  connect(&patience_, &QTimer::timeout, this, [this] {
    dim_ = true;
    Q_EMIT changed();
  });
  for (const auto signal : {&Session::resultsChanged, &Session::panesChanged, &Session::regionMeasured,
                            &Session::regionChanged}) {
    connect(&session_, signal, &soon_, qOverload<>(&QTimer::start));
  }
  connect(&session_, &Session::truthChanged, this, [this] {
    rate();
    compare();
  });
  connect(&controller_, &RunController::failed, this, [this](Work, const QString& sentence) {
    give(asked_, nullptr, {}, sentence);
    compare();
  });
}

void Truth::stop() {
  soon_.stop();
  controller_.cancelAll();  // of an earlier question too
  asked_ = {};
  compare(true);
}

void Truth::resume() {
  held_ = {};
  compare();
}

void Truth::compare(bool held) {
  const PlaneKey key = session_.keyOf({Layer::Output});
  const PaneMessage message = messageFor(session_, key);
  const QString& file = session_.state().truth.file;
  if (file.isEmpty() || !session_.picture()) return drop({});
  if (message.stopped) return wait(tr("stopped"));
  if (message.pending || session_.maskMissing()) return wait(tr("comparing…"));
  if (!message.text.isEmpty()) return drop(message.text);
  if (const QString trouble = session_.regionTrouble(); !trouble.isEmpty()) return drop(trouble);
  const Question now{file, session_.result(key)->plane, session_.mask()};
  if (now == answered_) {
    held_ = {};
    return wait({});
  }
  if (held || now == held_) {
    controller_.cancelAll();
    asked_ = {};
    if (now != held_) {
      held_ = now;
      Q_EMIT changed();
    }
    return wait(tr("stopped"));
  }
  held_ = {};
  wait(tr("comparing…"));
  if (now == asked_) return;
  asked_ = now;
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
                        this->compare();
                      });
                    });
}

void Truth::readAnew() {
  held_ = {};
  if (answered_.file != session_.state().truth.file) return compare();  // it is being read
  asked_ = {};
  answered_ = {};
  compare();
}

void Truth::give(const Question& question, std::shared_ptr<const TruthCurve> curve, const TruthScore& score,
                 const QString& error) {
  answered_ = question;
  curve_ = std::move(curve);
  score_ = score;
  error_ = error;
  Q_EMIT changed();
}

void Truth::drop(const QString& why) {
  controller_.cancelAll();
  asked_ = {};
  held_ = {};
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
  if (why.isEmpty()) {
    patience_.stop();
    dim_ = false;
  } else if (!dim_) {
    patience_.start();
  }
  Q_EMIT changed();
}

}  // namespace bankside::window
