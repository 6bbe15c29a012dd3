/// What is known of a processor without measuring it.
#pragma once

#include <optional>
#include <string>

namespace bankside::planner {

/// As an x86 processor names itself (CPUID, leaves 0 and 1); empty for others.
struct Processor {
  std::string vendor = {};
  int family = 0;
  int model = 0;
};

Processor thisProcessor();

/// Whether a core starts two multiply-adds of `lanes` floats a cycle; none where that depends on what a
/// processor does not say of itself.
/// Source  AMD: A. J. Yee, "Zen4's AVX512 teardown" (2022) and "Zen5's AVX512 teardown" (2024),
/// numberworld.org; Intel: A. Fog, "The microarchitecture of Intel, AMD, and VIA CPUs", agner.org
std::optional<bool> startsTwoMultiplyAdds(const Processor& processor, int lanes);

}  // namespace bankside::planner
