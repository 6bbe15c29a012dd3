/// PNG through libpng: 1 to 16 bits, palette, transparency, interlaced. Gamma and colour profiles stay
/// unused, the pixels are the file's.
#include <png.h>

#include <bit>
#include <csetjmp>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <string_view>

#include "core/imageio/forward_reader.h"
#include "core/imageio/image_writers.h"
#include "core/imageio/palette.h"
#include "core/stopping.h"

namespace bankside::codec {
namespace {

/// Deflate makes at most 1032 bytes of one.
constexpr std::int64_t largestExpansion = 1032;

constexpr int passes = 7;

class PngReader final : public ForwardReader {
 public:
  PngReader(FilePointer file, const PageLimits& limits) : ForwardReader(std::move(file), limits) {
    try {
      open();
      describe(limits);
      prepareRows();
    } catch (...) {
      png_destroy_read_struct(&png_, &pngInfo_, nullptr);
      throw;
    }
  }
  ~PngReader() override { png_destroy_read_struct(&png_, &pngInfo_, nullptr); }

  bool streams() const override { return !interlaced_; }

  Image readAll() override { return interlaced_ ? readInterlaced() : ForwardReader::readAll(); }

 protected:
  void rewind() override {
    png_destroy_read_struct(&png_, &pngInfo_, nullptr);
    open();
    prepareRows();
  }

  void decodeRow(std::byte* const* rows) override {
    if (samplesPerRow_ == 1 && !hasPalette()) return readRow(rows[0]);
    pixels_.resize(rowBytes());
    readRow(pixels_.data());
    if (!hasPalette())
      return deinterleave(pixels_.data(), info_.channels, info_.width, sizeOf(info_.type), rows);
    const auto* indices = reinterpret_cast<const std::uint8_t*>(pixels_.data());
    expandPaletteRow(*file_, palette_, indices, info_.width, rows);
  }

  void endRows() override {
    call([&] { png_read_end(png_, nullptr); });
  }

 private:
  /// Calls into libpng so that its long jump ends as an exception. `function` must own nothing that needs a
  /// destructor: the jump skips it.
  template <class Function>
  void call(Function&& function) {
    if (setjmp(png_jmpbuf(png_)) != 0) fail();  // NOLINT(cert-err52-cpp): libpng's only way out
    function();
  }
  [[noreturn]] void fail() const {
    if (failure_) std::rethrow_exception(failure_);
    if (wantsMemory()) throw std::bad_alloc();
    if (cutShort_) file_->damaged("is cut short: the file ends within the PNG data");
    file_->damaged(std::string("PNG data is damaged: ") + message_);
  }

  /// As libpng says it: of its own requests, and of zlib's.
  bool wantsMemory() const {
    const std::string_view said = message_;
    return said.ends_with("insufficient memory") || said == "Out of memory";
  }
  static void onError(png_structp png, png_const_charp message) {
    static_cast<PngReader*>(png_get_error_ptr(png))->remember(message);
    png_longjmp(png, 1);
  }
  /// Warnings are about remarks that we do not use, unless they are about the pixels.
  static void onWarning(png_structp png, png_const_charp message) {
    if (std::strncmp(message, "IDAT", 4) == 0) onError(png, message);
  }
  static void onRead(png_structp png, png_bytep data, std::size_t size) {
    auto& self = *static_cast<PngReader*>(png_get_io_ptr(png));
    if (self.readBytes(data, size)) return;
    png_error(png, "end of file");
  }
  /// False if there were too few; no exception may pass through libpng.
  bool readBytes(png_bytep data, std::size_t size) noexcept {
    try {
      cutShort_ = bytes_->read(data, size) != size;
    } catch (...) {
      failure_ = std::current_exception();
    }
    return !cutShort_ && failure_ == nullptr;
  }
  void remember(std::string_view message) {
    const std::size_t length = std::min(message.size(), sizeof(message_) - 1);
    std::memcpy(message_, message.data(), length);
    message_[length] = '\0';
  }

