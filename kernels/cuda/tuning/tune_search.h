/// The choice that a tuner keeps, whatever it chooses among: no device in it, tested without one.
#pragma once

#include <algorithm>
#include <vector>

namespace bankside::cuda {

template <class Choice>
struct Fastest {
  Choice choice{};
  double seconds = 0;
  double ruleSeconds = 0;  ///< of what would be taken without a table
};

/// Asks `seconds(choice)` for the rule's choice, then for every other candidate once; infinity stands for one
/// that is not right. The rule's is kept unless another is 2% faster: no change for what may be noise.
template <class Choice, class Seconds>
Fastest<Choice> fastestOf(const Choice& rule, const std::vector<Choice>& candidates, Seconds&& seconds) {
  Fastest<Choice> best{rule, seconds(rule), 0};
  best.ruleSeconds = best.seconds;
  for (const Choice& choice : candidates) {
    if (choice == rule) continue;
    const double s = seconds(choice);
    if (s < std::min(best.seconds, 0.98 * best.ruleSeconds)) {
      best.seconds = s;
      best.choice = choice;
    }
  }
  return best;
}

}  // namespace bankside::cuda
