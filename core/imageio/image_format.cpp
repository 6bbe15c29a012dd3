#include <algorithm>
#include <array>

#include "core/error.h"
#include "core/imageio/image_codec.h"
#include "core/imageio/image_io.h"
#include "core/text.h"

namespace bankside {
namespace {

using codec::Format;
using namespace std::string_view_literals;

#define BANKSIDE_WRITTEN_FORMAT(name, word) &codec::word##Format,
#define BANKSIDE_READ_FORMAT(word) &codec::word##Format,
const Format* const everyFormat[] = {
#include "core/imageio/formats.def"
};

/// Those that are written come first, as their numbers do.
const Format& formatOf(FileFormat format) { return *everyFormat[static_cast<std::size_t>(format)]; }

/// Formats that people do have, named in the refusal.
struct KnownStranger {
  std::string_view signature;
  std::size_t offset;
  const char* name;
};
const KnownStranger strangers[] = {
    {"GIF8", 0, "a GIF"},
    {"BM", 0, "a BMP"},
    {"WEBP", 8, "a WebP"},
    {"\x76\x2f\x31\x01"sv, 0, "an OpenEXR"},
    {"DICM", 128, "a DICOM"},
    {"P7", 0, "a PAM"},
    {"\0\0\0\x0cjP  "sv, 0, "a JPEG 2000"},
    {"ftyp", 4, "a HEIF or AVIF"},
    {"%PDF", 0, "a PDF"},
    {"PK\x03\x04", 0, "a ZIP (or NPZ)"},
};

const Format& formatOf(const ReadableFile& file) {
  std::array<char, 160> start{};
  const std::string_view head(start.data(), file.readSome(0, start.data(), start.size()));
  if (head.empty()) file.damaged("is empty");
  for (const Format* format : everyFormat) {
    for (const std::string_view signature : format->signatures) {
      if (!signature.empty() && head.starts_with(signature)) return *format;
    }
  }
  for (const KnownStranger& stranger : strangers) {
    if (head.size() > stranger.offset && head.substr(stranger.offset).starts_with(stranger.signature)) {
      file.fail(ErrorCode::Unsupported, std::string("is ") + stranger.name +
                                            " file, which is not read here; convert it to TIFF or PNG");
    }
  }
  std::string known;
  for (const Format* format : everyFormat) known += (known.empty() ? "" : ", ") + std::string(format->name);
  file.damaged("is not an image of a known format (" + known + ")");
}

/// In small letters, without its dot; of hidden files none.
std::string endingOf(const std::filesystem::path& path) {
  if (path.filename().string().starts_with(".") || !path.has_extension()) return "";
  return inSmallLetters(path.extension().string().substr(1));
}

std::vector<std::string> compressionWords(FileFormat format) {
  std::vector<std::string> words;
  for (const Compression c : allCompressions) {
    if (takes(format, c)) words.emplace_back(toString(c));
  }
  return words;
}

}  // namespace

std::vector<std::int64_t> codec::pagesOf(const ReadableFile& file) {
  const Format& format = formatOf(file);
  return format.pages != nullptr ? format.pages(file) : std::vector<std::int64_t>{0};
}

codec::DecoderPointer codec::openPage(FilePointer file, std::int64_t offset, const PageLimits& limits) {
  const Format& format = formatOf(*file);
  return format.open(std::move(file), offset, limits);
}

codec::EncoderPointer codec::createWriter(AtomicFile& file, const PageShape& shape, FileFormat format) {
  return formatOf(format).create(file, shape);
}

void codec::requireWritable(const std::filesystem::path& path, const PageShape& shape, FileFormat format) {
  const auto refuse = [&](const std::string& sentence) {
    throw Error(ErrorCode::Unsupported, path.string() + ": " + sentence);
  };
  const auto refusal = formatOf(format).refusal;
  if (const std::string sentence = refusal != nullptr ? refusal(shape) : ""; !sentence.empty())
    refuse(sentence);
  if (shape.compression && !takes(format, *shape.compression)) {
    refuse(std::string(toString(format)) + " files are not compressed by " + toString(*shape.compression) +
           " here; " + compressionsTaken());
  }
}

const std::vector<std::string>& imageEndings() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> list;
    for (const Format* format : everyFormat) {
      for (const std::string_view ending : format->endings) {
        if (!ending.empty()) list.emplace_back(ending);
      }
    }
    return list;
  }();
  return all;
}

bool looksLikeImageFile(const std::filesystem::path& path) {
  const std::string ending = endingOf(path);
  return !ending.empty() &&
         std::find(imageEndings().begin(), imageEndings().end(), ending) != imageEndings().end();
}

std::string_view unreadFormatOf(const std::filesystem::path& path) {
  constexpr std::pair<std::string_view, std::string_view> known[] = {
      {"gif", "GIF"},     {"bmp", "BMP"},       {"webp", "WebP"}, {"exr", "OpenEXR"}, {"dcm", "DICOM"},
      {"dicom", "DICOM"}, {"jp2", "JPEG 2000"}, {"heic", "HEIF"}, {"heif", "HEIF"},   {"avif", "AVIF"}};
  const std::string ending = endingOf(path);
  for (const auto& [of, name] : known)
    if (of == ending) return name;
  return {};
}

std::string_view nameOf(FileFormat format) { return formatOf(format).name; }

bool takes(FileFormat format, Compression compression) {
  const auto packs = formatOf(format).packs;
  return compression == Compression::None || (packs != nullptr && packs(compression));
}

std::string compressionsTaken() {
  std::vector<std::string> each;
  std::vector<std::string> plain;
  for (const FileFormat format : fileFormats()) {
    const std::vector<std::string> words = compressionWords(format);
    if (words.size() == 1) {
      plain.emplace_back(toString(format));
    } else {
      each.push_back(toString(format) + std::string(each.empty() ? " takes " : " ") + joinWords(words));
    }
  }
  each.push_back(joinWords(plain) + " none");
  std::string text;
  for (const std::string& part : each) text += (text.empty() ? "" : ", ") + part;
  return text;
}

Compression usualCompression(FileFormat format) { return formatOf(format).usual; }

}  // namespace bankside
