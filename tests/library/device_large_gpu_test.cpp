/// Images and results of more than 2^31 elements on a device.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/kernels/cuda/gpu.h"
#include "tests/library/device_cases.h"

namespace bankside::testing {
namespace {

/// An image too large to be held here as well: numbers of a prime length, again and again.
struct LargeImage {
  LargeImage(const DeviceCase& c, std::int64_t height) : problem(c), places(c.image()), pixels(places.bytes) {
    const std::vector<unsigned char> once = bytesOf(integerImage(1, 1, prime, ElementType::U8, 3));
    std::copy(once.begin(), once.end(), pattern.begin());
    for (std::size_t at = 0; at < places.bytes; at += prime) {
      const std::size_t bytes = std::min<std::size_t>(prime, places.bytes - at);
      check(cudaMemcpy(pixels.data() + at, pattern.data(), bytes, cudaMemcpyHostToDevice));
    }
    problem.options.height = height;
  }

  /// Rows `first` on of every channel, as many as `problem` has, dense.
  std::vector<unsigned char> rows(std::int64_t first) const {
    std::vector<unsigned char> dense;
    const bk_view& v = places.view;
    for (std::int64_t c = 0; c < v.channels; ++c) {
      const auto begin = static_cast<std::size_t>(c * v.channel_stride + first * v.row_stride);
      const auto count = static_cast<std::size_t>(problem.options.height * v.row_stride);
      for (std::size_t i = begin; i < begin + count; ++i) dense.push_back(pattern[i % prime]);
    }
    return dense;
  }

  static constexpr int prime = 1000003;
  DeviceCase problem;  ///< over some of its rows
  Placed places;
  DeviceBytes pixels;
  std::vector<unsigned char> pattern = std::vector<unsigned char>(prime);
};

/// Some rows of the first, of those where element 2^31 lies, and of the last ones.
void expectRows(const DeviceCase& c) {
  const int reach = c.bank[0].height;
  const std::int64_t height = c.options.height;
  const std::int64_t some = 4 * reach;
  const PlanHandle plan = c.prepare("cuda:0");
  ASSERT_NE(plan, nullptr) << c.text();
  const LargeImage image(c, some);
  const Placed to = c.results(plan.get());
  const DeviceBytes values(to.bytes);
  const TestStream stream;
  ASSERT_EQ(start(plan.get(), image.places.in(image.pixels.data()), to.in(values.data()), nullptr, stream),
            BK_OK)
      << c.text() << ": " << bk_last_error();
  stream.wait();
  const std::int64_t far = (std::int64_t{1} << 31) / c.options.width % height;
  for (const std::int64_t first :
       {std::int64_t{0}, std::min(far - 2 * reach, height - some), height - some}) {
    const auto expected = image.problem.onTheHost(image.rows(first)).first;
    // What the part's own edges made differs, unless they are the image's.
    const std::int64_t from = first == 0 ? 0 : reach;
    const std::int64_t end = first + some == height ? some : some - reach;
    const auto bytes = static_cast<std::size_t>((end - from) * to.view.row_stride);
    std::vector<unsigned char> found(bytes);
    for (std::int64_t p = 0; p < to.view.channels; ++p) {
      check(cudaMemcpy(found.data(),
                       values.data() + p * to.view.channel_stride + (first + from) * to.view.row_stride,
                       bytes, cudaMemcpyDeviceToHost));
      const auto here = expected.begin() + (p * some + from) * to.view.row_stride;
      EXPECT_TRUE(std::equal(found.begin(), found.end(), here))
          << c.text() << ", plane " << p << ", rows from " << first;
    }
  }
}

TEST(DeviceLargeGpu, PlanesHoldMoreThan2To31Pixels) {
  BANKSIDE_NEEDS_GPU();
  std::size_t free = 0, all = 0;
  check(cudaMemGetInfo(&free, &all));
  constexpr std::size_t giga = std::size_t{1} << 30;
  if (free < 24 * giga) GTEST_SKIP() << "wants 24 GB of the device's memory, " << free / giga << " are free";
  expectRows(integers(1, 46500, 46501, BK_U8, 1, 1, 3, BK_COMBINE_NONE, "cuda:single-channel"));
  expectRows(integers(1, 46500, 46501, BK_U8, 12, 1, 15, BK_COMBINE_MAX, "cuda:tensor"));
  DeviceCase two = integers(1, 46500, 46501, BK_U8, 2, 1, 5, BK_COMBINE_NONE, "cuda:single-channel");
  two.options.result_type = BK_U8;
  expectRows(two);
  for (const int filters : {1, 16}) {
    DeviceCase summed = integers(3, 33000, 33001, BK_U8, filters, 3, 5, BK_COMBINE_MAX, "cuda:multichannel");
    expectRows(summed);
  }
}

}  // namespace
}  // namespace bankside::testing
