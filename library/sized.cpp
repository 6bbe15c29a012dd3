#include "library/sized.h"

namespace bankside::library {

void readOtherSize(const void* given, std::size_t size, void* read, std::size_t known, const char* name) {
  if (size < sizeof size || size > 4096) {
    refuse(std::string(name) + ".size is " + std::to_string(size) + ", expected sizeof(" + name + "), " +
           std::to_string(known));
  }
  const auto* bytes = static_cast<const unsigned char*>(given);
  std::memcpy(read, bytes, std::min(size, known));
  if (std::any_of(bytes + std::min(size, known), bytes + size, [](unsigned char b) { return b != 0; })) {
    refuseUnused(name);
  }
}

void refuseUnused(const char* name) {
  throw Error(ErrorCode::Unsupported,
              std::string(name) + " has a field set that this version of the library does not know");
}

}  // namespace bankside::library
