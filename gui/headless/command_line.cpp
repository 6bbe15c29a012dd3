#include "gui/headless/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <functional>
#include <iostream>
#include <map>
#include <optional>
#include <tuple>

#include "core/environment.h"
#include "core/error.h"
#include "core/printable.h"
#include "core/run/shipped_recipes.h"
#include "core/text.h"
#include "filters/bank_spec.h"
#include "filters/catalog.h"
#include "gui/headless/bank_options.h"
#include "gui/headless/bench_options.h"
#include "gui/headless/exit_code.h"
#include "gui/headless/help_text.h"
#include "gui/headless/resource_options.h"
#include "gui/headless/thread_count.h"
#include "gui/headless/untrusted.h"
#include "gui/headless/word_option.h"

namespace bankside::headless {
namespace {

/// "60000x40000" as width and height; zeros if it is none.
std::pair<int, int> parseSize(const std::string& text) {
  const auto parts = split(text, 'x');
  if (parts.size() != 2) return {0, 0};
  const auto width = parseInteger(parts[0]);
  const auto height = parseInteger(parts[1]);
  const auto fits = [](const auto& side) { return side && *side >= 1 && *side <= 1'000'000; };
  if (!fits(width) || !fits(height)) return {0, 0};
  return {static_cast<int>(*width), static_cast<int>(*height)};
}

std::optional<std::uint64_t> parseSeed(std::string_view text) {
  std::uint64_t seed = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), seed);
  return failure == std::errc{} && end == text.data() + text.size() ? std::optional(seed) : std::nullopt;
}

/// The options of `filter` that were given override those of `--recipe`: the recipe is read first, by a
/// pre-pass.
std::string findRecipe(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--recipe" && i + 1 < argc) return argv[i + 1];
    if (word.rfind("--recipe=", 0) == 0) return word.substr(9);
  }
  return "";
}

void addFilter(CLI::App& root, FilterCommand& command) {
  CLI::App* app = root.add_subcommand("filter", "Run a filter bank over images and write the responses");
  app->add_option("INPUT", command.inputs, "Image files, or folders of them")->required()->type_name("");
  app->add_option("--output,-o", command.output, "Folder for the results; made if missing")
      ->required()
      ->type_name("DIR");
  addSettings(*app, command);
  addScale(*app, command.pixelsPerDegree, command.scaleTable);
  addField(*app, command.field);
  addRunMemory(*app, command);
  app->add_option("--report", command.report, "Write what was done, and how long it took, as JSON")
      ->type_name("FILE");
  app->add_option("--save-recipe", command.saveRecipe, "Write the settings of this run as a recipe")
      ->type_name("FILE");
  app->add_flag("--force,-f", command.force,
                "Replace existing results that differ, and whatever is where reports go");
  app->add_flag("!--no-progress", command.progress, "No progress, on the terminal or in the log");
  app->footer(
      "Results are named INPUT.LABEL.FORMAT, the combined map INPUT.COMBINE.FORMAT; where a bank is applied "
      "to\n"
      "several planes (colours, or maps of the bank before) INPUT.PLANE.LABEL.FORMAT.\n"
      "Examples:\n"
      "  bankside filter fundus.jpg --recipe vessels --scale 31 -o out\n"
      "  bankside filter scans/ --bank sobel --combine magnitude --no-responses -o edges --report "
      "edges.json\n"
      "  bankside filter a.tif --bank my-bank.json --border replicate --verify all -o out\n"
      "  bankside filter a.tif --bank vessel-gabor --activation relu --then gaussian:sigma=2 -o out\n"
      "  bankside filter a.png --bank gaussian:sigma=2,size=13 --format png --map clip -o out\n"
      "  bankside filter scans/ --recipe vessels --scale scales.csv --map binary --format png -o vessels");
}

