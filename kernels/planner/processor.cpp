#include "kernels/planner/processor.h"

#include <algorithm>
#include <initializer_list>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

namespace bankside::planner {
namespace {

bool isOneOf(int model, std::initializer_list<int> models) {
  return std::find(models.begin(), models.end(), model) != models.end();
}

std::optional<bool> ofAmd(const Processor& p, int lanes) {
  constexpr int zen1And2 = 0x17;
  constexpr int zen3And4 = 0x19;
  constexpr int zen5 = 0x1a;
  if (lanes == 8) {
    if (p.family == zen1And2) return p.model >= 0x30;  // Zen 1 has units of 128 bits
    if (p.family == zen3And4 || p.family == zen5) return true;
  }
  if (lanes == 16) {
    if (p.family == zen3And4) return false;                                  // Zen 4 has units of 256 bits,
    if (p.family == zen5 && p.model < 0x20) return true;                     // Zen 5 of 512,
    if (p.family == zen5 && p.model >= 0x40 && p.model < 0x60) return true;  // but not in notebooks
  }
  return std::nullopt;
}

std::optional<bool> ofIntel(const Processor& p, int lanes) {
  if (p.family != 6) return std::nullopt;
  // Xeons: Haswell, Broadwell, Skylake, Ice Lake, Sapphire, Emerald and Granite Rapids.
  if (lanes == 8 && isOneOf(p.model, {0x3f, 0x4f, 0x56, 0x55, 0x6a, 0x6c, 0x8f, 0xcf, 0xad, 0xae}))
    return true;
  if (lanes == 16 && isOneOf(p.model, {0x6a, 0x6c, 0x8f, 0xcf, 0xad, 0xae})) return true;
  // Desktops and notebooks with one unit of 512 bits: Ice Lake, Tiger Lake, Rocket Lake.
  if (lanes == 16 && isOneOf(p.model, {0x7d, 0x7e, 0x8c, 0x8d, 0xa7})) return false;
  return std::nullopt;
}

}  // namespace

Processor thisProcessor() {
  Processor p;
#if defined(__x86_64__) || defined(__i386__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(0, &a, &b, &c, &d) == 0) return p;
  for (const unsigned part : {b, d, c}) {
    for (int i = 0; i < 4; ++i) p.vendor += static_cast<char>(part >> (8 * i) & 0xff);
  }
  if (__get_cpuid(1, &a, &b, &c, &d) == 0) return p;
  p.family = static_cast<int>(a >> 8 & 0xf);
  p.model = static_cast<int>((a >> 4 & 0xf) | (a >> 12 & 0xf0));
  if (p.family == 0xf) p.family += static_cast<int>(a >> 20 & 0xff);
#endif
  return p;
}

std::optional<bool> startsTwoMultiplyAdds(const Processor& processor, int lanes) {
  if (processor.vendor == "AuthenticAMD") return ofAmd(processor, lanes);
  if (processor.vendor == "GenuineIntel") return ofIntel(processor, lanes);
  return std::nullopt;
}

}  // namespace bankside::planner
