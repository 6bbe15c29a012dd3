/// `bankside`: filter banks without a window. Parses the line, runs one command, turns errors into exit
/// codes.
#include <poll.h>
#include <unistd.h>

#include <iostream>
#include <new>
#include <string>

#include "core/engine.h"
#include "core/error.h"
#include "core/log.h"
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
                        [&](const CompareCommand& c) { return runCompare(c, text, stop); },
                        [](const BanksCommand& c) { return runBanks(c); },
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

}  // namespace

int main(int argc, char** argv) {
  setLogSink([](LogLevel level, const std::string& sentence) {
    const char* mark = level == LogLevel::Info ? "" : level == LogLevel::Warning ? "warning: " : "error: ";
    std::cerr << "bankside: " << mark << sentence << "\n";
  });
  SignalWatch signals;
  std::string text = "bankside";
  for (int i = 1; i < argc; ++i) text += " " + shellWord(argv[i]);
  int code = exitInternal;
  try {
    code = runCommand(parseCommandLine(argc, argv), text, signals.token(), argv[0]);
  } catch (const Cancelled&) {
    log(LogLevel::Error, "stopped; nothing half-written is left behind");
    return signals.exitCode() != 0 ? signals.exitCode() : exitInterrupted;
  } catch (const Error& error) {
    log(LogLevel::Error, error.what());
    return exitCodeFor(error);
  } catch (const std::bad_alloc&) {
    log(LogLevel::Error, "not enough memory");
    return exitTransient;
  } catch (const std::exception& error) {
    log(LogLevel::Error, std::string("internal: ") + error.what());
    return exitInternal;
  }
  std::cout.flush();
  if (!std::cout) {
    if (readerLeft()) return exitClosedOutput;
    log(LogLevel::Error, "the results could not be written to the standard output");
    return exitTransient;
  }
  return code;
}
