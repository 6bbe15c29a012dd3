#include "core/run/recipe.h"

#include <algorithm>

#include "core/error.h"
#include "core/json_text.h"
#include "core/text.h"
#include "core/text_file.h"

namespace bankside {
namespace {

/// A place in the document, so that every complaint can name it.
class Node {
 public:
  Node(const Json& json, std::string file, std::string pointer)
      : json_(json), file_(std::move(file)), pointer_(std::move(pointer)) {}

  [[noreturn]] void fail(const std::string& expected) const {
    std::string found = json_.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (found.size() > 60) found = found.substr(0, 57) + "...";
    throw Error(ErrorCode::BadInput, file_ + ": " + (pointer_.empty() ? "/" : pointer_) + ": found " + found +
                                         ", expected " + expected);
  }
  void allow(const std::vector<std::string>& names) const {
    if (!json_.is_object()) fail("an object");
    for (const auto& [key, value] : json_.items()) {
      if (std::find(names.begin(), names.end(), key) == names.end()) {
        Node(value, file_, pointer_ + pointerStep(key))
            .fail("no such field here; there are " + joinWords(names));
      }
    }
  }
  std::optional<Node> child(const std::string& key) const {
    if (!json_.contains(key)) return std::nullopt;
    return Node(json_.at(key), file_, pointer_ + pointerStep(key));
  }
  Node need(const std::string& key, const std::string& expected) const {
    if (auto node = child(key)) return *node;
    throw Error(ErrorCode::BadInput, file_ + ": " + (pointer_.empty() ? "/" : pointer_) + ": \"" + key +
                                         "\" is missing, expected " + expected);
  }
  Node element(std::size_t i) const { return {json_.at(i), file_, pointer_ + "/" + std::to_string(i)}; }
  std::size_t size() const { return json_.is_array() ? json_.size() : 0; }
  std::string text() const {
    if (!json_.is_string()) fail("text");
    return json_.get<std::string>();
  }
  bool truth() const {
    if (!json_.is_boolean()) fail("true or false");
    return json_.get<bool>();
  }
  const Json& json() const { return json_; }

  /// The child's text through one of the parse functions, or `otherwise` where there is no such child.
  template <class T, class Parse>
  T word(const std::string& key, T otherwise, Parse parse, const std::string& expected) const {
    const auto node = child(key);
    if (!node) return otherwise;
    if (const std::optional<T> value = parse(node->text())) return *value;
    node->fail(expected);
  }

 private:
  const Json& json_;
  std::string file_;
  std::string pointer_;
};

Stage parseStage(const Node& node, bool last) {
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
  const Json json = parseJsonText(text, name);
  const Node root(json, name, "");
  root.allow({"bankside", "version", "input", "stages", "border", "engine", "precision", "verify", "output"});
  if (const Node kind = root.need("bankside", "\"recipe\""); kind.text() != "recipe") kind.fail("\"recipe\"");
  const Node version = root.need("version", "1, 2 or 3");
  const Json& number = version.json();
  if (number != 1 && number != 2 && number != Recipe::version) version.fail("1, 2 or 3");

  Recipe recipe;
  const std::string list = number == 1   ? "a list of one stage"
                           : number == 2 ? "a list of one or two stages"
                                         : "a list of stages";
  const Node stages = root.need("stages", list);
  const bool tooMany = (number == 1 && stages.size() > 1) || (number == 2 && stages.size() > 2);
  if (stages.size() < 1 || tooMany)
    stages.fail(number == Recipe::version ? list : list + " in version " + number.dump());
  recipe.stages.clear();
  for (std::size_t i = 0; i < stages.size(); ++i)
    recipe.stages.push_back(parseStage(stages.element(i), i + 1 == stages.size()));
  if (const auto input = root.child("input")) {
    input->allow({"channel"});
    recipe.channel = input->word("channel", recipe.channel, parseChannelChoice,
                                 "auto, luma, red, green, blue, all or pages");
  }
  recipe.border = root.word("border", recipe.border, parseBorder,
                            "constant, constant=VALUE, replicate, reflect, reflect101 or wrap");
  recipe.verify = root.word("verify", recipe.verify, parseVerifyLevel, "off, reference, opencv or all");
  if (const auto engine = root.child("engine")) recipe.engine = engine->text();
  recipe.precision = root.word("precision", recipe.precision, parsePrecision, "exact, fp32 or fp16");
  if (const auto output = root.child("output")) {
    output->allow({"format", "map", "responses"});
    recipe.format = output->word("format", recipe.format, parseFileFormat, "tiff, png, npy or pfm");
    recipe.map = output->word("map", recipe.map, parseOutputMap, "none, clip or stretch");
    if (const auto responses = output->child("responses")) recipe.responses = responses->truth();
  }
  return recipe;
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

std::string writeRecipe(const Recipe& recipe) {
  Json stages = Json::array();
  for (const Stage& stage : recipe.stages) {
    Json json = {{"bank", stage.bank}};
    if (stage.mode) json["mode"] = toString(*stage.mode);
    json["combine"] = stage.combine == Combine::None ? Json::array() : Json::array({toString(stage.combine)});
    if (&stage != &recipe.stages.back()) json["activation"] = toString(stage.activation);
    stages.push_back(json);
  }
  const bool second = recipe.stages.size() > 1 || recipe.channel == ChannelChoice::Pages;
  const int needed = recipe.stages.size() > 2 ? Recipe::version : second ? 2 : 1;
  Json json = {{"bankside", "recipe"},
               {"version", needed},
               {"input", {{"channel", toString(recipe.channel)}}},
               {"stages", stages},
               {"border", format(recipe.border)},
               {"engine", recipe.engine}};
  if (recipe.precision != Precision::Fp32) json["precision"] = toString(recipe.precision);
  json["verify"] = toString(recipe.verify);
  json["output"] = {
      {"format", toString(recipe.format)}, {"map", toString(recipe.map)}, {"responses", recipe.responses}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace bankside
