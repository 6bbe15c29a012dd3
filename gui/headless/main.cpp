/// `bankside`: filter banks without a window. Parses the line, runs one command, turns errors into exit
/// codes.
#include <poll.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

#include "core/engine.h"
#include "core/error.h"
#include "core/imageio/sandboxed_decoder.h"
#include "core/log.h"
#include "core/own_threads.h"
#include "core/printable.h"
#include "core/process.h"
#include "core/stopping.h"
#include "core/text.h"
#include "gui/headless/commands.h"
#include "gui/headless/exit_code.h"
#include "gui/headless/signals.h"

namespace {

using namespace bankside;
using namespace bankside::headless;

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};

int runCommand(const Command& command, const std::string& text, const std::stop_token& stop,
               const char* program) {
  return std::visit(Overloaded{
                        [](const Finished& finished) { return finished.exitCode; },
                        [&](const FilterCommand& c) { return runFilter(c, text, stop); },
                        [&](const BatchCommand& c) { return runBatch(c, text, stop); },
                        [&](const EvaluateCommand& c) { return runEvaluate(c, text, stop); },
                        [&](const CompareCommand& c) { return runCompare(c, text, stop); },
                        [&](const BanksCommand& c) { return runBanks(c, text); },
                        [](const DevicesCommand&) { return runDevices(); },
                        [&](const VerifyCommand& c) { return runVerify(c, stop); },
                        [&](const BenchCommand& c) { return runBench(c, text, stop); },
                        [&](const DeviceBenchCommand& c) { return runDeviceBench(c, text, stop); },
                        [&](const PhantomCommand& c) { return runPhantom(c, stop); },
                        [](const CompletionCommand&) { return runCompletion(); },
                        [&](const WindowCommand&) { return runWindow(program); },
                    },
                    command);
}

/// Whoever read our output has seen enough, as `head` does: nothing that anyone wants to be told.
bool readerLeft() {
  pollfd output{STDOUT_FILENO, POLLOUT, 0};
  return poll(&output, 1, 0) > 0 && (output.revents & POLLERR) != 0;
}

/// Where an exception has no way to main, as in a thread: said like any other, without memory.
[[noreturn]] void endAtOnce() {
  const auto say = [](std::string_view sentence) {
    (void)!write(STDERR_FILENO, sentence.data(), sentence.size());
  };
  try {
    if (const std::exception_ptr error = std::current_exception()) std::rethrow_exception(error);
  } catch (const std::bad_alloc&) {
    say("bankside: error: not enough memory\n");
    _exit(exitTransient);
  } catch (const std::system_error&) {
    say("bankside: error: the system gives no more threads\n");
    _exit(exitTransient);
  } catch (const std::runtime_error& error) {
    if (std::string_view(error.what()).starts_with("pthread_create")) {  // oneTBB's words
      say("bankside: error: the system gives no more threads\n");
      _exit(exitTransient);
    }
  } catch (...) {
  }
  // Where there is no memory for the exception either, there is none to be found.
  void* volatile const memory = std::malloc(4096);
  if (memory == nullptr) {
    say("bankside: error: not enough memory\n");
    _exit(exitTransient);
  }
  say("bankside: error: internal: ended by an exception that nobody took\n");
  _exit(exitInternal);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
/// Before any library of the program is set up, which takes longer than some wait: what comes then is found
/// by the watch.
void holdSignals() { SignalWatch::hold(); }
[[gnu::section(".preinit_array"), gnu::used]] void (*const holdFirst)() = holdSignals;
#endif

int run(int argc, char** argv) {
  const SignalWatch signals;
  setProgramStop(signals.token());
  std::string text = "bankside";
  for (int i = 1; i < argc; ++i) text += " " + shellWord(argv[i]);
  const int code = runCommand(parseCommandLine(argc, argv), text, signals.token(), argv[0]);
  std::cout.flush();
  if (std::cout) return code;
  if (readerLeft()) return exitClosedOutput;
  log(LogLevel::Error, "the results could not be written to the standard output");
  return exitTransient;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::string_view(argv[1]) == sandboxedDecoderWord) return decodeInSandbox(argv[2]);
  keepStandardStreams();
  raiseOpenFileLimit();
  saveAddresses();
  std::set_terminate(endAtOnce);
  try {
    countThreads();
    setLogSink([](LogLevel level, const std::string& sentence) {
      const char* mark = level == LogLevel::Info ? "" : level == LogLevel::Warning ? "warning: " : "error: ";
      std::cerr << "bankside: " << mark << printable(sentence) << "\n";
    });
    return run(argc, argv);
  } catch (const Cancelled&) {
    log(LogLevel::Error, "stopped; nothing half-written is left behind");
    return SignalWatch::exitCode() != 0 ? SignalWatch::exitCode() : exitInterrupted;
  } catch (const Error& error) {
    log(LogLevel::Error, error.what());
    return exitCodeFor(error);
  } catch (const std::bad_alloc&) {
    log(LogLevel::Error, "not enough memory");
    return exitTransient;
  } catch (const std::filesystem::filesystem_error& error) {
    log(LogLevel::Error, error.path1().string() + ": " + error.code().message());
    return exitCodeFor(Error(ErrorCode::Io, ""));
  } catch (const std::system_error& error) {
    if (isWantOfThreads(error)) {
      log(LogLevel::Error, sentenceOf(std::current_exception()));
      return exitTransient;
    }
    log(LogLevel::Error, std::string("internal: ") + error.what());
  } catch (const std::exception& error) {
    log(LogLevel::Error, std::string("internal: ") + error.what());
  }
  return exitInternal;
}
