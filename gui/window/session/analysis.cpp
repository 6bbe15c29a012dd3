#include "gui/window/session/analysis.h"

#include "gui/window/compute/core_sentence.h"

namespace bankside::window {

Analysis::Analysis(Session& session, QObject* parent)
    : InquiryOf(session,
                {&Session::pixelChanged, &Session::bankChanged, &Session::planesChanged,
                 &Session::recipeChanged, &Session::pictureChanged},
                parent) {
  connect(&controller_, &RunController::failed, this, [this](Work work, const QString& why) {
    if (work == Work::Region) {
      found_ = finding_;
      answers_.clear();
      sentence_ = why;
    } else {
      known_ = seeking_;
      redundancy_.reset();
    }
    look(false);
  });
}

void Analysis::setWanted(bool wanted) {
  if (wanted == wanted_) return;
  wanted_ = wanted;
  if (wanted_) return look(false);
  controller_.cancelAll();
  forgetWork();
  found_ = {};  // and with it the picture
}

void Analysis::forgetWork() {
  InquiryOf::forgetWork();
  seeking_.reset();
  finding_ = {};
}

AnalysisQuestion Analysis::question() const {
  AnalysisQuestion now;
  if (session_.recipe().ofMaps() || !session_.bank()) return now;
  const auto plane = static_cast<std::size_t>(session_.state().selectedPlane);
  const bool ofFirst = !session_.secondBank() && plane < session_.planes().size();
  now.bank = session_.bank();
  now.picture = session_.picture();
  now.pixel = session_.state().pixel;
  now.channel = ofFirst ? session_.planes()[plane].channel : 0;
  now.choice = session_.recipe().channel;
  now.border = session_.recipe().border;
  now.mode = session_.recipe().stages.front().mode;
  return now;
}

QString Analysis::trouble(const AnalysisQuestion& now) const {
  if (now.bank && now.picture && now.pixel) return {};
  if (now.bank) return tr("Click a pixel to see what every filter answers there.");
  return session_.recipe().ofMaps()
             ? tr("Several steps make the result. A bank is analyzed where it runs by itself.")
             : tr("There is no bank yet.");
}

void Analysis::look(bool hold) {
  if (!wanted_) return;
  const AnalysisQuestion now = question();
  const QString why = trouble(now);
  if (!now.bank) {
    dropQuestion();
    known_.reset();
    redundancy_.reset();
  }
  if (!why.isEmpty()) {
    controller_.cancel(Work::Region);
    finding_ = {};
    found_ = {};
    answers_.clear();
    sentence_ = why;
  }
  const bool bankMissing = now.bank && now.bank != known_;
  const bool answersMissing = why.isEmpty() && now != found_;
  const bool missing = bankMissing || answersMissing;
  if (next(now, !missing, hold) != Step::Stopped) {
    if (answersMissing && now != finding_) findAnswers(now);
    if (bankMissing && now.bank != seeking_) findRedundancy(now);
    if (!bankMissing && seeking_) {
      controller_.cancel(Work::Measure);
      seeking_.reset();
    }
  }
  rest(missing);
  Q_EMIT changed();
}

void Analysis::findAnswers(const AnalysisQuestion& now) {
  finding_ = now;
  controller_.start(Work::Region, tr("Asking every filter"),
                    [this, now, settings = session_.runSettings()](RunController::Context& context) {
                      auto answers =
                          bankAnswers(settings, now.channel, now.pixel->x(), now.pixel->y(), context.stop);
                      context.deliver([this, now, answers = std::move(answers)] {
                        found_ = now;
                        answers_ = answers;
                        sentence_.clear();
                        look(false);
                      });
                    });
}

void Analysis::findRedundancy(const AnalysisQuestion& now) {
  seeking_ = now.bank;
  controller_.start(Work::Measure, tr("Analyzing the bank"),
                    [this, bank = now.bank, find = find_](RunController::Context& context) {
                      const auto redundancy =
                          bank->size() > 1 ? find(*bank, context.stop) : std::optional<Redundancy>();
                      context.deliver([this, bank, redundancy] {
                        known_ = bank;
                        redundancy_ = redundancy;
                        look(false);
                      });
                    });
}

}  // namespace bankside::window
