#include "core/imageio/image_codec.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace bankside::codec {
namespace {

template <class T>
void scatter(const std::byte* pixels, int channels, int width, std::byte* const* rows) {
  for (int c = 0; c < channels; ++c) {
    const std::byte* from = pixels + static_cast<std::size_t>(c) * sizeof(T);
    std::byte* to = rows[c];
    const std::size_t step = static_cast<std::size_t>(channels) * sizeof(T);
    for (int x = 0; x < width; ++x, from += step, to += sizeof(T)) std::memcpy(to, from, sizeof(T));
  }
}

template <class T>
void gather(const std::byte* const* rows, int channels, int width, std::byte* pixels) {
  for (int c = 0; c < channels; ++c) {
    const std::byte* from = rows[c];
    std::byte* to = pixels + static_cast<std::size_t>(c) * sizeof(T);
    const std::size_t step = static_cast<std::size_t>(channels) * sizeof(T);
    for (int x = 0; x < width; ++x, from += sizeof(T), to += step) std::memcpy(to, from, sizeof(T));
  }
}

}  // namespace

void deinterleave(const std::byte* pixels, int channels, int width, std::size_t elementBytes,
                  std::byte* const* rows) {
  if (channels == 1) {
    std::memcpy(rows[0], pixels, static_cast<std::size_t>(width) * elementBytes);
  } else if (elementBytes == 1) {
    scatter<std::uint8_t>(pixels, channels, width, rows);
  } else if (elementBytes == 2) {
    scatter<std::uint16_t>(pixels, channels, width, rows);
  } else {
    scatter<std::uint32_t>(pixels, channels, width, rows);
  }
}

void interleave(const std::byte* const* rows, int channels, int width, std::size_t elementBytes,
                std::byte* pixels) {
  if (channels == 1) {
    std::memcpy(pixels, rows[0], static_cast<std::size_t>(width) * elementBytes);
  } else if (elementBytes == 1) {
    gather<std::uint8_t>(rows, channels, width, pixels);
  } else if (elementBytes == 2) {
    gather<std::uint16_t>(rows, channels, width, pixels);
  } else {
    gather<std::uint32_t>(rows, channels, width, pixels);
  }
}

void swapBytes(std::byte* data, std::size_t count, std::size_t elementBytes) {
  if (elementBytes == 1) return;
  for (std::size_t i = 0; i < count; ++i, data += elementBytes) std::reverse(data, data + elementBytes);
}

void requirePage(const InputFile& file, int page, int pages) {
  if (page >= 0 && page < pages) return;
  file.damaged("has " + std::to_string(pages) + (pages == 1 ? " page" : " pages") + ", page " +
               std::to_string(page) + " (counted from 0) is not among them");
}

void requireWithinLimits(const InputFile& file, std::int64_t channels, std::int64_t height,
                         std::int64_t width, ElementType type, const PageLimits& limits) {
  const std::string shape = std::to_string(width) + " x " + std::to_string(height) + " pixels";
  if (channels < 1 || height < 1 || width < 1) file.damaged("holds no pixels (" + shape + ")");
  if (height > limits.maxSide || width > limits.maxSide) {
    file.fail(ErrorCode::Limit,
              "has " + shape + ", the limit is " + std::to_string(limits.maxSide) + " a side");
  }
  // Sides fit 31 bits from here on, so that only the last product can overflow.
  const std::int64_t rowBytes = (width * static_cast<std::int64_t>(sizeOf(type)) + 63) / 64 * 64;
  std::int64_t bytes = 0;
  const bool countable = channels <= INT32_MAX &&
                         !__builtin_mul_overflow(rowBytes * height, channels, &bytes) &&
                         bytes < INT64_MAX / 4;
  if (!countable || (limits.wholePage && bytes > limits.maxBytes)) {
    file.fail(ErrorCode::Limit, "has " + shape + " in " + std::to_string(channels) + " channels of " +
                                    toString(type) + ", more than the limit of " +
                                    std::to_string(limits.maxBytes) + " bytes a page");
  }
}

Image allocate(const InputFile& file, int channels, int height, int width, ElementType type) {
  try {
    return Image(channels, height, width, type);
  } catch (const Error& error) {
    file.fail(error.code(), error.what());
  }
}

std::vector<std::string> colourNames(int colours, bool alpha) {
  std::vector<std::string> names;
  if (colours == 1) names = {"grey"};
  if (colours == 3) names = {"red", "green", "blue"};
  if (alpha) names.push_back("alpha");
  return names;
}

std::vector<std::string> numberedNames(int channels) {
  std::vector<std::string> names;
  for (int c = 0; c < channels; ++c) names.push_back("channel" + std::to_string(c));
  return names;
}

}  // namespace bankside::codec
