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

/// The directory of a TIFF that is changed, as far as it is inside the file.
struct Directory {
  bool little;
  std::size_t word;   ///< 4, or 8 of a BigTIFF: the bytes of counts, values and offsets
  std::size_t count;  ///< where the number of entries lies
  std::size_t first;  ///< the first entry
  std::size_t entries;
  std::size_t entry() const { return 4 + 2 * word; }
  std::size_t end() const { return first + entries * entry(); }
  int countSize() const { return static_cast<int>(first - count); }
};

/// The last one that is there, or one before it. No entries: there is none.
Directory directoryOf(const Octets& bytes, std::mt19937& random) {
  Directory found{};
  if (bytes.size() < 16 || bytes[0] != bytes[1] || (bytes[0] != 'I' && bytes[0] != 'M')) return found;
  const bool little = bytes[0] == 'I';
  const bool big = numberAt(bytes, 2, 2, little) == 43;
  const std::size_t word = big ? 8 : 4;
  std::uint64_t at = numberAt(bytes, word, static_cast<int>(word), little);
  const std::size_t before = big ? 8 : 2;
  while (at != 0 && at < bytes.size() && bytes.size() - at >= before) {
    Directory next{.little = little, .word = word, .count = at, .first = at + before, .entries = 0};
    next.entries = numberAt(bytes, at, next.countSize(), little);
    next.entries = std::min(next.entries, (bytes.size() - next.first) / next.entry());
    if (next.entries == 0) break;
    found = next;
    if (random() % 2 == 0 || bytes.size() - found.end() < word) break;
    at = numberAt(bytes, found.end(), static_cast<int>(word), little);
    if (at <= found.count) break;
  }
  return found;
}

/// A value that some tag has, an edge of what fits, or a place in the file.
std::uint64_t entryValue(const Octets& bytes, std::mt19937& random) {
  static constexpr std::uint64_t known[] = {
      0,     1,     2,     3,     4,     5,     6,     7,       8,          9,          10,        12,
      16,    24,    32,    64,    128,   255,   256,   0x7fff,  0x8000,     0xffff,     32773,     32946,
      34661, 34676, 34712, 34887, 34925, 50000, 50001, 1 << 20, 0x7fffffff, 0x80000000, 0xffffffff};
  return random() % 4 == 0 ? random() % (bytes.size() + 1) : known[random() % std::size(known)];
}

}  // namespace

Octets changedTiff(const Octets& bytes, std::size_t most, std::mt19937& random, const Change& change) {
  const Directory place = directoryOf(bytes, random);
  if (place.entries == 0) return {};
  static constexpr std::uint16_t tags[] = {254, 256, 257, 258, 259, 262, 266, 273, 274,  277, 278,
                                           279, 282, 284, 296, 317, 320, 322, 323, 324,  325, 330,
                                           338, 339, 340, 341, 347, 530, 532, 700, 34675};
  Octets made = bytes;
  const std::size_t at = place.first + random() % place.entries * place.entry();
  const std::size_t other = place.first + random() % place.entries * place.entry();
  const auto begin = made.begin() + static_cast<std::ptrdiff_t>(at);
  const auto size = static_cast<std::ptrdiff_t>(place.entry());
  const int word = static_cast<int>(place.word);
  switch (random() % 8) {
    case 0: put(made, at, tags[random() % std::size(tags)], 2, place.little); break;
    case 1: put(made, at + 2, 1 + random() % 18, 2, place.little); break;
    case 2: put(made, at + 4, entryValue(bytes, random), word, place.little); break;
    case 3: std::copy(begin, begin + size, made.begin() + static_cast<std::ptrdiff_t>(other)); break;
    case 4:
      // Left out: what follows moves up, and the last is no entry any more.
      std::copy(begin + size, made.begin() + static_cast<std::ptrdiff_t>(place.end()), begin);
      put(made, place.count, place.entries - 1, place.countSize(), place.little);
      break;
    case 5: {
      const std::size_t behind = std::min(place.end() + place.word, made.size());
      const Octets tail =
          change(Octets(made.begin() + static_cast<std::ptrdiff_t>(behind), made.end()), most);
      made.resize(behind);
      made.insert(made.end(), tail.begin(), tail.end());
      break;
    }
    default:
      // A short one lies in the first bytes of its value.
      put(made, at + 4 + place.word, entryValue(bytes, random),
          numberAt(made, at + 2, 2, place.little) == 3 ? 2 : word, place.little);
  }
  return made.size() <= most ? made : Octets();
}

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
