/// What the program says to the shell. Documented in docs/user-guide.md; scripts rely on it.
#pragma once

#include <exception>
#include <new>
#include <string>
#include <system_error>

#include "core/error.h"
#include "core/wanting.h"

namespace bankside::headless {

enum ExitCode {
  exitOk = 0,
  exitInternal = 1,
  exitUsage = 2,
  exitSomeFailed = 3,
  exitMismatch = 4,
  exitEmptyInput = 5,
  exitPermanent = 42,  ///< a shard of a batch that no other try helps
  exitTransient = 75,
  exitInterrupted = 130,
  exitClosedOutput = 141,
};

/// As a shell says it: 129 for SIGHUP, 130 for SIGINT, 131 for SIGQUIT, 143 for SIGTERM.
inline int exitCodeFor(int signal) { return 128 + signal; }

inline bool isWantOfThreads(const std::system_error& error) {
  return error.code() == std::errc::resource_unavailable_try_again;
}

/// Whether the machine has no more memory, threads or open files: another try may find them.
inline bool isWant(const std::exception_ptr& error) {
  try {
    if (error) std::rethrow_exception(error);
  } catch (const Wanting&) {
    return true;
  } catch (const std::bad_alloc&) {
    return true;
  } catch (const std::system_error& exception) {
    return isWantOfThreads(exception);
  } catch (const std::exception&) {
  }
  return false;
}

/// What went wrong, for a person.
inline std::string sentenceOf(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::bad_alloc&) {
    return "not enough memory";
  } catch (const std::system_error& exception) {
    return isWantOfThreads(exception) ? "the system gives no more threads" : exception.what();
  } catch (const std::exception& exception) {
    return exception.what();
  }
}

/// For an error that ended the whole command.
inline int exitCodeFor(const Error& error) {
  if (dynamic_cast<const DiskFull*>(&error) != nullptr) return exitTransient;
  if (dynamic_cast<const Wanting*>(&error) != nullptr) return exitTransient;
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
