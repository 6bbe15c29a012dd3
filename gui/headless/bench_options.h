/// The options of `bankside bench`.
#pragma once

#include "gui/headless/command_line.h"

namespace CLI {
class App;
}

namespace bankside::headless {

/// Options write into `command`, which must outlive the parsing.
void addBench(CLI::App& root, BenchCommand& command);

/// Adds `limits`, `paper`, `device`, `tune` and `bank-width` to the subcommand `bench`.
void addDeviceBench(CLI::App& bench, DeviceBenchCommand& command);

/// `--quick`: a grid of seconds instead of an hour. It sets what options given beside it override, so that it
/// counts before these are read, wherever it stands.
void makeQuick(BenchCommand& command);

}  // namespace bankside::headless
