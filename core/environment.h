/// Where a number was measured. Names hardware and versions; never a host, a user or a path.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace bankside {

/// Ordered name and value: version, revision, compiler, build, processor, processors, memory, system. Engines
/// add themselves by name, so no name here may be an engine's ("cpu" is one).
using Environment = std::vector<std::pair<std::string, std::string>>;

Environment currentEnvironment();

/// The value of that name, or "".
std::string valueOf(const Environment& environment, const std::string& name);

/// The program's version and, where it was built from a repository, its revision: "0.1.0 (9f55e81)".
std::string versionText();

}  // namespace bankside
