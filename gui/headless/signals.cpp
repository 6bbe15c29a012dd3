#include "gui/headless/signals.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <ctime>
#include <string_view>

#include "core/imageio/part_file.h"
#include "gui/headless/exit_code.h"

namespace bankside::headless {
namespace {

constexpr int endings[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
std::atomic<int> caught{0};
/// More than a batch has for what is under way (ending.cpp); with it, all is over within two seconds.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr timespec timeToStop{30, 0};
#else
constexpr timespec timeToStop{1, 900'000'000};
#endif
std::atomic<pthread_t> watcher;

sigset_t watched() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);  // ends the watching thread
  for (const int signal : endings) {
    struct sigaction action {};
    sigaction(signal, nullptr, &action);
    if (action.sa_handler != SIG_IGN) sigaddset(&set, signal);
  }
  return set;
}

/// What a thread does with a watched signal that does not block it: a library's that began before `main`, as
/// OpenBLAS's do.
void handle(const sigset_t& set, void (*handler)(int)) {
  for (const int signal : endings) {
    if (sigismember(&set, signal) != 1) continue;
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigaction(signal, &action, nullptr);
  }
}

/// Whether another of the signals comes while what stops may take its time.
bool asksAgain(const sigset_t& set, int& which) {
  for (;;) {
    which = sigtimedwait(&set, nullptr, &timeToStop);
    if (which > 0) return true;
    if (errno == EAGAIN) return false;
  }
}

/// What is still at work asks nobody whether it is wanted, as a call of OpenCV's.
[[noreturn]] void endNow(int signal) {
  PartFile::removeAllForGood();
  constexpr std::string_view sentence = "bankside: error: stopped; nothing half-written is left behind\n";
  (void)!write(STDERR_FILENO, sentence.data(), sentence.size());
  _exit(exitCodeFor(signal));
}

void passOn(int signal) { pthread_kill(watcher, signal); }

}  // namespace

void SignalWatch::hold() {
  const sigset_t set = watched();
  sigprocmask(SIG_BLOCK, &set, nullptr);
}

SignalWatch::SignalWatch() {
  const sigset_t set = watched();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  signal(SIGPIPE, SIG_IGN);  // a closed pipe is a failed write, not a death without cleaning up
  signal(SIGXFSZ, SIG_IGN);  // so is a file that may not grow
  thread_ = std::thread([this, set] {
    int which = 0;
    if (sigwait(&set, &which) != 0 || which == SIGUSR2) return;
    caught = which;
    source_.request_stop();
    if (!asksAgain(set, which)) endNow(caught);
    if (which != SIGUSR2) _exit(exitCodeFor(which));
  });
  watcher = thread_.native_handle();
  handle(set, passOn);
}

SignalWatch::~SignalWatch() {
  handle(watched(), SIG_DFL);
  pthread_kill(thread_.native_handle(), SIGUSR2);
  thread_.join();
}

int SignalWatch::exitCode() { return caught == 0 ? 0 : exitCodeFor(caught); }

}  // namespace bankside::headless
