/// Device memory of tests, and calls over it.
#pragma once

#include <cuda_runtime_api.h>

#include <cstring>
#include <string>
#include <vector>

#include "core/filter_bank.h"
#include "tests/library/made_calls.h"

namespace bankside::testing {

inline void check(cudaError_t error) { ASSERT_EQ(error, cudaSuccess) << cudaGetErrorString(error); }

/// Bytes on the device, each 0x5a at first.
class DeviceBytes {
 public:
  static constexpr int untouched = 0x5a;
  explicit DeviceBytes(std::size_t bytes) : bytes_(bytes) {
    check(cudaMalloc(&memory_, bytes));
    check(cudaMemset(memory_, untouched, bytes));
    check(cudaDeviceSynchronize());
  }
  ~DeviceBytes() { cudaFree(memory_); }
  DeviceBytes(const DeviceBytes&) = delete;
  DeviceBytes& operator=(const DeviceBytes&) = delete;

  unsigned char* data() const { return static_cast<unsigned char*>(memory_); }
  void put(const std::vector<unsigned char>& from) const {
    check(cudaMemcpy(memory_, from.data(), from.size(), cudaMemcpyHostToDevice));
    check(cudaDeviceSynchronize());
  }
  std::vector<unsigned char> get() const {
    std::vector<unsigned char> copy(bytes_);
    check(cudaDeviceSynchronize());
    check(cudaMemcpy(copy.data(), memory_, bytes_, cudaMemcpyDeviceToHost));
    return copy;
  }

 private:
  void* memory_ = nullptr;
  std::size_t bytes_;
};

/// Pixels [planes,H,W] somewhere in bytes of their own, the same bytes on host and device.
struct Placed {
  /// Dense, or with `spread` pixels from one to the next and rows and planes `gap` pixels further apart.
  Placed(bk_type type, std::int64_t planes, std::int64_t height, std::int64_t width, std::int64_t spread = 1,
         std::int64_t gap = 0, bool upsideDown = false) {
    view = bk_dense_view(nullptr, type, planes, height, width);
    view.pixel_stride *= spread;
    view.row_stride = view.pixel_stride * width + gap * bk_type_size(type);
    view.channel_stride = view.row_stride * height + gap * bk_type_size(type);
    bytes = static_cast<std::size_t>(view.channel_stride * planes);
    if (upsideDown) {
      first = view.row_stride * (height - 1);
      view.row_stride = -view.row_stride;
    }
  }
  bk_view in(unsigned char* memory) const {
    bk_view there = view;
    there.data = memory + first;
    return there;
  }
  template <class Use>
  void forEach(const Use& use) const {
    std::int64_t number = 0;
    for (std::int64_t c = 0; c < view.channels; ++c)
      for (std::int64_t y = 0; y < view.height; ++y)
        for (std::int64_t x = 0; x < view.width; ++x, ++number)
          use(static_cast<std::size_t>(first + c * view.channel_stride + y * view.row_stride +
                                       x * view.pixel_stride),
              static_cast<std::size_t>(number));
  }
  /// Dense pixels as they lie here, all else untouched.
  std::vector<unsigned char> lay(const std::vector<unsigned char>& dense) const {
    std::vector<unsigned char> laid(bytes, DeviceBytes::untouched);
    const auto size = static_cast<std::size_t>(bk_type_size(view.type));
    forEach([&](std::size_t at, std::size_t number) {
      std::memcpy(laid.data() + at, dense.data() + number * size, size);
    });
    return laid;
  }

  bk_view view;
  std::size_t bytes = 0;
  std::int64_t first = 0;
};

class TestStream {
 public:
  TestStream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  ~TestStream() { cudaStreamDestroy(stream_); }
  TestStream(const TestStream&) = delete;
  TestStream& operator=(const TestStream&) = delete;
  operator cudaStream_t() const { return stream_; }
  void wait() const { check(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_ = nullptr;
};

/// The same filters, all of one size, by the public header.
inline BankHandle handleOf(const FilterBank& filters) {
  std::vector<float> all;
  for (int i = 0; i < filters.size(); ++i)
    all.insert(all.end(), filters[i].taps.begin(), filters[i].taps.end());
  bk_taps taps = {};
  taps.size = sizeof taps;
  taps.taps = all.data();
  taps.filters = filters.size();
  taps.channels = filters.channels();
  taps.height = filters[0].height;
  taps.width = filters[0].width;
  bk_bank* bank = nullptr;
  EXPECT_EQ(bk_bank_from_taps(&taps, &bank), BK_OK) << bk_last_error();
  return BankHandle(bank);
}

/// A problem in the library's words, with its results by the CPU's direct sums.
struct DeviceCase {
  FilterBank bank;
  bk_plan_options options;  ///< for the device; dense unless any_strides is set

  PlanHandle prepare(const char* device) const {
    bk_plan_options asked = options;
    asked.device = device;
    if (std::string(device) == "cpu") asked.engine = "cpu:direct";
    const BankHandle handle = handleOf(bank);
    return makePlan(nullptr, handle.get(), asked);
  }
  std::string text() const {
    const bk_plan_options& o = options;
    return std::to_string(bank.size()) + " filters of " + std::to_string(bank[0].height) + " x " +
           std::to_string(bank[0].width) + " over " + std::to_string(o.channels) + " x " +
           std::to_string(o.height) + " x " + std::to_string(o.width) + ", types " + std::to_string(o.type) +
           " and " + std::to_string(o.result_type) + ", border " + std::to_string(o.border) + ", combine " +
           std::to_string(o.combine) + ", " + (o.engine == nullptr ? "auto" : o.engine);
  }
  bool index() const { return options.combine == BK_COMBINE_ARGMAX; }
  Placed image() const {
    return {static_cast<bk_type>(options.type), options.channels, options.height, options.width};
  }
  Placed results(const bk_plan* plan) const {
    return {static_cast<bk_type>(options.result_type), planesOf(plan), options.height, options.width};
  }
  Placed indices(const bk_plan* plan) const {
    return {BK_U16, planesOf(plan), options.height, options.width};
  }
  static std::int64_t planesOf(const bk_plan* plan) {
    bk_plan_info info = {};
    info.size = sizeof info;
    EXPECT_EQ(bk_plan_describe(plan, &info), BK_OK) << bk_last_error();
    return info.planes;
  }

  /// Dense values, and indices of an argmax.
  std::pair<std::vector<unsigned char>, std::vector<unsigned char>> onTheHost(
      std::vector<unsigned char> pixels) const {
    const PlanHandle plan = prepare("cpu");
    const Placed places = results(plan.get());
    std::vector<unsigned char> values(places.bytes);
    std::vector<unsigned char> numbers(index() ? indices(plan.get()).bytes : 1);
    const bk_view from = image().in(pixels.data());
    const bk_view to = places.in(values.data());
    const bk_view at = indices(plan.get()).in(numbers.data());
    EXPECT_EQ(bk_execute(plan.get(), &from, &to, index() ? &at : nullptr, nullptr), BK_OK) << bk_last_error();
    return {values, numbers};
  }
};

inline bk_status start(const bk_plan* plan, const bk_view& image, const bk_view& results,
                       const bk_view* indices, cudaStream_t stream) {
  bk_run_options run = {};
  run.size = sizeof run;
  run.stream = stream;
  return bk_execute(plan, &image, &results, indices, &run);
}

}  // namespace bankside::testing
