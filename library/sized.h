/// Structures that begin with their size, from callers older or newer than this library.
#pragma once

#include <algorithm>
#include <cstring>

#include "library/status.h"

namespace bankside::library {

/// Of a structure whose size is not `known`: what it has goes to `read`, which is zero. Throws as
/// `readSized`.
void readOtherSize(const void* given, std::size_t size, void* read, std::size_t known, const char* name);

/// Where a field for versions to come is set. Throws Error{Unsupported}.
[[noreturn]] void refuseUnused(const char* name);

/// The caller's options with what they lack as zero. Throws Error{BadInput} for a size that no version has,
/// Error{Unsupported} where a field that is not known here is set.
template <class T>
T readSized(const T& given, const char* name) {
  // The caller's may be shorter or longer than T: its size is looked at first.
  std::size_t size = 0;
  std::memcpy(&size, &given, sizeof size);
  T read{};
  if (size == sizeof(T)) {
    read = given;
  } else {
    readOtherSize(&given, size, &read, sizeof(T), name);
    read.size = sizeof(T);
  }
  if constexpr (requires { read.unused; }) {
    if (read.unused != 0) refuseUnused(name);
  }
  return read;
}

/// Fills as much of the caller's structure as it has room for.
template <class T>
void writeSized(T full, T* given, const char* name) {
  std::size_t size = 0;
  std::memcpy(&size, &require(given, name), sizeof size);
  T old{};
  if (size != sizeof(T)) readOtherSize(given, size, &old, sizeof(T), name);
  full.size = size;
  std::memcpy(static_cast<void*>(given), &full, std::min(size, sizeof(T)));
}

}  // namespace bankside::library
