#include "core/batch/ledger.h"

#include <sys/stat.h>

#include <cerrno>
#include <charconv>
#include <string_view>
#include <system_error>

#include "core/batch/line_file.h"
#include "core/error.h"
#include "core/folder.h"
#include "core/text.h"

namespace bankside {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t mostOpen = 256;    // journals; the others are opened for each line
constexpr std::size_t lineBytes = 1024;  // of most lines

struct LineStart {
  std::int64_t number = -1;
  int attempt = 0;
  bool done = false;
};

/// What a line of `toLine` begins with, without reading all of it.
std::optional<LineStart> startOf(std::string_view line) {
  LineStart start;
  const auto skip = [&](std::string_view text) {
    const bool there = line.starts_with(text);
    if (there) line.remove_prefix(text.size());
    return there;
  };
  const auto read = [&](auto& value) {
    const auto [end, failure] = std::from_chars(line.data(), line.data() + line.size(), value);
    line.remove_prefix(static_cast<std::size_t>(end - line.data()));
    return failure == std::errc{} && value >= 0;
  };
  if (!line.ends_with('}') || !skip("{\"n\":") || !read(start.number) || !skip(",\"attempt\":") ||
      !read(start.attempt) || !skip(",\"status\":\""))
    return std::nullopt;
  start.done = skip("done\"");
  if (!start.done && !skip("failed\"")) return std::nullopt;
  return start;
}

std::int64_t nanoseconds(const timespec& time) { return time.tv_sec * 1'000'000'000 + time.tv_nsec; }

}  // namespace

Ledger::Ledger(const Manifest& manifest) : slots_(index(manifest.images())) {
  std::error_code failure;
  const std::string start = formatHash(manifest.hash()) + ".";
  for (const fs::path& file : entriesOf(journalFolder(manifest.path()), failure)) {
    if (file.filename().string().starts_with(start) && file.extension() == ".jsonl") readFile(file);
  }
  if (failure && failure != std::errc::no_such_file_or_directory)
    throw Error(ErrorCode::Io, journalFolder(manifest.path()).string() + ": " + failure.message());
}

void Ledger::readFile(const fs::path& file) {
  const auto name = static_cast<std::uint32_t>(files_.size());
  files_.push_back(file);
  if (open_.size() + 1 == files_.size() && open_.size() < mostOpen)
    open_.push_back(std::make_unique<ReadableFile>(file));
  LineFile lines(file);
  std::string line;
  while (lines.next(line)) {
    if (lines.torn()) {
      ++torn_;
      continue;
    }
    const auto start = startOf(line);
    if (!start || index(start->number) >= slots_.size()) {
      ++damaged_;
      continue;
    }
    Slot& slot = slots_[index(start->number)];
    if (start->done && slot.done && start->attempt == slot.attempt) ++doneTwice_;
    if (start->attempt < slot.attempt || (start->attempt == slot.attempt && slot.done)) continue;
    slot = {lines.offset(), name, static_cast<std::uint16_t>(start->attempt), start->done};
  }
}

JournalEntry Ledger::read(std::int64_t number) const {
  const Slot& slot = slots_[index(number)];
  const std::string name = files_[slot.file].string();
  std::optional<ReadableFile> another;
  const ReadableFile& file = slot.file < open_.size() ? *open_[slot.file] : another.emplace(name);
  std::string line;
  for (auto end = std::string::npos; end == std::string::npos; end = line.find('\n')) {
    const std::size_t before = line.size();
    line.resize(before + lineBytes);
    line.resize(before + file.readSome(slot.offset + static_cast<std::int64_t>(before), line.data() + before,
                                       lineBytes));
    if (line.size() == before) file.damaged("became shorter while it was read");
  }
  line.resize(line.find('\n'));
  return parseJournalEntry(line, name);
}

ResultState stateOf(const JournalEntry& entry, const fs::path& output, bool content) {
  for (const BatchOutput& result : entry.outputs) {
    const fs::path file = output / result.file;
    struct stat status {};
    if (::stat(file.c_str(), &status) != 0) return ResultState::Missing;
    if (status.st_size != result.bytes) return ResultState::Torn;
    if (content && result.hash && *result.hash != hashOfFile(file)) return ResultState::Torn;
  }
  return ResultState::Present;
}

InputState stateOf(const ManifestEntry& entry, const fs::path& input, InputPlace place) {
  struct stat status {};
  if (::stat((input / entry.id).c_str(), &status) != 0) return InputState::Missing;
  const bool known = entry.bytes != 0 || entry.modified != 0;
  const bool same = status.st_size == entry.bytes &&
                    (place == InputPlace::Copied || nanoseconds(status.st_mtim) == entry.modified);
  return same || !known ? InputState::Same : InputState::Changed;
}

}  // namespace bankside
