#include "core/maps/operation.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/error.h"
#include "core/text.h"

namespace bankside {
namespace {

[[noreturn]] void refuse(const OperationEntry& entry, const std::string& sentence) {
  throw Error(ErrorCode::BadInput, entry.name + ": " + sentence);
}

void requireInRange(const OperationEntry& entry, const OperationParameter& p,
                    const std::vector<double>& values) {
  if (values.empty() || (values.size() > 1 && !p.list))
    refuse(entry, p.name + " takes one number" + (p.list ? " or several" : ""));
  for (const double value : values) {
    // Written so that NaN is out of range too.
    if (!(value >= p.least && value <= p.most))
      refuse(entry, p.name + " is " + formatNumber(value) + " and must lie from " + formatNumber(p.least) +
                        " to " + formatNumber(p.most));
    if (p.whole && value != std::round(value)) refuse(entry, p.name + " takes whole numbers");
  }
}

}  // namespace

const std::vector<OperationEntry>& operations() {
  static const std::vector<OperationEntry> all = [] {
    std::vector<OperationEntry> list;
    for (auto part : {pointwiseOperations(), pairwiseOperations(), windowOperations(), statisticsOperations(),
                      equalizeOperations(), fieldOperations(), resampleOperations()})
      std::move(part.begin(), part.end(), std::back_inserter(list));
    return list;
  }();
  return all;
}

const OperationEntry* findOperation(std::string_view name) {
  const auto& all = operations();
  const auto at = std::find_if(all.begin(), all.end(), [&](const auto& entry) { return entry.name == name; });
  return at == all.end() ? nullptr : &*at;
}

Operation makeOperation(const OperationEntry& entry, std::map<std::string, std::vector<double>> given) {
  Operation operation{&entry, {}};
  for (const OperationParameter& p : entry.parameters) {
    auto node = given.extract(p.name);
    if (node.empty() && !p.otherwise) refuse(entry, p.name + " (" + p.description + ") must be given");
    std::vector<double> values = node.empty() ? std::vector{*p.otherwise} : std::move(node.mapped());
    requireInRange(entry, p, values);
    operation.arguments.emplace(p.name, std::move(values));
  }
  if (!given.empty()) {
    std::vector<std::string> names;
    for (const OperationParameter& p : entry.parameters) names.push_back(p.name);
    refuse(entry, "there is no \"" + given.begin()->first + "\"; it takes " +
                      (names.empty() ? "nothing" : joinWords(names)));
  }
  return operation;
}

std::string format(const Operation& operation) {
  std::string text;
  for (const OperationParameter& p : operation.entry->parameters) {
    text += (text.empty() ? "" : ", ") + p.name;
    for (const double value : operation.numbers(p.name)) text += " " + formatNumber(value);
  }
  return operation.entry->name + (text.empty() ? "" : "(" + text + ")");
}

}  // namespace bankside
