#include "gui/window/session/analysis.h"

#include "gui/window/compute/core_sentence.h"

namespace bankside::window {

Analysis::Analysis(Session& session, QObject* parent) : QObject(parent), session_(session) {
  soon_.setSingleShot(true);
  soon_.setInterval(0);
  connect(&soon_, &QTimer::timeout, this, [this] { look(false); });
  patience_.setSingleShot(true);
  patience_.setInterval(patience);
  connect(&patience_, &QTimer::timeout, this, [this] {
    dim_ = true;
    Q_EMIT changed();
  });
  for (const auto signal : {&Session::pixelChanged, &Session::bankChanged, &Session::planesChanged,
                            &Session::recipeChanged, &Session::pictureChanged}) {
    connect(&session_, signal, &soon_, qOverload<>(&QTimer::start));
  }
  connect(&controller_, &RunController::failed, this, [this](Work work, const QString& why) {
    if (work == Work::Region) {
      answered_ = asked_;
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
  seeking_.reset();
  asked_ = answered_ = {};  // and with them the picture
  if (!stopped_) held_ = {};
}

Analysis::Question Analysis::question() const {
  Question now;
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

QString Analysis::trouble(const Question& now) const {
  if (now.bank && now.picture && now.pixel) return {};
  if (now.bank) return tr("Click a pixel to see what every filter answers there.");
  return session_.recipe().ofMaps()
             ? tr("Several steps make the result. A bank is analyzed where it runs by itself.")
             : tr("There is no bank yet.");
}

void Analysis::stop() {
  soon_.stop();
  look(true);
}

void Analysis::resume() {
  held_ = {};
  stopped_ = false;
  look(false);
}

void Analysis::look(bool held) {
  if (!wanted_) return;
  const Question now = question();
  const QString why = trouble(now);
  if (!now.bank) {
    controller_.cancelAll();
    known_.reset();
    redundancy_.reset();
  }
  if (!why.isEmpty()) {
    controller_.cancel(Work::Region);
    asked_ = {};
    answered_ = {};
    answers_.clear();
    sentence_ = why;
  }
  const bool bankMissing = now.bank && now.bank != known_;
  const bool answersMissing = why.isEmpty() && now != answered_;
  stopped_ = (bankMissing || answersMissing) && (held || now == held_);
  if (stopped_) {
    controller_.cancelAll();
    seeking_.reset();
    asked_ = {};
    held_ = now;
  } else {
    held_ = {};
    if (answersMissing && now != asked_) findAnswers(now);
    if (bankMissing && now.bank != seeking_) findRedundancy(now);
    if (!bankMissing && seeking_) {
      controller_.cancel(Work::Measure);
      seeking_.reset();
    }
  }
  rest(bankMissing || answersMissing);
}

void Analysis::findAnswers(const Question& now) {
  asked_ = now;
  controller_.start(Work::Region, tr("Asking every filter"),
                    [this, now, settings = session_.runSettings()](RunController::Context& context) {
                      auto answers = bankAnswers(settings, now.channel, now.pixel->x(), now.pixel->y());
                      context.deliver([this, now, answers = std::move(answers)] {
                        answered_ = now;
                        answers_ = answers;
                        sentence_.clear();
                        look(false);
                      });
                    });
}

void Analysis::findRedundancy(const Question& now) {
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

void Analysis::rest(bool waiting) {
  if (!waiting) {
    patience_.stop();
    dim_ = false;
  } else if (!dim_ && !patience_.isActive()) {
    patience_.start();
  }
  Q_EMIT changed();
}

}  // namespace bankside::window
