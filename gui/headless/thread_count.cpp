#include "gui/headless/thread_count.h"

#include <algorithm>

#include "core/log.h"
#include "core/parallel.h"
#include "core/text.h"

namespace bankside::headless {

int parseThreads(const std::string& text) {
  if (text == "all") return 0;
  const auto count = parseInteger(text);
  return count && *count >= 1 && *count <= 4096 ? static_cast<int>(*count) : -1;
}

std::vector<int> usedThreads(const std::vector<int>& asked) {
  std::vector<int> threads;
  for (const int count : asked) {
    if (count > availableThreads())
      log(LogLevel::Warning,
          counted(count, "thread") + " asked for, " + std::to_string(availableThreads()) + " used");
    const int real = count == 0 ? availableThreads() : std::min(count, availableThreads());
    if (std::find(threads.begin(), threads.end(), real) == threads.end()) threads.push_back(real);
  }
  return threads;
}

}  // namespace bankside::headless
