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

/// Where the entries of the first directories are, with how large each is. Empty where it is no TIFF.
struct Directory {
  std::vector<std::size_t> entries;
  bool little = true;
  bool big = false;
};

Directory directoriesOf(const Octets& bytes) {
  Directory found;
  if (bytes.size() < 16 || bytes[0] != bytes[1] || (bytes[0] != 'I' && bytes[0] != 'M')) return found;
  found.little = bytes[0] == 'I';
  const std::uint64_t version = numberAt(bytes, 2, 2, found.little);
  if (version != 42 && version != 43) return found;
  found.big = version == 43;
  const int pointer = found.big ? 8 : 4;
  const int count = found.big ? 8 : 2;
  const std::size_t entry = found.big ? 20 : 12;
  constexpr int mostDirectories = 4;
  std::uint64_t at = numberAt(bytes, found.big ? 8 : 4, pointer, found.little);
  for (int i = 0; i < mostDirectories && at != 0 && at <= bytes.size() - static_cast<std::size_t>(count);
       ++i) {
    const std::uint64_t entries = numberAt(bytes, at, count, found.little);
    at += static_cast<std::uint64_t>(count);
    for (std::uint64_t k = 0; k < entries && at + entry <= bytes.size(); ++k, at += entry)
      found.entries.push_back(at);
    if (at + static_cast<std::uint64_t>(pointer) > bytes.size()) break;
    at = numberAt(bytes, at, pointer, found.little);
  }
  return found;
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

Octets changedTiff(const Octets& bytes, std::mt19937& random) {
  const Directory directory = directoriesOf(bytes);
  if (directory.entries.empty()) return {};
  Octets made = bytes;
  const std::size_t entry = directory.entries[random() % directory.entries.size()];
  const int wide = directory.big ? 8 : 4;
  struct Field {
    std::size_t at;
    int size;
  };
  const Field fields[] = {
      {entry, 2}, {entry + 2, 2}, {entry + 4, wide}, {entry + 4 + static_cast<std::size_t>(wide), wide}};
  const Field field = fields[random() % std::size(fields)];
  // Tags of a baseline picture, tiles, predictors and sample formats; types; numbers at the edge of
  // something.
  static constexpr std::uint16_t tags[] = {254, 256, 257, 258, 259, 262, 266, 273, 274, 277, 278,
                                           279, 284, 317, 320, 322, 323, 324, 325, 338, 339, 530};
  const std::uint64_t before = numberAt(made, field.at, field.size, directory.little);
  std::uint64_t value = before;
  if (field.at == entry) {
    value = tags[random() % std::size(tags)];
  } else if (field.at == entry + 2) {
    value = random() % 20;
  } else {
    const std::uint64_t edges[] = {before + 1,
                                   before - 1,
                                   before * 2,
                                   random() % 20,
                                   bytes.size(),
                                   random() % bytes.size(),
                                   0x7fff,
                                   0xffff,
                                   0x7fffffff,
                                   0xffffffff,
                                   std::uint64_t{1} << random() % 64};
    value = edges[random() % std::size(edges)];
  }
  put(made, field.at, value, field.size, directory.little);
  return made;
}

}  // namespace bankside::fuzz
