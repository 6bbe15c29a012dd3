#include "kernels/cuda/single_channel/tuning_table.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "core/error.h"
#include "core/log.h"
#include "core/run/report_values.h"
#include "core/text_file.h"
#include "kernels/cuda/single_channel/shipped_tuning.h"

namespace bankside::cuda {
namespace {

const char* const fusedNames[] = {"none", "value", "index"};

Fused parseFused(const std::string& text) {
  for (const Fused fused : {Fused::None, Fused::Value, Fused::Index}) {
    if (text == fusedNames[static_cast<int>(fused)]) return fused;
  }
  throw Error(ErrorCode::BadInput, "\"" + text + "\" is none of none, value, index");
}

ElementType readType(const Json& json, const char* key) {
  const auto text = json.at(key).get<std::string>();
  const auto type = parseElementType(text);
  if (!type) throw Error(ErrorCode::BadInput, "\"" + text + "\" is no element type");
  return *type;
}

double hundredths(double value) { return std::round(value * 100) / 100; }

Json rowOf(const TuningEntry& e) {
  return {{"filter_size", e.filterSize},
          {"filter_count", e.filterCount},
          {"size", e.side},
          {"type", toString(e.srcType)},
          {"dst_type", toString(e.dstType)},
          {"fused", fusedNames[static_cast<int>(e.fused)]},
          {"variant", e.variant},
          {"filters_per_block", e.filtersPerBlock},
          {"tail_only", e.tailOnly},
          {"us", hundredths(e.microseconds)},
          {"rule_us", hundredths(e.ruleMicroseconds)},
          {"floor_us", hundredths(e.floorMicroseconds)}};
}

TuningEntry readEntry(const Json& row) {
  TuningEntry e;
  e.filterSize = row.at("filter_size").get<int>();
  e.filterCount = row.at("filter_count").get<int>();
  e.side = row.at("size").get<int>();
  e.srcType = readType(row, "type");
  e.dstType = readType(row, "dst_type");
  e.fused = parseFused(row.at("fused").get<std::string>());
  e.variant = row.at("variant").get<std::string>();
  e.filtersPerBlock = row.at("filters_per_block").get<int>();
  e.tailOnly = row.at("tail_only").get<bool>();
  e.microseconds = row.at("us").get<double>();
  e.ruleMicroseconds = row.at("rule_us").get<double>();
  e.floorMicroseconds = row.at("floor_us").get<double>();
  constexpr int most = 1'000'000;  // sums of two stay whole numbers
  for (const int number : {e.filterSize, e.filterCount, e.side, e.filtersPerBlock}) {
    if (number < 1 || number > most)
      throw Error(ErrorCode::BadInput, "an entry's filter_size, filter_count, size or filters_per_block is " +
                                           std::to_string(number) + ", which is not from 1 to " +
                                           std::to_string(most));
  }
  return e;
}

/// Whether both are of one bank and one size of image.
bool isSameCell(const TuningEntry& one, const TuningEntry& other) {
  return one.filterSize == other.filterSize && one.filterCount == other.filterCount &&
         one.side == other.side && one.srcType == other.srcType && one.dstType == other.dstType &&
         one.fused == other.fused;
}

/// In doublings.
double apart(double a, double b) { return std::fabs(std::log2(a / b)); }

/// How far an entry is from a problem, in doublings; nothing where it says nothing about it.
std::optional<double> distance(const TuningEntry& e, const ConvolutionProblem& p) {
  if (e.filterSize != p.filterWidth || e.filterSize != p.filterHeight || e.srcType != p.srcType ||
      e.dstType != p.dstType || e.fused != fusedOf(p.combine) || (e.filterCount == 1) != (p.filterCount == 1))
    return std::nullopt;
  const double filters = apart(p.filterCount, e.filterCount);
  // The side of the square that has as many pixels.
  const double sides = apart(std::sqrt(static_cast<double>(p.width) * p.height), e.side);
  if (filters > 1 || sides > 1.33) return std::nullopt;
  return filters + sides;
}

}  // namespace

std::string tuningFileName(const std::string& device) {
  std::string name;
  for (const char c : device) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (plain) name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (!plain && !name.empty() && name.back() != '-') name += '-';
  }
  return name + ".json";
}

std::string toJson(const TuningTable& table) {
  Json head = fileHead("tuning", TuningTable::schemaVersion);
  head["device"] = table.device;
  head["multiprocessors"] = table.multiprocessors;
  head["environment"] = toJsonValue(table.environment);
  std::string text = head.dump(1);
  text.erase(text.rfind('\n'));
  // One line an entry: such a file is read in a diff.
  const char* separator = "\n  ";
  text += ",\n \"entries\": [";
  for (const TuningEntry& e : table.entries) {
    text += separator + rowOf(e).dump();
    separator = ",\n  ";
  }
  return text + "\n ]\n}\n";
}

TuningTable readTuningTable(std::string_view json, const std::string& name) {
  const Json file = parseJsonText(json, name);
  try {
    requireFileHead(file, "tuning", TuningTable::schemaVersion);
    TuningTable table;
    table.device = file.at("device").get<std::string>();
    table.multiprocessors = file.at("multiprocessors").get<int>();
    table.environment = readEnvironment(file.at("environment"));
    for (const Json& row : file.at("entries")) table.entries.push_back(readEntry(row));
    return table;
  } catch (const Json::exception& error) {
    throw Error(ErrorCode::BadInput, name + ": " + error.what());
  } catch (const Error& error) {
    throw Error(error.code(), name + ": " + error.what());
  }
}

TuningTable keepUntouched(TuningTable measured, const TuningTable* known) {
  if (known == nullptr || known->device != measured.device ||
      known->multiprocessors != measured.multiprocessors)
    return measured;
  if (measured.entries.empty()) measured.environment = known->environment;
  const std::vector<TuningEntry> own = measured.entries;
  for (const TuningEntry& e : known->entries) {
    const bool again =
        std::any_of(own.begin(), own.end(), [&](const TuningEntry& m) { return isSameCell(m, e); });
    if (!again) measured.entries.push_back(e);
  }
  return measured;
}

Choice tunedChoice(const TuningTable& table, const ConvolutionProblem& p, int anchorX, int anchorY) {
  Choice choice;
  double nearest = 1e9;
  for (const TuningEntry& e : table.entries) {
    const auto far = distance(e, p);
    if (!far || *far >= nearest) continue;
    const int variant = findVariant(e.variant);
    if (variant < 0 || !fits(variants()[static_cast<std::size_t>(variant)], p, anchorX, anchorY)) continue;
    nearest = *far;
    // As many thread blocks a tile as the entry has.
    choice = {variant, ceilDiv(p.filterCount, ceilDiv(e.filterCount, e.filtersPerBlock)), e.tailOnly};
  }
  return choice;
}

const TuningTable* tuningTableFor(const std::string& device, int multiprocessors) {
  static const std::vector<TuningTable> tables = [] {
    std::vector<TuningTable> list;
    if (const char* file = std::getenv("BANKSIDE_TUNING"); file != nullptr && *file != '\0') {
      try {
        list.push_back(readTuningTable(readTextFile(file), file));
      } catch (const Error& error) {
        log(LogLevel::Warning, std::string("the tuning table is not used: ") + error.what());
      }
    }
    for (const char* text : shippedTuning) list.push_back(readTuningTable(text, "the shipped tuning table"));
    return list;
  }();
  for (const TuningTable& table : tables) {
    if (table.device == device && table.multiprocessors == multiprocessors) return &table;
  }
  return nullptr;
}

}  // namespace bankside::cuda
