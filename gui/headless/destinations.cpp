#include "gui/headless/destinations.h"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "core/error.h"
#include "core/imageio/atomic_file.h"
#include "core/log.h"

namespace bankside::headless {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& sentence) { throw Error(ErrorCode::BadInput, sentence); }

bool same(const fs::path& a, const fs::path& b) {
  std::error_code failure;
  return fs::equivalent(a, b, failure) && !failure;
}

}  // namespace

void requireReportFile(const std::string& file, const std::vector<std::string>& inputs) {
  if (file.empty()) return;
  const fs::path path(file);
  std::error_code failure;
  if (path.filename().empty() || fs::is_directory(path, failure))
    refuse(file + ": cannot write a file here, this is a folder");
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (access(folder.c_str(), W_OK | X_OK) != 0)
    refuse(file + ": cannot create the file: " + std::generic_category().message(errno));
  for (const std::string& input : inputs) {
    const fs::path inside = fs::is_directory(input, failure) ? fs::path(input) / path.filename() : fs::path();
    if (same(path, input) || (!inside.empty() && same(path, inside) && path.extension() != ".json"))
      refuse(file + ": is an input; a report would replace it");
  }
}

void writeReportSoFar(const std::string& file, const std::function<std::string()>& text) {
  if (file.empty()) return;
  try {
    writeFileAtomically(file, text());
  } catch (const Error& error) {
    log(LogLevel::Warning, error.what());
  }
}

ResultFolder::Made::~Made() {
  std::error_code failure;
  for (const fs::path& folder : folders) fs::remove(folder, failure);  // one with something in it stays
}

ResultFolder::ResultFolder(const std::string& folder, const std::vector<std::string>& inputs) {
  std::error_code failure;
  if (!folder.empty()) {
    for (fs::path path = fs::absolute(folder); !path.empty() && !fs::exists(path, failure);
         path = path.parent_path()) {
      if (path.has_filename()) made_.folders.push_back(path);
    }
    fs::create_directories(folder, failure);
  }
  if (folder.empty() || !fs::is_directory(folder, failure)) {
    refuse((folder.empty() ? "\"\"" : folder) + ": cannot be made a folder" +
           (failure ? " (" + failure.message() + ")" : ""));
  }
  if (access(folder.c_str(), W_OK | X_OK) != 0)
    refuse(folder + ": cannot write here: " + std::generic_category().message(errno));
  for (const std::string& input : inputs) {
    if (fs::is_directory(input, failure) && same(input, folder)) {
      refuse(
          folder +
          ": is the folder of the images; the next run would take the results for images, so name another");
    }
  }
}

}  // namespace bankside::headless
