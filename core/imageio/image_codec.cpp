#include "core/imageio/image_codec.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/stopping.h"

namespace bankside::codec {
namespace {

/// As many as a TIFF can have.
constexpr std::int64_t mostChannels = 65535;

template <class T>
void scatter(const std::byte* pixels, int channels, int width, std::byte* const* rows) {
  for (int c = 0; c < channels; ++c) {
    const std::byte* from = pixels + static_cast<std::size_t>(c) * sizeof(T);
    std::byte* to = rows[c];
    const std::size_t step = static_cast<std::size_t>(channels) * sizeof(T);
    for (int x = 0; x < width; ++x, from += step, to += sizeof(T)) std::memcpy(to, from, sizeof(T));
  }
}

/// The same, all channels at once, for a number of them that the compiler knows.
template <class T, int Channels>
void scatter(const std::byte* pixels, int width, std::byte* const* rows) {
  std::byte* to[Channels];
  std::copy_n(rows, Channels, to);
  for (int x = 0; x < width; ++x, pixels += Channels * sizeof(T)) {
    for (int c = 0; c < Channels; ++c)
      std::memcpy(to[c] + static_cast<std::size_t>(x) * sizeof(T), pixels + c * sizeof(T), sizeof(T));
  }
}

template <class T>
void scatterAny(const std::byte* pixels, int channels, int width, std::byte* const* rows) {
  if (channels == 3) return scatter<T, 3>(pixels, width, rows);
  if (channels == 4) return scatter<T, 4>(pixels, width, rows);
  scatter<T>(pixels, channels, width, rows);
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

/// As whole elements, which compilers turn many at a time.
template <class T, class Swap>
void swapEach(std::byte* data, std::size_t count, Swap swap) {
  for (std::size_t i = 0; i < count; ++i, data += sizeof(T)) {
    T value;
    std::memcpy(&value, data, sizeof(T));
    value = swap(value);
    std::memcpy(data, &value, sizeof(T));
  }
}

}  // namespace

void deinterleave(const std::byte* pixels, int channels, int width, std::size_t elementBytes,
                  std::byte* const* rows) {
  if (channels == 1) {
    std::memcpy(rows[0], pixels, static_cast<std::size_t>(width) * elementBytes);
  } else if (elementBytes == 1) {
    scatterAny<std::uint8_t>(pixels, channels, width, rows);
  } else if (elementBytes == 2) {
    scatterAny<std::uint16_t>(pixels, channels, width, rows);
  } else {
    scatterAny<std::uint32_t>(pixels, channels, width, rows);
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
  if (elementBytes == 2)
    return swapEach<std::uint16_t>(data, count, [](auto v) { return __builtin_bswap16(v); });
  if (elementBytes == 4)
    return swapEach<std::uint32_t>(data, count, [](auto v) { return __builtin_bswap32(v); });
}

void PageEncoder::writeRows(std::span<const ConstPlane> channels) {
  constexpr std::int64_t partBytes = std::int64_t{1} << 20;
  const ConstPlane& first = channels.front();
  const std::int64_t rowBytes =
      static_cast<std::int64_t>(channels.size() * sizeOf(first.type)) * std::max(1, first.width);
  const int most = static_cast<int>(std::clamp<std::int64_t>(partBytes / rowBytes, 1, INT32_MAX));
  std::vector<ConstPlane> part(channels.begin(), channels.end());
  for (int y = 0; y < first.height; y += most) {
    throwIfProgramStops();
    for (std::size_t c = 0; c < part.size(); ++c) {
      part[c].data = channels[c].row(y);
      part[c].height = std::min(most, first.height - y);
    }
    putRows(part);
  }
}

void requireWithinLimits(const ReadableFile& file, std::int64_t channels, std::int64_t height,
                         std::int64_t width, ElementType type, const PageLimits& limits) {
  const std::string shape = std::to_string(width) + " x " + std::to_string(height) + " pixels";
  if (channels < 1 || height < 1 || width < 1) file.damaged("holds no pixels (" + shape + ")");
  if (height > limits.maxSide || width > limits.maxSide) {
    file.fail(ErrorCode::Limit,
              "has " + shape + ", the limit is " + std::to_string(limits.maxSide) + " a side");
  }
  if (height * width > limits.maxPixels) {
    file.fail(ErrorCode::Limit, "has " + shape + ", more than the limit of " +
                                    std::to_string(limits.maxPixels) + "; --max-pixels allows more");
  }
  if (channels > mostChannels) {
    file.fail(ErrorCode::Limit,
              "has " + std::to_string(channels) + " channels, the limit is " + std::to_string(mostChannels));
  }
  // Sides fit 31 bits from here on, so that only the last product can overflow.
  const std::int64_t rowBytes = (width * static_cast<std::int64_t>(sizeOf(type)) + 63) / 64 * 64;
  std::int64_t bytes = 0;
  const bool countable =
      !__builtin_mul_overflow(rowBytes * height, channels, &bytes) && bytes < INT64_MAX / 4;
  if (!countable || (limits.wholePage && bytes > limits.maxBytes)) {
    file.fail(ErrorCode::Limit, "has " + shape + " in " + std::to_string(channels) + " channels of " +
                                    toString(type) + ", more than the limit of " +
                                    std::to_string(limits.maxBytes) +
                                    " bytes a page; bankside filter --memory allows more");
  }
}

Image allocate(const ReadableFile& file, int channels, int height, int width, ElementType type) {
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
