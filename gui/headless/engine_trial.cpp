#include "gui/headless/engine_trial.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "core/engine.h"
#include "core/error.h"
#include "core/text.h"

namespace bankside::headless {
namespace {

pid_t start(const std::vector<std::string>& words) {
  std::vector<std::string> kept = words;
  kept.insert(kept.begin(), "bankside");
  std::vector<char*> argv;
  for (std::string& word : kept) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child < 0) throw Error(ErrorCode::Io, "no process could be started for a trial");
  if (child > 0) return child;
  // Between fork and exec only what is safe there: other threads may hold any lock.
  setpgid(0, 0);  // Ctrl-C goes to the parent, which ends its child
  const int nothing = open("/dev/null", O_RDWR);
  dup2(nothing, STDOUT_FILENO);
  dup2(nothing, STDERR_FILENO);
  execv("/proc/self/exe", argv.data());
  _exit(127);
}

}  // namespace

std::string tryInProcess(const std::vector<std::string>& words, double seconds, std::stop_token stop) {
  const pid_t child = start(words);
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  for (auto pause = std::chrono::milliseconds(2);;
       pause = std::min(2 * pause, std::chrono::milliseconds(50))) {
    int status = 0;
    if (waitpid(child, &status, WNOHANG) == child) {
      if (WIFSIGNALED(status)) return "its trial was ended by signal " + std::to_string(WTERMSIG(status));
      const int code = WEXITSTATUS(status);
      return code == 0 ? "" : "its trial ended with exit code " + std::to_string(code);
    }
    const bool late = std::chrono::steady_clock::now() >= end;
    if (late || stop.stop_requested()) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      if (stop.stop_requested()) throw Cancelled();
      return "timed out after " + formatNumber(seconds) + " s";
    }
    std::this_thread::sleep_for(pause);
  }
}

}  // namespace bankside::headless
