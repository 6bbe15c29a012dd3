#include "core/run/recipe.h"

#include <cmath>

#include "core/run/json_node.h"
#include "core/run/recipe_steps.h"
#include "core/text_file.h"

namespace bankside {
namespace {

Stage parseStage(const JsonNode& node, bool last) {
  node.allow(last ? std::vector<std::string>{"bank", "mode", "combine"}
                  : std::vector<std::string>{"bank", "mode", "combine", "activation"});
  Stage stage;
  stage.bank = node.need("bank", "a bank's name or file").text();
  if (const auto mode = node.child("mode")) {
    stage.mode = parseFilterMode(mode->text());
    if (!stage.mode) mode->fail("\"correlation\" or \"convolution\"");
  }
  if (const auto combine = node.child("combine")) {
    if (combine->size() > 1 || !combine->json().is_array()) combine->fail("a list of at most one combine");
    if (combine->size() == 1) {
      const auto value = parseCombine(combine->element(0).text());
      if (!value) combine->element(0).fail("none, max, absmax, argmax, mean, sum or magnitude");
      if (!last && *value == Combine::ArgMax)
        combine->element(0).fail("an intensity for the next stage, which the number of a filter is not");
      stage.combine = *value;
    }
  }
  stage.activation = node.word("activation", stage.activation, parseActivation, "none, abs, relu or square");
  return stage;
}

std::vector<Stage> parseStages(const JsonNode& root, int version) {
  const std::string list = version == 1   ? "a list of one stage"
                           : version == 2 ? "a list of one or two stages"
                                          : "a list of stages";
  const JsonNode nodes = root.need("stages", list);
  const bool tooMany = (version == 1 && nodes.size() > 1) || (version == 2 && nodes.size() > 2);
  if (nodes.size() < 1 || tooMany)
    nodes.fail(version == 3 ? list : list + " in version " + std::to_string(version));
  std::vector<Stage> stages;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    stages.push_back(parseStage(nodes.element(i), i + 1 == nodes.size()));
  return stages;
}

Json stagesJson(const std::vector<Stage>& list) {
  Json stages = Json::array();
  for (const Stage& stage : list) {
    Json json = {{"bank", stage.bank}};
    if (stage.mode) json["mode"] = toString(*stage.mode);
    json["combine"] = stage.combine == Combine::None ? Json::array() : Json::array({toString(stage.combine)});
    if (&stage != &list.back()) json["activation"] = toString(stage.activation);
    stages.push_back(json);
  }
  return stages;
}

double parseThreshold(const JsonNode& node) {
  if (!node.json().is_number() || !std::isfinite(node.json().get<float>()))
    node.fail("a number that an f32 holds");
  return node.json().get<double>();
}

/// The oldest that can say it.
int versionOf(const Recipe& recipe) {
  if (recipe.ofMaps()) return Recipe::version;
  if (recipe.stages.size() > 2) return 3;
  return recipe.stages.size() > 1 || isOfPages(recipe.channel) ? 2 : 1;
}

}  // namespace

const char* toString(VerifyLevel level) {
  switch (level) {
    case VerifyLevel::Off: return "off";
    case VerifyLevel::Reference: return "reference";
    case VerifyLevel::OpenCv: return "opencv";
    case VerifyLevel::All: return "all";
  }
  return "?";
}

std::optional<VerifyLevel> parseVerifyLevel(std::string_view text) {
  for (const VerifyLevel level :
       {VerifyLevel::Off, VerifyLevel::Reference, VerifyLevel::OpenCv, VerifyLevel::All}) {
    if (text == toString(level)) return level;
  }
  return std::nullopt;
}

Recipe parseRecipe(const std::string& text, const std::string& name) {
  const auto first = text.find_first_not_of(" \t\r\n");
  const bool isJson = first != std::string::npos && (text[first] == '{' || text[first] == '[');
  const auto parse = [&] { return parseJsonText(text, name); };
  const Json json = isJson ? parse() : asKind(name, "no recipe", parse);
  const JsonNode root(json, name, "");
  if (!json.is_object()) root.fail("an object");
  if (const JsonNode kind = root.need("bankside", "\"recipe\""); kind.text() != "recipe")
    kind.fail("\"recipe\"");
  const JsonNode version = root.need("version", "1, 2, 3 or 4");
  const Json& number = version.json();
  if (number != 1 && number != 2 && number != 3 && number != Recipe::version) version.fail("1, 2, 3 or 4");

  Recipe recipe;
  // "window" is what only the window looks at: the region, and the engines that ran.
  std::vector<std::string> fields = {"bankside", "version",   "title",  "citation", "input", "border",
                                     "engine",   "precision", "verify", "output",   "window"};
  if (number == Recipe::version) {
    fields.push_back("steps");
    root.allow(fields);
    recipe.steps = parseSteps(root.need("steps", "a list of steps"));
  } else {
    fields.push_back("stages");
    root.allow(fields);
    recipe.stages = parseStages(root, number.get<int>());
  }
  if (const auto title = root.child("title")) recipe.title = title->text();
  if (const auto citation = root.child("citation")) recipe.citation = citation->text();
  if (const auto input = root.child("input")) {
    input->allow({"channel"});
    recipe.channel = input->word("channel", recipe.channel, parseChannelChoice,
                                 "auto, luma, red, green, blue, all, pages or pages-max");
  }
  recipe.border = root.word("border", recipe.border, parseBorder,
                            "constant, constant=VALUE, replicate, reflect, reflect101 or wrap");
  recipe.verify = root.word("verify", recipe.verify, parseVerifyLevel, "off, reference, opencv or all");
  if (const auto engine = root.child("engine")) recipe.engine = engine->text();
  recipe.precision = root.word("precision", recipe.precision, parsePrecision, "exact, fp32 or fp16");
  if (const auto output = root.child("output")) {
    output->allow({"format", "compression", "map", "threshold", "responses"});
    recipe.format = output->word("format", recipe.format, parseFileFormat, fileFormatWords());
    if (const auto compression = output->child("compression")) {
      recipe.compression = parseCompression(compression->text());
      if (!recipe.compression) compression->fail("none, deflate or zstd");
    }
    recipe.map = output->word("map", recipe.map, parseOutputMap, "none, clip, stretch or binary");
    if (const auto threshold = output->child("threshold")) recipe.threshold = parseThreshold(*threshold);
    if (const auto responses = output->child("responses")) recipe.responses = responses->truth();
  }
  return recipe;
}

float mapThreshold(const Recipe& recipe) {
  if (recipe.map != OutputMap::Binary) return 0;
  if (!recipe.threshold)
    throw Error(ErrorCode::BadInput,
                "--map binary wants a threshold: give --threshold T, or a recipe that has one");
  return static_cast<float>(*recipe.threshold);
}

Recipe readRecipe(const std::filesystem::path& file) {
  return parseRecipe(readTextFile(file, largestRecipe), file.string());
}

bool isRecipe(const std::filesystem::path& file) {
  try {
    const Json json = parseJsonText(readTextFile(file, largestRecipe), file.string());
    const auto kind = json.is_object() ? json.find("bankside") : json.end();
    return kind != json.end() && *kind == "recipe";
  } catch (const Error&) {
    return false;
  }
}

std::vector<std::string> bankNames(const Recipe& recipe) {
  std::vector<std::string> names;
  if (recipe.ofMaps()) {
    for (const RecipeStep& step : recipe.steps) {
      if (!step.bank.empty()) names.push_back(step.bank);
    }
  } else {
    for (const Stage& stage : recipe.stages) names.push_back(stage.bank);
  }
  return names;
}

std::string writeRecipe(const Recipe& recipe) {
  Json json = {{"bankside", "recipe"}, {"version", versionOf(recipe)}};
  if (!recipe.title.empty()) json["title"] = recipe.title;
  if (!recipe.citation.empty()) json["citation"] = recipe.citation;
  json["input"] = {{"channel", toString(recipe.channel)}};
  if (recipe.ofMaps()) {
    json["steps"] = stepsJson(recipe.steps);
  } else {
    json["stages"] = stagesJson(recipe.stages);
  }
  json["border"] = format(recipe.border);
  json["engine"] = recipe.engine;
  if (recipe.precision != Precision::Fp32) json["precision"] = toString(recipe.precision);
  json["verify"] = toString(recipe.verify);
  json["output"] = {
      {"format", toString(recipe.format)}, {"map", toString(recipe.map)}, {"responses", recipe.responses}};
  if (recipe.threshold) json["output"]["threshold"] = *recipe.threshold;
  if (recipe.compression) json["output"]["compression"] = toString(*recipe.compression);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace bankside
