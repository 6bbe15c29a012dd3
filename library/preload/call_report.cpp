#include "library/preload/call_report.h"

#include <cstdio>

namespace bankside::preload {
namespace {

const char* nameOf(int type) {
  static const char* const names[] = {"8U", "8S", "16U", "16S", "32S", "32F", "64F", "16F"};
  return names[type & 7];
}

}  // namespace

std::string CallReport::kindOf(const FilterCall& call) {
  char text[128];
  std::snprintf(text, sizeof text, "%s to %s, %d x %d x %d, filter %d x %d", nameOf(call.srcType),
                nameOf(call.dstType), call.width, call.height, call.channels(), call.kernelWidth,
                call.kernelHeight);
  return text;
}

bool CallReport::count(const FilterCall& call, const char* left) {
  const std::lock_guard lock(mutex_);
  Row& row = rows_[kindOf(call)];
  ++row.calls;
  row.left = left == nullptr ? "" : left;
  return left == nullptr && row.ourSeconds == 0;
}

void CallReport::time(const FilterCall& call, double openCvSeconds, double ourSeconds) {
  const std::lock_guard lock(mutex_);
  Row& row = rows_[kindOf(call)];
  row.openCvSeconds = openCvSeconds;
  row.ourSeconds = ourSeconds;
}

std::string CallReport::text() {
  const std::lock_guard lock(mutex_);
  if (rows_.empty()) return {};
  std::string all = "bankside: calls of filter2D\n";
  for (const auto& [kind, row] : rows_) {
    char line[256];
    if (row.left.empty())
      std::snprintf(line, sizeof line, "  %-48s %8ld  taken, %.2f ms instead of %.2f\n", kind.c_str(),
                    row.calls, row.ourSeconds * 1e3, row.openCvSeconds * 1e3);
    else
      std::snprintf(line, sizeof line, "  %-48s %8ld  left to OpenCV: %s\n", kind.c_str(), row.calls,
                    row.left.c_str());
    all += line;
  }
  return all;
}

}  // namespace bankside::preload
