#include "core/run/recipe_steps.h"

#include <map>
#include <set>

namespace bankside {
namespace {

bool isName(const std::string& text) {
  constexpr std::size_t longest = 40;
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  };
  return !text.empty() && text.size() <= longest && std::all_of(text.begin(), text.end(), fits);
}

std::vector<double> parseNumbers(const JsonNode& node) {
  const Json& json = node.json();
  if (json.is_number()) return {json.get<double>()};
  if (!json.is_array() || json.empty()) node.fail("a number or a list of numbers");
  std::vector<double> numbers;
  for (std::size_t i = 0; i < node.size(); ++i) {
    if (!node.element(i).json().is_number()) node.element(i).fail("a number");
    numbers.push_back(node.element(i).json().get<double>());
  }
  return numbers;
}

Operation parseOperation(const JsonNode& node) {
  const JsonNode word = node.need("do", "an operation");
  const OperationEntry* entry = findOperation(word.text());
  if (entry == nullptr) {
    std::vector<std::string> names;
    for (const OperationEntry& e : operations()) names.push_back(e.name);
    word.fail("one of " + joinWords(names));
  }
  std::vector<std::string> fields = {"do", "name", "takes", "combine"};
  std::map<std::string, std::vector<double>> given;
  for (const OperationParameter& p : entry->parameters) {
    fields.push_back(p.name);
    if (const auto value = node.child(p.name)) given.emplace(p.name, parseNumbers(*value));
  }
  node.allow(fields);
  try {
    return makeOperation(*entry, std::move(given));
  } catch (const Error& e) {
    node.fail("what the operation takes: " + std::string(e.what()));
  }
}

std::vector<CombineOver> parseCombines(const JsonNode& node) {
  if (!node.json().is_array() || node.size() == 0)
    node.fail("a list such as [\"max:orientation\", \"mean\"]");
  std::vector<CombineOver> combines;
  for (std::size_t i = 0; i < node.size(); ++i) {
    const auto combine = parseCombineOver(node.element(i).text());
    if (!combine)
      node.element(i).fail(
          "max, absmax, mean, sum or magnitude, with \":orientation\" or \":scale\" behind it or alone");
    combines.push_back(*combine);
  }
  return combines;
}

RecipeStep parseStep(const JsonNode& node, std::set<std::string>& names) {
  if (!node.json().is_object()) node.fail("an object");
  RecipeStep step;
  if (const auto name = node.child("name")) {
    step.name = name->text();
    if (!isName(step.name)) name->fail("up to 40 letters, digits, - and _");
  }
  if (const auto takes = node.child("takes")) {
    if (takes->size() == 0) takes->fail("a list of names of earlier steps");
    for (std::size_t i = 0; i < takes->size(); ++i) {
      step.takes.push_back(takes->element(i).text());
      if (!names.contains(step.takes.back()))
        takes->element(i).fail("the name of an earlier step, or \"image\"");
    }
  }
  if (node.child("do")) {
    step.operation = parseOperation(node);
  } else if (const auto bank = node.child("bank")) {
    node.allow({"bank", "mode", "name", "takes", "combine"});
    step.bank = bank->text();
    if (step.bank.empty()) bank->fail("a bank's name or file");
    if (const auto mode = node.child("mode")) {
      step.mode = parseFilterMode(mode->text());
      if (!step.mode) mode->fail("\"correlation\" or \"convolution\"");
    }
  } else {
    node.allow({"name", "takes", "combine"});
    node.need("combine", "a step has \"do\", \"bank\" or \"combine\"");
  }
  if (const auto combine = node.child("combine")) step.combines = parseCombines(*combine);
  if (!step.name.empty() && !names.insert(step.name).second)
    node.need("name", "").fail("a name that no earlier step has");
  return step;
}

}  // namespace

std::vector<RecipeStep> parseSteps(const JsonNode& node) {
  if (node.size() == 0) node.fail("a list of steps");
  if (node.size() > mostSteps) node.fail("at most " + std::to_string(mostSteps) + " steps");
  std::set<std::string> names = {"image"};
  std::vector<RecipeStep> steps;
  for (std::size_t i = 0; i < node.size(); ++i) steps.push_back(parseStep(node.element(i), names));
  return steps;
}

Json stepsJson(const std::vector<RecipeStep>& steps) {
  Json list = Json::array();
  for (const RecipeStep& step : steps) {
    Json json = Json::object();
    if (!step.name.empty()) json["name"] = step.name;
    if (step.operation) {
      json["do"] = step.operation->entry->name;
    } else if (!step.bank.empty()) {
      json["bank"] = step.bank;
      if (step.mode) json["mode"] = toString(*step.mode);
    }
    if (!step.takes.empty()) json["takes"] = step.takes;
    if (step.operation) {
      for (const OperationParameter& p : step.operation->entry->parameters) {
        const std::vector<double>& values = step.operation->numbers(p.name);
        json[p.name] = p.list && values.size() > 1 ? Json(values) : Json(values.front());
      }
    }
    if (!step.combines.empty()) {
      json["combine"] = Json::array();
      for (const CombineOver& combine : step.combines) json["combine"].push_back(format(combine));
    }
    list.push_back(json);
  }
  return list;
}

}  // namespace bankside
