#include "tests/fuzz/picture_mutator.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <string>

namespace bankside::fuzz {
namespace {

constexpr std::array<std::uint8_t, 8> signature = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
constexpr std::size_t aroundData = 12;                    // length, type and checksum
constexpr std::size_t mostPixels = std::size_t{1} << 16;  // bytes that are inflated to be changed

struct Chunk {
  std::string type;
  Octets data;
};

std::uint64_t numberAt(const Octets& bytes, std::size_t at, int size, bool little) {
  std::uint64_t value = 0;
  for (int i = 0; i < size; ++i) {
    const int place = little ? size - 1 - i : i;
    value = value << 8 | bytes[at + static_cast<std::size_t>(place)];
  }
  return value;
}

void put(Octets& bytes, std::size_t at, std::uint64_t value, int size, bool little) {
  for (int i = 0; i < size; ++i) {
    const int shift = 8 * (little ? i : size - 1 - i);
    bytes[at + static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(value >> shift);
  }
}

/// As far as they are whole.
std::vector<Chunk> chunksOf(const Octets& bytes) {
  std::vector<Chunk> chunks;
  for (std::size_t at = signature.size(); at + aroundData <= bytes.size();) {
    const std::uint64_t length = numberAt(bytes, at, 4, false);
    if (length > bytes.size() - at - aroundData) break;
    const auto type = bytes.begin() + static_cast<std::ptrdiff_t>(at) + 4;
    const auto data = type + 4;
    chunks.push_back({std::string(type, data), Octets(data, data + static_cast<std::ptrdiff_t>(length))});
    at += aroundData + length;
  }
  return chunks;
}

Octets pngOf(const std::vector<Chunk>& chunks) {
  Octets bytes(signature.begin(), signature.end());
  for (const Chunk& chunk : chunks) {
    const std::size_t at = bytes.size();
    bytes.resize(at + aroundData + chunk.data.size());
    put(bytes, at, chunk.data.size(), 4, false);
    std::copy(chunk.type.begin(), chunk.type.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at) + 4);
    std::copy(chunk.data.begin(), chunk.data.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at) + 8);
    const uLong checksum = crc32(0, bytes.data() + at + 4, static_cast<uInt>(chunk.data.size() + 4));
    put(bytes, at + 8 + chunk.data.size(), checksum, 4, false);
  }
  return bytes;
}

/// Empty where it is not deflated, or too long.
Octets inflated(const Octets& data) {
  Octets plain(mostPixels);
  uLongf size = plain.size();
  if (uncompress(plain.data(), &size, data.data(), data.size()) != Z_OK) return {};
  plain.resize(size);
  return plain;
}

Octets deflated(const Octets& plain) {
  uLongf size = compressBound(plain.size());
  Octets data(size);
  compress(data.data(), &size, plain.data(), plain.size());
  data.resize(size);
  return data;
}

}  // namespace

Octets changedPng(const Octets& bytes, std::size_t most, std::mt19937& random, const Change& change) {
  if (bytes.size() < signature.size() || !std::equal(signature.begin(), signature.end(), bytes.begin()))
    return {};
  std::vector<Chunk> chunks = chunksOf(bytes);
  if (chunks.empty()) return {};
  const std::size_t chosen = random() % chunks.size();
  Chunk& chunk = chunks[chosen];
  const auto place = chunks.begin() + static_cast<std::ptrdiff_t>(chosen);
  switch (random() % 8) {
    case 0: chunks.erase(place); break;
    case 1: chunks.insert(place, Chunk(chunk)); break;
    case 2: std::swap(chunk, chunks[random() % chunks.size()]); break;
    case 3: {
      static constexpr const char* types[] = {"PLTE", "tRNS", "gAMA", "sBIT", "pHYs", "eXIf", "iCCP", "IDAT"};
      chunk.type = types[random() % std::size(types)];
      break;
    }
    default: {
      const Octets plain = chunk.type == "IDAT" ? inflated(chunk.data) : Octets();
      chunk.data = plain.empty() ? change(chunk.data, most) : deflated(change(plain, mostPixels));
    }
  }
  Octets made = pngOf(chunks);
  return made.size() <= most ? made : Octets();
}

}  // namespace bankside::fuzz
