#include "tests/fuzz/parsers.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/batch/csv_rows.h"
#include "core/batch/image_list.h"
#include "core/batch/journal_entry.h"
#include "core/batch/manifest.h"
#include "core/bench/bench_report.h"
#include "core/bench/paper_claims.h"
#include "core/error.h"
#include "core/evaluate/evaluation_report.h"
#include "core/hash.h"
#include "core/imageio/image_io.h"
#include "core/imageio/image_stream.h"
#include "core/problem.h"
#include "core/run/recipe.h"
#include "core/text.h"
#include "filters/bank_json.h"
#include "filters/catalog.h"
#include "filters/formats/bank_array.h"
#include "filters/formats/bank_formats.h"
#include "kernels/cuda/single_channel/tuning_table.h"

namespace bankside::fuzz {
namespace {

std::string_view textOf(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

/// A file that only memory has.
class MemoryFile {
 public:
  explicit MemoryFile(Bytes bytes) : descriptor_(memfd_create("fuzz", MFD_CLOEXEC)) {
    if (descriptor_ < 0) throw Error(ErrorCode::Io, "no memory for a file");
    for (std::size_t done = 0; done < bytes.size();) {
      const ssize_t wrote = write(descriptor_, bytes.data() + done, bytes.size() - done);
      if (wrote <= 0) throw Error(ErrorCode::Io, "no memory for a file");
      done += static_cast<std::size_t>(wrote);
    }
  }
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

/// Small, so that a few bytes cannot ask for minutes.
constexpr ImageLimits limits{
    .maxSide = 4096, .maxPixels = 1 << 20, .maxBytes = 16 << 20, .cacheBytes = 1 << 20};

void readPicture(Bytes bytes) {
  const MemoryFile file(bytes);
  const ImageFile image(file.path());
  if (image.pages() < 1) std::abort();
  const int pages = std::min(image.pages(), 3);
  for (int page = 0; page < pages; ++page) image.read(page, limits);
}

/// Of one format: what its files begin with is put there, so that a fuzzer stays with it.
template <const auto& beginnings>
void readPictureOf(Bytes bytes) {
  std::string text(textOf(bytes));
  if (std::ranges::none_of(beginnings, [&](std::string_view begin) { return text.starts_with(begin); })) {
    const std::size_t chosen = text.empty() ? 0 : static_cast<unsigned char>(text[0]);
    const std::string_view begin = beginnings[chosen % std::size(beginnings)];
    text.replace(0, std::min(begin.size(), text.size()), begin);
  }
  readPicture(std::as_bytes(std::span(text)));
}

using namespace std::string_view_literals;
constexpr std::string_view jpegBegins[] = {"\xff\xd8\xff"sv};
constexpr std::string_view mhaBegins[] = {"ObjectType"sv, "NDims"sv};
constexpr std::string_view netpbmBegins[] = {"P1"sv, "P2"sv, "P3"sv, "P4"sv, "P5"sv, "P6"sv, "P7\n"sv};
constexpr std::string_view npyBegins[] = {"\x93NUMPY\1\0"sv, "\x93NUMPY\2\0"sv, "\x93NUMPY\3\0"sv};
constexpr std::string_view pfmBegins[] = {"PF"sv, "Pf"sv};
constexpr std::string_view pngBegins[] = {"\x89PNG\r\n\x1a\n"sv};
constexpr std::string_view tiffBegins[] = {"II*\0"sv, "MM\0*"sv, "II+\0\b\0\0\0"sv, "MM\0+\0\b\0\0"sv};

void readBankArray(Bytes bytes) { readBankNpy(MemoryFile(bytes).path()); }
void readBankArchive(Bytes bytes) { readBankNpz(MemoryFile(bytes).path()); }
void readBankAsText(Bytes bytes) { readBankText(MemoryFile(bytes).path()); }
void readBankAsJson(Bytes bytes) { parseBankJson(textOf(bytes), "fuzz.json"); }
/// What is read can be written and is then the same but for the labels, which the format has no place for.
void readMagick(Bytes bytes) {
  const FilterBank bank = parseMagick(std::string(textOf(bytes)), "fuzz");
  const FilterBank again = parseMagick(writeBank(bank, *findBankFormat("imagemagick")).bytes, "written");
  const auto alike = [](Filter filter, const Filter& other) {
    filter.label = other.label;
    return filter == other;
  };
  if (!std::ranges::equal(bank.filters(), again.filters(), alike)) std::abort();
}
void readVips(Bytes bytes) { parseVips(std::string(textOf(bytes)), "fuzz"); }
void readFileStorage(Bytes bytes) { parseFileStorage(std::string(textOf(bytes)), "fuzz"); }
/// What it asks for may be large: a bank is made only of short specifications.
void readBankName(Bytes bytes) {
  if (bytes.size() < 64) makeBank(std::string(textOf(bytes)));
}
void readRecipeText(Bytes bytes) {
  const Recipe recipe = parseRecipe(std::string(textOf(bytes)), "fuzz.json");
  parseRecipe(writeRecipe(recipe), "written.json");
}
void readReport(Bytes bytes) {
  for (const ReportKind kind : {ReportKind::Bench, ReportKind::Device})
    toMarkdown(readBenchReport(std::string(textOf(bytes)), "fuzz.json", kind));
}
/// What is read can be written and is then the same.
void readTuning(Bytes bytes) {
  const std::string written = toJson(cuda::readTuningTable(textOf(bytes), "fuzz.json"));
  if (toJson(cuda::readTuningTable(written, "written.json")) != written) std::abort();
}
void readCounterRows(Bytes bytes) { readCounters(textOf(bytes), "kernel"); }
void readEvaluation(Bytes bytes) {
  const CarriedThreshold carried = carriedThreshold(std::string(textOf(bytes)), "fuzz.json");
  if (!carried.recipe.empty()) sameResponses(carried.recipe, R"({"stages": []})");
}
void readProblem(Bytes bytes) {
  const ConvolutionProblem problem = parseProblem(textOf(bytes));
  parseProblem(format(problem));
}

/// Under the last line that makes it whole, or nothing behind the last line would ever be read.
void readManifest(Bytes bytes) {
  std::string text(textOf(bytes));
  if (!text.ends_with('\n')) text += '\n';
  Hash hash;
  hash.addBytes(text.data(), text.size());
  const auto lines = std::count(text.begin(), text.end(), '\n');
  text += "{\"images\":" + std::to_string(lines - 1) + ",\"hash\":\"" + formatHash(hash.value()) + "\"}\n";
  for (const std::string_view whole : {textOf(bytes), std::string_view(text)}) {
    const MemoryFile file(std::as_bytes(std::span(whole)));
    try {
      Manifest(file.path()).forEach([](std::int64_t, const ManifestEntry& entry) {
        return !stemOf(entry.id).empty();
      });
    } catch (const Error&) {
      continue;
    }
  }
}
void readJournal(Bytes bytes) {
  const std::string line = toLine(parseJournalEntry(std::string(textOf(bytes)), "fuzz.jsonl"));
  if (toLine(parseJournalEntry(line, "written.jsonl")) != line) std::abort();
}
/// "0", "1" and "2" are files there.
void readList(Bytes bytes) {
  readImageList(MemoryFile(bytes).path(), "/proc/self/fdinfo", [](const ManifestEntry&) {});
}
void readRows(Bytes bytes) {
  CsvRows rows(textOf(bytes));
  std::vector<std::string> cells;
  while (rows.next(cells))
    if (cells.empty() || rows.line() == 0) std::abort();
}

}  // namespace

const std::vector<Parser>& parsers() {
  static const std::vector<Parser> list = {{"jpeg", answered<readPictureOf<jpegBegins>>},
                                           {"mha", answered<readPictureOf<mhaBegins>>},
                                           {"netpbm", answered<readPictureOf<netpbmBegins>>},
                                           {"npy", answered<readPictureOf<npyBegins>>},
                                           {"pfm", answered<readPictureOf<pfmBegins>>},
                                           {"png", answered<readPictureOf<pngBegins>>},
                                           {"tiff", answered<readPictureOf<tiffBegins>>},
                                           {"bank-npy", answered<readBankArray>},
                                           {"bank-npz", answered<readBankArchive>},
                                           {"bank-text", answered<readBankAsText>},
                                           {"bank-json", answered<readBankAsJson>},
                                           {"bank-name", answered<readBankName>},
                                           {"recipe", answered<readRecipeText>},
                                           {"report", answered<readReport>},
                                           {"problem", answered<readProblem>},
                                           {"evaluation", answered<readEvaluation>},
                                           {"bank-magick", answered<readMagick>},
                                           {"bank-vips", answered<readVips>},
                                           {"bank-opencv", answered<readFileStorage>},
                                           {"manifest", answered<readManifest>},
                                           {"journal", answered<readJournal>},
                                           {"rows", answered<readRows>},
                                           {"tuning", answered<readTuning>},
                                           {"counters", answered<readCounterRows>},
                                           {"image-list", answered<readList>}};
  return list;
}

}  // namespace bankside::fuzz
