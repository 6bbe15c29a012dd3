#include "gui/headless/bank_options.h"

#include <cmath>
#include <filesystem>

#include "core/run/image_scale.h"
#include "core/text.h"

#include "gui/headless/word_option.h"

namespace bankside::headless {
namespace {

constexpr const char* scaleHelp =
    "Pixels per degree of visual angle of the images, for recipes that are written for a scale: the width of "
    "the field of view in pixels over its angle in degrees; or width: and how many pixels wide the widest "
    "vessels are";

/// What is wrong with what --scale was given, or "". `table`: other texts are files.
std::string wrongScale(const std::string& text, bool table) {
  const bool width = text.starts_with(widthPrefix);
  const auto scale = parseScale(text);
  std::error_code failure;
  if (!scale && table && !width)
    return std::filesystem::exists(text, failure)
               ? ""
               : "\"" + text + "\" is neither a number, nor a width, as width:13, nor a file that is there";
  if (!scale)
    return "\"" + text + "\" is " +
           (width ? "no width in pixels, as width:13" : "neither a number nor a width, as width:13");
  if (isScale(*scale)) return "";
  return "Value " + text + (width ? " makes " + formatNumber(*scale) + " pixels per degree," : "") +
         " not in range [0.1 - 10000]";
}

void addCombine(CLI::App& app, const std::string& name, Stage& stage, const std::string& help) {
  wordOption(
      app, name, stage.combine, [](const std::string& t) { return parseCombine(t); }, combineWords, help);
}

}  // namespace

void addBorder(CLI::App& app, Border& border) {
  wordOption(
      app, "--border", border, [](const std::string& t) { return parseBorder(t); },
      "constant, constant=VALUE, replicate, reflect, reflect101, wrap",
      "What lies outside the image: constant[=VALUE], replicate, reflect, reflect101 (default) or wrap");
}

void addMode(CLI::App& app, const std::string& name, std::optional<FilterMode>& mode,
             const std::string& help) {
  wordOption(
      app, name, mode, [](const std::string& t) { return parseFilterMode(t); }, "correlation, convolution",
      help);
}

void addBankOptions(CLI::App& app, Recipe& recipe) {
  if (recipe.stages.size() < 2) recipe.stages.resize(2);
  Stage& stage = recipe.stages[0];
  Stage& then = recipe.stages[1];
  app.add_option(
         "--bank,-b", stage.bank,
         "Catalogue bank with parameters, or a bank file: .json, .npy, .npz, .csv (see: bankside banks list)")
      ->type_name("NAME|FILE");
  addBorder(app, recipe.border);
  addMode(app, "--mode", stage.mode, modeHelp);
  addCombine(app, "--combine", stage,
             "One map of all responses: none (default), max, absmax, argmax, mean, sum or magnitude");
  wordOption(
      app, "--channel", recipe.channel, [](const std::string& t) { return parseChannelChoice(t); },
      "auto, luma, red, green, blue, all, pages, pages-max",
      "Planes to filter: auto (default: grey as it is, colour as luma), luma, red, green, blue, all, pages "
      "(of "
      "each file as the channels of one image) or pages-max (their largest value at every pixel)");
  app.add_option(
         "--then", then.bank,
         "A second bank over the maps of the first: filters with as many channels as there are maps sum "
         "over them, filters with one channel are applied to each; a recipe may have more banks")
      ->type_name("NAME|FILE");
  wordOption(
      app, "--activation", stage.activation, [](const std::string& t) { return parseActivation(t); },
      "none, abs, relu, square",
      "What the second bank sees of every map, after --combine: none (default), abs, relu or square");
  addMode(app, "--then-mode", then.mode, "As --mode, for the second bank");
  addCombine(app, "--then-combine", then, "As --combine, for the second bank");
}

void addPrecision(CLI::App& app, Precision& precision) {
  wordOption(
      app, "--precision", precision, [](const std::string& t) { return parsePrecision(t); },
      "exact, fp32, fp16",
      "What auto, cuda and cpu may choose from: exact (f32 multiply-adds one after another, or the very same "
      "bytes), fp32 (default: the accuracy of f32 sums, transforms and split halves included) or fp16 "
      "(half precision too, on a GPU: within about 0.1 % of the sum of |tap x pixel|, over "
      "several channels of the image's largest)");
}

void addMaxPixels(CLI::App& app, std::int64_t& most) {
  app.add_option("--max-pixels", most,
                 "Refuse pages of more pixels than that, before they are decoded (default 4294967296)")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40))
      ->type_name("N");
}

void addThreshold(CLI::App& app, Recipe& recipe, const std::string& help) {
  const auto parse = [](const std::string& text) {
    const auto value = parseNumber(text);
    return value && std::isfinite(static_cast<float>(*value)) ? value : std::nullopt;
  };
  app.add_option_function<std::string>(
         "--threshold", [&recipe, parse](const std::string& t) { recipe.threshold = parse(t); }, help)
      ->check(CLI::Validator(
          [parse](std::string& t) {
            return parse(t) ? std::string() : "\"" + t + "\" is no number that an f32 holds";
          },
          "T"))
      ->type_name("");
}

void addScale(CLI::App& app, double& pixelsPerDegree) {
  app.add_option_function<std::string>(
         "--scale", [&](const std::string& text) { pixelsPerDegree = parseScale(text).value_or(0); },
         scaleHelp)
      ->check(CLI::Validator([](std::string& text) { return wrongScale(text, false); }, "PPD|width:PX"))
      ->type_name("");
}

void addScale(CLI::App& app, double& pixelsPerDegree, std::string& table) {
  app.add_option_function<std::string>(
         "--scale",
         [&](const std::string& text) {
           const auto scale = parseScale(text);
           pixelsPerDegree = scale.value_or(0);
           table = scale ? "" : text;
         },
         std::string(scaleHelp) +
             "; or a CSV file with the columns image and pixels_per_degree or vessel_width, a line for each "
             "image")
      ->check(CLI::Validator([](std::string& text) { return wrongScale(text, true); }, "PPD|width:PX|FILE"))
      ->type_name("");
}

void addField(CLI::App& app, std::vector<std::string>& masks) {
  app.add_option(
         "--field", masks,
         "Masks of the fields of view, not zero inside, found by the names of their images: recipes of "
         "steps then look for none")
      ->type_name("DIR|FILE");
}

std::string endStages(Recipe& recipe) {
  if (recipe.ofMaps()) {
    if (recipe.stages != std::vector<Stage>(2))
      return "the recipe has steps of its own; --bank, --then and what goes with them cannot change them";
    recipe.stages.resize(1);
    return "";
  }
  Stage& first = recipe.stages[0];
  const Stage& then = recipe.stages[1];
  if (!then.bank.empty()) {
    return first.combine == Combine::ArgMax
               ? "--combine argmax gives the number of a filter, which a second bank cannot filter"
               : "";
  }
  if (first.activation != Activation::None)
    return "--activation stands between two banks; give the second with --then NAME|FILE";
  if (then.mode || then.combine != Combine::None)
    return "--then-mode and --then-combine are a second bank's; give it with --then NAME|FILE";
  recipe.stages.pop_back();
  return "";
}

}  // namespace bankside::headless
