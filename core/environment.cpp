#include "core/environment.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <fstream>
#include <string_view>

#include "core/parallel.h"
#include "core/revision.h"
#include "core/text.h"

namespace bankside {
namespace {

constexpr std::string_view blanksAndQuotes = " \t\"";

/// The value after `key` and a separator in a file of "key : value" or "key=value" lines.
std::string valueIn(const char* file, const std::string& key, char separator) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const auto at = line.find(separator);
    if (at != std::string::npos && trimmed(line.substr(0, at), blanksAndQuotes) == key)
      return trimmed(line.substr(at + 1), blanksAndQuotes);
  }
  return "unknown";
}

std::string memoryText() {
  const double bytes =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  return formatFixed(bytes / (1 << 30), 1) + " GiB";
}

std::string compilerText() {
#if defined(__clang__)
  return "clang " __clang_version__;
#else
  return "gcc " __VERSION__;
#endif
}

}  // namespace

std::string versionText() {
  return std::string(BANKSIDE_VERSION) +
         (std::string(buildRevision).empty() ? "" : " (" + std::string(buildRevision) + ")");
}

std::string valueOf(const Environment& environment, const std::string& name) {
  for (const auto& [key, value] : environment) {
    if (key == name) return value;
  }
  return {};
}

Environment currentEnvironment() {
  utsname system{};
  uname(&system);
  return {
      {"bankside", versionText()},
      {"compiler", compilerText()},
      {"build", buildType},
      {"processor", valueIn("/proc/cpuinfo", "model name", ':')},
      {"processors", std::to_string(availableThreads())},
      {"memory", memoryText()},
      {"system",
       valueIn("/etc/os-release", "PRETTY_NAME", '=') + ", " + system.sysname + " " + system.machine},
  };
}

}  // namespace bankside
