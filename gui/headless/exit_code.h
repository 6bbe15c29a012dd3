/// What the program says to the shell. Documented in docs/user-guide.md; scripts rely on it.
#pragma once

#include <exception>
#include <new>
#include <string>

#include "core/error.h"

namespace bankside::headless {

enum ExitCode {
  exitOk = 0,
  exitInternal = 1,
  exitUsage = 2,
  exitSomeFailed = 3,
  exitMismatch = 4,
  exitEmptyInput = 5,
  exitTransient = 75,
  exitInterrupted = 130,
  exitClosedOutput = 141,
  exitTerminated = 143,
};

/// What went wrong, for a person.
inline std::string sentenceOf(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::bad_alloc&) {
    return "not enough memory";
  } catch (const std::exception& exception) {
    return exception.what();
  }
}

/// For an error that ended the whole command.
inline int exitCodeFor(const Error& error) {
  if (dynamic_cast<const DiskFull*>(&error) != nullptr) return exitTransient;
  switch (error.code()) {
    case ErrorCode::BadInput:
    case ErrorCode::Unsupported: return exitUsage;
    case ErrorCode::Limit:
    case ErrorCode::Io: return exitSomeFailed;
    case ErrorCode::Device: return exitTransient;
  }
  return exitInternal;
}

}  // namespace bankside::headless
