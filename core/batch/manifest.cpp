#include "core/batch/manifest.h"

#include <cstdlib>
#include <optional>

#include "core/batch/line_file.h"
#include "core/error.h"
#include "core/json_text.h"
#include "core/printable.h"
#include "core/run/json_node.h"
#include "core/run/report_values.h"
#include "core/text.h"

namespace bankside {
namespace {

constexpr std::size_t bufferBytes = std::size_t{1} << 20;

std::string lineOf(const Json& json) {
  try {
    return json.dump() + "\n";
  } catch (const Json::exception&) {
    throw Error(ErrorCode::BadInput,
                printable(json.dump(-1, ' ', false, Json::error_handler_t::replace).substr(0, 200)) +
                    ": a name in it is no UTF-8, which no manifest holds; rename the file");
  }
}

std::string headLine(const ManifestHead& head) {
  Json banks = Json::array();
  for (const auto& bank : head.banks) banks.push_back({{"name", bank.name}, {"hash", formatHash(bank.hash)}});
  const std::string recipe = writeRecipe(head.recipe);
  Hash hash;
  hash.add(recipe);
  Json json = fileHead(ManifestHead::fileKind, ManifestHead::schemaVersion);
  json["program"] = head.program;
  json["input"] = head.input;
  json["output"] = head.output;
  json["recipe"] = Json::parse(recipe);
  json["recipe_hash"] = formatHash(hash.value());
  json["banks"] = banks;
  json["page"] = head.page;
  json["pixels_per_degree"] = head.pixelsPerDegree;
  json["max_pixels"] = head.maxPixels;
  json["sample"] = head.sample;
  return lineOf(json);
}

double anyNumber(const JsonNode& node) {
  if (!node.json().is_number()) node.fail("a number");
  return node.json().get<double>();
}

ManifestHead parseHead(const std::string& line, const std::string& name) {
  const Json json =
      asKind(name, "no manifest of bankside batch plan", [&] { return parseJsonText(line, name); });
  const JsonNode root(json, name, "");
  if (!json.is_object() || root.need("bankside", "\"manifest\"").json() != "manifest")
    root.fail("a manifest of bankside batch plan");
  if (const JsonNode version = root.need("schema_version", "1");
      version.json() != ManifestHead::schemaVersion)
    version.fail("1");
  ManifestHead head;
  head.program = root.need("program", "a version").text();
  head.input = root.need("input", "a folder").text();
  head.output = root.need("output", "a folder").text();
  head.recipe = parseRecipe(root.need("recipe", "a recipe").json().dump(), name);
  const JsonNode banks = root.need("banks", "a list");
  for (std::size_t i = 0; i < banks.size(); ++i) {
    const JsonNode bank = banks.element(i);
    const std::string hash = bank.need("hash", "16 digits").text();
    head.banks.push_back(
        {bank.need("name", "a bank's name").text(), std::strtoull(hash.c_str(), nullptr, 16)});
  }
  head.page = root.need("page", "a number").whole<int>();
  head.pixelsPerDegree = anyNumber(root.need("pixels_per_degree", "a number"));
  head.maxPixels = root.need("max_pixels", "a number").whole<std::int64_t>();
  head.sample = anyNumber(root.need("sample", "a number"));
  return head;
}

ManifestEntry parseEntry(const std::string& line, const std::string& name) {
  const Json json = parseJsonText(line, name);
  const JsonNode root(json, name, "");
  ManifestEntry entry;
  entry.id = root.need("id", "a path").text();
  entry.bytes = root.need("bytes", "a number").whole<std::int64_t>();
  entry.modified = root.need("mtime_ns", "a number").whole<std::int64_t>();
  if (const auto scale = root.child("pixels_per_degree")) entry.pixelsPerDegree = anyNumber(*scale);
  return entry;
}

std::string lastLine(std::int64_t images, const LeftOut& leftOut, const Hash& hash) {
  Json json = {{"images", images}};
  for (const auto& [kind, files] : leftOut.kinds) json["left_out"][kind] = files;
  json["hash"] = formatHash(hash.value());
  return json.dump();
}

LeftOut leftOutIn(const std::string& line, const std::string& name) {
  LeftOut leftOut;
  const Json json = parseJsonText(line, name);
  const auto there = json.find("left_out");
  if (there == json.end() || !there->is_object()) return leftOut;
  for (const auto& [kind, files] : there->items()) leftOut.kinds[kind] = wholeNumber<std::int64_t>(files);
  return leftOut;
}

/// The id of an entry's line without reading the rest; nothing where it has escapes.
std::optional<std::string_view> idIn(std::string_view line) {
  constexpr std::string_view start = "{\"id\":\"";
  if (!line.starts_with(start)) return std::nullopt;
  line.remove_prefix(start.size());
  const std::size_t end = line.find_first_of("\"\\");
  return end == std::string_view::npos || line[end] == '\\' ? std::nullopt
                                                            : std::optional(line.substr(0, end));
}

void addLine(Hash& hash, const std::string& line) {
  hash.addBytes(line.data(), line.size());
  hash.addBytes("\n", 1);
}

}  // namespace

ManifestWriter::ManifestWriter(const std::filesystem::path& file, const ManifestHead& head) : file_(file) {
  put(headLine(head));
}

void ManifestWriter::add(const ManifestEntry& entry) {
  Json json = {{"id", entry.id}, {"bytes", entry.bytes}, {"mtime_ns", entry.modified}};
  if (entry.pixelsPerDegree > 0) json["pixels_per_degree"] = entry.pixelsPerDegree;
  put(lineOf(json));
  ++images_;
}

void ManifestWriter::put(const std::string& text) {
  hash_.addBytes(text.data(), text.size());
  buffer_ += text;
  if (buffer_.size() >= bufferBytes) flush();
}

void ManifestWriter::flush() {
  file_.write(buffer_);
  buffer_.clear();
}

void ManifestWriter::finish(Existing existing, const LeftOut& leftOut) {
  buffer_ += lastLine(images_, leftOut, hash_) + "\n";
  flush();
  file_.commit(existing);
}

Manifest::Manifest(const std::filesystem::path& file) : path_(file) {
  LineFile lines(file);
  const auto refuse = [&](const std::string& sentence) {
    throw Error(ErrorCode::BadInput, path_.string() + ": " + sentence);
  };
  std::string line;
  if (!lines.next(line)) refuse("is empty, expected a manifest of bankside batch plan");
  if (!line.starts_with('{')) refuse("is no manifest of bankside batch plan");
  head_ = parseHead(line, path_.string());
  Hash hash;
  addLine(hash, line);
  std::string last;
  std::int64_t count = -1;  // of entries: lines but the last one
  while (lines.next(line)) {
    if (++count > 0) addLine(hash, last);
    last.swap(line);
  }
  if (count < 0 || lines.torn() || !last.starts_with("{\"images\":")) refuse("was cut short; plan again");
  try {
    leftOut_ = leftOutIn(last, path_.string());
  } catch (const Error&) {
    // Then it is not the line that is expected.
  }
  if (last != lastLine(count, leftOut_, hash)) refuse("was changed after it was planned; plan again");
  images_ = count;
  hash_ = hash.value();
}

void Manifest::forEach(const std::function<bool(std::int64_t, const ManifestEntry&)>& take,
                       const std::function<bool(std::string_view)>& wanted) const {
  LineFile lines(path_);
  const std::string name = path_.string();
  std::string line;
  lines.next(line);
  for (std::int64_t number = 0; number < images_ && lines.next(line); ++number) {
    const auto id = wanted ? idIn(line) : std::nullopt;
    if (id && !wanted(*id)) continue;
    const ManifestEntry entry = parseEntry(line, name);
    if (wanted && !id && !wanted(entry.id)) continue;
    if (!take(number, entry)) return;
  }
}

std::string stemOf(const std::string& id) {
  const std::filesystem::path path(id);
  return (path.parent_path() / path.stem()).string();
}

}  // namespace bankside
