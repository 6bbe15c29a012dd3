/// Banks that run one after another over the same pixels, prepared together.
#pragma once

#include <vector>

#include "core/bank_pass.h"

namespace bankside {

/// Steps and plans of every pass. Where their plans are for any thread they are made side by side, since much
/// of that is one thread's work. Errors  as `BankPass::steps` and `BankPass::makePlans`
std::vector<std::vector<BankPass::Step>> preparedSteps(std::vector<BankPass>& passes, const Source& seen,
                                                       int threads);

}  // namespace bankside
