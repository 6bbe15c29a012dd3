// What formats and compressions are called: without their codecs, so that who reads a recipe links none.
#include <algorithm>

#include "core/imageio/image_info.h"
#include "core/text.h"

namespace bankside {
namespace {

struct WrittenFormat {
  FileFormat format;
  const char* word;
};
#define BANKSIDE_WRITTEN_FORMAT(name, word) {FileFormat::name, #word},
#define BANKSIDE_READ_FORMAT(word)
constexpr WrittenFormat written[] = {
#include "core/imageio/formats.def"
};

}  // namespace

const std::vector<FileFormat>& fileFormats() {
  static const std::vector<FileFormat> all = [] {
    std::vector<FileFormat> list;
    for (const WrittenFormat& w : written) list.push_back(w.format);
    return list;
  }();
  return all;
}

const char* toString(FileFormat format) { return written[static_cast<std::size_t>(format)].word; }

std::optional<FileFormat> parseFileFormat(std::string_view text) {
  const auto* const found = std::find_if(std::begin(written), std::end(written),
                                         [&](const WrittenFormat& w) { return w.word == text; });
  if (found == std::end(written)) return std::nullopt;
  return found->format;
}

std::string fileFormatWords() {
  std::vector<std::string> words;
  for (const FileFormat format : fileFormats()) words.emplace_back(toString(format));
  return joinWords(words, "or");
}

const char* toString(Compression compression) {
  switch (compression) {
    case Compression::None: return "none";
    case Compression::Deflate: return "deflate";
    case Compression::Zstd: return "zstd";
  }
  return "unknown";
}

std::optional<Compression> parseCompression(std::string_view text) {
  for (const Compression compression : allCompressions) {
    if (text == toString(compression)) return compression;
  }
  return std::nullopt;
}

}  // namespace bankside
