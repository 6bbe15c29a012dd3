/// Structures that begin with their size, from callers older or newer than this library.
#pragma once

#include <algorithm>
#include <cstring>

#include "library/status.h"

namespace bankside::library {

/// The caller's options with what they lack as zero. Throws Error{BadInput} for a size that no version has,
/// Error{Unsupported} where a field that is not known here is set.
template <class T>
T readSized(const T& given, const char* name) {
  // The caller's may be shorter or longer than T: its size is looked at first.
  const auto* bytes = reinterpret_cast<const unsigned char*>(&given);
  std::size_t size = 0;
  std::memcpy(&size, bytes, sizeof size);
  if (size == sizeof(T)) return given;
  if (size < sizeof size || size > 4096) {
    refuse(std::string(name) + ".size is " + std::to_string(size) + ", expected sizeof(" + name + "), " +
           std::to_string(sizeof(T)));
  }
  T read{};
  std::memcpy(&read, bytes, std::min(size, sizeof(T)));
  if (std::any_of(bytes + std::min(size, sizeof(T)), bytes + size, [](unsigned char b) { return b != 0; })) {
    throw Error(ErrorCode::Unsupported,
                std::string(name) + " has a field set that this version of the library does not know");
  }
  read.size = sizeof(T);
  return read;
}

/// Fills as much of the caller's structure as it has room for.
template <class T>
void writeSized(T full, T* given, const char* name) {
  const T old = readSized(require(given, name), name);
  static_cast<void>(old);
  std::size_t size = 0;
  std::memcpy(&size, given, sizeof size);
  full.size = size;
  std::memcpy(static_cast<void*>(given), &full, std::min(size, sizeof(T)));
}

}  // namespace bankside::library
