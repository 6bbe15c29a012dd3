#include "gui/headless/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "core/log.h"
#include "core/printable.h"
#include "core/text.h"

namespace bankside::headless {
namespace {

constexpr int barWidth = 24;

std::size_t terminalWidth() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

std::string clockText(double seconds) {
  const auto whole = static_cast<long>(seconds + 0.5);
  char text[32];
  std::snprintf(text, sizeof text, "%ld:%02ld", whole / 60, whole % 60);
  return text;
}

}  // namespace

Progress::Progress(bool wanted, int total, Clock::duration logEvery)
    : wanted_(wanted),
      terminal_(isatty(STDERR_FILENO) != 0),
      total_(total),
      logEvery_(logEvery),
      start_(Clock::now()),
      logged_(start_) {}

Progress::~Progress() { clear(); }

void Progress::show(int done, const std::string& what) {
  if (!wanted_) return;
  if (!terminal_) return showInLog(done, what);
  std::string line;
  if (total_ > 0) {
    const int filled = std::min(barWidth, barWidth * done / total_);
    line = "[" + std::string(static_cast<std::size_t>(filled), '#') +
           std::string(static_cast<std::size_t>(barWidth - filled), '.') + "] " + std::to_string(done) + "/" +
           std::to_string(total_) + timeLeft(done) + "  ";
  }
  line += printable(what);
  line.resize(std::min(line.size(), terminalWidth() - 1));
  std::fprintf(stderr, "\r\033[K%s", line.c_str());
  std::fflush(stderr);
  shown_ = true;
}

std::string Progress::timeLeft(int done) const {
  if (done <= 0) return "";
  const double elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
  return ", " + clockText(elapsed / done * (total_ - done)) + " left";
}

void Progress::showInLog(int done, const std::string& what) {
  if (Clock::now() - logged_ < logEvery_) return;
  logged_ = Clock::now();
  const std::string far =
      total_ > 0 ? formatFixed(100.0 * done / total_, 0) + " % done" + timeLeft(done) + ": " : "";
  log(LogLevel::Info, far + what);
}

void Progress::clear() {
  if (!shown_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace bankside::headless
