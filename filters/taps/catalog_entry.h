/// What the catalogue knows of one bank: its parameters, where its formula comes from, and its generator.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "core/filter_bank.h"

namespace bankside {

/// Integer, OddInteger: whole numbers. Number: finite. NumberList: numbers between slashes, "1.7/2.4/3.4",
/// each once. Choice: one of a few words.
enum class ParameterKind { Integer, OddInteger, Number, NumberList, Choice };

/// One knob of a bank. Every value, and every element of a list, lies in [min, max].
struct BankParameter {
  std::string name;
  std::string description;
  std::string defaultValue;
  ParameterKind kind = ParameterKind::Number;
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool takesAuto = false;            ///< the word "auto" leaves the value to the generator
  std::vector<std::string> choices;  ///< Choice only
};

/// "a whole number from 1 to 127 or auto": what a parameter takes, for messages and help.
std::string describeRange(const BankParameter& parameter);

/// A complete set of checked values in canonical text ("2", not "2.0"), as generators read them.
class BankArguments {
 public:
  explicit BankArguments(std::map<std::string, std::string> values) : values_(std::move(values)) {}

  int integer(const std::string& name) const;
  double number(const std::string& name) const;
  std::vector<double> numbers(const std::string& name) const;
  const std::string& text(const std::string& name) const;
  bool isAuto(const std::string& name) const { return text(name) == "auto"; }
  /// The integer, or `fallback` where the value is "auto".
  int integerOr(const std::string& name, int fallback) const;

  const std::map<std::string, std::string>& values() const { return values_; }

 private:
  std::map<std::string, std::string> values_;
};

/// One line of the catalogue.
struct CatalogEntry {
  std::string name;
  std::string family;    ///< "edge", "smoothing", "sharpening", "texture", "vessel"
  std::string title;     ///< one line for a person
  std::string citation;  ///< where the formula comes from
  std::vector<BankParameter> parameters;
  std::string recipe;  ///< the shipped recipe that shows it at its best; empty: it needs none
  std::function<std::vector<Filter>(const BankArguments&)> generate;
};

}  // namespace bankside
