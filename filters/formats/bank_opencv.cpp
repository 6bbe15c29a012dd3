/// OpenCV's FileStorage: every matrix of a YAML or JSON document is a filter of its name.
///
/// `filter2D` slides a matrix as it stands, with the anchor at (cols/2, rows/2). Values that are no matrix
/// are passed over. Source  OpenCV's manual, "XML/YAML file storages".
#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "core/error.h"
#include "core/json_text.h"
#include "core/run/json_node.h"
#include "core/text_file.h"
#include "filters/formats/bank_formats.h"
#include "filters/formats/format_entries.h"
#include "filters/formats/limits.h"
#include "filters/formats/rows_text.h"
#include "filters/formats/text_scanner.h"

namespace bankside {
namespace {

constexpr const char* elements = "u, c, w, s, i, f, d or h: one number an element";

bool isElement(std::string_view dt) {
  if (dt.starts_with('1')) dt.remove_prefix(1);
  return dt.size() == 1 && std::string_view("ucwsifdh").find(dt) != std::string_view::npos;
}

bool fitForLabel(std::string_view name) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-' || c == '+';
  };
  return !name.empty() && name.size() <= 100 && name[0] != '.' && std::all_of(name.begin(), name.end(), fits);
}

/// Filters under their own names, where those can be labels and are free.
class Matrices {
 public:
  void add(std::string_view name, int rows, int columns, std::vector<float> taps) {
    const std::string base =
        fitForLabel(name) ? std::string(name) : "filter" + std::to_string(filters_.size());
    std::string label = base;
    for (int other = 2; !labels_.insert(label).second; ++other)
      label = base.substr(0, 90) + "-" + std::to_string(other);
    filters_.push_back(makeFilter(std::move(label), rows, columns, std::move(taps)));
  }
  FilterBank bank(const std::string& name) {
    if (filters_.empty())
      throw Error(ErrorCode::BadInput, name + ": has no matrix at its top level, expected an opencv-matrix");
    return FilterBank({.name = name, .title = "Matrices of an OpenCV FileStorage"}, std::move(filters_));
  }

 private:
  std::vector<Filter> filters_;
  std::set<std::string> labels_;
};

constexpr std::string_view blanks = " \t";
constexpr std::string_view white = " \t\n";
constexpr std::string_view ends = " \t,]";

/// "rows: 3" and so on, in any order, then "data: [ ... ]".
void readYamlMatrix(TextScanner& text, const std::string& name, Matrices& matrices) {
  int rows = 0, columns = 0;
  bool typed = false;
  while (true) {
    text.skip(white);
    if (text.take("rows:")) {
      text.skip(blanks);
      rows = text.integer(blanks, 1, maxFilterSide);
    } else if (text.take("cols:")) {
      text.skip(blanks);
      columns = text.integer(blanks, 1, maxFilterSide);
    } else if (text.take("dt:")) {
      text.skip(blanks);
      text.take("\"");
      const std::size_t place = text.place();
      typed = isElement(text.until(" \t\""));
      if (!typed) text.expectedAt(place, elements);
      text.take("\"");
    } else {
      break;
    }
    text.skip(blanks);
    if (!text.atEnd()) text.expect("\n");
  }
  if (!text.rest().starts_with("data:")) text.expected("rows:, cols:, dt: or data:");
  if (rows == 0 || columns == 0 || !typed) text.refuse("found data: before all of rows:, cols: and dt:");
  text.expect("data:");
  text.skip(white);
  text.expect("[");
  const std::size_t count = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  std::vector<float> taps;
  while (true) {
    text.skip(white);
    if (taps.size() == count) break;
    taps.push_back(static_cast<float>(text.number(ends)));
    text.skip(white);
    if (taps.size() < count) text.expect(",");
  }
  if (!text.take("]"))
    text.expected("\"]\" after " + std::to_string(rows) + " x " + std::to_string(columns) + " numbers");
  matrices.add(name, rows, columns, std::move(taps));
}

FilterBank parseYaml(std::string bytes, const std::string& file) {
  TextScanner text(file, std::move(bytes));
  text.skip(white);
  if (!text.take("%YAML:1.0") && !text.take("%YAML 1.0"))
    text.expected("\"%YAML:1.0\", as OpenCV begins a file");
  text.skip(white);
  text.expect("---");
  Matrices matrices;
  int filters = 0;
  bool lineStart = false;
  while (!text.atEnd()) {
    if (text.take("\n")) {
      lineStart = true;
      continue;
    }
    // What is indented belongs to a value that is passed over.
    if (!lineStart || text.peek() == ' ' || text.peek() == '\t' || text.peek() == '#' ||
        text.rest().starts_with("...")) {
      text.until("");
      continue;
    }
    lineStart = false;
    text.take("\"");
    const std::string name(text.until(":\""));
    text.take("\"");
    text.expect(":");
    text.skip(blanks);
    if (!text.take("!!opencv-matrix")) continue;
    if (++filters > maxFilterCount)
      text.refuse("found more than " + std::to_string(maxFilterCount) + " matrices");
    readYamlMatrix(text, name, matrices);
  }
  return matrices.bank(file);
}

