// What asynchronous instructions do when they are waited for.
#include <array>
#include <cstring>

#include "core/element_type.h"
#include "tests/kernels/cuda/on_host/block.h"

namespace bankside::on_host {
namespace {

const float* halves() {
  static const std::vector<float> table = [] {
    std::vector<float> values(65536);
    for (unsigned i = 0; i < 65536; ++i) values[i] = toFloat(Half{static_cast<std::uint16_t>(i)});
    return values;
  }();
  return table.data();
}

/// Descriptors count in units of 16 bytes, 14 bits.
constexpr std::uint32_t fieldMask = 0x3fff;
// The upper halves, the same for every product: bytes to the next eight rows of taps, columns of pixels.
constexpr std::uint32_t nextTaps = 256;
constexpr std::uint32_t nextPixels = 128;

/// `count` rows or columns of 16 halves each.
void readMatrix(std::uint32_t descriptor, std::uint32_t nextEight, int count, float (*to)[16]) {
  const std::uint32_t first = (descriptor & fieldMask) * 16;
  const std::uint32_t nextHalves = (descriptor >> 16 & fieldMask) * 16;
  for (int n = 0; n < count; ++n) {
    for (int k = 0; k < 16; k += 8) {
      const std::size_t at = first + static_cast<std::size_t>(n / 8) * nextEight +
                             static_cast<std::size_t>(k / 8) * nextHalves + static_cast<std::size_t>(n % 8) * 16;
      if (at + 16 > sharedBytes()) fail("a matrix of a product outside dynamic shared memory");
      std::uint16_t bits[8];
      std::memcpy(bits, sharedMemory() + at, sizeof(bits));
      for (int i = 0; i < 8; ++i) to[n][k + i] = halves()[bits[i]];
    }
  }
}

/// PTX ISA, the fragment of wgmma's D: with g = lane / 4 and t = lane % 4, a lane of warp w holds of row 16w + g
/// columns 8j + 2t, 8j + 2t + 1 at 4j, of row 16w + g + 8 at 4j + 2.
void multiply(void* const* of, std::size_t which) {
  static float taps[64][16];
  static float pixels[256][16];
  static float sums[64][256];
  const Product& first = static_cast<Pending*>(of[0])->products[which];
  const int columns = first.columns;
  readMatrix(first.taps, nextTaps, 64, taps);
  readMatrix(first.pixels, nextPixels, columns, pixels);
  static float byRow[16][256];
  for (int n = 0; n < columns; ++n)
    for (int k = 0; k < 16; ++k) byRow[k][n] = pixels[n][k];
  const auto forSums = [&](auto&& visit) {
    for (int thread = 0; thread < 128; ++thread) {
      Product& product = static_cast<Pending*>(of[thread])->products[which];
      if (product.taps != first.taps || product.pixels != first.pixels || product.columns != columns ||
          product.add != first.add)
        fail("threads of a warpgroup with different products");
      for (int i = 0; i < columns / 2; ++i)
        visit(product.sum[i], sums[thread / 32 * 16 + thread % 32 / 4 + i / 2 % 2 * 8]
                                  [i / 4 * 8 + thread % 4 * 2 + i % 2]);
    }
  };
  forSums([&](const float& sum, float& place) { place = first.add ? sum : 0.0f; });
  for (int row = 0; row < 64; ++row)
    for (int k = 0; k < 16; ++k) {
      const float tap = taps[row][k];
      for (int n = 0; n < columns; ++n) sums[row][n] += tap * byRow[k][n];
    }
  forSums([](float& sum, const float& place) { sum = place; });
}

/// PTX ISA, fragments of m16n8k8: with g = lane / 4 and t = lane % 4, a lane holds of A rows g, g + 8 of
/// column t, then of column t + 4; of B rows t and t + 4 of column g; of C columns 2t and 2t + 1 of row g, then
/// of row g + 8.
void multiplyInWarp(void* const* of, std::size_t which) {
  const WarpProduct* lanes[32];
  float a[16][8];
  float b[8][8];
  bool anyA = false;
  bool finite = true;
  for (int lane = 0; lane < 32; ++lane) {
    const WarpProduct& p = static_cast<Pending*>(of[lane])->warpProducts[which];
    lanes[lane] = &p;
    const int g = lane / 4;
    const int t = lane % 4;
    for (int i = 0; i < 4; ++i) {
      a[g + i % 2 * 8][t + i / 2 * 4] = p.a[i];
      anyA = anyA || p.a[i] != 0;
    }
    for (int i = 0; i < 2; ++i) {
      b[t + i * 4][g] = p.b[i];
      finite = finite && p.b[i] * 0 == 0;
    }
  }
  // Missing filters and channels are zeros, and most of the work.
  if (finite && !anyA) return;
  for (int row = 0; row < 16; ++row) {
    const auto sumAt = [&](int column) -> float& {
      return lanes[row % 8 * 4 + column / 2]->sum[row / 8 * 2 + column % 2];
    };
    float sums[8];
    for (int column = 0; column < 8; ++column) sums[column] = sumAt(column);
    for (int k = 0; k < 8; ++k) {
      if (finite && a[row][k] == 0) continue;
      for (int column = 0; column < 8; ++column) sums[column] += a[row][k] * b[k][column];
    }
    for (int column = 0; column < 8; ++column) sumAt(column) = sums[column];
  }
}

}  // namespace

void finishWarpProducts() {
  // (Not by the free function: it calls this one.)
  joinWarp("mma.sync", [](void* const* of, int count) {
    if (count != 32) fail("a warp that is not whole");
    const std::size_t products = static_cast<Pending*>(of[0])->warpProducts.size();
    for (int i = 0; i < count; ++i)
      if (static_cast<Pending*>(of[i])->warpProducts.size() != products)
        fail("threads of a warp with different numbers of products");
    for (std::size_t i = 0; i < products; ++i) multiplyInWarp(of, i);
    for (int i = 0; i < count; ++i) static_cast<Pending*>(of[i])->warpProducts.clear();
  });
}

void requireShared(const void* address, std::size_t bytes) {
  requireAligned(address, bytes);
  const auto at = static_cast<const std::byte*>(address) - sharedMemory();
  if (at < 0 || at + static_cast<std::ptrdiff_t>(bytes) > static_cast<std::ptrdiff_t>(sharedBytes()))
    fail("an address outside dynamic shared memory");
}

void finishCopies(int beforeGroup) {
  std::vector<Copy>& copies = pending().copies;
  std::size_t kept = 0;
  for (const Copy& copy : copies) {
    if (copy.group < beforeGroup) {
      std::memcpy(copy.to, copy.from, static_cast<std::size_t>(copy.bytes));
    } else {
      copies[kept++] = copy;
    }
  }
  copies.resize(kept);
}

std::uint32_t sharedUnits(const void* address) {
  requireShared(address, 16);
  return static_cast<std::uint32_t>(static_cast<const std::byte*>(address) - sharedMemory()) >> 4;
}

void finishProducts() {
  Pending& mine = pending();
  meet(Group::Warpgroup, "wgmma", &mine, [](void* const* of, int count) {
    if (count != 128) fail("a warpgroup that is not whole");
    const std::size_t products = static_cast<Pending*>(of[0])->products.size();
    for (int i = 0; i < count; ++i)
      if (static_cast<Pending*>(of[i])->products.size() != products)
        fail("threads of a warpgroup with different numbers of products");
    for (std::size_t i = 0; i < products; ++i) multiply(of, i);
    for (int i = 0; i < count; ++i) {
      static_cast<Pending*>(of[i])->products.clear();
      static_cast<Pending*>(of[i])->productsBegun = false;
    }
  });
}

}  // namespace bankside::on_host