  /// Reads up to the pixels.
  void open() {
    bytes_.emplace(*file_);
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, onError, onWarning);
    if (png_ == nullptr) throw std::bad_alloc();
    pngInfo_ = png_create_info_struct(png_);
    static constexpr png_byte unused[] =
        "iCCP\0tEXt\0zTXt\0iTXt\0eXIf\0sPLT\0hIST\0pCAL\0sCAL\0tIME\0gAMA\0cHRM\0sRGB\0sBIT\0bKGD\0pHYs\0oFF"
        "s";
    call([&] {
      if (pngInfo_ == nullptr) png_error(png_, "not enough memory");
      // Side limits are ours to check, after the header is read.
      png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
      png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_NEVER, unused, sizeof(unused) / 5);
      png_set_read_fn(png_, this, onRead);
      png_read_info(png_, pngInfo_);
    });
  }

  bool transparent() const { return png_get_valid(png_, pngInfo_, PNG_INFO_tRNS) != 0; }
  bool hasPalette() const { return !palette_.colours.empty(); }

  void describe(const PageLimits& limits) {
    const png_uint_32 width = png_get_image_width(png_, pngInfo_);
    const png_uint_32 height = png_get_image_height(png_, pngInfo_);
    const int bits = png_get_bit_depth(png_, pngInfo_);
    const int colour = png_get_color_type(png_, pngInfo_);
    interlaced_ = png_get_interlace_type(png_, pngInfo_) != PNG_INTERLACE_NONE;

    const bool alpha = transparent() || (colour & PNG_COLOR_MASK_ALPHA) != 0;
    const int colours = (colour & PNG_COLOR_MASK_COLOR) != 0 ? 3 : 1;
    info_.format = "PNG";
    info_.channels = colours + (alpha ? 1 : 0);
    info_.type = bits == 16 ? ElementType::U16 : ElementType::U8;
    info_.channelNames = colourNames(colours, alpha);
    requireWithinLimits(*file_, info_.channels, height, width, info_.type, limits);
    info_.height = static_cast<int>(height);
    info_.width = static_cast<int>(width);
    const auto samples = static_cast<std::int64_t>(png_get_channels(png_, pngInfo_));
    const std::int64_t promised = (static_cast<std::int64_t>(width) * samples * bits + 7) / 8 * height;
    if (promised / largestExpansion > file_->size()) {
      file_->damaged("is cut short: its header promises " + std::to_string(promised) +
                     " bytes of pixels, the file has " + std::to_string(file_->size()) + " bytes");
    }

    if (colour == PNG_COLOR_TYPE_PALETTE) {
      loadPalette();
      info_.notes.push_back("palette expanded to RGB");
    } else if (bits < 8) {
      info_.notes.push_back(std::to_string(bits) + "-bit pixels expanded to 0..255");
    }
    if (transparent() && !hasPalette()) info_.notes.push_back("transparent colour made an alpha channel");
    samplesPerRow_ = hasPalette() ? 1 : info_.channels;
  }

  /// How libpng is to give the rows.
  void prepareRows() {
    const int bits = png_get_bit_depth(png_, pngInfo_);
    call([&] {
      if (hasPalette()) {
        png_set_packing(png_);
      } else if (bits < 8) {
        png_set_expand_gray_1_2_4_to_8(png_);
      }
      if (transparent() && !hasPalette()) png_set_tRNS_to_alpha(png_);
      if (bits == 16 && std::endian::native == std::endian::little) png_set_swap(png_);
      if (interlaced_) png_set_interlace_handling(png_);
      png_read_update_info(png_, pngInfo_);
    });
    // What libpng will write into our rows must be what they were sized for.
    if (png_get_rowbytes(png_, pngInfo_) != rowBytes()) file_->damaged("has an inconsistent PNG header");
  }

  /// Of a row as libpng gives it.
  std::size_t rowBytes() const {
    return static_cast<std::size_t>(info_.width) * static_cast<std::size_t>(samplesPerRow_) *
           sizeOf(info_.type);
  }

