#include "kernels/cuda/tuning/tuning_table.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>

#include "core/error.h"
#include "core/log.h"
#include "core/text_file.h"
#include "kernels/cuda/tuning/shipped_tuning.h"

namespace bankside::cuda {
namespace {

using Json = nlohmann::ordered_json;

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

Json environmentJson(const Environment& environment) {
  Json json = Json::object();
  for (const auto& [name, value] : environment) json[name] = value;
  return json;
}

Environment readEnvironment(const Json& json) {
  Environment environment;
  for (const auto& [key, value] : json.items()) environment.emplace_back(key, value.get<std::string>());
  return environment;
}

double hundredths(double value) { return std::round(value * 100) / 100; }

/// One line an entry: such a file is read in a diff.
template <class Entries, class RowOf>
std::string lines(const Entries& entries, const char* indent, RowOf rowOf) {
  std::string text;
  for (const auto& e : entries) text += (text.empty() ? "\n" : ",\n") + (indent + Json(rowOf(e)).dump());
  return text;
}

/// What every entry ends with.
Json withTimes(Json row, const TunedTimes& e) {
  row["us"] = hundredths(e.microseconds);
  row["rule_us"] = hundredths(e.ruleMicroseconds);
  row["floor_us"] = hundredths(e.floorMicroseconds);
  return row;
}

Json cellRow(const TunedCell& e) {
  return {{"K", e.filterSize},
          {"F", e.filterCount},
          {"N", e.side},
          {"srcType", toString(e.srcType)},
          {"dstType", toString(e.dstType)},
          {"fused", fusedNames[static_cast<int>(e.fused)]}};
}

Json rowOf(const TuningEntry& e) {
  Json row = cellRow(e);
  row["variant"] = e.variant;
  row["filtersPerBlock"] = e.filtersPerBlock;
  row["tailOnly"] = e.tailOnly;
  return withTimes(std::move(row), e);
}

Json rowOf(const TensorTuningEntry& e) {
  Json row = cellRow(e);
  row["shifts"] = e.choice.shifts;
  row["rowStep"] = e.choice.rowStep;
  row["tapColumns"] = e.choice.tapColumns;
  return withTimes(std::move(row), e);
}

Json rowOf(const SummedTuningEntry& e) {
  return withTimes({{"K", e.filterSize},
                    {"C", e.channels},
                    {"F", e.filterCount},
                    {"N", e.side},
                    {"variant", e.variant},
                    {"filtersPerBlock", e.shape.filtersPerBlock},
                    {"tileHeight", e.shape.tileHeight},
                    {"tileWidth", e.shape.tileWidth},
                    {"channelsPerStep", e.shape.channelsPerStep},
                    {"filtersPerThread", e.shape.filtersPerThread},
                    {"pixelsPerThread", e.shape.pixelsPerThread},
                    {"parts", e.parts}},
                   e);
}

void readTimes(const Json& row, TunedTimes& e) {
  e.microseconds = row.at("us").get<double>();
  e.ruleMicroseconds = row.at("rule_us").get<double>();
  e.floorMicroseconds = row.at("floor_us").get<double>();
}

void readCell(const Json& row, TunedCell& e) {
  e.filterSize = row.at("K").get<int>();
  e.filterCount = row.at("F").get<int>();
  e.side = row.at("N").get<int>();
  e.srcType = readType(row, "srcType");
  e.dstType = readType(row, "dstType");
  e.fused = parseFused(row.at("fused").get<std::string>());
  readTimes(row, e);
  if (e.filterSize < 1 || e.filterCount < 1 || e.side < 1)
    throw Error(ErrorCode::BadInput, "an entry's K, F or N is below 1");
}

TuningEntry readEntry(const Json& row) {
  TuningEntry e;
  readCell(row, e);
  e.variant = row.at("variant").get<std::string>();
  e.filtersPerBlock = row.at("filtersPerBlock").get<int>();
  e.tailOnly = row.at("tailOnly").get<bool>();
  if (e.filtersPerBlock < 1) throw Error(ErrorCode::BadInput, "an entry's filtersPerBlock is below 1");
  return e;
}

TensorTuningEntry readTensorEntry(const Json& row) {
  TensorTuningEntry e;
  readCell(row, e);
  e.choice = {row.at("shifts").get<int>(), row.at("rowStep").get<int>(), row.at("tapColumns").get<int>()};
  if (e.choice.shifts < 1 || e.choice.rowStep < 1 || e.choice.tapColumns < 1)
    throw Error(ErrorCode::BadInput, "an entry's shifts, rowStep or tapColumns is below 1");
  return e;
}

SummedTuningEntry readSummedEntry(const Json& row) {
  SummedTuningEntry e;
  e.filterSize = row.at("K").get<int>();
  e.channels = row.at("C").get<int>();
  e.filterCount = row.at("F").get<int>();
  e.side = row.at("N").get<int>();
  e.variant = row.at("variant").get<std::string>();
  e.shape = {row.at("filtersPerBlock").get<int>(),  row.at("tileWidth").get<int>(),
             row.at("tileHeight").get<int>(),       row.at("channelsPerStep").get<int>(),
             row.at("filtersPerThread").get<int>(), row.at("pixelsPerThread").get<int>()};
  e.parts = row.at("parts").get<int>();
  readTimes(row, e);
  if (e.filterSize < 1 || e.channels < 1 || e.filterCount < 1 || e.side < 1 || e.parts < 1)
    throw Error(ErrorCode::BadInput, "an entry's K, C, F, N or parts is below 1");
  return e;
}

/// Entries of `known` that `same` finds in none of `measured`, behind those.
template <class Entry, class Same>
void addOthers(std::vector<Entry>& measured, const std::vector<Entry>& known, Same same) {
  const std::vector<Entry> own = measured;
  for (const Entry& e : known) {
    const bool again = std::any_of(own.begin(), own.end(), [&](const Entry& m) { return same(m, e); });
    if (!again) measured.push_back(e);
  }
}

/// How far an entry is from a problem, in doublings; nothing where it says nothing about it.
std::optional<double> distance(const TuningEntry& e, const ConvolutionProblem& p) {
  if (!isForBankOf(e, p) || (e.filterCount == 1) != (p.filterCount == 1)) return std::nullopt;
  const double filters = apart(p.filterCount, e.filterCount);
  const double sides = apart(sideOf(p), e.side);
  if (filters > 1 || sides > 1.33) return std::nullopt;
  return filters + sides;
}

/// A kind of entries that is measured in runs of its own.
template <class Kind>
std::string kindText(const char* name, const Kind& kind) {
  if (kind.entries.empty()) return "";
  return ",\n \"" + std::string(name) +
         "\": {\n  \"environment\": " + environmentJson(kind.environment).dump() + ",\n  \"entries\": [" +
         lines(kind.entries, "   ", [](const auto& e) { return rowOf(e); }) + "\n  ]\n }";
}

template <class Kind, class ReadRow>
void readKind(const Json& file, const char* name, Kind& kind, ReadRow readRow) {
  if (!file.contains(name)) return;
  kind.environment = readEnvironment(file.at(name).at("environment"));
  for (const Json& row : file.at(name).at("entries")) kind.entries.push_back(readRow(row));
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
  const Json head = {{"bankside", "tuning"},
                     {"schemaVersion", TuningTable::schemaVersion},
                     {"device", table.device},
                     {"multiprocessors", table.multiprocessors},
                     {"environment", environmentJson(table.environment)}};
  std::string text = head.dump(1);
  text.erase(text.rfind('\n'));
  const auto line = [](const auto& entry) { return rowOf(entry); };
  text += ",\n \"entries\": [" + lines(table.entries, "  ", line) + "\n ]";
  text += kindText("summed", table.summed) + kindText("tensor", table.tensor);
  return text + "\n}\n";
}

TuningTable readTuningTable(std::string_view json, const std::string& name) {
  try {
    const Json file = Json::parse(json);
    if (file.at("bankside") != "tuning") throw Error(ErrorCode::BadInput, "it is no tuning table");
    requireSchemaVersion(file.at("schemaVersion").get<int>(), TuningTable::schemaVersion);
    TuningTable table;
    table.device = file.at("device").get<std::string>();
    table.multiprocessors = file.at("multiprocessors").get<int>();
    table.environment = readEnvironment(file.at("environment"));
    for (const Json& row : file.at("entries")) table.entries.push_back(readEntry(row));
    readKind(file, "summed", table.summed, readSummedEntry);
    readKind(file, "tensor", table.tensor, readTensorEntry);
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
  if (measured.summed.entries.empty()) measured.summed.environment = known->summed.environment;
  if (measured.tensor.entries.empty()) measured.tensor.environment = known->tensor.environment;
  addOthers(measured.entries, known->entries, isSameCell);
  addOthers(measured.tensor.entries, known->tensor.entries, isSameCell);
  addOthers(measured.summed.entries, known->summed.entries,
            [](const SummedTuningEntry& one, const SummedTuningEntry& other) {
              const auto cell = [](const SummedTuningEntry& e) {
                return std::tuple(e.filterSize, e.channels, e.filterCount, e.side);
              };
              return cell(one) == cell(other);
            });
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
