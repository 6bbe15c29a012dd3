#include "gui/headless/bench_options.h"

#include <algorithm>

#include "core/made_input.h"
#include "core/text.h"
#include "gui/headless/bank_options.h"
#include "gui/headless/list_option.h"
#include "gui/headless/thread_count.h"

namespace bankside::headless {
void makeQuick(BenchCommand& command) {
  command.grid.sizes = {512};
  command.grid.filterSizes = {3, 7, 15};
  command.grid.filterCounts = {1, 12};
  command.grid.types = {ElementType::F32};
  command.grid.threads = {1};
  command.measure.seconds = 0.2;
}

void addTypesAndCombines(CLI::App& app, std::vector<ElementType>& types, std::vector<Combine>& combines,
                         const std::string& standard) {
  listOption(
      app, "--types", types, [](const std::string& t) { return parseElementType(t); }, "u8, u16, f16, f32",
      "Pixels of the images (default " + standard + "); results are f32");
  listOption(
      app, "--combine", combines, [](const std::string& t) { return parseCombine(t); }, combineWords,
      "Combines (default none: every response)");
}

void addValues(CLI::App& app, std::vector<std::string>& values) {
  listOption(
      app, "--values", values,
      [](const std::string& t) {
        const auto& names = pixelValues();
        return std::find(names.begin(), names.end(), t) == names.end() ? std::nullopt : std::optional(t);
      },
      joinWords(pixelValues()),
      "Pixels (default uniform noise); others are hostile to one engine or the other");
}

void addBench(CLI::App& root, BenchCommand& command) {
  CLI::App* bench = root.add_subcommand("bench", "Measure engines over a grid of problems");
  bench->require_subcommand(1);
  bench->footer("Examples:\n  bankside bench cpu --quick\n  bankside bench limits");
  CLI::App* app =
      bench->add_subcommand("cpu", "CPU engines against OpenCV and oneDNN, verified, interleaved");
  BenchGrid& grid = command.grid;
  listOption(*app, "--sizes", grid.sizes, integerIn(1, 32768), "1 to 32768",
             "Widths and heights of the images (default 512,1024,2048,4096)");
  listOption(*app, "--filter-sizes", grid.filterSizes, integerIn(1, maxFilterSide), "1 to 127",
             "Widths and heights of the filters (default 3,5,7,9,11,13,15,21,31)");
  listOption(*app, "--filters", grid.filterCounts, integerIn(1, maxFilterCount), "1 to 4096",
             "Filters in a bank (default 1,8,12,32)");
  addTypesAndCombines(*app, grid.types, grid.combines, "u8,f32");
  listOption(
      *app, "--threads", grid.threads,
      [](const std::string& t) {
        return parseThreads(t) < 0 ? std::nullopt : std::optional(parseThreads(t));
      },
      "a thread count, all", "Thread counts (default 1,all)");
  listOption(
      *app, "--bank-kind", grid.banks, [](const std::string& t) { return parseBankKind(t); },
      "dense, separable, small, vessel",
      "Banks: dense random taps (default), separable ones, small ones of denormal numbers, or vessel "
      "(vessel-matched, its own size and "
      "count)");
  addValues(*app, grid.values);
  app->add_option(
         "--engines,-e", command.engines,
         "Engines (default: ours that run on the CPU, OpenCV's and oneDNN's where they are built in)")
      ->delimiter(',')
      ->type_name("A,B,...");
  addPrecision(*app, command.precision);
  app->add_option("--seconds", command.measure.seconds,
                  "Time to measure a cell at least, up to 51 rounds (default 2)")
      ->check(CLI::Range(0.0, 86400.0))
      ->type_name("S");
  app->add_option("--rounds", command.measure.minRounds, "Rounds to measure a cell at least (default 6)")
      ->check(CLI::Range(1, 10000))
      ->type_name("N");
  app->add_option(
         "--timeout", command.timeout,
         "Seconds that an engine that may hang has for its trial (default 10 and one for 2 GFLOP, at most "
         "60)")
      ->check(CLI::Range(0.1, 86400.0))
      ->type_name("S");
  app->add_flag("--quick", command.quick, "A small grid; options beside it override its lists");
  app->add_option("--with-rows", command.withRows, "Add the rows of another benchmark's JSON, as they are")
      ->type_name("FILE");
  app->add_flag("!--no-verify", command.verify, "Time without judging first; rows then say NOT VERIFIED");
  app->add_flag("!--no-limits", command.limits, "Leave the machine's limits unmeasured; rows have no floor");
  app->add_flag("--trial", command.trial)->group("");
  app->add_option("--json", command.json, jsonHelp)->type_name("FILE");
  app->add_option("--csv", command.csv, "Write one line a row")->type_name("FILE");
  app->add_option("--markdown", command.markdown, "Write the table as Markdown")->type_name("FILE");
  app->add_flag("!--no-progress", command.progress, "No progress, on the terminal or in the log");
  app->footer(
      "Every cell is one interleaved run: all engines verified (large cells on a sample of rows), then timed "
      "in\n"
      "turn. The floor is the larger of operations / FMA rate and bytes stored / store rate, both measured "
      "in\n"
      "this run. The JSON is written after every cell; Ctrl-C writes the rest.\n"
      "Examples:\n"
      "  bankside bench cpu --quick\n"
      "  bankside bench cpu --sizes 2048 --filters 12 --types f32 --threads 1 --json speed.json\n"
      "  bankside bench cpu --bank-kind vessel,dense --sizes 1411 --filter-sizes 15 --filters 12 --combine "
      "max");
}

}  // namespace bankside::headless
