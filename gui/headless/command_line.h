/// From words to commands. Only command_line.cpp and *_option*.cpp know CLI11; every command gets a plain
/// struct.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "core/bench_grid.h"
#include "core/measure.h"
#include "core/recipe.h"

namespace bankside::headless {

struct FilterCommand {
  std::vector<std::string> inputs;
  std::string output;
  Recipe recipe;
  Stage then;              ///< while the line is read: the second stage, in `recipe` afterwards
  std::string saveRecipe;  ///< empty: not asked for
  std::string report;
  int page = 0;  ///< 1-based; 0: all
  int threads = 0;
  std::int64_t memory = std::int64_t{1} << 30;
  bool force = false;
  bool progress = true;
};

struct CompareCommand {
  std::string input;
  Recipe recipe;  ///< channel, stages, border and precision count
  Stage then;     ///< while the line is read, as for `filter`
  std::vector<std::string> engines;
  std::vector<int> threads;  ///< 0: all
  int page = 1;
  MeasureOptions measure;
  bool verify = true;
  std::string json;
  std::string csv;
  std::string markdown;
  bool progress = true;
};

struct BanksCommand {
  enum class Action { List, Show, Export };
  Action action = Action::List;
  std::string bank;
  std::string file;
  bool force = false;
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

/// `bankside bench cpu`.
struct BenchCommand {
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
  std::string json;
  std::string csv;
  std::string markdown;
  std::string svg;
  bool progress = true;
};

/// `bankside bench limits|paper|device|tune|bank-width`: what is measured on a GPU.
struct DeviceBenchCommand {
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
  std::string bank;                  ///< of the catalogue, in place of dense random taps
  std::vector<int> images = {1};     ///< of one size, computed by one launch
  bool sustained = false;            ///< also times without rests
  std::vector<std::string> engines;  ///< empty: the GPU engines that are available
  std::string json;
  std::string csv;
  std::string markdown;
  std::vector<std::string> withRows;  ///< files whose rows are added
  bool onlyRows = false;              ///< nothing is measured
  std::string svg;                    ///< a folder
  std::string tables;                 ///< a folder for tuning tables
  /// What `tune` looks at beside the grid: f32, u8 and u16 to f32, u8 to u8, u8 with the maximum or its
  /// index.
  std::vector<std::string> kinds = {"f32", "u8", "u8u8", "max", "argmax"};
  bool progress = true;
};

struct CompletionCommand {};
struct WindowCommand {};

/// Nothing left to do: help or version was printed, or a usage error explained.
struct Finished {
  int exitCode = 0;
};

using Command =
    std::variant<Finished, FilterCommand, CompareCommand, BanksCommand, DevicesCommand, VerifyCommand,
                 BenchCommand, DeviceBenchCommand, PhantomCommand, CompletionCommand, WindowCommand>;

/// Help and version go to stdout, usage errors to stderr with exit code 2.
Command parseCommandLine(int argc, char** argv);

}  // namespace bankside::headless
