#include "gui/headless/filter_options.h"

#include <CLI/CLI.hpp>

#include "gui/headless/bank_options.h"
#include "gui/headless/resource_options.h"
#include "gui/headless/untrusted.h"
#include "gui/headless/word_option.h"

namespace bankside::headless {

void addSettings(CLI::App& app, FilterCommand& command) {
  Recipe& recipe = command.recipe;
  addBankOptions(app, recipe);
  app.add_option("--engine", recipe.engine, "auto (default) or an engine's name (see: bankside devices)")
      ->type_name("NAME");
  addPrecision(app, recipe.precision);
  wordOption(
      app, "--format", recipe.format, [](const std::string& t) { return parseFileFormat(t); },
      fileFormatWords(), "File format (default: tiff)");
  wordOption(
      app, "--compression", recipe.compression, [](const std::string& t) { return parseCompression(t); },
      "none, deflate, zstd",
      "How files are compressed: none (default, but for PNG), deflate (default for PNG; TIFF too) or zstd "
      "(TIFF); no value is changed");
  wordOption(
      app, "--map", recipe.map, [](const std::string& t) { return parseOutputMap(t); },
      "none, clip, stretch, binary",
      "none keeps float32 (default); clip rounds into the input's range and counts what it lost; stretch "
      "maps smallest..largest to 0..65535; binary is 255 from --threshold on, else 0");
  addThreshold(app, recipe,
               "Where --map binary begins: what is as high or higher is 255 (default: the recipe's)");
  app.add_flag(
      "--responses,!--no-responses", recipe.responses,
      "Write every filter's response beside the combined map (default), or the map alone in one fused pass");
  wordOption(
      app, "--verify", recipe.verify, [](const std::string& t) { return parseVerifyLevel(t); },
      "off, reference, opencv, all",
      "Judge every result: off (default), against the double-precision reference, OpenCV, or all");
  app.add_option("--page", command.page, "Only this page of multi-page files, from 1 (default: every page)")
      ->check(CLI::Range(1, 1'000'000))
      ->type_name("N");
  addMaxPixels(app, command.maxPixels);
  app.add_option(
         "--recipe",
         "Take all settings from a recipe, one of those that come with the program (see: bankside banks "
         "list) or a file; options given beside it override it")
      ->type_name("NAME|FILE");
}

std::string endSettings(CLI::App& app, FilterCommand& command) {
  command.thresholdGiven = app.count("--threshold") > 0;
  if (isOfPages(command.recipe.channel) && app.count("--page") > 0) return pagesOrPage;
  if (!command.recipe.ofMaps() && command.recipe.stages.front().bank.empty())
    return app.get_name() + " needs --bank NAME|FILE or --recipe NAME|FILE";
  return endStages(command.recipe);
}

void addRunMemory(CLI::App& app, FilterCommand& command) {
  addThreads(app, command.threads);
  addDevices(app, command.devices);
  addMemory(
      app, command.memory, command.memorySaid,
      "Memory to use at most, about, for example 512M or 4G (default 1G, but for maps of a recipe half of "
      "what is free); larger images are filtered in bands");
  addUntrusted(app, command.untrusted);
}

}  // namespace bankside::headless
