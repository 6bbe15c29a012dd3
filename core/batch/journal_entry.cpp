#include "core/batch/journal_entry.h"

#include <cmath>
#include <cstdlib>
#include <iterator>
#include <set>

#include "core/hash.h"
#include "core/imageio/readable_file.h"
#include "core/json_text.h"
#include "core/printable.h"
#include "core/run/json_node.h"
#include "core/run/report_values.h"
#include "core/text.h"

namespace bankside {
namespace {

Json microsecondsOf(double seconds) { return std::llround(seconds * microseconds); }

double secondsIn(const JsonNode& root, const std::string& key) {
  const auto node = root.child(key);
  return node && node->json().is_number() ? node->json().get<double>() / microseconds : 0;
}

template <class Count>
void readCount(Count& count, const JsonNode& root, const std::string& key) {
  if (const auto node = root.child(key)) count = node->whole<Count>();
}

}  // namespace

std::string toLine(const JournalEntry& entry) {
  // What every reader looks at comes first.
  Json json = {{"n", entry.number},
               {"attempt", entry.attempt},
               {"status", entry.done ? "done" : "failed"},
               {"id", entry.id}};
  if (!entry.done) {
    json["error"] = entry.error;
    json["class"] = entry.errorClass;
  }
  Json outputs = Json::array();
  for (const BatchOutput& output : entry.outputs) {
    Json one = {{"file", output.file}, {"bytes", output.bytes}};
    if (output.hash) one["hash"] = formatHash(*output.hash);
    outputs.push_back(std::move(one));
  }
  json["outputs"] = std::move(outputs);
  if (!entry.notes.empty()) json["notes"] = entry.notes;
  if (!entry.engine.empty()) json["engine"] = entry.engine;
  json["pages"] = entry.pages;
  json["decode_us"] = microsecondsOf(entry.decodeSeconds);
  json["filter_us"] = microsecondsOf(entry.filterSeconds);
  json["encode_us"] = microsecondsOf(entry.encodeSeconds);
  if (entry.clippedValues > 0) json["clipped_values"] = entry.clippedValues;
  if (entry.nonFiniteValues > 0) json["non_finite_values"] = entry.nonFiniteValues;
  if (entry.maxAbsError) json["max_abs_error"] = bankside::number(*entry.maxAbsError);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

JournalEntry parseJournalEntry(const std::string& line, const std::string& name) {
  const Json json = parseJsonText(line, name);
  const JsonNode root(json, name, "");
  JournalEntry entry;
  if (!json.is_object()) root.fail("an entry of a journal");
  readCount(entry.number, root, "n");
  readCount(entry.attempt, root, "attempt");
  entry.done = root.need("status", "done or failed").text() == "done";
  entry.id = root.need("id", "a path").text();
  if (const auto error = root.child("error")) entry.error = error->text();
  if (const auto kind = root.child("class")) entry.errorClass = kind->text();
  const JsonNode outputs = root.need("outputs", "a list");
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const JsonNode one = outputs.element(i);
    BatchOutput output{.file = one.need("file", "a path").text()};
    readCount(output.bytes, one, "bytes");
    if (const auto hash = one.child("hash")) output.hash = std::strtoull(hash->text().c_str(), nullptr, 16);
    entry.outputs.push_back(std::move(output));
  }
  if (const auto notes = root.child("notes")) {
    for (std::size_t i = 0; i < notes->size(); ++i) entry.notes.push_back(notes->element(i).text());
  }
  if (const auto engine = root.child("engine")) entry.engine = engine->text();
  readCount(entry.pages, root, "pages");
  entry.decodeSeconds = secondsIn(root, "decode_us");
  entry.filterSeconds = secondsIn(root, "filter_us");
  entry.encodeSeconds = secondsIn(root, "encode_us");
  readCount(entry.clippedValues, root, "clipped_values");
  readCount(entry.nonFiniteValues, root, "non_finite_values");
  if (const auto error = root.child("max_abs_error"); error && error->json().is_number())
    entry.maxAbsError = error->json().get<double>();
  return entry;
}

void countNotes(const JournalEntry& entry, NoteCounts& notes) {
  const std::set<std::string> once(entry.notes.begin(), entry.notes.end());  // of pages, several times
  for (const std::string& note : once) {
    const bool room = notes.size() < mostNotes || notes.contains(note);
    ++notes[room ? note : "others; see the journals"];
  }
}

std::string toText(const NoteCounts& notes) {
  constexpr int most = 10;
  std::string text;
  int lines = 0;
  for (const auto& [note, images] : notes) {
    if (++lines > most) return text + "and " + counted(std::ssize(notes) - most, "other note") + "\n";
    text += counted(images, "image") + ": " + printable(note) + "\n";
  }
  return text;
}

std::uint64_t hashOfFile(const std::filesystem::path& path) {
  const ReadableFile file(path);
  std::vector<char> part(std::size_t{1} << 20);
  Hash hash;
  for (std::int64_t offset = 0; offset < file.size();) {
    const std::size_t got = file.readSome(offset, part.data(), part.size());
    if (got == 0) break;
    hash.addBytes(part.data(), got);
    offset += static_cast<std::int64_t>(got);
  }
  return hash.value();
}

}  // namespace bankside