void addCompare(CLI::App& root, CompareCommand& command) {
  CLI::App* app = root.add_subcommand("compare", "Verify engines on an image, then time them side by side");
  command.engines = {"cpu", "opencv"};
  app->add_option("INPUT", command.input, "An image file")->required()->type_name("");
  addBankOptions(*app, command.recipe);
  app->add_option("--engines,-e", command.engines, "Engines to compare, with commas (default cpu,opencv)")
      ->delimiter(',')
      ->type_name("A,B,...");
  addPrecision(*app, command.recipe.precision);
  app->add_option_function<std::vector<std::string>>(
         "--threads",
         [&](const std::vector<std::string>& words) {
           for (const std::string& word : words) command.threads.push_back(parseThreads(word));
         },
         "Thread counts to run every engine at (default 1,all)")
      ->delimiter(',')
      ->check(threadCount())
      ->type_name("");
  app->add_option("--page", command.page, "Page of a multi-page file, from 1")
      ->check(CLI::Range(1, 1'000'000))
      ->type_name("N");
  addMaxPixels(*app, command.maxPixels);
  addUntrusted(*app, command.untrusted);
  app->add_option("--rounds", command.measure.minRounds, "Rounds to measure at least (default 9)")
      ->check(CLI::Range(1, 10000))
      ->type_name("N");
  app->add_option("--seconds", command.measure.seconds,
                  "Time to measure at least, up to 51 rounds (default 5)")
      ->check(CLI::Range(0.0, 86400.0))
      ->type_name("S");
  app->add_flag("!--no-verify", command.verify, "Time without judging first; rows then say NOT VERIFIED");
  app->add_option("--json", command.json, "Write every sample and the environment as JSON")
      ->type_name("FILE");
  app->add_option("--csv", command.csv, "Write one line an engine")->type_name("FILE");
  app->add_option("--markdown", command.markdown, "Write the table as Markdown")->type_name("FILE");
  app->add_flag("!--no-progress", command.progress, "No progress, on the terminal or in the log");
  app->footer(
      "Engines take turns (A B B A ...); medians carry 95 % intervals; ratios are of paired rounds, end to "
      "end.\n"
      "FASTER and SLOWER mean that the whole interval lies beyond 2 %, SAME within; AMBIGUOUS is neither.\n"
      "An engine that fails verification shows its error instead of a speed, and the exit code is 4.\n"
      "Examples:\n"
      "  bankside compare fundus.jpg --bank vessel-gabor --channel green --combine max\n"
      "  bankside compare a.tif --bank gaussian:sigma=3 --engines cpu,opencv,cuda --threads 1 --json a.json");
}

void addVerify(CLI::App& root, VerifyCommand& command) {
  CLI::App* app = root.add_subcommand("verify", "Run the conformance problems on this machine's engines");
  app->add_option("--engine,-e", command.engines,
                  "Engines to check, with commas (default: all that are available)")
      ->delimiter(',')
      ->type_name("NAME");
  app->add_option("--problem,-p", command.problems, "One problem instead of the list, as failures print it")
      ->type_name("TEXT");
  app->footer(
      "Exits with 4 if any engine's result differs from the double-precision reference by more than its "
      "bound.\n"
      "Examples:\n"
      "  bankside verify\n"
      "  bankside verify --engine cpu --problem c1h17w19-f5k4x3-wrap-u8:f32-max");
}

void addPhantom(CLI::App& root, PhantomCommand& command) {
  CLI::App* app =
      root.add_subcommand("phantom", "Draw a fundus-like photograph whose vessels are known exactly");
  app->add_option("--output,-o", command.output, "Folder for the pictures; made if missing")
      ->required()
      ->type_name("DIR");
  app->add_option("--size", command.size, "Width and height in pixels (default 512)")
      ->check(CLI::Range(64, 8192))
      ->type_name("N");
  app->add_option_function<std::string>(
         "--seed", [&](const std::string& t) { command.seed = *parseSeed(t); }, "Another eye (default 1)")
      ->check(CLI::Validator(
          [](std::string& t) {
            return parseSeed(t) ? std::string()
                                : "\"" + t + "\" is no whole number from 0 to 18446744073709551615";
          },
          "N"))
      ->type_name("");
  app->add_flag("--force,-f", command.force, "Replace existing pictures that differ");
  app->add_option_function<std::string>(
         "--mosaic",
         [&](const std::string& t) { std::tie(command.mosaicWidth, command.mosaicHeight) = parseSize(t); },
         "Instead, one 16-bit TIFF of so many pixels, phantoms side by side: for trying bounded memory")
      ->check(CLI::Validator(
          [](std::string& t) {
            return parseSize(t).first > 0 ? std::string() : "\"" + t + "\" is no size such as 60000x40000";
          },
          "WxH"))
      ->type_name("");
  app->footer(
      "Writes phantom.png, phantom_vessels.png, phantom_fov.png and phantom_width.tiff (true width on centre "
      "lines).\n"
      "Example:\n  bankside phantom --output phantom --size 1024 --seed 7\n"
      "  bankside phantom --output large --mosaic 60000x40000");
}

