/// Copies of so much that caches would have forgotten it before anybody reads it.
#pragma once

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace bankside::cuda {

/// From so many bytes on a plane is copied that way.
inline constexpr std::ptrdiff_t moreThanCachesKeep = std::ptrdiff_t{8} << 20;

/// As memcpy, but that memory which is written is not read first. Others see it after `pastCachesDone`.
inline void copyPastCaches(std::byte* to, const std::byte* from, std::size_t bytes) {
#ifdef __SSE2__
  constexpr std::size_t unit = sizeof(__m128i);
  constexpr std::size_t line = 4 * unit;
  const std::size_t before = std::min(bytes, (line - reinterpret_cast<std::uintptr_t>(to) % line) % line);
  std::memcpy(to, from, before);
  to += before, from += before, bytes -= before;
  for (; bytes >= line; to += line, from += line, bytes -= line) {
    __m128i part[4];
    for (std::size_t i = 0; i < 4; ++i)
      part[i] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i * unit));
    for (std::size_t i = 0; i < 4; ++i) _mm_stream_si128(reinterpret_cast<__m128i*>(to + i * unit), part[i]);
  }
#endif
  std::memcpy(to, from, bytes);
}

inline void pastCachesDone() {
#ifdef __SSE2__
  _mm_sfence();
#endif
}

}  // namespace bankside::cuda
