/// What the program says to the shell. Documented in docs/user-guide.md; scripts rely on it.
#pragma once

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
};

/// As a shell says it: 129 for SIGHUP, 130 for SIGINT, 131 for SIGQUIT, 143 for SIGTERM.
inline int exitCodeFor(int signal) { return 128 + signal; }

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
