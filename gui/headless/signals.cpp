#include "gui/headless/signals.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>

#include "gui/headless/exit_code.h"

namespace bankside::headless {
namespace {

std::atomic<int> caught{0};

sigset_t watched() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGUSR2);  // ends the watching thread
  return set;
}

int codeFor(int signal) { return signal == SIGTERM ? exitTerminated : exitInterrupted; }

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
      if (caught.exchange(which) != 0) _exit(codeFor(which));
      source_.request_stop();
    }
  });
}

SignalWatch::~SignalWatch() {
  pthread_kill(thread_.native_handle(), SIGUSR2);
  thread_.join();
}

int SignalWatch::exitCode() const { return caught == 0 ? 0 : codeFor(caught); }

}  // namespace bankside::headless
