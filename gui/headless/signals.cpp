#include "gui/headless/signals.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>

#include "gui/headless/exit_code.h"

namespace bankside::headless {
namespace {

constexpr int endings[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
std::atomic<int> caught{0};
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

void passOn(int signal) { pthread_kill(watcher, signal); }

}  // namespace

SignalWatch::SignalWatch() {
  const sigset_t set = watched();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  signal(SIGPIPE, SIG_IGN);  // a closed pipe is a failed write, not a death without cleaning up
  signal(SIGXFSZ, SIG_IGN);  // so is a file that may not grow
  thread_ = std::thread([this, set] {
    for (;;) {
      int which = 0;
      if (sigwait(&set, &which) != 0 || which == SIGUSR2) return;
      if (caught.exchange(which) != 0) _exit(exitCodeFor(which));
      source_.request_stop();
    }
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
