#include "core/batch/audit.h"

#include <dirent.h>

#include <algorithm>
#include <optional>

#include "core/error.h"
#include "core/folder.h"
#include "core/hash.h"
#include "core/imageio/image_io.h"
#include "core/printable.h"
#include "core/run/report_values.h"
#include "core/stopping.h"
#include "core/text.h"

namespace bankside {
namespace {

namespace fs = std::filesystem;

std::uint64_t hashOf(const std::string& text) {
  Hash hash;
  hash.add(text);
  return hash.value();
}

class Auditor {
 public:
  Auditor(const Ledger& ledger, const fs::path& input, const fs::path& output, InputPlace place, bool content)
      : ledger_(ledger), input_(input), output_(output), place_(place), content_(content) {}

  Audit run(const Manifest& manifest) {
    audit_.images = manifest.images();
    manifest.forEach([&](std::int64_t number, const ManifestEntry& entry) {
      throwIfProgramStops();
      look(number, entry);
      return true;
    });
    findDuplicates();
    walk("");
    if (ledger_.damagedLines() > 0) audit_.count(Finding::Damaged) += ledger_.damagedLines();
    if (ledger_.doneTwice() > 0) audit_.count(Finding::Duplicate) += ledger_.doneTwice();
    return std::move(audit_);
  }

 private:
  void find(Finding finding, const std::string& what) {
    if (++audit_.count(finding) <= Audit::mostExamples) audit_.examples.push_back({finding, what});
  }

  std::optional<JournalEntry> entryOf(std::int64_t number, const ManifestEntry& planned) {
    try {
      JournalEntry entry = ledger_.read(number);
      if (entry.id == planned.id) return entry;
    } catch (const Error&) {
    }
    find(Finding::Damaged, planned.id);
    return std::nullopt;
  }

  void look(std::int64_t number, const ManifestEntry& planned) {
    if (ledger_.attempts(number) == 0) return find(Finding::Untried, planned.id);
    const auto entry = entryOf(number, planned);
    if (!entry) return;
    for (const BatchOutput& result : entry->outputs) claims_.push_back(hashOf(result.file));
    if (!entry->done) return find(Finding::Failed, planned.id + ": " + entry->error);
    audit_.results += static_cast<std::int64_t>(entry->outputs.size());
    const ResultState state = stateOf(*entry, output_, content_);
    if (state == ResultState::Missing) return find(Finding::Missing, planned.id);
    if (state == ResultState::Torn) return find(Finding::Torn, planned.id);
    if (content_)
      audit_.unhashed += std::count_if(entry->outputs.begin(), entry->outputs.end(),
                                       [](const BatchOutput& result) { return !result.hash; });
    if (stateOf(planned, input_, place_) == InputState::Changed) return find(Finding::Stale, planned.id);
    ++audit_.done;
  }

  void findDuplicates() {
    std::sort(claims_.begin(), claims_.end());
    for (auto at = std::adjacent_find(claims_.begin(), claims_.end()); at != claims_.end();
         at = std::adjacent_find(at + 1, claims_.end()))
      ++audit_.count(Finding::Duplicate);
  }

  void walk(const std::string& prefix) {
    std::error_code failure;
    std::vector<std::string> folders;
    forEachEntry(output_ / prefix, failure, [&](const char* name, unsigned char type) {
      const std::string file = prefix + name;
      if (type == DT_DIR || (type == DT_UNKNOWN && fs::is_directory(output_ / file))) {
        folders.push_back(file + "/");
      } else if (name[0] == '.' && file.ends_with(".part")) {
        find(Finding::Part, file);
      } else if (looksLikeImageFile(name) &&
                 !std::binary_search(claims_.begin(), claims_.end(), hashOf(file))) {
        find(Finding::Unexpected, file);
      }
    });
    if (failure && failure != std::errc::no_such_file_or_directory)
      throw Error(ErrorCode::Io, (output_ / prefix).string() + ": " + failure.message());
    std::sort(folders.begin(), folders.end());
    for (const std::string& folder : folders) walk(folder);
  }

  const Ledger& ledger_;
  const fs::path& input_;
  const fs::path& output_;
  InputPlace place_;
  bool content_;
  std::vector<std::uint64_t> claims_;
  Audit audit_;
};

}  // namespace

const char* toString(Finding finding) {
  switch (finding) {
    case Finding::Untried: return "untried";
    case Finding::Failed: return "failed";
    case Finding::Missing: return "missing";
    case Finding::Torn: return "torn";
    case Finding::Stale: return "stale";
    case Finding::Duplicate: return "duplicate";
    case Finding::Unexpected: return "unexpected";
    case Finding::Part: return "part";
    case Finding::Damaged: return "damaged";
  }
  return "?";
}

Audit audit(const Manifest& manifest, const Ledger& ledger, const fs::path& input, const fs::path& output,
            bool content) {
  const InputPlace place = input == manifest.head().input ? InputPlace::Planned : InputPlace::Copied;
  return Auditor(ledger, input, output, place, content).run(manifest);
}

std::string toJson(const Audit& audit, const Manifest& manifest) {
  Json json = fileHead(Audit::fileKind, 1);
  json["manifest"] = manifest.path().string();
  json["manifest_hash"] = formatHash(manifest.hash());
  json["clean"] = audit.clean();
  json["images"] = audit.images;
  json["done"] = audit.done;
  json["results"] = audit.results;
  json["results_without_hash"] = audit.unhashed;
  for (int i = 0; i < findingCount; ++i)
    json[toString(static_cast<Finding>(i))] = audit.counts[static_cast<std::size_t>(i)];
  Json examples = Json::array();
  for (const Audit::Example& example : audit.examples)
    examples.push_back({{"finding", toString(example.finding)}, {"what", example.what}});
  json["examples"] = examples;
  return finish(json);
}

std::string toText(const Audit& audit) {
  std::string text = "done " + std::to_string(audit.done) + " of " + counted(audit.images, "image") + ", " +
                     counted(audit.results, "result") + (audit.clean() ? ": clean\n" : "\n");
  if (audit.unhashed > 0)
    text += "not verified: " + counted(audit.unhashed, "result") +
            ", of which the journals have no hash (give --verify-done hash to every run): only sizes were "
            "looked at\n";
  for (int i = 0; i < findingCount; ++i) {
    const auto finding = static_cast<Finding>(i);
    const std::int64_t count = audit.counts[static_cast<std::size_t>(i)];
    if (count == 0) continue;
    text += std::string(toString(finding)) + ": " + std::to_string(count) + "\n";
    for (const Audit::Example& example : audit.examples) {
      if (example.finding == finding) text += "  " + printable(example.what) + "\n";
    }
    if (count > Audit::mostExamples) text += "  ...\n";
  }
  return text;
}

}  // namespace bankside
