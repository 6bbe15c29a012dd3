/// What `bankside bench` is asked for, and the options that say it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/bench/bench_grid.h"
#include "core/bench/measure.h"
#include "core/precision.h"

namespace CLI {
class App;
}

namespace bankside::headless {

/// Where a comparison's or a benchmark's report goes; an empty name is one that nobody asked for.
struct ReportFiles {
  std::string json;
  std::string csv;
  std::string markdown;
};

/// `bankside bench cpu`.
struct BenchCommand : ReportFiles {
  BenchGrid grid = {
      .threads = {1, 0}};  ///< thread counts as given, 0: all; the named bank is for the command to load
  std::vector<std::string> engines;  ///< empty: our CPU engines and the peers that are there
  Precision precision = Precision::Fp32;
  MeasureOptions measure = {.minRounds = 6, .maxRounds = 51, .seconds = 2};
  bool verify = true;
  bool limits = true;
  bool quick = false;             ///< in the grid and the seconds already
  bool trial = false;             ///< this process is one engine's trial (engine_trial.h)
  std::optional<double> timeout;  ///< seconds that a trial may take; none: by its problem
  std::vector<std::string> withRows;
  bool progress = true;
};

/// `bankside bench limits|paper|device|tune|bank-width`: what is measured on a GPU.
struct DeviceBenchCommand : ReportFiles {
  enum class Action { None, Limits, Paper, Device, Tune, BankWidth };
  Action action = Action::None;
  int figure = 7;
  std::vector<int> sizes = {512, 1024, 2048, 4096};
  std::vector<int> filterSizes = {1, 3, 5, 7, 9, 11, 15, 21, 31};
  std::vector<int> filterCounts = {1, 8, 12, 32};
  std::vector<int> channels;          ///< of figure 8's grid; empty: `grid`
  bool claims = false;                ///< the paper's claims beside the measurement
  std::string counters;               ///< a folder with what a profiler counted, for `claims`
  std::string grid = "paper";         ///< of figure 8: "paper" or "full"
  std::vector<std::string> problems;  ///< as `bankside verify` takes them
  /// Of `device`'s own grid, with the lists above.
  std::vector<ElementType> types = {ElementType::F32};
  std::vector<Combine> combines = {Combine::None};
  std::vector<std::string> values = {"uniform"};
  std::string bank;                   ///< of the catalogue, in place of dense random taps
  std::vector<int> images = {1};      ///< of one size, computed by one launch
  bool sustained = false;             ///< also times without rests
  std::vector<std::string> engines;   ///< empty: the GPU engines that are available
  std::vector<std::string> withRows;  ///< files whose rows are added
  bool onlyRows = false;              ///< nothing is measured
  std::string tables;                 ///< a folder for tuning tables
  /// What `tune` looks at beside the grid: f32, u8 and u16 to f32, u8 to u8, u8 with the maximum or its
  /// index.
  std::vector<std::string> kinds = {"f32", "u8", "u8u8", "max", "argmax"};
  bool progress = true;
};

/// Of `--json`, in every benchmark.
inline constexpr const char* jsonHelp =
    "Write rows, limits and environment as JSON, from which tests/bench/figures.py charts draws";

/// Options write into `command`, which must outlive the parsing.
void addBench(CLI::App& root, BenchCommand& command);

/// `--types` and `--combine`, lists that both kinds of benchmark take. `standard`: the types if none are
/// given.
void addTypesAndCombines(CLI::App& app, std::vector<ElementType>& types, std::vector<Combine>& combines,
                         const std::string& standard);

/// `--values`, of both as well.
void addValues(CLI::App& app, std::vector<std::string>& values);

/// Adds `limits`, `paper`, `device`, `tune` and `bank-width` to the subcommand `bench`.
void addDeviceBench(CLI::App& bench, DeviceBenchCommand& command);

/// `--quick`: a grid of seconds instead of an hour. It sets what options given beside it override, so that it
/// counts before these are read, wherever it stands.
void makeQuick(BenchCommand& command);

}  // namespace bankside::headless