  void loadPalette() {
    png_colorp colours = nullptr;
    int count = 0;
    png_get_PLTE(png_, pngInfo_, &colours, &count);
    png_bytep alphas = nullptr;
    int alphaCount = 0;
    if (transparent()) png_get_tRNS(png_, pngInfo_, &alphas, &alphaCount, nullptr);
    for (int i = 0; i < count; ++i) {
      const png_byte alpha = i < alphaCount ? alphas[i] : png_byte{255};
      palette_.colours.push_back({colours[i].red, colours[i].green, colours[i].blue, alpha});
    }
    palette_.hasAlpha = transparent();
    if (count == 0) file_->damaged("is damaged: it has no palette");
  }

  void readRow(std::byte* row) {
    call([&] { png_read_row(png_, reinterpret_cast<png_bytep>(row), nullptr); });
  }

  /// Each of the seven passes adds some pixels to some rows. libpng merges them into a row of interleaved
  /// pixels, which is made of the planes and taken apart again, so that one row is all the extra memory.
  Image readInterlaced() {
    Image image = allocate(*file_, samplesPerRow_, info_.height, info_.width, info_.type);
    const int channels = image.channels();
    const std::size_t size = sizeOf(image.type());
    std::vector<std::byte> pixels(static_cast<std::size_t>(image.width()) * channels * size);
    std::vector<std::byte*> rows(static_cast<std::size_t>(channels));
    for (int pass = 0; pass < passes; ++pass) {
      for (int y = 0; y < image.height(); ++y) {
        throwIfProgramStops();
        const bool touched = PNG_ROW_IN_INTERLACE_PASS(static_cast<png_uint_32>(y), pass) &&
                             PNG_PASS_COLS(static_cast<png_uint_32>(image.width()), pass) > 0;
        if (!touched) {
          readRow(nullptr);
          continue;
        }
        for (int c = 0; c < channels; ++c) rows[static_cast<std::size_t>(c)] = image.plane(c).row(y);
        if (pass > 0) interleave(rows.data(), channels, image.width(), size, pixels.data());
        readRow(pixels.data());
        deinterleave(pixels.data(), channels, image.width(), size, rows.data());
      }
    }
    endRows();
    return hasPalette() ? expandPalette(image) : std::move(image);
  }

  Image expandPalette(const Image& indices) {
    Image image = allocate(*file_, info_.channels, info_.height, info_.width, ElementType::U8);
    std::vector<std::byte*> rows(static_cast<std::size_t>(info_.channels));
    const auto view = indices.view<std::uint8_t>(0);
    for (int y = 0; y < info_.height; ++y) {
      for (int c = 0; c < info_.channels; ++c) rows[static_cast<std::size_t>(c)] = image.plane(c).row(y);
      expandPaletteRow(*file_, palette_, view.row(y), info_.width, rows.data());
    }
    return image;
  }

  std::optional<ByteReader> bytes_;
  png_structp png_ = nullptr;
  png_infop pngInfo_ = nullptr;
  bool interlaced_ = false;
  int samplesPerRow_ = 1;  // of a pixel as libpng gives it
  Palette palette_;
  std::vector<std::byte> pixels_;
  bool cutShort_ = false;
  std::exception_ptr failure_;
  char message_[200] = {};
};

DecoderPointer openPng(FilePointer file, std::int64_t, const PageLimits& limits) {
  return std::make_unique<PngReader>(std::move(file), limits);
}

std::string pngRefusal(const PageShape& shape) {
  if (shape.type == ElementType::F16 || shape.type == ElementType::F32) {
    return std::string("PNG cannot hold ") + (shape.type == ElementType::F16 ? "float16" : "float32") +
           "; use tiff or npy, or ask for a mapping";
  }
  if (shape.channels <= 4) return "";
  return "PNG cannot hold " + std::to_string(shape.channels) +
         " channels; use tiff or npy, or one file a channel";
}

}  // namespace

const Format pngFormat{.name = "PNG",
                       .endings = {"png"},
                       .signatures = {"\x89PNG"},
                       .open = openPng,
                       .create = createPng,
                       .refusal = pngRefusal,
                       .packs = [](Compression c) { return c == Compression::Deflate; },
                       .usual = Compression::Deflate};

}  // namespace bankside::codec
