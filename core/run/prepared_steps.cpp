#include "core/run/prepared_steps.h"

#include <algorithm>

#include "core/parallel.h"

namespace bankside {

std::vector<std::vector<BankPass::Step>> preparedSteps(std::vector<BankPass>& passes, const Source& seen,
                                                       int threads) {
  std::vector<std::vector<BankPass::Step>> prepared(passes.size());
  const bool together =
      std::all_of(passes.begin(), passes.end(), [&](const BankPass& pass) { return pass.sharesPlans(seen); });
  const ThreadTeam team(together ? threads : 1);
  team.forRanges(0, static_cast<int>(passes.size()), 1, [&](int first, int last) {
    for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(last); ++i) {
      prepared[i] = passes[i].steps(seen);
      passes[i].makePlans(prepared[i]);
    }
  });
  return prepared;
}

}  // namespace bankside
