#include "kernels/cuda/tuning/tuning_table.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <tuple>

#include "core/error.h"
#include "core/log.h"
#include "core/run/report_values.h"
#include "core/text_file.h"
#include "kernels/cuda/tuning/shipped_tuning.h"

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
  return {{"filter_size", e.filterSize},
          {"filter_count", e.filterCount},
          {"size", e.side},
          {"type", toString(e.srcType)},
          {"dst_type", toString(e.dstType)},
          {"fused", fusedNames[static_cast<int>(e.fused)]}};
}

Json rowOf(const TuningEntry& e) {
  Json row = cellRow(e);
  row["variant"] = e.variant;
  row["filters_per_block"] = e.filtersPerBlock;
  row["tail_only"] = e.tailOnly;
  return withTimes(std::move(row), e);
}

Json rowOf(const TensorTuningEntry& e) {
  Json row = cellRow(e);
  row["shifts"] = e.choice.shifts;
  row["row_step"] = e.choice.rowStep;
  row["tap_columns"] = e.choice.tapColumns;
  return withTimes(std::move(row), e);
}

Json rowOf(const SummedTuningEntry& e) {
  return withTimes({{"filter_size", e.filterSize},
                    {"channels", e.channels},
                    {"filter_count", e.filterCount},
                    {"size", e.side},
                    {"variant", e.variant},
                    {"filters_per_block", e.shape.filtersPerBlock},
                    {"tile_height", e.shape.tileHeight},
                    {"tile_width", e.shape.tileWidth},
                    {"channels_per_step", e.shape.channelsPerStep},
                    {"filters_per_thread", e.shape.filtersPerThread},
                    {"pixels_per_thread", e.shape.pixelsPerThread},
                    {"parts", e.parts}},
                   e);
}

void readTimes(const Json& row, TunedTimes& e) {
  e.microseconds = row.at("us").get<double>();
  e.ruleMicroseconds = row.at("rule_us").get<double>();
  e.floorMicroseconds = row.at("floor_us").get<double>();
}

void readCell(const Json& row, TunedCell& e) {
  e.filterSize = row.at("filter_size").get<int>();
  e.filterCount = row.at("filter_count").get<int>();
  e.side = row.at("size").get<int>();
  e.srcType = readType(row, "type");
  e.dstType = readType(row, "dst_type");
  e.fused = parseFused(row.at("fused").get<std::string>());
  readTimes(row, e);
  if (e.filterSize < 1 || e.filterCount < 1 || e.side < 1)
    throw Error(ErrorCode::BadInput, "an entry's filter_size, filter_count or size is below 1");
}

TuningEntry readEntry(const Json& row) {
  TuningEntry e;
  readCell(row, e);
  e.variant = row.at("variant").get<std::string>();
  e.filtersPerBlock = row.at("filters_per_block").get<int>();
  e.tailOnly = row.at("tail_only").get<bool>();
  if (e.filtersPerBlock < 1) throw Error(ErrorCode::BadInput, "an entry's filters_per_block is below 1");
  return e;
}

TensorTuningEntry readTensorEntry(const Json& row) {
  TensorTuningEntry e;
  readCell(row, e);
  e.choice = {row.at("shifts").get<int>(), row.at("row_step").get<int>(), row.at("tap_columns").get<int>()};
  if (e.choice.shifts < 1 || e.choice.rowStep < 1 || e.choice.tapColumns < 1)
    throw Error(ErrorCode::BadInput, "an entry's shifts, row_step or tap_columns is below 1");
  return e;
}

SummedTuningEntry readSummedEntry(const Json& row) {
  SummedTuningEntry e;
  e.filterSize = row.at("filter_size").get<int>();
  e.channels = row.at("channels").get<int>();
  e.filterCount = row.at("filter_count").get<int>();
  e.side = row.at("size").get<int>();
  e.variant = row.at("variant").get<std::string>();
  e.shape = {row.at("filters_per_block").get<int>(),  row.at("tile_width").get<int>(),
             row.at("tile_height").get<int>(),        row.at("channels_per_step").get<int>(),
             row.at("filters_per_thread").get<int>(), row.at("pixels_per_thread").get<int>()};
  e.parts = row.at("parts").get<int>();
  readTimes(row, e);
  if (e.filterSize < 1 || e.channels < 1 || e.filterCount < 1 || e.side < 1 || e.parts < 1)
    throw Error(ErrorCode::BadInput,
                "an entry's filter_size, channels, filter_count, size or parts is below 1");
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
  return ",\n \"" + std::string(name) + "\": {\n  \"environment\": " + toJsonValue(kind.environment).dump() +
         ",\n  \"entries\": [" + lines(kind.entries, "   ", [](const auto& e) { return rowOf(e); }) +
         "\n  ]\n }";
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
  Json head = fileHead("tuning", TuningTable::schemaVersion);
  head["device"] = table.device;
  head["multiprocessors"] = table.multiprocessors;
  head["environment"] = toJsonValue(table.environment);
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
    requireFileHead(file, "tuning", TuningTable::schemaVersion);
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
