/// Where there is no GPU a test skips with the reason, or fails where a GPU was required.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "kernels/cuda/runtime/device_state.h"

#define BANKSIDE_NEEDS_GPU()                                                           \
  do {                                                                                 \
    if (const ::bankside::Support state = ::bankside::cuda::deviceState(); !state) {   \
      const char* required = std::getenv("BANKSIDE_REQUIRE_GPU");                      \
      if (required != nullptr && std::string(required) == "1") FAIL() << state.reason; \
      GTEST_SKIP() << state.reason;                                                    \
    }                                                                                  \
  } while (false)
