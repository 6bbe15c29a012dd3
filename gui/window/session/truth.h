/// Manual vessels that our output is held against, live while settings change. The file and the threshold are
/// the session's; here is what comes of them.
#pragma once

#include "gui/window/compute/truth_score.h"
#include "gui/window/session/inquiry.h"

namespace bankside::window {

/// `compareWithTruth`; tests bring their own.
using CompareWithTruth = std::function<std::shared_ptr<const TruthCurve>(
    const Plane& response, const std::filesystem::path& truth, const Image* inside, const std::stop_token&)>;

struct TruthQuestion {
  QString file;
  PlanePtr plane;
  MaskPtr inside;
  bool operator==(const TruthQuestion&) const = default;
};

class Truth : public InquiryOf<TruthQuestion> {
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
  void setCompare(CompareWithTruth compare) { comparing_ = std::move(compare); }
  /// The file is read anew: somebody chose it again.
  void readAnew();

 private:
  void look(bool hold) override;
  /// The answer: a curve with its score, or why there is none.
  void give(const TruthQuestion& question, std::shared_ptr<const TruthCurve> curve, const TruthScore& score,
            const QString& error);
  /// There is nothing to be compared.
  void drop(const QString& why);
  /// With another threshold.
  void rate();
  void wait(const QString& why);

  CompareWithTruth comparing_ = compareWithTruth;
  TruthQuestion answered_;
  std::shared_ptr<const TruthCurve> curve_;
  std::optional<float> rated_;  // the threshold that `score_` was asked for with
  TruthScore score_;
  QString error_;
  QString waiting_;
};

}  // namespace bankside::window
