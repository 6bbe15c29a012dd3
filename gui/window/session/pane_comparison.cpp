#include "gui/window/session/pane_comparison.h"

#include "gui/window/session/difference_words.h"

namespace bankside::window {

PaneComparison::PaneComparison(Session& session, QObject* parent)
    : InquiryOf(session,
                {&Session::resultsChanged, &Session::panesChanged, &Session::regionMeasured,
                 &Session::regionChanged, &Session::rested},
                parent) {
  connect(&controller_, &RunController::failed, this, [this](Work, const QString& why) {
    answered_ = asked();
    say(why);
  });
  lookSoon();
}

void PaneComparison::say(const QString& sentence) {
  metrics_.reset();
  sentence_ = sentence;
  Q_EMIT changed();
}

void PaneComparison::drop(const QString& sentence) {
  dropQuestion();
  answered_.reset();
  say(sentence);
}

void PaneComparison::look(bool hold) {
  const auto [first, second] = session_.comparedPanes();
  const Session::Shown a = session_.shown(first);
  const Session::Shown b = session_.shown(second);
  const bool there =
      a.plane && b.plane && a.age == Session::Shown::Age::Present && b.age == Session::Shown::Age::Present;
  const PanesQuestion now{a.plane, b.plane, session_.mask()};
  later_ = false;
  const bool comparable = there && first != second && !session_.maskMissing();
  if (comparable && (now == answered_ || (!hold && known(now)))) return;
  if (first == second) return drop(tr("Choose two panes."));
  later_ = there && session_.turning() && !hold;
  // What the other panes wait for is made first.
  const bool awaited =
      later_ || session_.maskMissing() || (!session_.stopped() && !session_.missingPlanes().empty());
  if (!there || awaited) return drop(awaited ? tr("Comparing…") : QString());
  if (const QString trouble = session_.regionTrouble(); !trouble.isEmpty()) return drop(trouble);
  if (a.plane->width() != b.plane->width() || a.plane->height() != b.plane->height()) {
    return drop(
        tr("The two pictures have different sizes (%1 × %2 and %3 × %4), so their pixels cannot be held "
           "against one another.")
            .arg(a.plane->width())
            .arg(a.plane->height())
            .arg(b.plane->width())
            .arg(b.plane->height()));
  }
  if (!a.plane->whole() || !b.plane->whole())
    return drop(tr("These pictures do not fit into memory, so only parts of them are there to be compared."));
  answered_.reset();
  if (next(now, false, hold) == Step::Stopped) return say(tr("Stopped."));
  say(tr("Comparing…"));
  const auto made = [this](int pane) {
    return madeOf(session_, session_.keyOf(session_.state().panes[static_cast<std::size_t>(pane)]));
  };
  controller_.start(Work::Region, tr("Comparing two panes"),
                    [this, now, oneMade = made(first), twoMade = made(second),
                     measure = measure_](RunController::Context& context) {
                      const PlaneMetrics metrics = measure(*now.a, *now.b, now.inside.get(), context.stop);
                      const QString words = differenceInWords(oneMade, twoMade, metrics);
                      context.deliver([this, now, metrics, words] {
                        answered_ = now;
                        metrics_ = metrics;
                        words_ = words;
                        sentence_.clear();
                        Q_EMIT changed();
                      });
                    });
}

}  // namespace bankside::window
