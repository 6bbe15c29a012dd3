/// In the place of kernels/cuda/fft/plane_transform.cpp: transforms in double precision on the CPU, their
/// results rounded to f32.
#include "kernels/cuda/fft/plane_transform.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <map>
#include <numbers>
#include <vector>

#include "kernels/cuda/runtime/cuda_error.h"
#include "tests/kernels/cuda/on_host/block.h"
#include "tests/kernels/cuda/on_host/kernels/cuda/device/kernel_address.cuh"
#include "tests/kernels/cuda/on_host/shared_memory.h"

namespace bankside::cuda {
namespace {

using Complex = std::complex<double>;

/// In place, for powers of two; `sign` -1 forward, 1 inverse.
void transform(Complex* values, int count, int stride, int sign) {
  std::vector<Complex> v(static_cast<std::size_t>(count));
  int bits = 0;
  while (1 << bits < count) ++bits;
  for (int i = 0; i < count; ++i) {
    int turned = 0;
    for (int b = 0; b < bits; ++b) turned |= (i >> b & 1) << (bits - 1 - b);
    v[static_cast<std::size_t>(turned)] = values[static_cast<std::ptrdiff_t>(i) * stride];
  }
  for (int half = 1; half < count; half *= 2) {
    const Complex step = std::polar(1.0, sign * std::numbers::pi / half);
    for (int first = 0; first < count; first += 2 * half) {
      Complex root = 1;
      for (int i = first; i < first + half; ++i, root *= step) {
        const Complex odd = v[static_cast<std::size_t>(i + half)] * root;
        v[static_cast<std::size_t>(i + half)] = v[static_cast<std::size_t>(i)] - odd;
        v[static_cast<std::size_t>(i)] += odd;
      }
    }
  }
  for (int i = 0; i < count; ++i)
    values[static_cast<std::ptrdiff_t>(i) * stride] = v[static_cast<std::size_t>(i)];
}

struct Shape {
  int height = 0;
  int width = 0;
  int batch = 0;
};

std::map<int, Shape>& shapes() {
  static std::map<int, Shape> all;
  return all;
}

void planeThereAndBack(std::vector<Complex>& plane, const Shape& s, int sign) {
  for (int y = 0; y < s.height; ++y)
    transform(plane.data() + static_cast<std::ptrdiff_t>(y) * s.width, s.width, 1, sign);
  for (int x = 0; x < s.width; ++x) transform(plane.data() + x, s.height, s.width, sign);
}

/// As compute-sanitizer sees it on a device.
void requireWritten(const void* numbers, std::size_t bytes) {
  std::uint32_t poison = 0;
  std::memset(&poison, on_host::poisonByte, sizeof(poison));
  const auto* const words = static_cast<const std::uint32_t*>(numbers);
  if (std::find(words, words + bytes / sizeof(poison), poison) != words + bytes / sizeof(poison))
    on_host::fail("a transform of memory that nobody wrote");
}

/// A kernel of one thread, so that it comes into the stream as others do.
void transformPlanes(void* src, void* dst, Shape s, bool forward) {
  const int half = s.width / 2 + 1;
  std::vector<Complex> plane(static_cast<std::size_t>(s.height) * static_cast<std::size_t>(s.width));
  const std::size_t halves = static_cast<std::size_t>(s.height) * static_cast<std::size_t>(half);
  requireWritten(src, static_cast<std::size_t>(s.batch) *
                          (forward ? plane.size() * sizeof(float) : halves * sizeof(float2)));
  for (int b = 0; b < s.batch; ++b) {
    auto* reals = static_cast<float*>(forward ? src : dst) + static_cast<std::size_t>(b) * plane.size();
    auto* spectrum = static_cast<float2*>(forward ? dst : src) + static_cast<std::size_t>(b) * halves;
    if (forward) {
      for (std::size_t i = 0; i < plane.size(); ++i) plane[i] = reals[i];
      planeThereAndBack(plane, s, -1);
      for (int y = 0; y < s.height; ++y) {
        for (int x = 0; x < half; ++x) {
          const Complex& v = plane[static_cast<std::size_t>(y * s.width + x)];
          spectrum[y * half + x] = {static_cast<float>(v.real()), static_cast<float>(v.imag())};
        }
      }
      continue;
    }
    for (int y = 0; y < s.height; ++y) {
      for (int x = 0; x < s.width; ++x) {
        // The other half is the mirrored conjugate.
        const bool there = x < half;
        const float2 v =
            there ? spectrum[y * half + x] : spectrum[(s.height - y) % s.height * half + (s.width - x)];
        plane[static_cast<std::size_t>(y * s.width + x)] = {v.x, there ? v.y : -v.y};
      }
    }
    planeThereAndBack(plane, s, 1);
    for (std::size_t i = 0; i < plane.size(); ++i) reals[i] = static_cast<float>(plane[i].real());
    for (std::size_t i = 0; i < halves; ++i) spectrum[i] = {NAN, NAN};  // used up
  }
}

}  // namespace

Support transformsAvailable() { return Support::yes(); }
std::string transformLibrary() { return "transforms on the host"; }

PlaneTransform::PlaneTransform(Direction direction, int height, int width, int batch)
    : direction_(direction) {
  static int plans = 0;
  plan_ = ++plans;
  shapes()[plan_] = {height, width, batch};
}

PlaneTransform::~PlaneTransform() { shapes().erase(plan_); }

void PlaneTransform::start(void* src, void* dst, cudaStream_t stream) const {
  Shape shape = shapes().at(plan_);
  bool forward = direction_ == Direction::Forward;
  void* arguments[] = {&src, &dst, &shape, &forward};
  BANKSIDE_CUDA_CHECK(
      cudaLaunchKernel(kernelAddress(transformPlanes), dim3(1), dim3(1), arguments, 0, stream));
}

}  // namespace bankside::cuda
