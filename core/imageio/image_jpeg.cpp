/// JPEG through libjpeg-turbo, 8-bit grey and colour. What libjpeg only warns about (data cut short or
/// corrupt, the rest painted grey) is an error here.
#include <cstdio>  // jpeglib.h needs it before itself

#include <jpeglib.h>

#include <jerror.h>

#include <algorithm>
#include <bit>
#include <csetjmp>
#include <cstdint>
#include <cstring>

#include "core/imageio/forward_reader.h"
#include "core/imageio/orientation.h"

namespace bankside::codec {
namespace {

/// A progressive file may paint a large picture over and over; honest ones need about ten scans.
constexpr int mostScans = 500;

constexpr std::size_t bufferBytes = std::size_t{64} << 10;

/// libjpeg pads colours to words, which compilers take apart many at a time.
constexpr int wordBytes = 4;

void takeApart(const std::byte* pixels, int width, std::byte* const* rows) {
  std::byte* red = rows[0];
  std::byte* green = rows[1];
  std::byte* blue = rows[2];
  for (int x = 0; x < width; ++x) {
    std::uint32_t word;
    std::memcpy(&word, pixels + static_cast<std::size_t>(x) * wordBytes, wordBytes);
    if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap32(word);
    red[x] = static_cast<std::byte>(word);
    green[x] = static_cast<std::byte>(word >> 8);
    blue[x] = static_cast<std::byte>(word >> 16);
  }
}

class JpegReader final : public ForwardReader {
 public:
  JpegReader(FilePointer file, const PageLimits& limits)
      : ForwardReader(std::move(file), limits), buffer_(bufferBytes) {
    std::memset(&jpeg_, 0, sizeof(jpeg_));
    jpeg_.err = jpeg_std_error(&errors_);
    jpeg_.client_data = this;
    errors_.error_exit = [](j_common_ptr c) { self(c).jumpOut(); };
    errors_.emit_message = [](j_common_ptr c, int level) {
      if (level < 0) self(c).jumpOut();
    };
    errors_.output_message = [](j_common_ptr) {};
    try {
      create(limits);
      readHeader();
      describe(limits);
    } catch (...) {
      jpeg_destroy_decompress(&jpeg_);
      throw;
    }
  }
  ~JpegReader() override { jpeg_destroy_decompress(&jpeg_); }

  bool streams() const override { return orientation_ == 1; }

  Image readAll() override {
    const auto height = static_cast<int>(jpeg_.image_height);
    const auto width = static_cast<int>(jpeg_.image_width);
    return applyOrientation(*file_, decodeAll(height, width), orientation_);
  }

 protected:
  void rewind() override {
    call([&] { jpeg_abort_decompress(&jpeg_); });
    offset_ = 0;
    source_.bytes_in_buffer = 0;
    started_ = false;
    readHeader();
  }

  void decodeRow(std::byte* const* rows) override {
    if (!started_) call([&] { jpeg_start_decompress(&jpeg_); });
    started_ = true;
    const auto width = static_cast<int>(jpeg_.image_width);
    const bool colour = info_.channels == 3;
    pixels_.resize(static_cast<std::size_t>(width) * (colour ? wordBytes : 1));
    auto* row = reinterpret_cast<JSAMPROW>(pixels_.data());
    call([&] { jpeg_read_scanlines(&jpeg_, &row, 1); });
    if (colour) {
      takeApart(pixels_.data(), width, rows);
    } else {
      std::memcpy(rows[0], pixels_.data(), pixels_.size());
    }
  }

  void endRows() override {
    call([&] { jpeg_finish_decompress(&jpeg_); });
  }

 private:
  static JpegReader& self(j_common_ptr c) { return *static_cast<JpegReader*>(c->client_data); }
  static JpegReader& self(j_decompress_ptr c) { return *static_cast<JpegReader*>(c->client_data); }

  /// Calls into libjpeg so that its errors end as exceptions. `function` must own nothing that needs a
  /// destructor: the long jump skips it.
  template <class Function>
  void call(Function&& function) {
    if (setjmp(jump_) != 0) {  // NOLINT(cert-err52-cpp): libjpeg's only way out
      fail();
    } else {
      function();
    }
  }
  [[noreturn]] void jumpOut() { std::longjmp(jump_, 1); }  // NOLINT(cert-err52-cpp)

  [[noreturn]] void fail() {
    if (failure_) std::rethrow_exception(failure_);
    if (tooManyScans_) file_->fail(ErrorCode::Limit, "has more than " + std::to_string(mostScans) + " scans");
    char text[JMSG_LENGTH_MAX] = {};
    errors_.format_message(reinterpret_cast<j_common_ptr>(&jpeg_), text);
    switch (errors_.msg_code) {
      case JERR_OUT_OF_MEMORY:
      case JERR_NO_BACKING_STORE:
      case JERR_TFILE_CREATE:
        file_->fail(ErrorCode::Limit,
                    "needs more memory to decode than the limit; bankside filter --memory allows more");
      case JERR_BAD_PRECISION:
      case JERR_ARITH_NOTIMPL:
      case JERR_SOF_UNSUPPORTED:
      case JERR_CONVERSION_NOTIMPL:
      case JERR_NOT_COMPILED:
        file_->fail(ErrorCode::Unsupported, std::string("is a JPEG of a kind that is not read here (") +
                                                text + "); convert it to PNG or TIFF");
      default: file_->damaged(std::string("JPEG data is damaged: ") + text);
    }
  }

