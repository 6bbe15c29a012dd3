// What libbankside says about this processor in Highway's place, beside what Highway's own library says.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include "hwy/targets.h"

namespace {

TEST(SupportedTargets, AreThoseThatHighwayFinds) {
#if HWY_ARCH_X86
  void* library = dlopen(BANKSIDE_LIBHWY, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  void* theirs = dlsym(library, "_ZN3hwy16SupportedTargetsEv");
  ASSERT_NE(theirs, nullptr) << dlerror();
  ASSERT_NE(theirs, reinterpret_cast<void*>(&hwy::SupportedTargets));
  constexpr std::int64_t known = HWY_SSSE3 | HWY_SSE4 | HWY_AVX2 | HWY_AVX3 | HWY_AVX3_DL;
  EXPECT_EQ(hwy::SupportedTargets() & known, reinterpret_cast<std::int64_t (*)()>(theirs)() & known);
#else
  GTEST_SKIP() << "Highway answers for itself on this processor";
#endif
}

TEST(SupportedTargets, TheFirstCallChooses) {
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  EXPECT_TRUE(hwy::GetChosenTarget().IsInitialized());
  EXPECT_GT(hwy::GetChosenTarget().GetIndex(), 0u);
}

}  // namespace
