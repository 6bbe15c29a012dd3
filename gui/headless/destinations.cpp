#include "gui/headless/destinations.h"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "core/error.h"
#include "core/imageio/abandoned_parts.h"
#include "core/imageio/atomic_file.h"
#include "core/imageio/image_io.h"
#include "core/imageio/part_file.h"
#include "core/log.h"
#include "core/refuse.h"

namespace bankside::headless {
namespace {

namespace fs = std::filesystem;

bool same(const fs::path& a, const fs::path& b) {
  std::error_code failure;
  return fs::equivalent(a, b, failure) && !failure;
}

void sayRemoved(const std::vector<fs::path>& parts) {
  for (const fs::path& part : parts)
    log(LogLevel::Info, part.string() + ": removed; a run that was killed had left it unfinished");
}

}  // namespace

void requireReportFile(const std::string& file, const std::string& what, RunFiles& files) {
  if (file.empty()) return;
  const fs::path path(file);
  std::error_code failure;
  if (path.filename().empty() || fs::is_directory(path, failure))
    refuse(file + ": cannot write a file here, this is a folder");
  if (fs::is_symlink(path, failure) && !fs::exists(path, failure))
    refuse(file + ": cannot write here, this link leads nowhere");
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (access(folder.c_str(), W_OK | X_OK) != 0)
    refuse(file + ": cannot create the file: " + std::generic_category().message(errno));
  files.write(path, what);
  if (looksLikeImageFile(path))
    refuse(file + ": is named like an image, and " + what + " is none; give it another name");
  sayRemoved(removeAbandonedPartsOf(path));
}

void requireReportFiles(const ReportFiles& reports, RunFiles& files) {
  requireReportFile(reports.json, "the JSON report", files);
  requireReportFile(reports.csv, "the CSV report", files);
  requireReportFile(reports.markdown, "the Markdown report", files);
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
  for (const fs::path& folder : folders) (void)::rmdir(folder.c_str());  // one with something in it stays
}

ResultFolder::ResultFolder(const std::string& folder, const std::vector<std::string>& inputs) {
  std::error_code failure;
  std::error_code ignored;  // what cannot be looked at cannot be made
  fs::path path;
  for (const fs::path& name : folder.empty() ? fs::path() : fs::absolute(folder)) {
    path /= name;
    if (failure || fs::is_directory(path, ignored)) continue;
    if (fs::create_directory(path, failure)) made_.folders.insert(made_.folders.begin(), path);
  }
  if (folder.empty() || !fs::is_directory(folder, ignored)) {
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
  sayRemoved(removeAbandonedParts(folder));
}

}  // namespace bankside::headless
