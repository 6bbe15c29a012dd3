/// The boundary: whatever is thrown inside becomes a status and a sentence.
#pragma once

#include <string>

#include "core/error.h"
#include "core/refuse.h"
#include "library/include/bankside/bankside.h"

namespace bankside::library {

/// Of the exception that is being handled; keeps its sentence for bk_last_error on this thread.
bk_status keepError() noexcept;

const char* lastError() noexcept;

/// Runs the body of an entry point.
template <class Body>
bk_status guarded(const Body& body) noexcept {
  try {
    body();
    return BK_OK;
  } catch (...) {
    return keepError();
  }
}

[[noreturn]] void refuseNull(const char* what);

/// Throws Error{BadInput} where a caller's pointer is null.
template <class T>
T& require(T* pointer, const char* what) {
  if (pointer == nullptr) refuseNull(what);
  return *pointer;
}

}  // namespace bankside::library
