#include <cctype>
#include <cmath>

#include "core/error.h"
#include "core/run/report_values.h"
#include "kernels/cuda/single_channel/tuning_table.h"

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
  e.filterSize = wholeNumber<int>(row.at("filter_size"));
  e.filterCount = wholeNumber<int>(row.at("filter_count"));
  e.side = wholeNumber<int>(row.at("size"));
  e.srcType = readType(row, "type");
  e.dstType = readType(row, "dst_type");
  e.fused = parseFused(row.at("fused").get<std::string>());
  e.variant = row.at("variant").get<std::string>();
  e.filtersPerBlock = wholeNumber<int>(row.at("filters_per_block"));
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
    table.multiprocessors = wholeNumber<int>(file.at("multiprocessors"));
    table.environment = readEnvironment(file.at("environment"));
    for (const Json& row : file.at("entries")) table.entries.push_back(readEntry(row));
    return table;
  } catch (const Json::exception& error) {
    throw Error(ErrorCode::BadInput, name + ": " + error.what());
  } catch (const Error& error) {
    throw Error(error.code(), name + ": " + error.what());
  }
}

}  // namespace bankside::cuda
