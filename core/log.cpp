#include "core/log.h"

#include <mutex>
#include <utility>

namespace bankside {
namespace {

std::mutex& sinkMutex() {
  static std::mutex mutex;
  return mutex;
}

LogSink& currentSink() {
  static LogSink sink;
  return sink;
}

}  // namespace

void setLogSink(LogSink sink) {
  const std::lock_guard lock(sinkMutex());
  currentSink() = std::move(sink);
}

void log(LogLevel level, const std::string& sentence) {
  const std::lock_guard lock(sinkMutex());
  if (currentSink()) currentSink()(level, sentence);
}

}  // namespace bankside
