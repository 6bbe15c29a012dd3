/// The one image type: planar, native values, never silently rescaled.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/element_type.h"
#include "core/plane_view.h"

namespace bankside {

/// C planes [H,W] of one element type; every row starts on a 64-byte boundary. Move-only: a copy is
/// `clone()`.
class Image {
 public:
  Image() = default;

  /// Uninitialised pixels. Throws Error{BadInput} for a side or channel count below 1, Error{Limit} if memory
  /// runs out.
  Image(int channels, int height, int width, ElementType type);

  /// Leaves the other empty.
  Image(Image&& other) noexcept { swap(other); }
  Image& operator=(Image&& other) noexcept {
    Image taken(std::move(other));
    swap(taken);
    return *this;
  }
  Image clone() const;

  int channels() const { return channels_; }
  int height() const { return height_; }
  int width() const { return width_; }
  ElementType type() const { return type_; }
  bool empty() const { return channels_ == 0; }
  std::ptrdiff_t strideBytes() const { return strideBytes_; }

  /// One name a channel ("grey", "red", ...); empty where nobody named them.
  const std::vector<std::string>& channelNames() const { return channelNames_; }
  void setChannelNames(std::vector<std::string> names);

  MutablePlane plane(int channel);
  ConstPlane plane(int channel) const;

  /// The typed view of a plane. Throws Error{BadInput} if T is not the image's type.
  template <class T>
  PlaneView<T> view(int channel) {
    requireType(elementTypeOf<T>);
    return plane(channel).template as<T>();
  }
  template <class T>
  PlaneView<const T> view(int channel) const {
    requireType(elementTypeOf<T>);
    return plane(channel).template as<T>();
  }

 private:
  struct FreeAligned {
    void operator()(std::byte* data) const;
  };
  void swap(Image& other) noexcept;
  void requireType(ElementType type) const;
  std::size_t planeBytes() const;

  int channels_ = 0;
  int height_ = 0;
  int width_ = 0;
  ElementType type_ = ElementType::F32;
  std::ptrdiff_t strideBytes_ = 0;
  std::vector<std::string> channelNames_;
  std::unique_ptr<std::byte[], FreeAligned> pixels_;
};

/// Same shape and values in another type; integers from float round and saturate (see `fromFloat`).
Image convert(const Image& image, ElementType type);

/// True where type, shape and every pixel agree bit for bit (NaN equals the same NaN). Row padding is
/// ignored.
bool samePixels(const Image& a, const Image& b);

}  // namespace bankside
