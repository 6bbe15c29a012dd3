#include "core/imageio/image_io.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <new>

#include "core/error.h"
#include "core/imageio/image_codec.h"
#include "core/imageio/sandbox.h"
#include "core/imageio/tiff_pages.h"

namespace bankside {
namespace {

using codec::FilePointer;
using codec::ReaderPointer;
using Signature = std::string_view;

/// The formats: how their files begin, who reads a page and who finds all, where there may be several.
/// Several lines may name one reader.
struct ReadableFormat {
  Signature signature;
  ReaderPointer (*open)(FilePointer, std::int64_t, const codec::PageLimits&);
  std::vector<std::int64_t> (*pages)(const InputFile&) = nullptr;
};
constexpr Signature bytes(const char* text, std::size_t size) { return {text, size}; }
const ReadableFormat readableFormats[] = {
    {bytes("\x89PNG", 4), codec::openPng},
    {bytes("\xff\xd8\xff", 3), codec::openJpeg},
    {bytes("II\x2a\0", 4), codec::openTiff, codec::tiffPages},
    {bytes("MM\0\x2a", 4), codec::openTiff, codec::tiffPages},
    {bytes("II\x2b\0", 4), codec::openTiff, codec::tiffPages},
    {bytes("MM\0\x2b", 4), codec::openTiff, codec::tiffPages},
    {bytes("\x93NUMPY", 6), codec::openNpy},
    {"P1", codec::openNetpbm, codec::netpbmPages},
    {"P2", codec::openNetpbm, codec::netpbmPages},
    {"P3", codec::openNetpbm, codec::netpbmPages},
    {"P4", codec::openNetpbm, codec::netpbmPages},
    {"P5", codec::openNetpbm, codec::netpbmPages},
    {"P6", codec::openNetpbm, codec::netpbmPages},
    {"Pf", codec::openPfm},
    {"PF", codec::openPfm},
};

/// Formats that people do have, named in the refusal.
struct KnownStranger {
  Signature signature;
  std::size_t offset;
  const char* name;
};
const KnownStranger strangers[] = {
    {"GIF8", 0, "a GIF"},
    {"BM", 0, "a BMP"},
    {"WEBP", 8, "a WebP"},
    {bytes("\x76\x2f\x31\x01", 4), 0, "an OpenEXR"},
    {"DICM", 128, "a DICOM"},
    {"P7", 0, "a PAM"},
    {bytes("\0\0\0\x0cjP  ", 8), 0, "a JPEG 2000"},
    {"ftyp", 4, "a HEIF or AVIF"},
    {"%PDF", 0, "a PDF"},
    {"PK\x03\x04", 0, "a ZIP (or NPZ)"},
};

const ReadableFormat& formatOf(const InputFile& file) {
  std::array<char, 160> start{};
  const Signature head(start.data(), file.readSome(0, start.data(), start.size()));
  if (head.empty()) file.damaged("is empty");
  for (const ReadableFormat& format : readableFormats) {
    if (head.starts_with(format.signature)) return format;
  }
  for (const KnownStranger& stranger : strangers) {
    if (head.size() > stranger.offset && head.substr(stranger.offset).starts_with(stranger.signature)) {
      file.fail(ErrorCode::Unsupported, std::string("is ") + stranger.name +
                                            " file, which is not read here; convert it to TIFF or PNG");
    }
  }
  file.damaged("is not an image of a known format (PNG, JPEG, TIFF, PGM, PPM, PBM, PFM, NPY)");
}

/// Nothing but Error leaves, and always with the path in front.
template <class Function>
auto named(const std::filesystem::path& path, Function&& function) {
  try {
    return function();
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::Limit, path.string() + ": not enough memory");
  }
}

std::string lowerExtension(const std::filesystem::path& path) {
  std::string text = path.extension().string();
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace

std::vector<std::int64_t> codec::pagesOf(const InputFile& file) {
  const ReadableFormat& format = formatOf(file);
  return format.pages != nullptr ? format.pages(file) : std::vector<std::int64_t>{0};
}

ReaderPointer codec::openPage(FilePointer file, std::int64_t offset, const PageLimits& limits) {
  const ReadableFormat& format = formatOf(*file);
  return format.open(std::move(file), offset, limits);
}

struct ImageFile::Opened {
  FilePointer file;
  std::vector<std::int64_t> pages;  // where each begins
};

ImageFile::ImageFile(const std::filesystem::path& path) {
  opened_ = named(path, [&] {
    const auto file = std::make_shared<const InputFile>(path);
    Sandbox* sandbox = Sandbox::current();
    auto pages = sandbox != nullptr ? sandbox->pagesOf(*file) : codec::pagesOf(*file);
    return std::make_shared<const Opened>(Opened{file, std::move(pages)});
  });
}

const std::filesystem::path& ImageFile::path() const { return opened_->file->path(); }

int ImageFile::pages() const { return static_cast<int>(opened_->pages.size()); }

ReaderPointer ImageFile::open(int page, const codec::PageLimits& limits) const {
  if (page < 0 || page >= pages()) {
    opened_->file->damaged("has " + std::to_string(pages()) + (pages() == 1 ? " page" : " pages") +
                           ", page " + std::to_string(page) + " (counted from 0) is not among them");
  }
  return named(path(), [&] {
    const std::int64_t offset = opened_->pages[static_cast<std::size_t>(page)];
    Sandbox* sandbox = Sandbox::current();
    return sandbox != nullptr ? sandbox->openPage(opened_->file, offset, limits)
                              : codec::openPage(opened_->file, offset, limits);
  });
}

ImageInfo ImageFile::info(int page, const ImageLimits& limits) const {
  ImageInfo info = open(page, {limits})->info();
  info.pages = pages();
  return info;
}

LoadedImage ImageFile::read(int page, const ImageLimits& limits) const {
  return named(path(), [&] {
    const ReaderPointer reader = open(page, {limits});
    LoadedImage loaded{reader->readAll(), reader->info()};
    loaded.info.pages = pages();
    loaded.image.setChannelNames(loaded.info.channelNames);
    return loaded;
  });
}

ImageInfo readImageInfo(const std::filesystem::path& path, int page, const ImageLimits& limits) {
  return ImageFile(path).info(page, limits);
}

LoadedImage readImage(const std::filesystem::path& path, int page, const ImageLimits& limits) {
  return ImageFile(path).read(page, limits);
}

bool looksLikeImageFile(const std::filesystem::path& path) {
  static constexpr std::string_view known[] = {".png", ".jpg", ".jpeg", ".tif", ".tiff", ".pgm",
                                               ".ppm", ".pnm", ".pbm",  ".pfm", ".npy"};
  return !path.filename().string().starts_with(".") &&
         std::find(std::begin(known), std::end(known), lowerExtension(path)) != std::end(known);
}

const char* toString(FileFormat format) {
  switch (format) {
    case FileFormat::Tiff: return "tiff";
    case FileFormat::Png: return "png";
    case FileFormat::Npy: return "npy";
    case FileFormat::Pfm: return "pfm";
  }
  return "unknown";
}

const char* extension(FileFormat format) { return toString(format); }

std::optional<FileFormat> parseFileFormat(std::string_view text) {
  for (const FileFormat format : {FileFormat::Tiff, FileFormat::Png, FileFormat::Npy, FileFormat::Pfm}) {
    if (text == toString(format)) return format;
  }
  if (text == "tif") return FileFormat::Tiff;
  return std::nullopt;
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
  for (const Compression compression : {Compression::None, Compression::Deflate, Compression::Zstd}) {
    if (text == toString(compression)) return compression;
  }
  return std::nullopt;
}

bool takes(FileFormat format, Compression compression) {
  if (compression == Compression::None) return true;
  if (format == FileFormat::Png) return compression == Compression::Deflate;
  return format == FileFormat::Tiff && codec::tiffHas(compression);
}

Compression usualCompression(FileFormat format) {
  return format == FileFormat::Png ? Compression::Deflate : Compression::None;
}

void codec::requireWritable(const std::filesystem::path& path, const PageShape& shape, FileFormat format) {
  const auto refuse = [&](const std::string& sentence) {
    throw Error(ErrorCode::Unsupported, path.string() + ": " + sentence);
  };
  const bool isFloat = shape.type == ElementType::F16 || shape.type == ElementType::F32;
  if (format == FileFormat::Png && isFloat) {
    refuse(std::string("PNG cannot hold ") + (shape.type == ElementType::F16 ? "float16" : "float32") +
           "; use tiff or npy, or ask for a mapping");
  }
  const std::string channels = std::to_string(shape.channels) + " channels";
  if (format == FileFormat::Png && shape.channels > 4) {
    refuse("PNG cannot hold " + channels + "; use tiff or npy, or one file a channel");
  }
  if (format == FileFormat::Pfm && shape.channels != 1 && shape.channels != 3) {
    refuse("PFM holds 1 or 3 channels, not " + channels + "; use tiff or npy, or one file a channel");
  }
  if (format == FileFormat::Tiff && shape.channels > 65535) {
    refuse("TIFF cannot hold " + channels + "; use npy, or one file a channel");
  }
  if (shape.compression && !takes(format, *shape.compression)) {
    refuse(std::string(toString(format)) + " files are not compressed by " + toString(*shape.compression) +
           " here; TIFF takes none, deflate and zstd, PNG none and deflate, NPY and PFM none");
  }
}

codec::WriterPointer codec::createWriter(AtomicFile& file, const PageShape& shape, FileFormat format) {
  switch (format) {
    case FileFormat::Png: return createPng(file, shape);
    case FileFormat::Npy: return createNpy(file, shape);
    case FileFormat::Pfm: return createPfm(file, shape);
    case FileFormat::Tiff: break;
  }
  return createTiff(file, shape);
}

void writeImage(const std::filesystem::path& path, const Image& image, FileFormat format, Existing existing,
                std::optional<Compression> compression) {
  named(path, [&] {
    if (image.empty())
      throw Error(ErrorCode::BadInput, path.string() + ": an image without pixels cannot be written");
    const codec::PageShape shape{image.channels(), image.height(),       image.width(),
                                 image.type(),     image.channelNames(), compression};
    codec::requireWritable(path, shape, format);
    AtomicFile file(path);
    const codec::WriterPointer writer = codec::createWriter(file, shape, format);
    std::vector<ConstPlane> planes;
    for (int c = 0; c < image.channels(); ++c) planes.push_back(image.plane(c));
    writer->writeRows(planes);
    writer->finish();
    file.commit(existing);
  });
}

}  // namespace bankside
