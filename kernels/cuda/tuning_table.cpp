#include "kernels/cuda/tuning_table.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>

#include "core/error.h"
#include "core/log.h"
#include "kernels/cuda/shipped_tuning.h"

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

Json rowOf(const TuningEntry& e) {
  return {{"K", e.filterSize},
          {"F", e.filterCount},
          {"N", e.side},
          {"srcType", toString(e.srcType)},
          {"dstType", toString(e.dstType)},
          {"fused", fusedNames[static_cast<int>(e.fused)]},
          {"variant", e.variant},
          {"filtersPerBlock", e.filtersPerBlock},
          {"tailOnly", e.tailOnly},
          {"us", hundredths(e.microseconds)},
          {"rule_us", hundredths(e.ruleMicroseconds)},
          {"floor_us", hundredths(e.floorMicroseconds)}};
}

Json rowOf(const SummedTuningEntry& e) {
  return {{"K", e.filterSize},
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
          {"parts", e.parts},
          {"us", hundredths(e.microseconds)},
          {"rule_us", hundredths(e.ruleMicroseconds)},
          {"floor_us", hundredths(e.floorMicroseconds)}};
}

template <class Entry>
void readTimes(const Json& row, Entry& e) {
  e.microseconds = row.at("us").get<double>();
  e.ruleMicroseconds = row.at("rule_us").get<double>();
  e.floorMicroseconds = row.at("floor_us").get<double>();
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

/// Entries of `known` whose cell, as `cellOf` has it, is none of `measured`'s, behind those.
template <class Entry, class CellOf>
void addOthers(std::vector<Entry>& measured, const std::vector<Entry>& known, CellOf cellOf) {
  const std::vector<Entry> own = measured;
  for (const Entry& e : known) {
    const bool again =
        std::any_of(own.begin(), own.end(), [&](const Entry& m) { return cellOf(m) == cellOf(e); });
    if (!again) measured.push_back(e);
  }
}

/// How far an entry is from a problem, in doublings; nothing where it says nothing about it.
std::optional<double> distance(const TuningEntry& e, const ConvolutionProblem& p) {
  if (e.filterSize != p.filterWidth || e.filterSize != p.filterHeight || e.srcType != p.srcType ||
      e.dstType != p.dstType || e.fused != fusedOf(p.combine))
    return std::nullopt;
  if ((e.filterCount == 1) != (p.filterCount == 1)) return std::nullopt;
  const double filters = std::fabs(std::log2(static_cast<double>(p.filterCount) / e.filterCount));
  const double sides = std::fabs(std::log2(std::sqrt(static_cast<double>(p.width) * p.height) / e.side));
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
  const Json head = {{"bankside", "tuning"},
                     {"schemaVersion", TuningTable::schemaVersion},
                     {"device", table.device},
                     {"multiprocessors", table.multiprocessors},
                     {"environment", environmentJson(table.environment)}};
  std::string text = head.dump(1);
  text.erase(text.rfind('\n'));
  const auto line = [](const auto& entry) { return rowOf(entry); };
  text += ",\n \"entries\": [" + lines(table.entries, "  ", line) + "\n ]";
  if (!table.summed.entries.empty()) {
    text += ",\n \"summed\": {\n  \"environment\": " + environmentJson(table.summed.environment).dump() +
            ",\n  \"entries\": [" + lines(table.summed.entries, "   ", line) + "\n  ]\n }";
  }
  return text + "\n}\n";
}

TuningTable readTuningTable(std::string_view json, const std::string& name) {
  try {
    const Json file = Json::parse(json);
    if (file.at("bankside") != "tuning") throw Error(ErrorCode::BadInput, "it is no tuning table");
    if (file.at("schemaVersion") != TuningTable::schemaVersion)
      throw Error(ErrorCode::BadInput,
                  "its schema version is not " + std::to_string(TuningTable::schemaVersion));
    TuningTable table;
    table.device = file.at("device").get<std::string>();
    table.multiprocessors = file.at("multiprocessors").get<int>();
    table.environment = readEnvironment(file.at("environment"));
    for (const Json& row : file.at("entries")) {
      TuningEntry e;
      e.filterSize = row.at("K").get<int>();
      e.filterCount = row.at("F").get<int>();
      e.side = row.at("N").get<int>();
      e.srcType = readType(row, "srcType");
      e.dstType = readType(row, "dstType");
      e.fused = parseFused(row.at("fused").get<std::string>());
      e.variant = row.at("variant").get<std::string>();
      e.filtersPerBlock = row.at("filtersPerBlock").get<int>();
      e.tailOnly = row.at("tailOnly").get<bool>();
      readTimes(row, e);
      if (e.filterSize < 1 || e.filterCount < 1 || e.side < 1 || e.filtersPerBlock < 1)
        throw Error(ErrorCode::BadInput, "an entry's K, F, N or filtersPerBlock is below 1");
      table.entries.push_back(std::move(e));
    }
    if (file.contains("summed")) {
      const Json& summed = file.at("summed");
      table.summed.environment = readEnvironment(summed.at("environment"));
      for (const Json& row : summed.at("entries")) table.summed.entries.push_back(readSummedEntry(row));
    }
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
  addOthers(measured.entries, known->entries, [](const TuningEntry& e) {
    return std::tuple(e.filterSize, e.filterCount, e.side, e.srcType, e.dstType, e.fused);
  });
  addOthers(measured.summed.entries, known->summed.entries, [](const SummedTuningEntry& e) {
    return std::tuple(e.filterSize, e.channels, e.filterCount, e.side);
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
        std::ifstream in(file, std::ios::binary);
        if (!in) throw Error(ErrorCode::Io, std::string(file) + ": cannot be read");
        const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
        list.push_back(readTuningTable(text, file));
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
