#include "gui/window/session/kept_results.h"

#include <algorithm>
#include <numeric>

namespace bankside::window {

std::vector<KeptResult> KeptResults::add(KeptResult kept) {
  kept.number = ++last_;
  all_.push_back(std::move(kept));
  std::vector<KeptResult> gone;
  while (bytes() > budget_ && all_.size() > 1) {
    gone.push_back(std::move(all_.front()));
    all_.pop_front();
  }
  return gone;
}

void KeptResults::remove(int number) {
  std::erase_if(all_, [&](const KeptResult& kept) { return kept.number == number; });
}

const KeptResult* KeptResults::find(int number) const {
  const auto at =
      std::find_if(all_.begin(), all_.end(), [&](const KeptResult& kept) { return kept.number == number; });
  return at == all_.end() ? nullptr : &*at;
}

std::int64_t KeptResults::bytes() const {
  return std::accumulate(
      all_.begin(), all_.end(), std::int64_t{0},
      [](std::int64_t sum, const KeptResult& kept) { return sum + kept.result.plane->bytes(); });
}

}  // namespace bankside::window
