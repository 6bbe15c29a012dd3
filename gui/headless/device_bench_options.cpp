#include <algorithm>
#include <iterator>

#include "core/filter_bank.h"
#include "gui/headless/bench_options.h"
#include "gui/headless/list_option.h"

namespace bankside::headless {
namespace {

using Action = DeviceBenchCommand::Action;

CLI::App* addAction(CLI::App& bench, DeviceBenchCommand& command, Action action, const std::string& name,
                    const std::string& help) {
  CLI::App* app = bench.add_subcommand(name, help);
  app->callback([&command, action] { command.action = action; });
  app->add_option("--json", command.json, jsonHelp)->type_name("FILE");
  return app;
}

void addTables(CLI::App& app, DeviceBenchCommand& command) {
  app.add_option("--engines,-e", command.engines,
                 "Engines (default: those of the GPU that are available); ratios are against the first")
      ->delimiter(',')
      ->type_name("A,B,...");
  app.add_option("--with-rows", command.withRows,
                 "Add the rows of another such benchmark's JSON, as they are")
      ->type_name("FILE")
      ->allow_extra_args(false);
  app.add_option("--csv", command.csv, "Write one line a row")->type_name("FILE");
  app.add_option("--markdown", command.markdown, "Write the table as Markdown")->type_name("FILE");
  app.add_flag("!--no-progress", command.progress, "No progress, on the terminal or in the log");
}

void addFigure(CLI::App& app, DeviceBenchCommand& command) {
  app.add_option("--figure", command.figure,
                 "Figure of Chen et al., DAC 2017: 7 (one channel) or 8 (several channels)")
      ->check(CLI::IsMember({7, 8}))
      ->type_name("N");
}

void addGeneralGrid(CLI::App& app, DeviceBenchCommand& command) {
  CLI::Option* grid =
      app.add_option("--grid", command.grid,
                     "Figure 8: paper (27 cells of 32 to 256 pixels, 3x3 to 7x7, 16 to 128 channels, the "
                     "default) or full (all 144 of K 3,5,7; N 32..256; C 16..128; F 32..128)")
          ->check(CLI::IsMember({"paper", "full"}))
          ->type_name("GRID");
  listOption(app, "--channels", command.channels, integerIn(1, 4096), "1 to 4096",
             "Figure 8: channels of a grid of your own, with --sizes, --filter-sizes and --filters");
  app.get_option("--channels")->excludes(grid);
}

void addGrid(CLI::App& app, DeviceBenchCommand& command) {
  listOption(app, "--sizes", command.sizes, integerIn(4, 32768), "4 to 32768",
             "Widths and heights of the images (default 512,1024,2048,4096)");
  listOption(app, "--filter-sizes", command.filterSizes, integerIn(1, maxFilterSide), "1 to 127",
             "Widths and heights of the filters (default 1,3,5,7,9,11,15,21,31)");
  listOption(app, "--filters", command.filterCounts, integerIn(1, maxFilterCount), "1 to 4096",
             "Filters in a bank (default 1,8,12,32)");
}

}  // namespace

void addDeviceBench(CLI::App& bench, DeviceBenchCommand& command) {
  CLI::App* limits = addAction(bench, command, Action::Limits, "limits",
                               "What the GPU allows: copy, stream, FMA and mma.sync rate, cost of a launch");
  limits->footer("Example:\n  bankside bench limits --json limits.json");

  CLI::App* paper =
      addAction(bench, command, Action::Paper, "paper",
                "The grids of the paper's figures 7 and 8 on the GPU, every engine beside ours");
  addFigure(*paper, command);
  addGrid(*paper, command);
  addGeneralGrid(*paper, command);
  CLI::Option* claims = paper->add_flag("--claims", command.claims,
                                        "The paper's claims of that figure beside what they come to here "
                                        "(traffic; figure 8: write-back, units)");
  paper
      ->add_option("--counters", command.counters,
                   "Hardware counters for --claims: k1.csv (figure 7), k3.csv, k5.csv, k7.csv (figure 8) of "
                   "ncu --csv --print-units base")
      ->needs(claims)
      ->type_name("DIR");
  addTables(*paper, command);
  paper->footer(
      "Images are f32 and random, taps dense, borders reflect101 or what an engine has. Every result is "
      "judged\n"
      "on a sample of rows before it is timed. The paper's figures are not published as numbers: the grid is "
      "ours,\n"
      "its averages over cuDNN on a Kepler K40m (figure 7: 6.16, 6.43, 2.90 for K = 1, 3, 5; figure 8: "
      "1.305,\n"
      "1.453, 1.308 for K = 3, 5, 7) are printed beside ours.\n"
      "Examples:\n"
      "  bankside bench paper --figure 7 --json figure7.json\n"
      "  bankside bench paper --figure 8 --json figure8.json\n"
      "  bankside bench paper --figure 8 --claims --json figure8.json\n"
      "  bankside bench paper --sizes 4096 --filter-sizes 3,5 --filters 8 --engines "
      "cuda,cudnn");

  CLI::App* tune =
      addAction(bench, command, Action::Tune, "tune",
                "Find the fastest shape of our kernels for every cell on this GPU, judged first");
  addFigure(*tune, command);
  addGrid(*tune, command);
  addGeneralGrid(*tune, command);
  tune->add_option("--tables", command.tables, "Folder for the table DEVICE.json (default assets/tuning)")
      ->type_name("DIR");
  tune->add_option("--kinds", command.kinds, "Of f32, u8, u16, u8u8, max, argmax (default all but u16)")
      ->delimiter(',')
      ->check(CLI::IsMember({"f32", "u8", "u16", "u8u8", "max", "argmax"}))
      ->type_name("A,B,...");
  tune->add_option("--engines,-e", command.engines,
                   "Of the engines that are compiled in several shapes (default: those that figure is about)")
      ->delimiter(',')
      ->type_name("A,B,...");
  tune->add_flag("!--no-progress", command.progress, "No progress, on the terminal or in the log");
  tune->footer(
      "Figure 7 explores the single-channel kernels, the layouts of the tensor cores and Algorithm 1 (n, W\n"
      "and H), figure 8 the multichannel kernel (its six tile parameters and over how many blocks channels\n"
      "are split) and Algorithm 2 (n, W, H, F_TB, W_T, F_T and C_SH). Every shape is a row of --json. The "
      "fastest single-channel ones are a table too, used by builds that ship\n"
      "it (assets/tuning) and by any run with BANKSIDE_TUNING=FILE, on the same device only. What\n"
      "DEVICE.json says of cells that are not measured stays; Ctrl-C keeps those that were complete.\n"
      "Examples:\n"
      "  bankside bench tune --sizes 1024,4096 --filter-sizes 3,5,7 --json tried.json\n"
      "  bankside bench tune --filter-sizes 7,11,15 --filters 8,12 --kinds u8,max\n"
      "  bankside bench tune --figure 8 --grid full --json tried8.json");

  CLI::App* banks = addAction(bench, command, Action::BankWidth, "bank-width",
                              "The paper's bank-width model beside measurements: accesses of 1 to 16 bytes");
  banks->add_option("--markdown", command.markdown, "Write the table as Markdown")->type_name("FILE");
  banks->footer(
      "Shared-memory throughput, Algorithms 1 and 2 in every type and unit, and a blocked matrix "
      "product;\n"
      "speed against the unit that is as wide as a bank, and what the model says of it where nothing else "
      "counts.\n"
      "Example:\n  bankside bench bank-width --json bank-width.json");

  CLI::App* device = addAction(bench, command, Action::Device, "device",
                               "Problems given one by one, or a grid, on the GPU, dense random taps");
  device
      ->add_option("PROBLEM", command.problems,
                   "Problems, as failures print them; else the grid of the lists below")
      ->type_name("");
  addGrid(*device, command);
  addTypesAndCombines(*device, command.types, command.combines, "f32");
  addValues(*device, command.values);
  static constexpr const char* lists[] = {"--sizes", "--filter-sizes", "--filters", "--types", "--combine"};
  for (const char* list : lists) device->get_option(list)->excludes("PROBLEM");
  device->parse_complete_callback([device, &command] {
    const auto given = [&](const char* list) { return device->count(list) > 0; };
    const bool measures = !command.problems.empty() || std::any_of(std::begin(lists), std::end(lists), given);
    if (!measures && command.withRows.empty())
      throw CLI::RequiredError("PROBLEM, or a list such as --sizes,");
    for (const char* option : {"--engines", "--images", "--values", "--sustained"}) {
      if (!measures && given(option))
        throw CLI::RequiredError(std::string("PROBLEM, or a list such as --sizes, which ") + option +
                                 " is for,");
    }
    command.onlyRows = !measures;
  });
  device
      ->add_option("--bank,-b", command.bank,
                   "A bank whose shape the problems have (default: dense random taps)")
      ->needs("PROBLEM")
      ->type_name("NAME");
  listOption(*device, "--images", command.images, integerIn(1, 1024), "1 to 1024",
             "Images of one size that one launch computes, where an engine does that; "
             "rows are of one of them (default 1)");
  device->add_flag(
      "--sustained", command.sustained,
      "Also without rests between rounds, sustained_us in JSON: what a board's power limit leaves");
  addTables(*device, command);
  device->footer(
      "The JSON is written after every row; Ctrl-C writes the rest. With rows of other runs alone nothing "
      "is\n"
      "measured, and no GPU is needed: limits are those of the first file.\n"
      "Examples:\n  bankside bench device --sizes 4096 --filter-sizes 3,5,7,9,11,13,15,21,31 --filters "
      "1,8,12,32 "
      "\\\n    --types u8,f32 --json time.json\n  bankside bench device "
      "c1h4096w4096-f12k15-reflect101-u8:f32-max --bank vessel-matched\n"
      "  bankside bench device c64h64w64-f64k3-constant=0-f32:f32-none --images 1,2,4,8 \\\n"
      "    --engines cuda,cudnn\n"
      "  bankside bench device --with-rows monday.json --with-rows tuesday.json --json both.json");
}

}  // namespace bankside::headless
