/// Runs vector code as a lesser machine would.
#pragma once

#include <cstdint>

#include "hwy/targets.h"

namespace bankside::testing {

/// Restores the machine's own targets at the end of a test.
struct TargetGuard {
  static void use(std::int64_t targets) {
    hwy::SetSupportedTargetsForTest(targets);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
  ~TargetGuard() { use(0); }
};

}  // namespace bankside::testing
