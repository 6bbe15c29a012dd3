#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/text.h"
#include "filters/bank_json.h"
#include "filters/formats/rows_text.h"

namespace bankside {
namespace {

std::string quoted(const std::string& text) {
  try {
    return nlohmann::json(text).dump();
  } catch (const nlohmann::json::exception&) {
    throw Error(ErrorCode::BadInput,
                "a text of this bank is not valid UTF-8, so it cannot be written as JSON");
  }
}

std::string number(double value) {
  const std::string text = formatNumber(value);
  return text == "-0" ? "-0.0" : text;  // "-0" would read back as the integer 0
}

/// "-0" would read back as the integer 0.
std::string jsonTap(float tap) {
  const std::string text = tapText(tap);
  return text == "-0" ? "-0.0" : text;
}

/// Taps with one image row a line, so that a person can see the filter.
void writeTaps(std::string& out, const Filter& f) {
  out += "      \"taps\": [";
  for (std::size_t i = 0; i < f.taps.size(); ++i) {
    if (i > 0) out += ",";
    out += i % static_cast<std::size_t>(f.width) == 0 ? "\n        " : " ";
    out += jsonTap(f.taps[i]);
  }
  out += "\n      ]\n";
}

void writeFilter(std::string& out, const Filter& f) {
  out += "    {\n      \"label\": " + quoted(f.label) + ",\n";
  out += "      \"channels\": " + std::to_string(f.channels) + ",\n";
  out += "      \"height\": " + std::to_string(f.height) + ",\n";
  out += "      \"width\": " + std::to_string(f.width) + ",\n";
  out += "      \"anchor\": {\"x\": " + std::to_string(f.anchorX) + ", \"y\": " + std::to_string(f.anchorY) +
         "},\n";
  if (f.orientation) out += "      \"orientation\": " + number(*f.orientation) + ",\n";
  if (f.scale) out += "      \"scale\": " + number(*f.scale) + ",\n";
  writeTaps(out, f);
  out += "    }";
}

}  // namespace

std::string writeBankJson(const FilterBank& bank) {
  const BankInfo& info = bank.info();
  std::string out = "{\n  \"schemaVersion\": " + std::to_string(bankSchemaVersion) + ",\n";
  out += "  \"title\": " + quoted(info.title) + ",\n";
  out += "  \"citation\": " + quoted(info.citation) + ",\n";
  out += "  \"generator\": " + quoted(info.generator) + ",\n";
  out += "  \"parameters\": {";
  const char* separator = "";
  for (const auto& [key, value] : info.parameters) {
    out += separator + quoted(key) + ": " + quoted(value);
    separator = ", ";
  }
  out += "},\n  \"mode\": " + quoted(toString(info.mode)) + ",\n";
  out += "  \"contentHash\": " + quoted(formatHash(bank.contentHash())) + ",\n";
  out += "  \"filters\": [\n";
  for (int i = 0; i < bank.size(); ++i) {
    writeFilter(out, bank[i]);
    out += i + 1 < bank.size() ? ",\n" : "\n";
  }
  return out + "  ]\n}\n";
}

}  // namespace bankside
