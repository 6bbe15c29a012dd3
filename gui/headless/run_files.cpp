#include "gui/headless/run_files.h"

#include "core/error.h"

namespace bankside::headless {
namespace {

namespace fs = std::filesystem;

std::string keyOf(const fs::path& file) {
  std::error_code failure;
  const fs::path path = fs::weakly_canonical(fs::absolute(file, failure), failure);
  return failure ? file.lexically_normal().string() : path.string();
}

}  // namespace

void RunFiles::read(const fs::path& file, const std::string& what) {
  std::error_code failure;
  if (fs::exists(file, failure)) files_.emplace(keyOf(file), what);
}

void RunFiles::write(const fs::path& file, const std::string& what) {
  const auto [entry, fresh] = files_.emplace(keyOf(file), what);
  if (fresh) return;
  throw Error(ErrorCode::BadInput, file.string() + (entry->second == what ? ": would be " + what + " twice"
                                                                          : ": is " + entry->second + "; " +
                                                                                what + " would replace it"));
}

}  // namespace bankside::headless
