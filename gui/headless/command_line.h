/// From words to commands. Only command_line.cpp and *_option*.cpp know CLI11; every command gets a plain
/// struct.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "core/bench/measure.h"
#include "core/run/recipe.h"
#include "gui/headless/banks_options.h"
#include "gui/headless/batch_options.h"
#include "gui/headless/bench_options.h"
#include "gui/headless/evaluate_options.h"
#include "gui/headless/filter_options.h"

namespace bankside::headless {

struct CompareCommand : ReportFiles {
  std::string input;
  Recipe recipe;  ///< channel, stages, border and precision count
  std::vector<std::string> engines;
  std::vector<int> threads;  ///< 0: all
  int page = 1;
  std::int64_t maxPixels = ImageLimits{}.maxPixels;
  bool untrusted = false;  ///< the image is decoded in a sandbox
  MeasureOptions measure;
  bool verify = true;
  bool progress = true;
};

struct DevicesCommand {};

struct VerifyCommand {
  std::vector<std::string> engines;   ///< empty: all
  std::vector<std::string> problems;  ///< empty: the conformance list
};

struct PhantomCommand {
  std::string output;
  int size = 512;
  std::uint64_t seed = 1;
  int mosaicWidth = 0;  ///< 0: no mosaic
  int mosaicHeight = 0;
  bool force = false;
};

struct CompletionCommand {};
struct WindowCommand {};

/// Nothing left to do: help or version was printed, or a usage error explained.
struct Finished {
  int exitCode = 0;
};

using Command = std::variant<Finished, FilterCommand, BatchCommand, EvaluateCommand, CompareCommand,
                             BanksCommand, DevicesCommand, VerifyCommand, BenchCommand, DeviceBenchCommand,
                             PhantomCommand, CompletionCommand, WindowCommand>;

/// Help and version go to stdout, usage errors to stderr with exit code 2.
Command parseCommandLine(int argc, char** argv);

}  // namespace bankside::headless
