/// What a call that is refused says.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "core/error.h"

namespace bankside::testing {

/// The sentence and code of the Error that a call throws; "" if it throws none.
struct Refusal {
  std::string sentence;
  ErrorCode code = ErrorCode::BadInput;
};

template <class Call>
Refusal refusalOf(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return {error.what(), error.code()};
  }
  return {};
}

/// The sentence alone, of an Error of that code.
template <class Call>
std::string sentenceOf(const Call& call, ErrorCode code = ErrorCode::BadInput) {
  const Refusal refusal = refusalOf(call);
  if (!refusal.sentence.empty()) {
    EXPECT_EQ(refusal.code, code) << refusal.sentence;
  }
  return refusal.sentence;
}

}  // namespace bankside::testing
