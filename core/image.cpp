#include "core/image.h"

#include <cstdint>
#include <cstring>
#include <utility>

#include "core/error.h"
#include "core/image_memory.h"
#include "core/wanting.h"

namespace bankside {
namespace {

constexpr std::ptrdiff_t rowAlignment = imageAlignment;

}  // namespace

void Image::FreeAligned::operator()(std::byte* data) const { givePixels(data); }

void Image::swap(Image& other) noexcept {
  std::swap(channels_, other.channels_);
  std::swap(height_, other.height_);
  std::swap(width_, other.width_);
  std::swap(type_, other.type_);
  std::swap(strideBytes_, other.strideBytes_);
  std::swap(channelNames_, other.channelNames_);
  std::swap(pixels_, other.pixels_);
}

Image::Image(int channels, int height, int width, ElementType type)
    : channels_(channels), height_(height), width_(width), type_(type) {
  const std::string shape =
      std::to_string(channels) + " x " + std::to_string(height) + " x " + std::to_string(width);
  if (channels < 1 || height < 1 || width < 1) {
    throw Error(ErrorCode::BadInput, "an image of " + shape + " (channels x height x width) has no pixels");
  }
  const auto rowBytes = static_cast<std::ptrdiff_t>(width) * static_cast<std::ptrdiff_t>(sizeOf(type));
  strideBytes_ = (rowBytes + rowAlignment - 1) / rowAlignment * rowAlignment;
  std::size_t bytes = 0;
  const bool tooLarge = __builtin_mul_overflow(planeBytes(), static_cast<std::size_t>(channels), &bytes) ||
                        bytes > static_cast<std::size_t>(PTRDIFF_MAX);
  const std::string none = "no memory for an image of " + shape + " " + toString(type);
  if (tooLarge) throw Error(ErrorCode::Limit, none);
  void* memory = takePixels(bytes);
  if (memory == nullptr) throw Wanting(none);
  pixels_.reset(static_cast<std::byte*>(memory));
}

Image Image::clone() const {
  if (empty()) return {};
  Image copy(channels_, height_, width_, type_);
  copy.channelNames_ = channelNames_;
  std::memcpy(copy.pixels_.get(), pixels_.get(), planeBytes() * static_cast<std::size_t>(channels_));
  return copy;
}

void Image::setChannelNames(std::vector<std::string> names) {
  if (!names.empty() && names.size() != static_cast<std::size_t>(channels_)) {
    throw Error(ErrorCode::BadInput, std::to_string(names.size()) + " channel names for " +
                                         std::to_string(channels_) + " channels");
  }
  channelNames_ = std::move(names);
}

std::size_t Image::planeBytes() const {
  return static_cast<std::size_t>(strideBytes_) * static_cast<std::size_t>(height_);
}

MutablePlane Image::plane(int channel) {
  return {pixels_.get() + static_cast<std::size_t>(channel) * planeBytes(), type_, width_, height_,
          strideBytes_};
}

ConstPlane Image::plane(int channel) const {
  return {pixels_.get() + static_cast<std::size_t>(channel) * planeBytes(), type_, width_, height_,
          strideBytes_};
}

void Image::requireType(ElementType type) const {
  if (type != type_) {
    throw Error(ErrorCode::BadInput, std::string("asked for ") + toString(type) +
                                         " pixels of an image that holds " + toString(type_));
  }
}

Image convert(const Image& image, ElementType type) {
  if (image.type() == type) return image.clone();
  Image result(image.channels(), image.height(), image.width(), type);
  result.setChannelNames(image.channelNames());
  visit(image.type(), [&](auto from) {
    visit(type, [&](auto to) {
      for (int c = 0; c < image.channels(); ++c) {
        const auto src = image.view<decltype(from)>(c);
        const auto dst = result.view<decltype(to)>(c);
        for (int y = 0; y < image.height(); ++y) {
          for (int x = 0; x < image.width(); ++x)
            dst.at(x, y) = fromFloat<decltype(to)>(asFloat(src.at(x, y)));
        }
      }
    });
  });
  return result;
}

bool samePixels(const Image& a, const Image& b) {
  if (a.channels() != b.channels() || a.height() != b.height() || a.width() != b.width() ||
      a.type() != b.type()) {
    return false;
  }
  const std::size_t rowBytes = static_cast<std::size_t>(a.width()) * sizeOf(a.type());
  for (int c = 0; c < a.channels(); ++c) {
    for (int y = 0; y < a.height(); ++y) {
      if (std::memcmp(a.plane(c).row(y), b.plane(c).row(y), rowBytes) != 0) return false;
    }
  }
  return true;
}

}  // namespace bankside
