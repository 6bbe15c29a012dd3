/// What a processor is decides what bytes the engine `cpu` gives, however busy the machine is.
#include "kernels/planner/processor.h"

#include <gtest/gtest.h>

#include "kernels/highway/row_kernels.h"
#include "kernels/planner/machine_scale.h"

namespace bankside::planner {
namespace {

TEST(Processor, IsKnownByItsNumbers) {
  struct Known {
    const char* vendor;
    int family, model, lanes;
    std::optional<bool> two;
  };
  constexpr Known all[] = {
      {"AuthenticAMD", 0x17, 0x01, 8, false},          // Zen 1
      {"AuthenticAMD", 0x17, 0x31, 8, true},           // Zen 2
      {"AuthenticAMD", 0x19, 0x01, 8, true},           // Zen 3
      {"AuthenticAMD", 0x19, 0x11, 16, false},         // Zen 4
      {"AuthenticAMD", 0x1a, 0x02, 16, true},          // Zen 5, server
      {"AuthenticAMD", 0x1a, 0x44, 16, true},          // Zen 5, desktop
      {"AuthenticAMD", 0x1a, 0x24, 16, std::nullopt},  // Zen 5, notebook
      {"GenuineIntel", 6, 0x4f, 8, true},
      {"GenuineIntel", 6, 0xcf, 16, true},
      {"GenuineIntel", 6, 0x8c, 16, false},
      {"GenuineIntel", 6, 0x55, 16, std::nullopt},  // two or one, by the price
      {"GenuineIntel", 6, 0x97, 8, std::nullopt},   // cores of two kinds
      {"GenuineIntel", 6, 0xcf, 4, std::nullopt},
      {"", 0, 0, 4, std::nullopt},
  };
  for (const Known& each : all)
    EXPECT_EQ(startsTwoMultiplyAdds({each.vendor, each.family, each.model}, each.lanes), each.two)
        << each.vendor << " " << each.family << " " << each.model;
}

TEST(Processor, ThatIsKnownIsNotMeasured) {
  const std::optional<bool> known = startsTwoMultiplyAdds(thisProcessor(), direct::rowKernels().lanes);
  if (!known) GTEST_SKIP() << "this one has to be measured";
  EXPECT_EQ(machineKind().twoMultiplyAdds, *known);
}

}  // namespace
}  // namespace bankside::planner
