#include "gui/headless/destinations.h"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "core/error.h"
#include "core/imageio/abandoned_parts.h"
#include "core/imageio/atomic_file.h"
#include "core/imageio/image_io.h"
#include "core/imageio/part_file.h"
#include "core/imageio/readable_file.h"
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

/// Blanks and line ends are laid out in several ways, by programs that a report went through too.
std::string withoutBlanks(std::string text) {
  std::erase_if(text,
                [](char letter) { return std::string_view(" \t\r\n").find(letter) != std::string::npos; });
  return text;
}

/// Whether nothing is lost with the file: there is none, it is empty, or it begins so. Errors  Error{Io}
/// where nobody can tell
bool mayGo(const fs::path& file, const std::string& beginning) {
  constexpr std::size_t enough = 4096;
  std::error_code failure;
  if (fs::status(file, failure).type() == fs::file_type::not_found) return true;
  const bankside::ReadableFile there(file);
  std::string text(enough, '\0');
  text.resize(there.readSome(0, text.data(), text.size()));
  return text.empty() || withoutBlanks(text).starts_with(withoutBlanks(beginning));
}

/// What the system says is a wrong command, but for a full disk.
template <class Look>
auto orRefuse(const Look& look) {
  try {
    return look();
  } catch (const DiskFull&) {
    throw;
  } catch (const Error& error) {
    refuse(error.what());
  }
}

}  // namespace

void requireOutputFile(const std::string& file, const std::string& what, RunFiles& files) {
  if (file.empty()) return;
  orRefuse([&] { const AtomicFile made(file); });  // and gone again
  files.write(file, what);
  sayRemoved(removeAbandonedPartsOf(file));
}

void requireResultFile(const fs::path& file, const std::string& what, RunFiles& files) {
  orRefuse([&] { requireWritableName(file); });
  files.writeResult(file, what);
}

void requireReportFile(const std::string& file, const std::string& what, const std::string& beginning,
                       Foreign foreign, RunFiles& files) {
  requireOutputFile(file, what, files);
  if (file.empty()) return;
  if (looksLikeImageFile(file))
    refuse(file + ": is named like an image, and " + what + " is none; give it another name");
  if (beginning.empty() || foreign == Foreign::Goes) return;
  if (orRefuse([&] { return mayGo(file, beginning); })) return;
  refuse(file + ": is no earlier report of this kind, and " + what + " would replace it; " +
         (foreign == Foreign::StaysUnlessForced ? "give --force" : "move it away") +
         ", or name another file");
}

void requireReportFiles(const ReportFiles& reports, const ReportBeginnings& beginnings, Foreign foreign,
                        RunFiles& files) {
  requireReportFile(reports.json, "the JSON report", beginnings.json, foreign, files);
  requireReportFile(reports.csv, "the CSV report", beginnings.csv, foreign, files);
  requireReportFile(reports.markdown, "the Markdown report", beginnings.markdown, foreign, files);
}

void writeReportSoFar(const std::string& file, const std::function<std::string()>& text) {
  if (file.empty()) return;
  try {
    writeFileAtomically(file, text());
  } catch (const Error& error) {
    log(LogLevel::Warning, error.what());
  }
}

std::string whyNotWritable(const fs::path& folder) {
  PartFile made;  // and gone again
  const int error = made.open(folder / "result");
  if (error == ENOSPC || error == EDQUOT)
    throw DiskFull(folder.string() + ": cannot write here: " + std::generic_category().message(error));
  return error == 0 ? "" : std::generic_category().message(error);
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
  if (const std::string why = whyNotWritable(folder); !why.empty())
    refuse(folder + ": cannot write here: " + why);
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
