#include "library/view.h"

#include <algorithm>
#include <cstring>

#include "library/status.h"

namespace bankside::library {
namespace {

struct Axis {
  std::int64_t count;
  std::int64_t stride;
};

std::string shapeText(std::int64_t channels, std::int64_t height, std::int64_t width, const char* type) {
  return "[" + std::to_string(channels) + "," + std::to_string(height) + "," + std::to_string(width) + "] " +
         type;
}

const char* typeText(std::int32_t type) {
  return type >= BK_F32 && type <= BK_F16 ? toString(elementType(type)) : "of no type";
}

/// Copies pixels `size` bytes each, whose addresses need not fit them.
template <std::size_t size>
void copyPixels(const std::byte* src, std::ptrdiff_t srcStep, std::byte* dst, std::ptrdiff_t dstStep,
                int count) {
  for (int x = 0; x < count; ++x, src += srcStep, dst += dstStep) std::memcpy(dst, src, size);
}

void copyRow(std::size_t size, const std::byte* src, std::ptrdiff_t srcStep, std::byte* dst,
             std::ptrdiff_t dstStep, int count) {
  switch (size) {
    case 1: return copyPixels<1>(src, srcStep, dst, dstStep, count);
    case 2: return copyPixels<2>(src, srcStep, dst, dstStep, count);
    default: return copyPixels<4>(src, srcStep, dst, dstStep, count);
  }
}

template <class T>
void narrowRow(const float* src, std::byte* dst, std::ptrdiff_t dstStep, int count) {
  for (int x = 0; x < count; ++x, dst += dstStep) {
    const T value = fromFloat<T>(src[x]);
    std::memcpy(dst, &value, sizeof value);
  }
}

/// Of what nearly everybody has, and nothing is wrong with: rows of neighbouring pixels after one another,
/// planes after one another. An end of 0 for all else.
AddressRange rangeOfNested(const bk_view& view, const Expected& expected) {
  const auto size = static_cast<std::int64_t>(sizeOf(expected.type));
  if (view.type != bkType(expected.type) || view.channels != expected.channels ||
      view.height != expected.height || view.width != expected.width || view.pixel_stride != size) {
    return {};
  }
  const std::int64_t row = size * view.width;
  std::int64_t plane = 0;
  std::int64_t before = 0;  // bytes from the first plane to the last
  if (view.row_stride < row || __builtin_mul_overflow(view.row_stride, view.height - 1, &plane) ||
      __builtin_add_overflow(plane, row, &plane))
    return {};
  if (view.channels > 1 && (view.channel_stride < plane ||
                            __builtin_mul_overflow(view.channel_stride, view.channels - 1, &before)))
    return {};
  const auto address = reinterpret_cast<std::uintptr_t>(view.data);
  const auto bytes = static_cast<std::uintptr_t>(before) + static_cast<std::uintptr_t>(plane);
  if (address == 0 || bytes > std::uintptr_t{INT64_MAX} - std::min<std::uintptr_t>(address, INT64_MAX))
    return {};
  return {address, address + bytes};
}

/// Whether each stride steps over all that the axes after it reach.
bool stepOverOneAnother(const Axis (&axes)[3], std::int64_t pixelBytes) {
  std::int64_t reach = pixelBytes;
  for (int i = 2; i >= 0; --i) {
    if (axes[i].count == 1) continue;
    if (std::abs(axes[i].stride) < reach) return false;
    reach += std::abs(axes[i].stride) * (axes[i].count - 1);
  }
  return true;
}

/// Whether the pixels of a view are all different places: in some order of the axes.
/// (Some views that interleave in other ways are different places too; nobody has those.)
bool placesOfTheirOwn(Axis (&axes)[3], std::int64_t pixelBytes) {
  if (stepOverOneAnother(axes, pixelBytes)) return true;
  std::sort(axes, axes + 3,
            [](const Axis& a, const Axis& b) { return std::abs(a.stride) > std::abs(b.stride); });
  return stepOverOneAnother(axes, pixelBytes);
}

/// Of all else. A function of its own: what nearly everybody has shall not wait for its texts.
[[gnu::noinline]] AddressRange rangeOfOther(const bk_view& view, const Expected& expected, bool written) {
  if (view.type != bkType(expected.type) || view.channels != expected.channels ||
      view.height != expected.height || view.width != expected.width) {
    refuse(std::string(expected.what) + " is " +
           shapeText(view.channels, view.height, view.width, typeText(view.type)) +
           " where the plan expects " +
           shapeText(expected.channels, expected.height, expected.width, toString(expected.type)));
  }
  if (view.data == nullptr) refuse(std::string(expected.what) + " has no memory, its data is NULL");
  Axis axes[3] = {
      {view.channels, view.channel_stride}, {view.height, view.row_stride}, {view.width, view.pixel_stride}};
  const auto address = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(view.data));
  std::int64_t low = address;
  std::int64_t high = address;
  bool fits = true;
  for (Axis& axis : axes) {
    if (axis.count == 1) axis.stride = 0;  // no step is ever taken
    std::int64_t reach = 0;
    fits = fits && !__builtin_mul_overflow(axis.stride, axis.count - 1, &reach);
    std::int64_t& end = reach < 0 ? low : high;
    fits = fits && !__builtin_add_overflow(end, reach, &end);
  }
  const auto pixelBytes = static_cast<std::int64_t>(sizeOf(expected.type));
  fits = fits && low > 0 && !__builtin_add_overflow(high, pixelBytes, &high);
  if (!fits) refuse(std::string(expected.what) + " has strides that leave the address space");
  if (written && !placesOfTheirOwn(axes, pixelBytes)) {
    refuse(std::string(expected.what) + " would be written over one another: two pixels share a place");
  }
  return {static_cast<std::uintptr_t>(low), static_cast<std::uintptr_t>(high)};
}

}  // namespace

