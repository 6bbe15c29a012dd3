#include "gui/headless/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

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

Progress::Progress(bool wanted, int total)
    : active_(wanted && isatty(STDERR_FILENO) != 0),
      total_(total),
      start_(std::chrono::steady_clock::now()) {}

Progress::~Progress() { clear(); }

void Progress::show(int done, const std::string& what) {
  if (!active_) return;
  std::string line;
  if (total_ > 0) {
    const int filled = std::min(barWidth, barWidth * done / total_);
    line = "[" + std::string(static_cast<std::size_t>(filled), '#') +
           std::string(static_cast<std::size_t>(barWidth - filled), '.') + "] " + std::to_string(done) + "/" +
           std::to_string(total_);
    const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    if (done > 0) line += ", " + clockText(elapsed / done * (total_ - done)) + " left";
    line += "  ";
  }
  line += what;
  line.resize(std::min(line.size(), terminalWidth() - 1));
  std::fprintf(stderr, "\r\033[K%s", line.c_str());
  std::fflush(stderr);
  shown_ = true;
}

void Progress::clear() {
  if (!shown_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace bankside::headless
