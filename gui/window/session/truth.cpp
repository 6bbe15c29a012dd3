#include "gui/window/session/truth.h"

namespace bankside::window {

Truth::Truth(Session& session, QObject* parent) : QObject(parent), session_(session) {
  soon_.setSingleShot(true);
  soon_.setInterval(0);
  connect(&soon_, &QTimer::timeout, this, &Truth::compare);
  for (const auto signal : {&Session::resultsChanged, &Session::panesChanged, &Session::regionMeasured,
                            &Session::regionChanged}) {
    connect(&session_, signal, &soon_, qOverload<>(&QTimer::start));
  }
  // The marks are one picture's.
  connect(&session_, &Session::pictureChanged, this, [this] {
    if (session_.state().imagePath != picture_) setFile({});
  });
  connect(&controller_, &RunController::failed, this,
          [this](Work, const QString& sentence) { say(sentence); });
}

void Truth::say(const QString& why) {
  controller_.cancelAll();
  curve_.reset();
  score_ = {};
  error_ = why;
  Q_EMIT changed();
}

void Truth::setFile(const QString& file) {
  file_ = file;
  picture_ = session_.state().imagePath;
  plane_.reset();
  curve_.reset();
  score_ = {};
  error_.clear();
  controller_.cancelAll();
  soon_.start();
  Q_EMIT changed();
}

void Truth::setThreshold(std::optional<float> threshold) {
  if (threshold == threshold_) return;
  threshold_ = threshold;
  if (curve_) score_ = scoreAt(*curve_, threshold_);
  Q_EMIT changed();
}

void Truth::compare() {
  const PlaneKey key = session_.keyOf({Layer::Output});
  const PlaneResult* held = session_.result(key);
  const bool there = held != nullptr && held->plane && session_.fresh(key);
  if (file_.isEmpty() || !there || session_.maskMissing()) return;
  if (const QString trouble = session_.regionTrouble(); !trouble.isEmpty()) {
    plane_.reset();
    return say(trouble);
  }
  if (held->plane == plane_ && session_.mask() == inside_) return;
  plane_ = held->plane;
  inside_ = session_.mask();
  controller_.start(Work::Region, tr("Comparing with manual vessels"),
                    [this, plane = plane_, inside = inside_, file = file_.toStdString(),
                     threshold = threshold_](RunController::Context& context) {
                      const auto curve = compareWithTruth(*plane, file, inside.get());
                      const TruthScore score = scoreAt(*curve, threshold);
                      context.deliver([this, curve, score, threshold] {
                        curve_ = curve;
                        score_ = threshold == threshold_ ? score : scoreAt(*curve, threshold_);
                        error_.clear();
                        Q_EMIT changed();
                      });
                    });
}

}  // namespace bankside::window
