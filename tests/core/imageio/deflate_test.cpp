/// What we deflate, zlib inflates; what is predicted is what a PNG's decoder adds back.
#include "core/imageio/deflate.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <cstdlib>
#include <random>

#include "core/imageio/huffman.h"
#include "core/imageio/png_rows.h"

namespace bankside::codec {
namespace {

using Bytes = std::vector<std::byte>;

/// In blocks of that size, one after another.
Bytes deflated(const Bytes& bytes, std::size_t blockBytes, bool compress = true) {
  Deflater deflater(compress);
  Bytes out;
  for (std::size_t at = 0;;) {
    const std::size_t size = std::min(blockBytes, bytes.size() - at);
    const bool last = at + size == bytes.size();
    const auto part = deflater.block(std::span(bytes).subspan(at, size), last);
    out.insert(out.end(), part.begin(), part.end());
    if (last) return out;
    at += size;
  }
}

/// What zlib makes of it; empty if zlib refuses, or finds bytes behind the end.
Bytes inflated(const Bytes& stream, std::size_t size) {
  Bytes out(size + 1);
  z_stream z{};
  inflateInit2(&z, -15);
  z.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(stream.data()));
  z.avail_in = static_cast<uInt>(stream.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  const bool whole = inflate(&z, Z_FINISH) == Z_STREAM_END && z.avail_in == 0;
  out.resize(whole ? size + 1 - z.avail_out : 0);
  inflateEnd(&z);
  return out;
}

/// Bytes near zero, as a filter leaves them; `spread` 0: all zeros.
Bytes residuals(std::size_t size, double spread, unsigned seed = 1) {
  std::mt19937 random(seed);
  Bytes bytes(size);
  for (std::byte& byte : bytes) {
    const double uniform = static_cast<double>(random()) / 4294967296.0 - 0.5;
    byte = static_cast<std::byte>(static_cast<int>(std::lround(spread * uniform * uniform * uniform)));
  }
  return bytes;
}

TEST(Deflate, ZlibGivesTheBytesBack) {
  for (const std::size_t size : {0u, 1u, 2u, 3u, 8u, 9u, 17u, 300u, 65534u, 65535u, 65536u, 200000u}) {
    for (const double spread : {0.0, 4.0, 60.0, 3000.0}) {
      const Bytes bytes = residuals(size, spread);
      for (const std::size_t block : {std::size_t{7000}, Deflater::largestBlock}) {
        EXPECT_EQ(inflated(deflated(bytes, block), size), bytes) << size << " " << spread << " " << block;
      }
      EXPECT_EQ(inflated(deflated(bytes, Deflater::largestBlock, false), size), bytes) << size;
    }
  }
}

TEST(Deflate, RunsOfEveryLengthAnywhere) {
  // Every length twice, so that runs begin at every place among eight bytes, next to each other or not.
  Bytes bytes;
  for (int i = 0; i < 1700; ++i) {
    bytes.insert(bytes.end(), static_cast<std::size_t>(i / 2), static_cast<std::byte>(i % 5));
    if (i % 3 == 0) bytes.push_back(std::byte{77});
  }
  for (const std::size_t block : {std::size_t{1001}, std::size_t{40000}, Deflater::largestBlock}) {
    const Bytes stream = deflated(bytes, block);
    EXPECT_EQ(inflated(stream, bytes.size()), bytes) << block;
    EXPECT_LT(stream.size(), bytes.size() / 10) << block;
  }
}

TEST(Deflate, LargestRunsCostTwoBitsEach) {
  const Bytes zeros(10 * Deflater::largestBlock);
  const Bytes stream = deflated(zeros, Deflater::largestBlock);
  EXPECT_EQ(inflated(stream, zeros.size()), zeros);
  // Deflate can do no better than 1032 to one; the codes of ten blocks are little beside.
  EXPECT_LT(stream.size(), zeros.size() / 1032 + 10 * 30);
}

TEST(Deflate, NoiseIsStored) {
  std::mt19937 random(3);
  Bytes bytes(3 * Deflater::largestBlock);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  const Bytes stream = deflated(bytes, Deflater::largestBlock);
  EXPECT_EQ(inflated(stream, bytes.size()), bytes);
  EXPECT_LE(stream.size(), bytes.size() + 3 * 5 + 1);
  // Between blocks that are not.
  Bytes mixed = residuals(Deflater::largestBlock, 5);
  mixed.insert(mixed.end(), bytes.begin(), bytes.begin() + Deflater::largestBlock);
  const Bytes more = residuals(1000, 9);
  mixed.insert(mixed.end(), more.begin(), more.end());
  EXPECT_EQ(inflated(deflated(mixed, Deflater::largestBlock), mixed.size()), mixed);
}

TEST(Deflate, NoLongerThanZlibMakesResiduals) {
  for (const double spread : {20.0, 200.0, 2000.0}) {
    const Bytes bytes = residuals(200000, spread);
    Bytes other(bytes.size() * 2);
    uLongf size = other.size();
    compress2(reinterpret_cast<Bytef*>(other.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
              bytes.size(), 6);
    EXPECT_LT(deflated(bytes, Deflater::largestBlock).size(), size) << spread;
  }
}

TEST(Huffman, CodesAreCompleteOrderedAndNoLongerThanAllowed) {
  // Fibonacci's counts make the deepest tree there is.
  std::vector<std::uint32_t> deep = {1, 1};
  while (deep.size() < 40) deep.push_back(deep[deep.size() - 1] + deep[deep.size() - 2]);
  std::vector<std::uint32_t> sparse(286);
  sparse[4] = 9, sparse[256] = 1;
  for (const auto& counts : {deep, sparse, std::vector<std::uint32_t>(286, 7), {5, 0, 0, 3, 1}}) {
    for (const int longest : {9, 12, 15}) {
      std::vector<PrefixCode> codes(counts.size());
      huffmanCode(counts, longest, codes);
      int kraft = 0;
      for (std::size_t i = 0; i < counts.size(); ++i) {
        EXPECT_EQ(codes[i].count > 0, counts[i] > 0) << i;
        EXPECT_LE(codes[i].count, longest) << i;
        if (codes[i].count > 0) kraft += 1 << (15 - codes[i].count);
        for (std::size_t k = 0; k < i; ++k)
          if (counts[i] > counts[k] && counts[k] > 0) {
            EXPECT_LE(codes[i].count, codes[k].count) << i << " " << k;
          }
      }
      EXPECT_EQ(kraft, 1 << 15) << longest;
    }
  }
}

TEST(PngRows, PaethIsThePngDefinition) {
  // All left, upper and upper left neighbours, a pixel of one byte; the row is zeros.
  constexpr int side = 256;
  for (int a = 0; a < side; a += 3) {
    for (int b = 0; b < side; ++b) {
      Bytes above(side * 2 + 2);
      Bytes row(side * 2 + 2);
      for (int c = 0; c < side; ++c) {
        const auto at = static_cast<std::size_t>(2 * c);
        row[at] = static_cast<std::byte>(a);
        above[at] = static_cast<std::byte>(c);
        above[at + 1] = static_cast<std::byte>(b);
      }
      Bytes left(side * 2);
      predictRow(row.data(), above.data(), 1, left);
      for (int c = 0; c < side; ++c) {
        const int p = a + b - c;
        const int pa = std::abs(p - a), pb = std::abs(p - b), pc = std::abs(p - c);
        const int nearest = pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
        ASSERT_EQ(static_cast<int>(left[static_cast<std::size_t>(2 * c)]), -nearest & 255)
            << a << " " << b << " " << c;
      }
    }
  }
}

}  // namespace
}  // namespace bankside::codec
