/// The options of `bankside bench`.
#pragma once

#include "gui/headless/command_line.h"

namespace CLI {
class App;
}

namespace bankside::headless {

/// Options write into `command`, which must outlive the parsing.
void addBench(CLI::App& root, BenchCommand& command);

/// `--types` and `--combine`, lists that both kinds of benchmark take. `standard`: the types if none are
/// given.
void addTypesAndCombines(CLI::App& app, std::vector<ElementType>& types, std::vector<Combine>& combines,
                         const std::string& standard);

/// Adds `limits`, `paper`, `device`, `tune` and `bank-width` to the subcommand `bench`.
void addDeviceBench(CLI::App& bench, DeviceBenchCommand& command);

/// `--quick`: a grid of seconds instead of an hour. It sets what options given beside it override, so that it
/// counts before these are read, wherever it stands.
void makeQuick(BenchCommand& command);

}  // namespace bankside::headless
