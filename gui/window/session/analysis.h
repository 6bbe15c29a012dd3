/// The bank as a whole: how much its filters repeat each other, and what each answers at the pixel. Its
/// worker is its own, so that nothing on show waits for it.
#pragma once

#include <QTimer>

#include "filters/analysis/bank_analysis.h"
#include "gui/window/compute/pixel_explanation.h"
#include "gui/window/compute/run_controller.h"
#include "gui/window/session/session.h"

namespace bankside::window {

/// `redundancyOf`; tests bring their own.
using FindRedundancy = std::function<std::optional<Redundancy>(const FilterBank&, const std::stop_token&)>;

class Analysis : public QObject {
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
  std::optional<QPoint> pixel() const { return answered_.pixel; }
  /// Why there are no answers; empty where there are.
  const QString& sentence() const { return sentence_; }
  /// What there is has been of something else for so long that it is to be seen as such.
  bool dimmed() const { return dim_; }

  /// What is under way, or about to begin, is left until `resume`, or until there is something else to look
  /// at.
  void stop();
  void resume();
  bool stopped() const { return stopped_; }
  RunController& worker() { return controller_; }
  bool busy() const { return controller_.busy() || soon_.isActive(); }
  void setFind(FindRedundancy find) { find_ = std::move(find); }

 Q_SIGNALS:
  void changed();

 private:
  struct Question {
    std::shared_ptr<const FilterBank> bank;  ///< null: there is none
    PicturePtr picture;
    std::optional<QPoint> pixel;
    int channel = 0;
    ChannelChoice choice = ChannelChoice::Auto;
    Border border;
    std::optional<FilterMode> mode;
    bool operator==(const Question&) const = default;
  };
  Question question() const;
  /// `held`: without beginning.
  void look(bool held);
  void findRedundancy(const Question& now);
  void findAnswers(const Question& now);
  /// Why the question has no answers that could be computed; empty where it has.
  QString trouble(const Question& now) const;
  void rest(bool waiting);

  Session& session_;
  FindRedundancy find_ = [](const FilterBank& bank, const std::stop_token&) { return redundancyOf(bank); };
  RunController controller_;
  QTimer soon_;  // one look for all that changes at once
  QTimer patience_;
  bool wanted_ = false;
  bool stopped_ = false;
  bool dim_ = false;
  Question asked_;     // of the answers that are under way
  Question answered_;  // and of those that are there
  Question held_;
  std::shared_ptr<const FilterBank> seeking_;
  std::shared_ptr<const FilterBank> known_;
  std::optional<Redundancy> redundancy_;
  std::vector<FilterAnswer> answers_;
  QString sentence_;
};

}  // namespace bankside::window
