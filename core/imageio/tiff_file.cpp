#include "core/imageio/tiff_file.h"

#include <tiffio.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "core/imageio/tiff_pages.h"

namespace bankside::codec {
namespace {

/// libtiff's own tables must fit, however small a picture is asked for.
constexpr std::int64_t smallestCap = std::int64_t{16} << 20;

/// Whether a warning about the tags means that the pixels would come out differently from what was stored:
/// libtiff drops tags that it cannot read and goes on with their defaults.
bool concernsPixels(std::string_view message) {
  const auto has = [&](std::string_view part) { return message.find(part) != std::string_view::npos; };
  if (has("IO error during reading") || has("Photometric tag")) return true;
  if (!has("tag ignored")) return false;
  static constexpr std::string_view pixelTags[] = {
      "ColorMap",     "BitsPerSample", "SampleFormat",    "Predictor",    "Orientation",
      "ExtraSamples", "FillOrder",     "Photometric",     "PlanarConfig", "Compression",
      "Tile",         "Strip",         "SamplesPerPixel", "JPEGTables",   "YCbCrSubsampling"};
  return std::any_of(std::begin(pixelTags), std::end(pixelTags), has);
}

}  // namespace

/// What libtiff calls. No exception may pass through its code.
struct TiffFile::Callbacks {
  /// Keeps the first message.
  static void remember(TiffFile& file, const char* format, va_list arguments) {
    if (file.message_[0] != '\0') return;
    std::vsnprintf(file.message_, sizeof(file.message_), format, arguments);
    if (file.message_[0] == '\0') std::strcpy(file.message_, "unknown error");
  }

  static int onError(TIFF*, void* self, const char*, const char* format, va_list arguments) {
    remember(*static_cast<TiffFile*>(self), format, arguments);
    return 1;  // handled: the global handler, which prints, is not asked
  }

  static int onWarning(TIFF*, void* self, const char*, const char* format, va_list arguments) {
    auto& file = *static_cast<TiffFile*>(self);
    if (file.message_[0] != '\0') return 1;
    remember(file, format, arguments);
    // Encoders may round the height of the last strip up to whole JPEG blocks; nothing is lost then.
    const bool harmless = std::strstr(format, "Improper JPEG strip/tile size") != nullptr;
    if (file.strict_ ? harmless : !concernsPixels(file.message_)) file.message_[0] = '\0';
    return 1;
  }

  static tmsize_t onRead(thandle_t handle, void* data, tmsize_t size) {
    auto& self = *static_cast<TiffFile*>(handle);
    try {
      const std::size_t got = self.input_ != nullptr
                                  ? self.input_->readSome(self.offset_, data, static_cast<std::size_t>(size))
                                  : self.output_->readAt(self.offset_, data, static_cast<std::size_t>(size));
      self.showLink(static_cast<unsigned char*>(data), static_cast<std::int64_t>(got));
      self.offset_ += static_cast<std::int64_t>(got);
      return static_cast<tmsize_t>(got);
    } catch (...) {
      self.failure_ = std::current_exception();
      return -1;
    }
  }

  static tmsize_t onWrite(thandle_t handle, void* data, tmsize_t size) {
    auto& self = *static_cast<TiffFile*>(handle);
    try {
      if (self.output_ == nullptr) return -1;
      self.output_->writeAt(self.offset_, data, static_cast<std::size_t>(size));
      self.offset_ += size;
      return size;
    } catch (...) {
      self.failure_ = std::current_exception();
      return -1;
    }
  }

  static toff_t onSeek(thandle_t handle, toff_t offset, int whence) {
    auto& self = *static_cast<TiffFile*>(handle);
    const std::int64_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? self.offset_ : self.size();
    std::int64_t target = 0;
    if (__builtin_add_overflow(base, static_cast<std::int64_t>(offset), &target) || target < 0) {
      return static_cast<toff_t>(-1);
    }
    self.offset_ = target;
    return static_cast<toff_t>(target);
  }

  static toff_t onSize(thandle_t handle) {
    return static_cast<toff_t>(static_cast<TiffFile*>(handle)->size());
  }

  static int onClose(thandle_t) { return 0; }
};

TiffFile::TiffFile(const ReadableFile& file, std::int64_t directory, std::int64_t largestAllocation)
    : input_(&file) {
  const TiffLink link = firstTiffLink(file);
  linkOffset_ = link.offset;
  for (std::int64_t i = 0; i < link.bytes; ++i)
    link_.push_back(static_cast<unsigned char>(directory >> (8 * i)));
  if (!link.littleEndian) std::reverse(link_.begin(), link_.end());
  // Not mapped: a file that shrinks while it is read would end the program.
  open("rm", largestAllocation);
  if (tiff_ == nullptr) fail(ErrorCode::BadInput, "TIFF data is damaged");
}

TiffFile::TiffFile(AtomicFile& file, bool bigTiff) : output_(&file) {
  open(bigTiff ? "w8" : "w", 0);
  if (tiff_ == nullptr) fail(ErrorCode::Io, "cannot write the TIFF");
}

TiffFile::~TiffFile() {
  if (tiff_ != nullptr) TIFFCleanup(tiff_);  // unlike TIFFClose writes nothing
}

void TiffFile::open(const char* mode, std::int64_t largestAllocation) {
  const std::unique_ptr<TIFFOpenOptions, decltype(&TIFFOpenOptionsFree)> options(TIFFOpenOptionsAlloc(),
                                                                                 TIFFOpenOptionsFree);
  if (options == nullptr) return;
  TIFFOpenOptionsSetErrorHandlerExtR(options.get(), Callbacks::onError, this);
  TIFFOpenOptionsSetWarningHandlerExtR(options.get(), Callbacks::onWarning, this);
  if (largestAllocation > 0) {
    TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), std::max(largestAllocation, smallestCap));
  }
  tiff_ = TIFFClientOpenExt("TIFF", mode, this, Callbacks::onRead, Callbacks::onWrite, Callbacks::onSeek,
                            Callbacks::onClose, Callbacks::onSize, nullptr, nullptr, options.get());
}

void TiffFile::showLink(unsigned char* data, std::int64_t size) const {
  for (std::size_t i = 0; i < link_.size(); ++i) {
    const std::int64_t at = linkOffset_ + static_cast<std::int64_t>(i) - offset_;
    if (at >= 0 && at < size) data[at] = link_[i];
  }
}

void TiffFile::check(ErrorCode code, const std::string& what) const {
  if (failure_ || message_[0] != '\0') fail(code, what);
}

void TiffFile::fail(ErrorCode code, const std::string& what) const {
  if (failure_) std::rethrow_exception(failure_);
  const std::string path = (input_ != nullptr ? input_->path() : output_->path()).string();
  throw Error(code, path + ": " + what + (message_[0] != '\0' ? std::string(": ") + message_ : ""));
}

std::int64_t TiffFile::size() const { return input_ != nullptr ? input_->size() : output_->size(); }

}  // namespace bankside::codec
