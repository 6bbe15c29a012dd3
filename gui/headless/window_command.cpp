#include <signal.h>
#include <unistd.h>

#include <filesystem>

#include "core/log.h"
#include "gui/headless/commands.h"
#include "gui/headless/exit_code.h"

namespace bankside::headless {

int runWindow(const char*) {
  namespace fs = std::filesystem;
  std::error_code failure;
  const fs::path self = fs::read_symlink("/proc/self/exe", failure);
  const fs::path window = self.parent_path() / "bankside-window";
  if (failure || !fs::exists(window)) {
    log(LogLevel::Error, "the window is not installed here; give a command, or see bankside --help");
    return exitUsage;
  }
  // Ours are blocked for the thread that watches them, and a program inherits that.
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  execl(window.c_str(), window.c_str(), static_cast<char*>(nullptr));
  log(LogLevel::Error, window.string() + ": cannot be started");
  return exitInternal;
}

}  // namespace bankside::headless
