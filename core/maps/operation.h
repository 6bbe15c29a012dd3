/// A step of a recipe that is no bank: maps in, maps out.
#pragma once

#include <limits>
#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/maps/field_of_view.h"
#include "core/maps/maps.h"
#include "core/parallel.h"

namespace bankside {

struct OperationEntry;

/// An entry of the list with all its arguments, by name; a plain number is a list of one.
struct Operation {
  const OperationEntry* entry = nullptr;
  std::map<std::string, std::vector<double>> arguments;

  double number(const std::string& parameter) const { return arguments.at(parameter).front(); }
  const std::vector<double>& numbers(const std::string& parameter) const { return arguments.at(parameter); }
  bool operator==(const Operation&) const = default;
};

/// What an operation may look at beside the maps that it takes.
struct OperationContext {
  const ThreadTeam& team;
  std::stop_token stop;
  FieldOfView& field;  ///< of the image; everything, until a step has found it
  Extent image;        ///< of the image itself
  ElementType type;    ///< of its pixels
  bool flat = false;   ///< what is taken has no contrast, but for rounding
};

inline constexpr double anything = std::numeric_limits<float>::max();  ///< as the most

struct OperationParameter {
  std::string name;
  std::string description;
  std::optional<double> otherwise;  ///< none: it must be given
  double least = 0;
  double most = 0;
  bool list = false;   ///< one number or several
  bool whole = false;  ///< whole numbers
};

struct OperationEntry {
  /// Shapes  as many maps as the entry says, [H,W] of `extentAfter`. Errors  Error{BadInput} where numbers
  /// of maps or sizes do not go together; Cancelled
  using Apply = Maps (*)(const Operation&, const std::vector<const Maps*>& taken, OperationContext&);

  std::string name;
  std::string description;  ///< one clause
  int least = 1;            ///< steps that it takes
  int most = 1;
  std::vector<OperationParameter> parameters;
  Apply apply = nullptr;
};

/// All there are, in the order of the documentation.
const std::vector<OperationEntry>& operations();

/// null: there is none of that name.
const OperationEntry* findOperation(std::string_view name);

/// The size of an operation's maps over those of `taken`. Errors  Error{BadInput} where that depends on the
/// pixels per degree and nobody said them
Extent extentAfter(const Operation& operation, const Extent& taken, const Extent& image);

/// With what the parameters are where nobody gave them. Errors  Error{BadInput} for an argument that is
/// missing, of no parameter, or out of its range
Operation makeOperation(const OperationEntry& entry, std::map<std::string, std::vector<double>> given);

/// "log", "local-rms(sigma 80)": for reports.
std::string format(const Operation& operation);

// The kinds, each in a file of its own.
std::vector<OperationEntry> pointwiseOperations();
std::vector<OperationEntry> pairwiseOperations();
std::vector<OperationEntry> windowOperations();
std::vector<OperationEntry> statisticsOperations();
std::vector<OperationEntry> equalizeOperations();
std::vector<OperationEntry> fieldOperations();
std::vector<OperationEntry> resampleOperations();

}  // namespace bankside
