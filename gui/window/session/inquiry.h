/// What begins by itself when something that it depends on changes, on a worker of its own so that nothing on
/// show waits for it, and what is stopped until somebody asks or the question is another (decision 0157).
#pragma once

#include <QTimer>
#include <optional>

#include "gui/window/compute/run_controller.h"
#include "gui/window/session/session.h"

namespace bankside::window {

class Inquiry : public QObject {
  Q_OBJECT
 public:
  /// What is under way, or about to begin, is left until `resume`, or until the question is another.
  void stop();
  void resume();
  virtual bool stopped() const = 0;
  RunController& worker() { return controller_; }
  bool busy() const { return controller_.busy() || soon_.isActive() || later_; }
  /// What there is has been an old answer for so long that it is to be seen as such.
  bool dimmed() const { return dim_; }

 Q_SIGNALS:
  void changed();

 protected:
  using SessionSignal = void (Session::*)();
  Inquiry(Session& session, std::initializer_list<SessionSignal> causes, QObject* parent);

  /// Compares the question with what is answered, under way and stopped. `hold`: without beginning.
  virtual void look(bool hold) = 0;
  /// Nothing is under way any more.
  virtual void forgetWork() = 0;
  virtual void letGo() = 0;
  /// One look for all that changes at once.
  void lookSoon() { soon_.start(); }
  /// `waiting`: what there is, is of something else.
  void rest(bool waiting);

  Session& session_;
  RunController controller_;
  bool later_ = false;  ///< it begins when `Session::turning` ends

 private:
  QTimer soon_;
  QTimer patience_;
  bool dim_ = false;
};

/// `Question`: a value that is equal where the answer is the same.
template <class Question>
class InquiryOf : public Inquiry {
 public:
  bool stopped() const override { return held_.has_value(); }

 protected:
  using Inquiry::Inquiry;

  enum class Step { There, Stopped, UnderWay, Begin };
  /// What there is to do about a question. `there`: it is answered.
  Step next(const Question& now, bool there, bool hold) {
    if (!there && (hold || held_ == now)) {
      abandon();
      held_ = now;
      return Step::Stopped;
    }
    held_.reset();
    if (there) {
      if (asked_ && asked_ != now) abandon();
      asked_.reset();
      return Step::There;
    }
    if (asked_ == now) return Step::UnderWay;
    asked_ = now;  // what is under way is replaced
    return Step::Begin;
  }
  /// Stopped or under way.
  bool known(const Question& now) const { return asked_ == now || held_ == now; }
  /// There is no question.
  void dropQuestion() {
    abandon();
    held_.reset();
  }
  void forgetWork() override { asked_.reset(); }
  void letGo() override { held_.reset(); }
  /// What is under way is of it.
  const std::optional<Question>& asked() const { return asked_; }

 private:
  void abandon() {
    controller_.cancelAll();
    forgetWork();
  }

  std::optional<Question> asked_;
  std::optional<Question> held_;  // what is not asked, because somebody stopped it
};

}  // namespace bankside::window
