#include "gui/window/session/pane_comparison.h"

#include "gui/window/session/difference_words.h"

namespace bankside::window {

PaneComparison::PaneComparison(Session& session, QObject* parent) : QObject(parent), session_(session) {
  soon_.setSingleShot(true);
  soon_.setInterval(0);
  connect(&soon_, &QTimer::timeout, this, [this] { compare(false); });
  for (const auto signal : {&Session::resultsChanged, &Session::panesChanged, &Session::regionMeasured,
                            &Session::regionChanged}) {
    connect(&session_, signal, &soon_, qOverload<>(&QTimer::start));
  }
  connect(&controller_, &RunController::failed, this, [this](Work, const QString& why) { say(why); });
  soon_.start();
}

void PaneComparison::say(const QString& sentence) {
  metrics_.reset();
  sentence_ = sentence;
  Q_EMIT changed();
}

void PaneComparison::stop() {
  soon_.stop();
  const bool underWay = a_ && !metrics_ && controller_.busy();
  if (underWay) a_ = nullptr;  // it is asked for anew, and held
  compare(true);
}

void PaneComparison::resume() {
  if (!stopped_) return;
  a_ = nullptr;
  compare(false);
}

void PaneComparison::compare(bool held) {
  const auto [first, second] = session_.comparedPanes();
  const Session::Shown a = session_.shown(first);
  const Session::Shown b = session_.shown(second);
  const bool there =
      a.plane && b.plane && a.age == Session::Shown::Age::Present && b.age == Session::Shown::Age::Present;
  if (there && first != second && !session_.maskMissing() && a.plane == a_ && b.plane == b_ &&
      session_.mask() == inside_)
    return;
  controller_.cancelAll();
  stopped_ = false;
  a_ = nullptr;
  b_ = nullptr;
  if (first == second) return say(tr("Choose two panes."));
  // What the other panes wait for is made first.
  const bool awaited = session_.maskMissing() || (!session_.stopped() && !session_.missingPlanes().empty());
  if (!there || awaited) return say(awaited ? tr("Comparing…") : QString());
  if (const QString trouble = session_.regionTrouble(); !trouble.isEmpty()) return say(trouble);
  if (a.plane->width() != b.plane->width() || a.plane->height() != b.plane->height()) {
    return say(
        tr("The two pictures have different sizes (%1 × %2 and %3 × %4), so their pixels cannot be held "
           "against one another.")
            .arg(a.plane->width())
            .arg(a.plane->height())
            .arg(b.plane->width())
            .arg(b.plane->height()));
  }
  if (!a.plane->whole() || !b.plane->whole())
    return say(tr("These pictures do not fit into memory, so only parts of them are there to be compared."));
  a_ = a.plane;
  b_ = b.plane;
  inside_ = session_.mask();
  stopped_ = held;
  if (held) return say(tr("Stopped."));
  say(tr("Comparing…"));
  const auto made = [this](int pane) {
    return madeOf(session_, session_.keyOf(session_.state().panes[static_cast<std::size_t>(pane)]));
  };
  controller_.start(Work::Region, tr("Comparing two panes"),
                    [this, one = a_, two = b_, inside = inside_, oneMade = made(first),
                     twoMade = made(second), measure = measure_](RunController::Context& context) {
                      const PlaneMetrics metrics = measure(*one, *two, inside.get(), context.stop);
                      const QString words = differenceInWords(oneMade, twoMade, metrics);
                      context.deliver([this, metrics, words] {
                        metrics_ = metrics;
                        words_ = words;
                        sentence_.clear();
                        Q_EMIT changed();
                      });
                    });
}

}  // namespace bankside::window