bool isMatrix(const Json& value) {
  return value.is_object() && value.contains("type_id") && value["type_id"] == "opencv-matrix";
}

int sideOf(const JsonNode& matrix, const char* key) {
  const JsonNode node = matrix.need(key, "a number of rows and columns");
  const double side = node.json().is_number() ? node.json().get<double>() : 0;
  if (side < 1 || side > maxFilterSide || side != std::floor(side))
    node.fail("a whole number from 1 to " + std::to_string(maxFilterSide));
  return static_cast<int>(side);
}

FilterBank parseJson(const std::string& text, const std::string& file) {
  const Json tree = parseJsonText(text, file);
  const JsonNode root(tree, file, "");
  if (!tree.is_object()) root.fail("an object of matrices");
  Matrices matrices;
  for (const auto& [name, value] : tree.items()) {
    if (!isMatrix(value)) continue;
    const JsonNode matrix(value, file, pointerStep(name));
    const int rows = sideOf(matrix, "rows");
    const int columns = sideOf(matrix, "cols");
    const JsonNode dt = matrix.need("dt", elements);
    if (!isElement(dt.text())) dt.fail(elements);
    const JsonNode data = matrix.need("data", "the numbers");
    const std::size_t count = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
    if (data.size() != count) data.fail("a list of " + std::to_string(count) + " numbers");
    std::vector<float> taps;
    for (std::size_t i = 0; i < count; ++i) {
      const JsonNode tap = data.element(i);
      if (!tap.json().is_number() || !(std::fabs(tap.json().get<double>()) < roundsToInfinity))
        tap.fail("a number that fits 32-bit float");
      taps.push_back(static_cast<float>(tap.json().get<double>()));
    }
    matrices.add(name, rows, columns, std::move(taps));
  }
  return matrices.bank(file);
}

FilterBank readFileStorage(const std::filesystem::path& file) {
  return parseFileStorage(readTextFile(file, maxBankFileBytes), file.string());
}

/// With a point, as OpenCV tells reals from whole numbers.
std::string realText(float tap) {
  const std::string text = tapText(tap);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string dataText(const Filter& f, const std::string& lineStart) {
  std::string text;
  for (int y = 0; y < f.height; ++y) {
    text += (y > 0 ? ",\n" : "\n") + lineStart;
    for (int x = 0; x < f.width; ++x) text += (x > 0 ? ", " : "") + realText(f.tap(0, y, x));
  }
  return text;
}

std::string yamlText(const FilterBank& bank) {
  std::string text = "%YAML:1.0\n---\n";
  for (const Filter& f : bank.filters()) {
    text += f.label + ": !!opencv-matrix\n   rows: " + std::to_string(f.height) +
            "\n   cols: " + std::to_string(f.width) + "\n   dt: f\n   data: [" + dataText(f, "       ") +
            " ]\n";
  }
  return text;
}

std::string jsonText(const FilterBank& bank) {
  std::string text = "{";
  for (const Filter& f : bank.filters()) {
    text += (text.size() > 1 ? ",\n    \"" : "\n    \"") + f.label +
            "\": {\n        \"type_id\": \"opencv-matrix\",\n        \"rows\": " + std::to_string(f.height) +
            ",\n        \"cols\": " + std::to_string(f.width) +
            ",\n        \"dt\": \"f\",\n        \"data\": [" + dataText(f, "            ") +
            "\n        ]\n    }";
  }
  return text + "\n}\n";
}

}  // namespace

FilterBank parseFileStorage(std::string text, const std::string& name) {
  const std::size_t first = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  if (first != std::string::npos && text[first] == '{') return parseJson(text, name);
  return parseYaml(std::move(text), name);
}

bool isFileStorageJson(const std::string& text) {
  return text.find("\"opencv-matrix\"") != std::string::npos &&
         text.find("\"schemaVersion\"") == std::string::npos;
}

BankFormat yamlFormat() {
  return {.name = "opencv-yaml",
          .title = "matrices of OpenCV's FileStorage as YAML",
          .endings = ".yml .yaml",
          .warning = "",
          .read = readFileStorage,
          .write = yamlText};
}

BankFormat jsonFormat() {
  return {.name = "opencv-json",
          .title = "the same as JSON",
          .endings = "",
          .warning = "",
          .read = readFileStorage,
          .write = jsonText};
}

}  // namespace bankside
