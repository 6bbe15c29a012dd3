/// PNG through libpng: 8 and 16 bit, 1 to 4 channels.
#include <png.h>

#include <bit>
#include <csetjmp>
#include <cstring>
#include <exception>

#include "core/imageio/image_codec.h"

namespace bankside::codec {
namespace {

class PngWriter final : public PageWriter {
 public:
  PngWriter(AtomicFile& file, const PageShape& shape)
      : file_(file),
        shape_(shape),
        pixels_(static_cast<std::size_t>(shape.width) * static_cast<std::size_t>(shape.channels) *
                sizeOf(shape.type)) {
    png_ = png_create_write_struct(PNG_LIBPNG_VER_STRING, this, onError, [](png_structp, png_const_charp) {});
    if (png_ == nullptr) throw Error(ErrorCode::Limit, file_.path().string() + ": not enough memory");
    pngInfo_ = png_create_info_struct(png_);
    try {
      writeHeader();
    } catch (...) {
      png_destroy_write_struct(&png_, &pngInfo_);
      throw;
    }
  }
  ~PngWriter() override { png_destroy_write_struct(&png_, &pngInfo_); }

  void putRows(std::span<const ConstPlane> channels) override {
    std::vector<const std::byte*> rows(channels.size());
    for (int y = 0; y < channels[0].height; ++y) {
      for (std::size_t c = 0; c < channels.size(); ++c) rows[c] = channels[c].row(y);
      interleave(rows.data(), shape_.channels, shape_.width, sizeOf(shape_.type), pixels_.data());
      call([&] { png_write_row(png_, reinterpret_cast<png_bytep>(pixels_.data())); });
    }
  }

  void finish() override {
    call([&] { png_write_end(png_, nullptr); });
  }

 private:
  /// Half-way between size and speed; the pictures that are looked at are small.
  static constexpr int compressionLevel = 4;

  /// Calls into libpng so that its long jump ends as an exception. `function` must own nothing that needs a
  /// destructor: the jump skips it.
  template <class Function>
  void call(Function&& function) {
    if (setjmp(png_jmpbuf(png_)) != 0) {  // NOLINT(cert-err52-cpp): libpng's only way out
      if (failure_) std::rethrow_exception(failure_);
      throw Error(ErrorCode::Io, file_.path().string() + ": cannot write the PNG: " + message_);
    }
    function();
  }
  static void onError(png_structp png, png_const_charp message) {
    auto& self = *static_cast<PngWriter*>(png_get_error_ptr(png));
    std::strncpy(self.message_, message, sizeof(self.message_) - 1);
    png_longjmp(png, 1);
  }
  static void onWrite(png_structp png, png_bytep data, std::size_t size) {
    if (!static_cast<PngWriter*>(png_get_io_ptr(png))->writeBytes(data, size)) png_error(png, "write failed");
  }
  bool writeBytes(png_bytep data, std::size_t size) noexcept {
    try {
      file_.write(data, size);
    } catch (...) {
      failure_ = std::current_exception();
    }
    return failure_ == nullptr;
  }

  void writeHeader() {
    static constexpr int colourTypes[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                                          PNG_COLOR_TYPE_RGB_ALPHA};
    call([&] {
      if (pngInfo_ == nullptr) png_error(png_, "not enough memory");
      png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
      png_set_write_fn(png_, this, onWrite, [](png_structp) {});
      png_set_compression_level(png_, compressionLevel);
      png_set_IHDR(png_, pngInfo_, static_cast<png_uint_32>(shape_.width),
                   static_cast<png_uint_32>(shape_.height), shape_.type == ElementType::U16 ? 16 : 8,
                   colourTypes[shape_.channels - 1], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                   PNG_FILTER_TYPE_DEFAULT);
      png_write_info(png_, pngInfo_);
      if (shape_.type == ElementType::U16 && std::endian::native == std::endian::little) png_set_swap(png_);
    });
  }

  AtomicFile& file_;
  PageShape shape_;
  png_structp png_ = nullptr;
  png_infop pngInfo_ = nullptr;
  std::vector<std::byte> pixels_;
  std::exception_ptr failure_;
  char message_[200] = {};
};

}  // namespace

WriterPointer createPng(AtomicFile& file, const PageShape& shape) {
  return std::make_unique<PngWriter>(file, shape);
}

}  // namespace bankside::codec
