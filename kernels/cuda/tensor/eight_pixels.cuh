/// Eight neighbouring pixels of a row, from shared memory or one by one.
#pragma once

#include "kernels/cuda/pixels/pack_halves.cuh"
#include "kernels/cuda/pixels/pixel_io.cuh"

namespace bankside::cuda {

/// Eight pixels at any place in a row of whole words: smaller ones from the words around them, of which up to
/// one beyond them is looked at.
template <class T>
class Eight;

template <>
class Eight<std::uint8_t> {
 public:
  Eight() = default;
  __device__ __forceinline__ explicit Eight(const char* from) {
    const auto address = reinterpret_cast<std::uintptr_t>(from);
    const auto* const words = reinterpret_cast<const std::uint32_t*>(from - (address & 3));
    const std::uint32_t bits = static_cast<std::uint32_t>(address & 3) * 8;
    low_ = __funnelshift_r(words[0], words[1], bits);
    high_ = __funnelshift_r(words[1], words[2], bits);
  }
  __device__ __forceinline__ uint4 halves() const {
    return make_uint4(pair(low_, 0x4140), pair(low_, 0x4342), pair(high_, 0x4140), pair(high_, 0x4342));
  }

 private:
  /// A byte below the bits of 1024 is a half of 1024 more.
  __device__ __forceinline__ static std::uint32_t pair(std::uint32_t bytes, std::uint32_t which) {
    constexpr std::uint32_t twice1024 = 0x64006400u;
    return bitsOf(__hsub2(pairOf(__byte_perm(bytes, 0x64646464u, which)), pairOf(twice1024)));
  }
  std::uint32_t low_, high_;
};

/// Of two bytes a pixel.
class EightWords {
 public:
  EightWords() = default;
  __device__ __forceinline__ explicit EightWords(const char* from) {
    const auto address = reinterpret_cast<std::uintptr_t>(from);
    const auto* const words = reinterpret_cast<const std::uint32_t*>(from - (address & 2));
    const std::uint32_t bits = static_cast<std::uint32_t>(address & 2) * 8;
#pragma unroll
    for (int i = 0; i < 4; ++i) pairs_[i] = __funnelshift_r(words[i], words[i + 1], bits);
  }

 protected:
  std::uint32_t pairs_[4];
};

template <>
class Eight<__half> : public EightWords {
 public:
  using EightWords::EightWords;
  __device__ __forceinline__ uint4 halves() const {
    return make_uint4(pairs_[0], pairs_[1], pairs_[2], pairs_[3]);
  }
};

template <>
class Eight<std::uint16_t> : public EightWords {
 public:
  using EightWords::EightWords;
  __device__ __forceinline__ void floats(float (&v)[8]) const {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      v[2 * i] = wordAsFloat<0>(pairs_[i]);
      v[2 * i + 1] = wordAsFloat<1>(pairs_[i]);
    }
  }
};

template <>
class Eight<float> {
 public:
  Eight() = default;
  __device__ __forceinline__ explicit Eight(const char* from) {
#pragma unroll
    for (int i = 0; i < 8; ++i) pixels_[i] = reinterpret_cast<const float*>(from)[i];
  }
  __device__ __forceinline__ void floats(float (&v)[8]) const {
#pragma unroll
    for (int i = 0; i < 8; ++i) v[i] = pixels_[i];
  }

 private:
  float pixels_[8];
};

/// Pixels one by one, where the border must be asked for.
class Resolved {
 public:
  Resolved() = default;
  template <class Pixel>
  __device__ __forceinline__ explicit Resolved(Pixel&& pixel) {
#pragma unroll
    for (int i = 0; i < 8; ++i) pixels_[i] = pixel(i);
  }
  __device__ __forceinline__ uint4 halves() const { return packEight(pixels_); }
  __device__ __forceinline__ void floats(float (&v)[8]) const {
#pragma unroll
    for (int i = 0; i < 8; ++i) v[i] = pixels_[i];
  }

 private:
  float pixels_[8];
};

}  // namespace bankside::cuda