ElementType elementType(std::int32_t type) {
  switch (type) {
    case BK_F32: return ElementType::F32;
    case BK_U8: return ElementType::U8;
    case BK_U16: return ElementType::U16;
    case BK_F16: return ElementType::F16;
    default: break;
  }
  refuse("there is no pixel type " + std::to_string(type) + "; BK_F32, BK_U8, BK_U16 and BK_F16 are 0 to 3");
}

std::int32_t bkType(ElementType type) {
  switch (type) {
    case ElementType::U8: return BK_U8;
    case ElementType::U16: return BK_U16;
    case ElementType::F16: return BK_F16;
    case ElementType::F32: break;
  }
  return BK_F32;
}

AddressRange checkView(const bk_view& view, const Expected& expected, bool written) {
  const AddressRange range = rangeOfNested(view, expected);
  return range.end != 0 ? range : rangeOfOther(view, expected, written);
}

void requireApart(AddressRange a, const char* what, AddressRange b, const char* other) {
  if (a.first < b.end && b.first < a.end) {
    refuse(std::string(what) + " and " + other + " overlap in memory; nothing is filtered in place");
  }
}

bool inPlace(const bk_view& view) {
  const std::int64_t size = bk_type_size(view.type);
  const auto address = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(view.data));
  const std::int64_t odd = (view.row_stride | view.channel_stride | address) & (size - 1);  // a power of two
  return (view.pixel_stride == size || view.width == 1) && odd == 0;
}

std::optional<ConstPlane> ViewSource::resident(int channel) const {
  if (!inPlace_) return std::nullopt;
  return ConstPlane{static_cast<const std::byte*>(view_.data) + channel * view_.channel_stride, type_,
                    width(), height(), static_cast<std::ptrdiff_t>(view_.row_stride)};
}

void ViewSource::readRows(int channel, int firstRow, MutablePlane dst) {
  const std::byte* src = static_cast<const std::byte*>(view_.data) + channel * view_.channel_stride +
                         firstRow * view_.row_stride;
  const std::size_t size = sizeOf(type_);
  for (int y = 0; y < dst.height; ++y) {
    copyRow(size, src + y * view_.row_stride, static_cast<std::ptrdiff_t>(view_.pixel_stride), dst.row(y),
            static_cast<std::ptrdiff_t>(size), dst.width);
  }
}

ViewSink::ViewSink(const ResultViews& views, ElementType type, const std::vector<int>& planes)
    : views_(views),
      type_(type),
      planes_(planes),
      inPlace_(library::inPlace(views.results) &&
               (views.indices == nullptr || library::inPlace(*views.indices))) {}

std::byte* ViewSink::row(int plane, int y) const {
  const bk_view& view = viewOf(plane);
  const int k = planes_[static_cast<std::size_t>(plane)];
  const int channel = views_.indices == nullptr ? k : k / 2;
  return static_cast<std::byte*>(view.data) + channel * view.channel_stride + y * view.row_stride;
}

std::optional<MutablePlane> ViewSink::resident(int plane) {
  if (!inPlace_) return std::nullopt;
  const bk_view& view = viewOf(plane);
  return MutablePlane{row(plane, 0), type(plane), static_cast<int>(view.width), static_cast<int>(view.height),
                      static_cast<std::ptrdiff_t>(view.row_stride)};
}

void ViewSink::writeRows(int plane, int firstRow, ConstPlane src) {
  const auto step = static_cast<std::ptrdiff_t>(viewOf(plane).pixel_stride);
  for (int y = 0; y < src.height; ++y) {
    std::byte* dst = row(plane, firstRow + y);
    if (src.type == type(plane)) {
      const std::size_t size = sizeOf(src.type);
      copyRow(size, src.row(y), static_cast<std::ptrdiff_t>(size), dst, step, src.width);
      continue;
    }
    visit(type(plane), [&](auto element) {
      narrowRow<decltype(element)>(reinterpret_cast<const float*>(src.row(y)), dst, step, src.width);
    });
  }
}

}  // namespace bankside::library