/// What nobody knows, and what of the command in use is most like it.
std::string unexpected(const CLI::App& app, std::vector<std::string> words) {
  const CLI::App* used = &app;
  while (!used->get_subcommands().empty()) used = used->get_subcommands().front();
  std::vector<std::string> options;
  for (const CLI::Option* option : used->get_options()) {
    for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
  }
  std::string text = words.size() == 1 ? "this was not expected:" : "these were not expected:";
  for (const std::string& word : words) text += " " + shellWord(word);
  for (const std::string& word : words) {
    const std::string name = word.substr(0, std::min<std::size_t>(80, word.find('=')));
    if (!name.starts_with("--")) continue;
    const std::vector<std::string> nearest = nearestNames(name, options);
    if (name.size() > 2 && !nearest.empty() && nearest.front()[2] == name[2] &&
        editDistance(name, nearest.front()) <= 2)
      text += "; did you mean " + nearest.front() + "?";
  }
  return text;
}

/// The first option that was given an empty word; "" where none was.
std::string withoutValue(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    const std::vector<std::string>& values = option->results();
    if (std::find(values.begin(), values.end(), "") != values.end()) return option->get_name();
  }
  for (const CLI::App* command : app.get_subcommands())
    if (std::string option = withoutValue(*command); !option.empty()) return option;
  return "";
}

