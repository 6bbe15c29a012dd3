#include "filters/bank_spec.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "core/refuse.h"
#include "core/text.h"

namespace bankside {
namespace {

/// The longest text that a message repeats; specifications can come from anywhere.
std::string quoted(const std::string& text) {
  return "\"" + (text.size() > 80 ? text.substr(0, 80) + "..." : text) + "\"";
}

/// One number in canonical text, or nothing if it is none or lies outside.
std::optional<std::string> canonicalNumber(const BankParameter& p, const std::string& text) {
  const std::optional<double> value = parseNumber(text);
  if (!value || !std::isfinite(*value) || *value < p.min || *value > p.max) return std::nullopt;
  const bool whole = p.kind == ParameterKind::Integer || p.kind == ParameterKind::OddInteger;
  if (whole && *value != std::floor(*value)) return std::nullopt;
  if (p.kind == ParameterKind::OddInteger && std::fmod(*value, 2.0) == 0.0) return std::nullopt;
  return formatNumber(*value + 0.0);  // + 0.0 makes "-0" a plain "0"
}

std::optional<std::string> canonicalList(const BankParameter& p, const std::string& text) {
  std::vector<std::string> parts = split(text, '/');
  std::set<std::string> seen;
  std::string list;
  for (const std::string& part : parts) {
    const std::optional<std::string> number = canonicalNumber(p, part);
    if (!number || !seen.insert(*number).second) return std::nullopt;
    list += (list.empty() ? "" : "/") + *number;
  }
  return list;
}

std::optional<std::string> canonicalValue(const BankParameter& p, const std::string& text) {
  if (p.takesAuto && text == "auto") return text;
  switch (p.kind) {
    case ParameterKind::Choice:
      if (std::find(p.choices.begin(), p.choices.end(), text) == p.choices.end()) return std::nullopt;
      return text;
    case ParameterKind::NumberList: return canonicalList(p, text);
    default: return canonicalNumber(p, text);
  }
}

std::vector<std::string> parameterNames(const CatalogEntry& entry) {
  std::vector<std::string> names;
  for (const BankParameter& p : entry.parameters) names.push_back(p.name);
  return names;
}

const CatalogEntry& findEntry(const std::string& name, const std::vector<CatalogEntry>& entries) {
  const auto entry =
      std::find_if(entries.begin(), entries.end(), [&](const CatalogEntry& e) { return e.name == name; });
  if (entry == entries.end()) {
    std::vector<std::string> names;
    for (const CatalogEntry& e : entries) names.push_back(e.name);
    refuse("there is no filter bank " + quoted(name) + "; the nearest names are " +
           joinWords(nearestNames(name.substr(0, 80), names)));
  }
  return *entry;
}

}  // namespace

std::string describeRange(const BankParameter& p) {
  if (p.kind == ParameterKind::Choice) {
    std::string words = p.takesAuto ? "auto" : "";
    for (const std::string& choice : p.choices) words += (words.empty() ? "" : " or ") + choice;
    return words;
  }
  std::string range = p.kind == ParameterKind::Integer      ? "a whole number"
                      : p.kind == ParameterKind::OddInteger ? "an odd whole number"
                      : p.kind == ParameterKind::NumberList ? "different numbers between slashes, each"
                                                            : "a number";
  if (std::isfinite(p.min)) range += " from " + formatNumber(p.min);
  if (std::isfinite(p.max)) range += " to " + formatNumber(p.max);
  return p.takesAuto ? range + ", or auto" : range;
}

const std::string& BankArguments::text(const std::string& name) const { return values_.at(name); }

double BankArguments::number(const std::string& name) const { return parseNumber(text(name)).value(); }

int BankArguments::integer(const std::string& name) const { return static_cast<int>(number(name)); }

int BankArguments::integerOr(const std::string& name, int fallback) const {
  return isAuto(name) ? fallback : integer(name);
}

std::vector<double> BankArguments::numbers(const std::string& name) const {
  std::vector<double> values;
  for (const std::string& part : split(text(name), '/')) values.push_back(parseNumber(part).value());
  return values;
}

std::string BankSpec::canonicalName() const {
  std::string name = entry->name;
  char separator = ':';
  for (const BankParameter& p : entry->parameters) {
    if (arguments.text(p.name) == p.defaultValue) continue;
    name += separator + p.name + "=" + arguments.text(p.name);
    separator = ',';
  }
  return name;
}

bool startsWithBankName(const std::string& text, const std::vector<CatalogEntry>& entries) {
  const std::string name = text.substr(0, text.find(':'));
  return std::any_of(entries.begin(), entries.end(), [&](const auto& entry) { return entry.name == name; });
}

BankSpec parseBankSpec(const std::string& specification, const std::vector<CatalogEntry>& entries) {
  const auto colon = specification.find(':');
  const CatalogEntry& entry = findEntry(specification.substr(0, colon), entries);
  std::map<std::string, std::string> values;
  if (colon != std::string::npos) {
    for (const std::string& part : split(std::string_view(specification).substr(colon + 1), ',')) {
      const auto equals = part.find('=');
      const std::string name = part.substr(0, equals);
      const auto p = std::find_if(entry.parameters.begin(), entry.parameters.end(),
                                  [&](const BankParameter& known) { return known.name == name; });
      if (p == entry.parameters.end()) {
        refuse("the bank " + entry.name + " has no parameter " + quoted(name) +
               (entry.parameters.empty() ? "; it takes none"
                                         : "; it takes " + joinWords(parameterNames(entry))));
      }
      if (equals == std::string::npos) {
        refuse("the parameter " + name + " of the bank " + entry.name + " has no value; write " + name + "=" +
               p->defaultValue);
      }
      const std::string text = part.substr(equals + 1);
      const std::optional<std::string> value = canonicalValue(*p, text);
      if (!value) {
        refuse("the parameter " + name + " of the bank " + entry.name + " takes " + describeRange(*p) +
               ", not " + quoted(text));
      }
      if (!values.emplace(name, *value).second) {
        refuse("the parameter " + name + " of the bank " + entry.name + " is given twice");
      }
    }
  }
  for (const BankParameter& p : entry.parameters) values.emplace(p.name, p.defaultValue);
  return {&entry, BankArguments(std::move(values))};
}

}  // namespace bankside
