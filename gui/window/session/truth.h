/// Manual vessels that our output is held against, live while settings change. The file and the threshold are
/// the session's; here is what comes of them. Its worker is its own, so that nothing on show waits for it.
#pragma once

#include <QTimer>

#include "gui/window/compute/run_controller.h"
#include "gui/window/compute/truth_score.h"
#include "gui/window/session/session.h"

namespace bankside::window {

/// `compareWithTruth`; tests bring their own.
using CompareWithTruth = std::function<std::shared_ptr<const TruthCurve>(
    const Plane& response, const std::filesystem::path& truth, const Image* inside, const std::stop_token&)>;

class Truth : public QObject {
  Q_OBJECT
 public:
  explicit Truth(Session& session, QObject* parent = nullptr);

  /// Of the selected plane of our output or, until that is compared, of the one before. Null before the first
  /// is there, and where there is none.
  const std::shared_ptr<const TruthCurve>& curve() const { return curve_; }
  const TruthScore& score() const { return score_; }
  /// Why there is no curve.
  const QString& error() const { return error_; }
  /// What another curve waits for; empty where it is there.
  const QString& waiting() const { return waiting_; }
  /// What there is has been an old one for so long that it is to be seen as such.
  bool dimmed() const { return dim_; }
  /// What is under way, or about to begin, is left until `resume`, or until there is something else to
  /// compare.
  void stop();
  void resume();
  bool stopped() const { return held_.plane != nullptr; }
  void setCompare(CompareWithTruth compare) { comparing_ = std::move(compare); }
  /// The file is read anew: somebody chose it again.
  void readAnew();
  RunController& worker() { return controller_; }
  bool busy() const { return controller_.busy() || soon_.isActive(); }

 Q_SIGNALS:
  void changed();

 private:
  struct Question {
    QString file;
    PlanePtr plane;
    MaskPtr inside;
    bool operator==(const Question&) const = default;
  };
  /// `held`: without beginning.
  void compare(bool held = false);
  /// The answer: a curve with its score, or why there is none.
  void give(const Question& question, std::shared_ptr<const TruthCurve> curve, const TruthScore& score,
            const QString& error);
  /// There is nothing to be compared.
  void drop(const QString& why);
  /// With another threshold.
  void rate();
  void wait(const QString& why);

  Session& session_;
  CompareWithTruth comparing_ = compareWithTruth;
  RunController controller_;
  QTimer soon_;
  QTimer patience_;
  Question asked_;
  Question answered_;
  Question held_;  // what is not compared, because somebody stopped it
  std::shared_ptr<const TruthCurve> curve_;
  std::optional<float> rated_;  // the threshold that `score_` was asked for with
  TruthScore score_;
  QString error_;
  QString waiting_;
  bool dim_ = false;
};

}  // namespace bankside::window
