/// NumPy's archive of arrays: a ZIP archive with an .npy file for each.
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/imageio/zip_file.h"
#include "filters/formats/bank_array.h"
#include "filters/formats/format_entries.h"
#include "filters/formats/limits.h"

namespace bankside {
namespace {

constexpr std::string_view ending = ".npy";

/// What numpy.savez writes: each filter is an array of its label, which is no more than letters, digits, '.',
/// '_', '-' and '+'.
std::string npzBytes(const FilterBank& bank) {
  std::vector<std::pair<std::string, std::string>> files;
  for (const Filter& f : bank.filters()) {
    std::vector<int> shape = {f.height, f.width};
    if (f.channels > 1) shape.insert(shape.begin(), {1, f.channels});
    files.emplace_back(f.label + std::string(ending), npyArray(shape, f.taps));
  }
  return zipOf(files);
}

/// Names of arrays may be any text, labels not.
std::string labelOf(const std::string& name, int filter, int filters) {
  std::string label;
  for (const char c : name.substr(0, name.size() - ending.size())) {
    const bool fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '.' || c == '_' || c == '-' || c == '+';
    label += fits ? c : '_';
  }
  return filters == 1 ? label : label + "-" + std::to_string(filter);
}

}  // namespace

FilterBank readBankNpz(const std::filesystem::path& path) {
  const ReadableFile file(path);
  if (file.size() > static_cast<std::int64_t>(2 * maxBankFileBytes))
    file.fail(ErrorCode::Limit, "has " + std::to_string(file.size()) + " bytes, at most " +
                                    std::to_string(2 * maxBankFileBytes) + " are read");
  std::vector<Filter> filters;
  auto room = static_cast<std::int64_t>(maxBankFileBytes);
  for (const ZipEntry& entry : zipEntries(file, maxFilterCount)) {
    if (!entry.name.ends_with(ending))
      file.fail(ErrorCode::BadInput, "has \"" + entry.name + "\" inside, expected names that end in .npy");
    std::string bytes = unzipped(file, entry, room);
    room -= static_cast<std::int64_t>(bytes.size());
    const FilterBank array = parseBankNpy(ReadableFile(path / entry.name, std::move(bytes)));
    for (int i = 0; i < array.size(); ++i) {
      filters.push_back(array[i]);
      filters.back().label = labelOf(entry.name, i, array.size());
    }
  }
  if (filters.empty()) file.fail(ErrorCode::BadInput, "has no array inside");
  try {
    return FilterBank({.name = path.string(), .title = "Taps of the arrays of a NumPy archive"},
                      std::move(filters));
  } catch (const Error& error) {
    file.fail(error.code(), error.what());
  }
}

BankFormat npzFormat() {
  return {.name = "npz",
          .title = "NumPy arrays, each as in npy, by their names",
          .endings = ".npz",
          .channels = true,
          .warning = "",
          .read = readBankNpz,
          .write = npzBytes};
}

}  // namespace bankside