  /// libjpeg asks for more bytes; the end of the file comes too early then, always.
  boolean fill() noexcept {
    try {
      const std::size_t got = file_->readSome(offset_, buffer_.data(), buffer_.size());
      offset_ += static_cast<std::int64_t>(got);
      source_.next_input_byte = buffer_.data();
      source_.bytes_in_buffer = got;
    } catch (...) {
      failure_ = std::current_exception();
    }
    return failure_ == nullptr && source_.bytes_in_buffer > 0 ? TRUE : FALSE;
  }
  static boolean onFill(j_decompress_ptr c) {
    JpegReader& reader = self(c);
    if (reader.fill() == FALSE) {
      reader.errors_.msg_code = JWRN_JPEG_EOF;  // "Premature end of JPEG file"
      reader.jumpOut();
    }
    return TRUE;
  }
  static void onSkip(j_decompress_ptr c, long count) {
    while (count > static_cast<long>(c->src->bytes_in_buffer)) {
      count -= static_cast<long>(c->src->bytes_in_buffer);
      onFill(c);
    }
    if (count <= 0) return;
    c->src->next_input_byte += count;
    c->src->bytes_in_buffer -= static_cast<std::size_t>(count);
  }

  void create(const PageLimits& limits) {
    source_.init_source = [](j_decompress_ptr) {};
    source_.fill_input_buffer = onFill;
    source_.skip_input_data = onSkip;
    source_.resync_to_restart = jpeg_resync_to_restart;
    source_.term_source = [](j_decompress_ptr) {};
    constexpr std::int64_t most = std::int64_t{1} << 60;
    progress_.progress_monitor = [](j_common_ptr c) {
      JpegReader& reader = self(c);
      if (reader.jpeg_.input_scan_number <= mostScans) return;
      reader.tooManyScans_ = true;
      reader.jumpOut();
    };
    call([&] {
      jpeg_create_decompress(&jpeg_);
      jpeg_.src = &source_;
      jpeg_.progress = &progress_;
      // The coefficients of a progressive picture take two bytes a pixel; the tables a little.
      const std::int64_t bytes = std::min(limits.maxBytes, most) * (limits.wholePage ? 2 : 1);
      jpeg_.mem->max_memory_to_use = static_cast<long>(bytes + (1 << 24));
      jpeg_save_markers(&jpeg_, JPEG_APP0 + 1, 0xffff);
    });
  }

  void readHeader() {
    call([&] { jpeg_read_header(&jpeg_, TRUE); });
    switch (jpeg_.jpeg_color_space) {
      case JCS_GRAYSCALE: jpeg_.out_color_space = JCS_GRAYSCALE; break;
      case JCS_RGB:
      case JCS_YCbCr: jpeg_.out_color_space = JCS_EXT_RGBX; break;
      case JCS_CMYK:
      case JCS_YCCK:
        file_->fail(ErrorCode::Unsupported,
                    "is a CMYK JPEG, made for printing; convert it to RGB with its colour profile first");
      default:
        file_->fail(ErrorCode::Unsupported, "is a JPEG of " + std::to_string(jpeg_.num_components) +
                                                " components of unknown meaning; convert it to TIFF");
    }
  }

  void describe(const PageLimits& limits) {
    info_.format = "JPEG";
    info_.channels = jpeg_.out_color_space == JCS_GRAYSCALE ? 1 : 3;
    info_.type = ElementType::U8;
    info_.channelNames = colourNames(info_.channels, false);
    requireWithinLimits(*file_, info_.channels, jpeg_.image_height, jpeg_.image_width, info_.type, limits);
    info_.height = static_cast<int>(jpeg_.image_height);
    info_.width = static_cast<int>(jpeg_.image_width);
    for (jpeg_saved_marker_ptr marker = jpeg_.marker_list; marker != nullptr; marker = marker->next) {
      if (marker->marker != JPEG_APP0 + 1 || orientation_ != 1) continue;
      orientation_ = exifOrientation(marker->data, marker->data_length);
    }
    noteOrientation(info_, orientation_, "EXIF");
  }

  std::vector<JOCTET> buffer_;
  std::vector<std::byte> pixels_;
  std::int64_t offset_ = 0;
  jpeg_decompress_struct jpeg_;
  jpeg_error_mgr errors_;
  jpeg_source_mgr source_{};
  jpeg_progress_mgr progress_{};
  std::jmp_buf jump_;
  std::exception_ptr failure_;
  bool tooManyScans_ = false;
  bool started_ = false;
  int orientation_ = 1;
};

DecoderPointer openJpeg(FilePointer file, std::int64_t, const PageLimits& limits) {
  return std::make_unique<JpegReader>(std::move(file), limits);
}

}  // namespace

const Format jpegFormat{
    .name = "JPEG", .endings = {"jpg", "jpeg"}, .signatures = {"\xff\xd8\xff"}, .open = openJpeg};

}  // namespace bankside::codec