Command parseWords(int argc, char** argv) {
  CLI::App app("Bankside runs filter banks over images, side by side with OpenCV's filter2D.", "bankside");
  app.set_version_flag("--version", "bankside " + versionText());
  app.require_subcommand(0, 1);
  app.formatter(std::make_shared<HelpText>());
  app.failure_message([](const CLI::App*, const CLI::Error& error) {
    return "bankside: error: " + printable(error.what()) + "\nRun with --help for more information.\n";
  });
  app.get_formatter()->column_width(28);
  app.footer(
      "Without a command it opens the window, where that is installed.\n"
      "Exit codes: 0 ok, 1 internal, 2 usage, 3 some images failed, 4 verification mismatch, 5 no input,\n"
      "42 a batch's manifest is not to be used, 75 try again (disk full, device lost, no memory or threads "
      "left), 129/130/131/143 stopped by a "
      "signal,\n"
      "141 its output was closed.\n"
      "Examples:\n"
      "  bankside filter fundus.jpg --recipe vessels --scale 31 --output out\n"
      "  bankside compare fundus.jpg --bank vessel-gabor --channel green --combine max\n"
      "  bankside banks list");

  FilterCommand filter;
  BatchCommand batch;
  EvaluateCommand evaluate;
  CompareCommand compare;
  BanksCommand banks;
  VerifyCommand verify;
  BenchCommand bench;
  if (std::any_of(argv, argv + argc, [](const char* word) { return std::string(word) == "--quick"; })) {
    makeQuick(bench);
  }
  PhantomCommand phantom;
  try {
    if (const std::string named = findRecipe(argc, argv); !named.empty()) {
      filter.recipe = openRecipe(named);
      if (!isShippedRecipe(named)) filter.recipeFile = named;
    }
    evaluate.run.recipeFile = filter.recipeFile;
    evaluate.run.recipe = filter.recipe;
    batch.filter.recipeFile = filter.recipeFile;
    batch.filter.recipe = filter.recipe;
  } catch (const Error& error) {
    const std::string named = findRecipe(argc, argv);
    const bool isBank = startsWithBankName(named, catalog());
    std::cerr << "bankside: error: "
              << printable(isBank ? "\"" + named + "\" is a bank and no recipe; give --bank " + named
                                  : error.what())
              << "\n";
    return Finished{exitUsage};
  }
  DeviceBenchCommand deviceBench;
  const std::pair<std::string, std::function<void()>> commands[] = {
      {"filter", [&] { addFilter(app, filter); }},
      {"batch", [&] { addBatch(app, batch); }},
      {"evaluate", [&] { addEvaluate(app, evaluate); }},
      {"compare", [&] { addCompare(app, compare); }},
      {"banks", [&] { addBanks(app, banks); }},
      {"devices",
       [&] {
         app.add_subcommand("devices", "Every engine of this build: available here, or why not")
             ->footer("Example:\n  bankside devices");
       }},
      {"verify", [&] { addVerify(app, verify); }},
      {"bench",
       [&] {
         addBench(app, bench);
         addDeviceBench(*app.get_subcommand("bench"), deviceBench);
       }},
      {"phantom", [&] { addPhantom(app, phantom); }},
      {"completion", [&] {
         app.add_subcommand("completion", "Print the completion script for bash")
             ->footer("Example:\n  source <(bankside completion)");
       }}};

  const auto usage = [](const std::string& sentence) {
    std::cerr << "bankside: error: " << printable(sentence) << "\nRun with --help for more information.\n";
    return Finished{exitUsage};
  };
  const std::string first = argc > 1 ? argv[1] : "-";
  std::vector<std::string> names;
  for (const auto& [name, add] : commands) names.push_back(name);
  const bool named = std::find(names.begin(), names.end(), first) != names.end();
  if (!named && !first.starts_with('-')) {
    const std::string nearest = nearestNames(first.substr(0, 80), names).front();
    return usage("there is no command \"" + first + "\"; " +
                 (editDistance(first.substr(0, 80), nearest) <= 2 ? "did you mean " + nearest + "? T" : "t") +
                 "here are " + joinWords(names));
  }
  // Options of the others would cost their time for nothing.
  for (const auto& [name, add] : commands) {
    if (!named || name == first) add();
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::RequiredError& missing) {
    // A word that nobody knows explains more than what else is missing.
    std::vector<std::string> unknown = app.remaining(true);
    std::erase(unknown, "--");
    if (!unknown.empty()) return usage(unexpected(app, unknown));
    app.exit(missing);
    return Finished{exitUsage};
  } catch (const CLI::ExtrasError&) {
    return usage(unexpected(app, app.remaining(true)));
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    return Finished{code == 0 ? exitOk : exitUsage};
  }
  if (const std::string option = withoutValue(app); !option.empty())
    return usage(option + ": \"\" is no value, as a variable of the shell gives that is not set");
  const auto got = [&](const char* command) {
    const auto parsed = app.get_subcommands();
    return !parsed.empty() && parsed.front()->get_name() == command;
  };
  if (got("filter")) {
    if (const std::string wrong = endSettings(*app.get_subcommand("filter"), filter); !wrong.empty())
      return usage(wrong);
    return filter;
  }
  if (got("batch")) {
    if (const std::string wrong = endBatch(*app.get_subcommand("batch"), batch); !wrong.empty())
      return usage(wrong);
    return batch;
  }
  if (got("evaluate")) {
    if (const std::string wrong = endEvaluate(evaluate); !wrong.empty()) return usage(wrong);
    return evaluate;
  }
  if (got("compare")) {
    if (isOfPages(compare.recipe.channel) && app.get_subcommand("compare")->count("--page") > 0)
      return usage(pagesOrPage);
    if (compare.recipe.stages.front().bank.empty()) return usage("compare needs --bank NAME|FILE");
    if (const std::string wrong = endStages(compare.recipe); !wrong.empty()) return usage(wrong);
    compare.measure.maxRounds = std::max(compare.measure.maxRounds, compare.measure.minRounds);
    if (compare.threads.empty()) compare.threads = {1, 0};
    return compare;
  }
  if (got("banks")) return banks;
  if (got("devices")) return DevicesCommand{};
  if (got("verify")) return verify;
  if (got("bench")) {
    if (deviceBench.action != DeviceBenchCommand::Action::None) return deviceBench;
    bench.measure.maxRounds = std::max(bench.measure.maxRounds, bench.measure.minRounds);
    if (bench.trial) {
      bench.measure = {.minRounds = 1, .maxRounds = 1, .seconds = 0};
      bench.verify = bench.limits = bench.progress = false;
    }
    return bench;
  }
  if (got("phantom")) return phantom;
  if (got("completion")) return CompletionCommand{};
  return WindowCommand{};
}

}  // namespace

/// "help" and "help COMMAND" are what others programs have beside --help.
Command parseCommandLine(int argc, char** argv) {
  if (argc >= 2 && std::string(argv[1]) == "help") {
    std::string flag = "--help";
    std::vector<char*> words = {argv[0]};
    for (int i = 2; i < argc; ++i) words.push_back(argv[i]);
    words.push_back(flag.data());
    const auto count = static_cast<int>(words.size());
    words.push_back(nullptr);
    return parseWords(count, words.data());
  }
  return parseWords(argc, argv);
}

}  // namespace bankside::headless
