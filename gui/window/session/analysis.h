/// The bank as a whole: how much its filters repeat each other, and what each answers at the pixel.
#pragma once

#include "filters/analysis/bank_analysis.h"
#include "gui/window/compute/pixel_explanation.h"
#include "gui/window/session/inquiry.h"

namespace bankside::window {

/// `redundancyOf`; tests bring their own.
using FindRedundancy = std::function<std::optional<Redundancy>(const FilterBank&, const std::stop_token&)>;

struct AnalysisQuestion {
  std::shared_ptr<const FilterBank> bank;  ///< null: there is none
  PicturePtr picture;
  std::optional<QPoint> pixel;
  int channel = 0;
  ChannelChoice choice = ChannelChoice::Auto;
  Border border;
  std::optional<FilterMode> mode;
  bool operator==(const AnalysisQuestion&) const = default;
};

class Analysis : public InquiryOf<AnalysisQuestion> {
  Q_OBJECT
 public:
  explicit Analysis(Session& session, QObject* parent = nullptr);

  /// Whether somebody looks at it; else nothing is computed.
  void setWanted(bool wanted);

  /// The bank that redundancy is known of: that of the session or, until that is looked at, the one before.
  /// Null before the first is, and where there is none.
  const std::shared_ptr<const FilterBank>& bank() const { return known_; }
  /// None of banks that are too large for it.
  const std::optional<Redundancy>& redundancy() const { return redundancy_; }
  /// At the pixel or, until these are there, at the one before.
  const std::vector<FilterAnswer>& answers() const { return answers_; }
  std::optional<QPoint> pixel() const { return found_.pixel; }
  /// Why there are no answers; empty where there are.
  const QString& sentence() const { return sentence_; }
  void setFind(FindRedundancy find) { find_ = std::move(find); }

 private:
  AnalysisQuestion question() const;
  void look(bool hold) override;
  void forgetWork() override;
  void findRedundancy(const AnalysisQuestion& now);
  void findAnswers(const AnalysisQuestion& now);
  /// Why the question has no answers that could be computed; empty where it has.
  QString trouble(const AnalysisQuestion& now) const;

  FindRedundancy find_ = [](const FilterBank& bank, const std::stop_token& stop) {
    return redundancyOf(bank, checkOf(stop));
  };
  bool wanted_ = false;
  // A bank is the same at every pixel: each of the two parts has what is under way, and what is there.
  AnalysisQuestion finding_;
  AnalysisQuestion found_;
  std::shared_ptr<const FilterBank> seeking_;
  std::shared_ptr<const FilterBank> known_;
  std::optional<Redundancy> redundancy_;
  std::vector<FilterAnswer> answers_;
  QString sentence_;
};

}  // namespace bankside::window
