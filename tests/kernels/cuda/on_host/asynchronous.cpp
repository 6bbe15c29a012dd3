// What asynchronous instructions do when they are waited for.
#include <algorithm>
#include <bit>
#include <cmath>
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

/// Bits that the tensor cores keep below the last of the largest addend: so their error bounds have it
/// (kernels/cuda/tensor/tensor_bank.h; kernels/cuda/multichannel/summed_bank.cpp).
constexpr int halfExtraBits = 1;
constexpr int tf32ExtraBits = 0;

/// Addends cut at one unit, their sum cut to 24 bits. Finite numbers.
template <int count>
float cutSum(const float (&addends)[count], int extraBits) {
  float largest = 0;
  for (const float addend : addends) largest = std::max(largest, std::fabs(addend));
  if (largest == 0) return 0;
  const int exponent = std::ilogb(largest) - 23 - extraBits;
  const double perUnit = std::ldexp(1.0, -exponent);
  std::int64_t total = 0;
  for (const float addend : addends) total += static_cast<std::int64_t>(addend * perUnit);
  const int tooLong = std::bit_width(static_cast<std::uint64_t>(std::abs(total))) - 24;
  const std::int64_t below = std::int64_t{1} << std::max(0, tooLong);
  return static_cast<float>(std::ldexp(static_cast<double>(total / below * below), exponent));
}

/// sum + a[0] * b[0] + a[1] * b[step] + ...; products are exact in f32.
template <int count>
float sumOfProducts(float sum, const float* a, const float* b, int step, int extraBits) {
  if (!sumsAreCut()) {
    for (int k = 0; k < count; ++k) sum += a[k] * b[k * step];
    return sum;
  }
  float addends[count + 1];
  bool finite = std::isfinite(sum);
  for (int k = 0; k < count; ++k) {
    addends[k] = a[k] * b[k * step];
    finite = finite && std::isfinite(addends[k]);
  }
  addends[count] = sum;
  if (finite) return cutSum(addends, extraBits);
  for (int k = 0; k < count; ++k) sum += addends[k];
  return sum;
}

/// Descriptors count in units of 16 bytes, 14 bits.
constexpr std::uint32_t fieldMask = 0x3fff;
// The upper halves, the same for every product: bytes to the next eight rows of pixels, columns of taps.
constexpr std::uint32_t nextPixels = 128;
constexpr std::uint32_t nextTaps = 256;

/// Rows or columns [first, first + count) of 16 halves each.
void readMatrix(std::uint32_t descriptor, std::uint32_t nextEight, int first, int count, float (*to)[16]) {
  const std::uint32_t start = (descriptor & fieldMask) * 16;
  const std::uint32_t nextHalves = (descriptor >> 16 & fieldMask) * 16;
  for (int n = first; n < first + count; ++n) {
    for (int k = 0; k < 16; k += 8) {
      const std::size_t at = start + static_cast<std::size_t>(n / 8) * nextEight +
                             static_cast<std::size_t>(k / 8) * nextHalves +
                             static_cast<std::size_t>(n % 8) * 16;
      if (at + 16 > sharedBytes()) fail("a matrix of a product outside dynamic shared memory");
      std::uint16_t bits[8];
      std::memcpy(bits, sharedMemory() + at, sizeof(bits));
      for (int i = 0; i < 8; ++i) to[n - first][k + i] = halves()[bits[i]];
    }
  }
}

/// PTX ISA, the fragment of wgmma's D: with g = lane / 4 and t = lane % 4, a lane of warp w holds of row 16w
/// + g columns 8j + 2t, 8j + 2t + 1 at 4j, of row 16w + g + 8 at 4j + 2.
void multiply(void* const* of, std::size_t which) {
  static float pixels[16][16];
  static float taps[128][16];
  const Product& first = static_cast<Pending*>(of[0])->products[which];
  readMatrix(first.pixels, nextPixels, 16 * first.warp, 16, pixels);
  readMatrix(first.taps, nextTaps, 0, first.columns, taps);
  // Columns of missing filters are zeros, and change nothing.
  const bool finite =
      std::all_of(&pixels[0][0], &pixels[0][0] + 16 * 16, [](float v) { return std::isfinite(v); });
  bool skipped[128];
  for (int column = 0; column < first.columns; ++column)
    skipped[column] = finite && std::all_of(taps[column], taps[column] + 16, [](float v) { return v == 0; });
  for (int lane = 0; lane < 32; ++lane) {
    Pending& pending = *static_cast<Pending*>(of[lane]);
    const Product& product = pending.products[which];
    if (product.taps != first.taps || product.pixels != first.pixels || product.columns != first.columns ||
        product.add != first.add)
      fail("threads of a warp with different products");
    pending.productHistory = ((pending.productHistory * 31 + product.taps) * 31 + product.pixels) * 31 +
                             static_cast<std::uint64_t>(product.columns);
    for (int i = 0; i < product.columns / 2; ++i) {
      const float* row = pixels[lane / 4 + i / 2 % 2 * 8];
      const int column = i / 4 * 8 + lane % 4 * 2 + i % 2;
      const float sum = product.add ? product.sum[i] : 0.0f;
      product.sum[i] = skipped[column] ? sum : sumOfProducts<16>(sum, row, taps[column], 1, halfExtraBits);
    }
  }
}

/// PTX ISA, fragments of m16n8k8: with g = lane / 4 and t = lane % 4, a lane holds of A rows g, g + 8 of
/// column t, then of column t + 4; of B rows t and t + 4 of column g; of C columns 2t and 2t + 1 of row g,
/// then of row g + 8.
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
    const bool zero = std::all_of(a[row], a[row] + 8, [](float v) { return v == 0; });
    if (finite && zero) continue;
    for (int column = 0; column < 8; ++column)
      sumAt(column) = sumOfProducts<8>(sumAt(column), a[row], &b[0][column], 8, tf32ExtraBits);
  }
}

template <class T>
void requireSameProducts(void* const* of, int count, std::vector<T> Pending::*products) {
  if (count != 32) fail("a warp that is not whole");
  const auto& first = static_cast<Pending*>(of[0])->*products;
  for (int i = 0; i < count; ++i)
    if ((static_cast<Pending*>(of[i])->*products).size() != first.size())
      fail("threads of a warp with different numbers of products");
}

}  // namespace

void finishWarpProducts() {
  joinWarp("mma.sync", [](void* const* of, int count) {
    requireSameProducts(of, count, &Pending::warpProducts);
    const std::size_t products = static_cast<Pending*>(of[0])->warpProducts.size();
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
  joinWarp("wgmma", [](void* const* of, int count) {
    requireSameProducts(of, count, &Pending::products);
    const std::size_t products = static_cast<Pending*>(of[0])->products.size();
    for (std::size_t i = 0; i < products; ++i) multiply(of, i);
    for (int i = 0; i < count; ++i) {
      static_cast<Pending*>(of[i])->products.clear();
      static_cast<Pending*>(of[i])->productsBegun = false;
    }
  });
}

}  // namespace bankside::on_host
