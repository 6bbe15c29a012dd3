/// Where the libraries' remarks go. Libraries never print: the mains set the sink (stderr), tests may
/// collect.
#pragma once

#include <functional>
#include <string>

namespace bankside {

enum class LogLevel { Info, Warning, Error };

using LogSink = std::function<void(LogLevel, const std::string& sentence)>;

/// Replaces the sink, an empty one silences. Thread-safe.
void setLogSink(LogSink sink);

/// Hands one sentence to the sink. Thread-safe; calls are serialised.
void log(LogLevel level, const std::string& sentence);

}  // namespace bankside
