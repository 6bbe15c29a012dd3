// What Highway asks its library at run time, answered here for libbankside and the Python module: Debian's
// libhwy measures the machine's clock for milliseconds in every program that loads it, for a benchmark that
// nobody calls.
#include "hwy/targets.h"

#if HWY_ARCH_X86 && defined(__GNUC__) && !defined(__clang__)

namespace hwy {

ChosenTarget& GetChosenTarget() {
  static ChosenTarget chosen;
  return chosen;
}

/// Of the targets that kernels are compiled for, those that this processor and its system have.
std::int64_t SupportedTargets() {
  static const std::int64_t targets = [] {
    __builtin_cpu_init();
    std::int64_t found = HWY_EMU128 | HWY_SCALAR;
    if (!__builtin_cpu_supports("ssse3")) return found;
    found |= HWY_SSSE3;
    const bool crypto = __builtin_cpu_supports("aes") && __builtin_cpu_supports("pclmul");
    if (!__builtin_cpu_supports("x86-64-v2") || !crypto) return found;
    found |= HWY_SSE4;
    if (!__builtin_cpu_supports("x86-64-v3")) return found;
    found |= HWY_AVX2;
    if (!__builtin_cpu_supports("x86-64-v4")) return found;
    found |= HWY_AVX3;
    if (__builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512vbmi") &&
        __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512bitalg") &&
        __builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("vaes") &&
        __builtin_cpu_supports("vpclmulqdq") && __builtin_cpu_supports("gfni")) {
      found |= HWY_AVX3_DL;
    }
    return found;
  }();
  return targets;
}

}  // namespace hwy

#endif
