/// An image and its results in the made-up device's memory, and problems for plans over them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/made_input.h"
#include "kernels/cuda/runtime/device_buffer.h"
#include "kernels/cuda/runtime/device_pass.h"
#include "tests/kernels/cuda/on_host/engines_on_host.h"

namespace bankside::on_host {

inline constexpr auto untouched = std::byte{0x5a};

/// Planes with room of its own around every row, on the device. `spread`: how many pixels apart.
class Places {
 public:
  Places(int planes, int height, int width, ElementType type, int spread, int margin)
      : planes_(planes), height_(height), width_(width), size_(static_cast<std::ptrdiff_t>(sizeOf(type))) {
    at.pixel = size_ * spread;
    at.row = margin == 0 && spread == 1 ? width * size_ : (width * at.pixel + margin * size_ + 15) / 16 * 16;
    at.plane = at.row * (height + (margin > 0 ? 1 : 0));
    memory_ = cuda::DeviceBuffer(static_cast<std::size_t>(at.plane * planes + 64));
    std::memset(memory_.data(), static_cast<int>(untouched), memory_.bytes());
    at.pixels = memory_.data() + (margin > 0 ? 16 : 0);
  }
  void turnUpsideDown() {
    at.pixels = static_cast<std::byte*>(at.pixels) + at.row * (height_ - 1);
    at.row = -at.row;
  }
  std::byte* pixel(int plane, int x, int y) const {
    return static_cast<std::byte*>(at.pixels) + plane * at.plane + y * at.row + x * at.pixel;
  }
  void fill(const Image& image) const {
    forEach([&](std::byte* place, int plane, int x, int y) {
      std::memcpy(place, image.plane(plane).row(y) + x * size_, static_cast<std::size_t>(size_));
    });
  }
  /// Whether plane `plane` holds the image's only plane.
  bool holds(const Image& image, int plane) const {
    bool same = true;
    forEach([&](const std::byte* place, int p, int x, int y) {
      if (p == plane)
        same = same &&
               std::memcmp(place, image.plane(0).row(y) + x * size_, static_cast<std::size_t>(size_)) == 0;
    });
    return same;
  }
  /// Every byte that is no pixel's.
  bool restIsUntouched() const {
    std::vector<std::byte> copy(memory_.data(), memory_.data() + memory_.bytes());
    forEach([&](const std::byte* place, int, int, int) {
      std::memset(copy.data() + (place - memory_.data()), static_cast<int>(untouched),
                  static_cast<std::size_t>(size_));
    });
    return std::all_of(copy.begin(), copy.end(), [](std::byte b) { return b == untouched; });
  }

  DevicePlanes at;

 private:
  void forEach(const std::function<void(std::byte*, int, int, int)>& use) const {
    for (int p = 0; p < planes_; ++p)
      for (int y = 0; y < height_; ++y)
        for (int x = 0; x < width_; ++x) use(pixel(p, x, y), p, x, y);
  }
  int planes_, height_, width_;
  std::ptrdiff_t size_;
  cuda::DeviceBuffer memory_;
};

struct Case {
  Case(const char* engineName, const char* text, std::uint64_t seed = 3)
      : problem(parseProblem(text)),
        bank(randomBank(problem.filterCount, problem.tapChannels(), problem.filterHeight, problem.filterWidth,
                        seed)),
        image(randomImage(problem.channels, problem.height, problem.width, problem.srcType, 5)),
        engine(dynamic_cast<const DeviceEngine&>(*engineOnHost(engineName))),
        expected(runWhole(engine, problem, bank, image)) {}

  std::unique_ptr<DevicePlan> prepare(bool anySteps) const {
    return engine.prepareDevice(problem, bank, {.anySteps = anySteps});
  }
  int values() const {
    return problem.responseGroups() * (problem.combine == Combine::None ? problem.filterCount : 1);
  }
  bool index() const { return problem.combine == Combine::ArgMax; }

  ConvolutionProblem problem;
  FilterBank bank;
  Image image;
  const DeviceEngine& engine;
  std::vector<Image> expected;  ///< of the plan in bands, before a plan has constant memory for itself
};

/// An image and its results on the device.
struct Buffers {
  Buffers(const Case& c, int spread, int margin)
      : image(c.problem.channels, c.problem.height, c.problem.width, c.problem.srcType, spread, margin),
        results(c.values(), c.problem.height, c.problem.width, outputPlaneType(c.problem, 0), spread, margin),
        indices(c.index() ? c.values() : 1, c.problem.height, c.problem.width, ElementType::U16, spread,
                margin) {
    image.fill(c.image);
    const auto groups = static_cast<std::ptrdiff_t>(c.problem.responseGroups());
    results.at.group = results.at.plane * (c.values() / groups);
    indices.at.group = indices.at.plane;
  }
  void start(const Case& c, DevicePlan& plan, cudaStream_t stream) const {
    plan.start(image.at, results.at, c.index() ? &indices.at : nullptr, stream);
  }
  void expect(const Case& c, const std::string& what) const {
    for (int i = 0; i < static_cast<int>(c.expected.size()); ++i) {
      const bool isIndex = c.index() && i % 2 == 1;
      EXPECT_TRUE(
          (isIndex ? indices : results).holds(c.expected[static_cast<std::size_t>(i)], c.index() ? i / 2 : i))
          << what << ", plane " << i;
    }
    EXPECT_TRUE(results.restIsUntouched()) << what;
    if (c.index()) {
      EXPECT_TRUE(indices.restIsUntouched()) << what;
    }
  }

  Places image, results, indices;
};

inline constexpr std::pair<const char*, const char*> cases[] = {
    {"cuda:single-channel", "c1h21w64-f3k5-reflect101-u8:f32-none"},
    {"cuda:single-channel", "c2h19w48-f4k3-wrap-f32:f32-argmax-perplane"},
    {"cuda:single-channel", "c1h20w37-f3k9-constant=4-u16:u8-none"},
    {"cuda:single-channel", "c3h9w33-f2k17-replicate-f16:f16-max-perplane"},
    {"cuda:single-channel", "c1h1w50-f3k1x7-reflect-u8:f32-magnitude"},
    {"cuda:single-channel", "c1h40w1-f1k3-replicate-u8:u16-none"},
    {"cuda:tensor", "c1h30w64-f12k15-reflect101-f32:f32-none"},
    {"cuda:tensor", "c1h30w61-f3k7-reflect101-u8:u8-argmax"},  // whose values are f32
    {"cuda:tensor-fp16", "c2h18w50-f4k9-wrap-u16:f32-none-perplane"},
    {"cuda:fft", "c1h40w52-f3k21-reflect-f32:f32-none"},
    {"cuda:fft", "c1h33w45-f2k15-constant=2-u8:u8-max"},
    {"cuda:multichannel", "c3h17w33-f5k3-reflect101-u8:f32-none"},
    {"cuda:multichannel", "c9h12w36-f8k3-constant-f32:u16-max"},
    {"cuda:multichannel-fp16x3", "c16h9w35-f6k3-wrap-f32:f32-argmax"},
    {"cuda:single-channel-paper", "c1h21w64-f3k5-reflect101-u8:f32-none"},
    {"cuda:multichannel-paper", "c9h12w36-f8k3-constant-f32:f32-max"},
    {"cuda", "c1h21w64-f3k5-reflect101-u8:f32-none"},
    {"cuda", "c4h21w40-f3k5-reflect101-u8:f32-sum"},
};

}  // namespace bankside::on_host
