#include "core/text_file.h"

#include <fstream>

#include "core/error.h"

namespace bankside {

std::string readTextFile(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text;
  char part[4096];
  while (in.read(part, sizeof part) || in.gcount() > 0)
    text.append(part, static_cast<std::size_t>(in.gcount()));
  // A folder can be opened, too.
  if (!in.eof()) throw Error(ErrorCode::Io, file.string() + ": cannot be read");
  return text;
}

}  // namespace bankside
