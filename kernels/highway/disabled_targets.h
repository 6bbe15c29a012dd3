/// Which of Highway's targets a source is not compiled for: to be included before foreach_target.h.
#pragma once

// No SVE: its vectors have no size at compile time and cannot be held in arrays.
#define BANKSIDE_UNSIZED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
// Under sanitizers a compiler takes minutes for some sources and each target.
#ifdef BANKSIDE_FEW_TARGETS
#define HWY_DISABLED_TARGETS (BANKSIDE_UNSIZED_TARGETS | HWY_SSSE3 | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL)
#else
#define HWY_DISABLED_TARGETS BANKSIDE_UNSIZED_TARGETS
#endif
