/// Problems on integers, and their results on a device held against the host's.
#pragma once

#include "core/made_input.h"
#include "tests/library/device_memory.h"

namespace bankside::testing {

inline std::vector<unsigned char> bytesOf(const Image& image) {
  std::vector<unsigned char> bytes;
  const std::size_t row = static_cast<std::size_t>(image.width()) * sizeOf(image.type());
  for (int c = 0; c < image.channels(); ++c)
    for (int y = 0; y < image.height(); ++y) {
      const auto* from = reinterpret_cast<const unsigned char*>(image.plane(c).row(y));
      bytes.insert(bytes.end(), from, from + row);
    }
  return bytes;
}

inline ElementType elementOf(std::int32_t type) {
  constexpr ElementType types[] = {ElementType::F32, ElementType::U8, ElementType::U16, ElementType::F16};
  return types[type];
}

/// Filters `filters` x `bankChannels` x height x width of integers over integer pixels, whose sums are exact.
inline DeviceCase integers(std::int64_t channels, std::int64_t height, std::int64_t width, bk_type type,
                           int filters, int bankChannels, int side, bk_combine combine = BK_COMBINE_NONE,
                           const char* engine = nullptr, std::uint64_t seed = 1) {
  DeviceCase c{integerBank(filters, bankChannels, side, side, seed), planFor(channels, height, width, type)};
  c.options.combine = combine;
  c.options.engine = engine;
  c.options.precision = BK_PRECISION_EXACT;
  return c;
}

inline std::vector<unsigned char> pixelsFor(const DeviceCase& c, std::uint64_t seed = 1) {
  return bytesOf(integerImage(static_cast<int>(c.options.channels), static_cast<int>(c.options.height),
                              static_cast<int>(c.options.width), elementOf(c.options.type), seed));
}

/// An image and its results on the device, laid out somehow.
struct OnDevice {
  OnDevice(const DeviceCase& c, const bk_plan* plan)
      : OnDevice(c.image(), c.results(plan), c.indices(plan)) {}
  OnDevice(Placed image, Placed results, Placed indices)
      : from(image),
        to(results),
        at(indices),
        pixels(from.bytes),
        values(to.bytes),
        numbers(std::max<std::size_t>(at.bytes, 1)) {}
  bk_status start(const DeviceCase& c, const bk_plan* plan, cudaStream_t stream) const {
    const bk_view places = at.in(numbers.data());
    return testing::start(plan, from.in(pixels.data()), to.in(values.data()), c.index() ? &places : nullptr,
                          stream);
  }
  void expect(const DeviceCase& c, const std::vector<unsigned char>& image, const std::string& what) const {
    const auto [expected, expectedNumbers] = c.onTheHost(image);
    EXPECT_TRUE(values.get() == to.lay(expected)) << what;
    if (c.index()) {
      EXPECT_TRUE(numbers.get() == at.lay(expectedNumbers)) << what << ", indices";
    }
  }
  Placed from, to, at;
  DeviceBytes pixels, values, numbers;
};

}  // namespace bankside::testing
