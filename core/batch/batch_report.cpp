#include "core/batch/batch_report.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/run/report_values.h"
#include "core/stopping.h"
#include "core/table.h"
#include "core/text.h"

namespace bankside {
namespace {

std::string microsecondsText(double seconds) { return std::to_string(std::llround(seconds * microseconds)); }

std::string line(const std::vector<std::string>& cells) { return Table(cells).csv(); }

std::string headLine() {
  return line({"id", "status", "attempt", "error", "class", "results", "result_bytes", "engine", "pages",
               "decode_us", "filter_us", "encode_us", "clipped_values", "non_finite_values", "max_abs_error",
               "notes"});
}

std::string lineOf(const JournalEntry& entry, std::int64_t bytes) {
  std::string notes;
  for (const std::string& note : entry.notes) notes += (notes.empty() ? "" : "; ") + note;
  return line({entry.id, entry.done ? "done" : "failed", std::to_string(entry.attempt), entry.error,
               entry.errorClass, std::to_string(entry.outputs.size()), std::to_string(bytes), entry.engine,
               std::to_string(entry.pages), microsecondsText(entry.decodeSeconds),
               microsecondsText(entry.filterSeconds), microsecondsText(entry.encodeSeconds),
               std::to_string(entry.clippedValues), std::to_string(entry.nonFiniteValues),
               entry.maxAbsError ? formatNumber(*entry.maxAbsError) : "", notes});
}

void addWorst(std::vector<BatchReport::Verified>& worst, const std::string& id, double error) {
  const auto at =
      std::find_if(worst.begin(), worst.end(), [&](const auto& w) { return w.maxAbsError < error; });
  worst.insert(at, {id, error});
  if (worst.size() > BatchReport::mostWorst) worst.pop_back();
}

std::int64_t add(BatchReport& report, const JournalEntry& entry) {
  std::int64_t bytes = 0;
  for (const BatchOutput& output : entry.outputs) bytes += output.bytes;
  report.results += static_cast<std::int64_t>(entry.outputs.size());
  report.resultBytes += bytes;
  report.clippedValues += entry.clippedValues;
  report.nonFiniteValues += entry.nonFiniteValues;
  report.decodeSeconds += entry.decodeSeconds;
  report.filterSeconds += entry.filterSeconds;
  report.encodeSeconds += entry.encodeSeconds;
  if (!entry.engine.empty()) ++report.engines[entry.engine];
  countNotes(entry, report.notes);
  if (entry.maxAbsError) {
    ++report.verified;
    addWorst(report.worst, entry.id, *entry.maxAbsError);
  }
  if (entry.done) {
    ++report.done;
  } else {
    ++report.failed;
    if (report.failures.size() < BatchReport::mostFailures)
      report.failures.push_back({entry.id, entry.error, entry.errorClass, entry.attempt});
  }
  return bytes;
}

}  // namespace

ReportBeginnings batchReportBeginnings() { return beginningsOf(BatchReport::fileKind, headLine()); }

BatchReport mergeJournals(const Manifest& manifest, const Ledger& ledger,
                          const std::function<void(const std::string&)>& csv) {
  BatchReport report;
  report.images = manifest.images();
  report.journals = ledger.journals();
  report.damagedLines = ledger.damagedLines();
  report.verifies = manifest.head().recipe.verify != VerifyLevel::Off;
  report.leftOut = manifest.leftOut();
  csv(headLine());
  manifest.forEach([&](std::int64_t number, const ManifestEntry& planned) {
    throwIfProgramStops();
    JournalEntry entry;
    bool known = ledger.attempts(number) > 0;
    if (known) {
      try {
        entry = ledger.read(number);
        known = entry.id == planned.id;
      } catch (const Error& error) {
        if (error.code() == ErrorCode::Io) throw;
        known = false;
      }
      if (!known) ++report.damagedLines;
    }
    if (known) {
      const std::int64_t bytes = add(report, entry);
      csv(lineOf(entry, bytes));
    } else {
      ++report.untried;
      csv(line({planned.id, "untried", "0", "", "", "0", "0", "", "0", "", "", "", "", "", "", ""}));
    }
    return true;
  });
  return report;
}

std::string toJson(const BatchReport& report, const Manifest& manifest, const std::string& command) {
  const ManifestHead& head = manifest.head();
  Json json = fileHead(BatchReport::fileKind, BatchReport::schemaVersion);
  json["command"] = command;
  json["program"] = head.program;
  json["manifest"] = manifest.path().string();
  json["manifest_hash"] = formatHash(manifest.hash());
  json["input"] = head.input;
  json["output"] = head.output;
  json["recipe"] = Json::parse(writeRecipe(head.recipe));
  json["images"] = report.images;
  json["done"] = report.done;
  json["failed"] = report.failed;
  json["untried"] = report.untried;
  json["results"] = report.results;
  json["result_bytes"] = report.resultBytes;
  json["decode_us"] = std::llround(report.decodeSeconds * microseconds);
  json["filter_us"] = std::llround(report.filterSeconds * microseconds);
  json["encode_us"] = std::llround(report.encodeSeconds * microseconds);
  json["clipped_values"] = report.clippedValues;
  json["non_finite_values"] = report.nonFiniteValues;
  json["engines"] = Json::object();
  for (const auto& [name, count] : report.engines) json["engines"][name] = count;
  json["verified"] = report.verified;
  json["left_out"] = Json::object();
  for (const auto& [kind, files] : report.leftOut.kinds) json["left_out"][kind] = files;
  json["notes"] = Json::array();
  for (const auto& [note, images] : report.notes)
    json["notes"].push_back({{"note", note}, {"images", images}});
  Json worst = Json::array();
  for (const auto& error : report.worst)
    worst.push_back({{"id", error.id}, {"max_abs_error", number(error.maxAbsError)}});
  json["worst"] = worst;
  Json failures = Json::array();
  for (const auto& failure : report.failures)
    failures.push_back({{"id", failure.id},
                        {"error", failure.error},
                        {"class", failure.errorClass},
                        {"attempt", failure.attempt}});
  json["failures"] = failures;
  json["journals"] = report.journals;
  json["damaged_lines"] = report.damagedLines;
  return finish(json);
}

std::string toText(const BatchReport& report) {
  std::string text = "done " + std::to_string(report.done) + " of " + counted(report.images, "image") +
                     ", failed " + std::to_string(report.failed) + ", untried " +
                     std::to_string(report.untried) + "; " + counted(report.results, "result") + ", " +
                     formatFixed(static_cast<double>(report.resultBytes) / 1e6, 1) + " MB\n";
  if (report.engines.size() > 1) {
    text += "engines:";
    for (const auto& [name, count] : report.engines) text += " " + name + " " + std::to_string(count);
    text += " (their last bits may differ)\n";
  }
  if (!report.leftOut.empty()) text += report.leftOut.sentence() + "\n";
  text += toText(report.notes);
  if (report.verifies && report.verified == 0)
    text += "verified 0 of " + counted(report.images, "image") + "\n";
  if (report.verified > 0)
    text += "verified " + std::to_string(report.verified) + " of " + counted(report.images, "image") +
            ", largest error " + formatNumber(static_cast<float>(report.worst.front().maxAbsError)) + " in " +
            report.worst.front().id + "\n";
  if (report.damagedLines > 0)
    text +=
        counted(report.damagedLines, "line") + " of journals cannot be read; their images count as untried\n";
  return text;
}

}  // namespace bankside
