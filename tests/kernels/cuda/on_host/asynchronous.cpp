// What asynchronous instructions do when they are waited for, and a warp's matrix instructions.
#include <algorithm>
#include <cstring>
#ifdef __F16C__
#include <immintrin.h>
#endif

#include "core/element_type.h"
#include "tests/kernels/cuda/on_host/block.h"
#include "tests/kernels/cuda/on_host/product_sums.h"

namespace bankside::on_host {
namespace {

/// Numbers of a row or a column, two in a word.
struct SixteenHalves {
  std::uint32_t pairs[8];

  bool isZero() const {
    std::uint32_t all = 0;
    for (const std::uint32_t pair : pairs) all |= pair & 0x7fff7fff;
    return all == 0;
  }
  /// Whether nothing in it makes zeros into something else.
  bool isFinite() const {
    // An exponent of ones and one more is the sign's bit.
    std::uint32_t ones = 0;
    for (const std::uint32_t pair : pairs) ones |= (pair & 0x7c007c00) + 0x04000400;
    return (ones & 0x80008000) == 0;
  }
  void toFloats(float* to) const {
#ifdef __F16C__
    for (int i = 0; i < 8; i += 4)
      _mm256_storeu_ps(to + 2 * i,
                       _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(pairs + i))));
#else
    for (int i = 0; i < 8; ++i) {
      to[2 * i] = toFloat(Half{static_cast<std::uint16_t>(pairs[i])});
      to[2 * i + 1] = toFloat(Half{static_cast<std::uint16_t>(pairs[i] >> 16)});
    }
#endif
  }
};

/// PTX ISA, the fragments of mma.m16n8k16: with g = lane / 4 and t = lane % 4, a lane has of rows g and g + 8
/// halves 2t, 2t + 1 (registers 0, 1) and 8 more (2, 3); of column g the same (0; 1); sums of row g, columns
/// 2t, 2t + 1, then of row g + 8.
void multiplyFragments(void* const* of, int count) {
  if (count != 32) fail("a warp that is not whole");
  SixteenHalves rows[16];
  SixteenHalves columns[8];
  for (int lane = 0; lane < 32; ++lane) {
    const WarpProduct& own = *static_cast<const WarpProduct*>(of[lane]);
    const int g = lane / 4;
    const int first = lane % 4;
    for (int i = 0; i < 4; ++i) rows[g + i % 2 * 8].pairs[first + i / 2 * 4] = own.rows[i];
    for (int i = 0; i < 2; ++i) columns[g].pairs[first + i * 4] = own.columns[i];
  }
  bool finite = true;
  for (const SixteenHalves& row : rows) finite = finite && row.isFinite();
  // Zeros for missing filters and channels are most of the work.
  Columns kept;
  for (int i = 0; i < 8; ++i) {
    if (finite && columns[i].isZero()) continue;
    float numbers[16];
    columns[i].toFloats(numbers);
    kept.add(numbers, i);
  }
  kept.close();
  for (int row = 0; row < 16 && kept.width > 0; ++row) {
    float numbers[16];
    rows[row].toFloats(numbers);
    float sums[8] = {};
    const auto sumOf = [&](int column) -> float& {
      const int lane = row % 8 * 4 + column / 2;
      return static_cast<const WarpProduct*>(of[lane])->sum[row / 8 * 2 + column % 2];
    };
    for (int i = 0; i < kept.width; ++i) sums[i] = sumOf(kept.places[i]);
    // As devices before 9.0 add them: in two eights.
    for (int k = 0; k < 16; k += 8) addProductsOfEight(sums, numbers + k, kept, k, sumsAreCut());
    for (int i = 0; i < kept.width; ++i) sumOf(kept.places[i]) = sums[i];
  }
}

/// PTX ISA, ldmatrix.x4: lane 8i + r points to row r of matrix i; lane 4g + t gets halves 2t, 2t + 1 of row
/// g.
void shareMatrices(void* const* of, int count) {
  if (count != 32) fail("a warp that is not whole");
  for (int lane = 0; lane < 32; ++lane) {
    MatrixRows& own = *static_cast<MatrixRows*>(of[lane]);
    for (int i = 0; i < 4; ++i) {
      const std::size_t at = static_cast<const MatrixRows*>(of[8 * i + lane / 4])->row;
      if (at % 16 != 0) fail("a matrix's row that is not aligned");
      if (at + 16 > sharedBytes()) fail("a matrix's row outside dynamic shared memory");
      std::memcpy(&own.halves[i], sharedMemory() + at + lane % 4 * 4, sizeof(own.halves[i]));
    }
  }
}

/// Descriptors count in units of 16 bytes, 14 bits.
constexpr std::uint32_t fieldMask = 0x3fff;

/// Rows or columns [first, first + count) of 32 bytes each.
void readMatrix(std::uint32_t descriptor, std::uint32_t nextEight, int first, int count, SixteenHalves* to) {
  const std::uint32_t start = (descriptor & fieldMask) * 16;
  const std::uint32_t nextUnit = (descriptor >> 16 & fieldMask) * 16;
  for (int n = first; n < first + count; ++n) {
    for (int unit = 0; unit < 2; ++unit) {
      const std::size_t at = start + static_cast<std::size_t>(n / 8) * nextEight +
                             static_cast<std::size_t>(unit) * nextUnit + static_cast<std::size_t>(n % 8) * 16;
      if (at + 16 > sharedBytes()) fail("a matrix of a product outside dynamic shared memory");
      std::memcpy(to[n - first].pairs + unit * 4, sharedMemory() + at, 16);
    }
  }
}

/// PTX ISA, the fragment of wgmma's D: with g = lane / 4 and t = lane % 4, a lane of warp w holds of row 16w
/// + g columns 8j + 2t, 8j + 2t + 1 at 4j, of row 16w + g + 8 at 4j + 2.
void multiply(void* const* of, std::size_t which) {
  static SixteenHalves rows[16];
  static SixteenHalves columns[Columns::most];
  static Columns kept;
  const Product& first = static_cast<Pending*>(of[0])->products[which];
  float* sumsOf[32];
  for (int lane = 0; lane < 32; ++lane) {
    Pending& pending = *static_cast<Pending*>(of[lane]);
    const Product& product = pending.products[which];
    if (product.rows != first.rows || product.columns != first.columns ||
        product.nextRows != first.nextRows || product.nextColumns != first.nextColumns ||
        product.columnCount != first.columnCount || product.add != first.add)
      fail("threads of a warp with different products");
    for (const std::uint64_t part :
         {std::uint64_t{product.rows}, std::uint64_t{product.columns}, std::uint64_t{product.nextRows},
          std::uint64_t{product.nextColumns}, static_cast<std::uint64_t>(product.columnCount),
          std::uint64_t{product.add}})
      pending.productHistory = pending.productHistory * 31 + part;
    sumsOf[lane] = product.sum;
    if (!product.add) std::fill(product.sum, product.sum + product.columnCount / 2, 0.0f);
  }
  readMatrix(first.rows, first.nextRows, 16 * first.warp, 16, rows);
  readMatrix(first.columns, first.nextColumns, 0, first.columnCount, columns);
  bool finiteRows = true;
  for (const SixteenHalves& row : rows) finiteRows = finiteRows && row.isFinite();
  bool finiteColumns = true;
  kept.width = 0;
  for (int i = 0; i < first.columnCount; ++i) {
    finiteColumns = finiteColumns && columns[i].isFinite();
    if (finiteRows && columns[i].isZero()) continue;
    float numbers[16];
    columns[i].toFloats(numbers);
    kept.add(numbers, i);
  }
  kept.close();
  for (int row = 0; row < 16 && kept.width > 0; ++row) {
    if (finiteColumns && rows[row].isZero()) continue;
    float numbers[16];
    rows[row].toFloats(numbers);
    float* const* const lanes = sumsOf + row % 8 * 4;
    const auto sumOf = [&](int column) -> float& {
      return lanes[column % 8 / 2][column / 8 * 4 + row / 8 * 2 + column % 2];
    };
    float sums[Columns::most];
    for (int i = 0; i < kept.width; ++i) sums[i] = sumOf(kept.places[i]);
    std::fill(sums + kept.width, sums + (kept.width + 7) / 8 * 8, 0.0f);
    addProductsOfSixteen(sums, numbers, kept, sumsAreCut());
    for (int i = 0; i < kept.width; ++i) sumOf(kept.places[i]) = sums[i];
  }
}

void requireSameProducts(void* const* of, int count) {
  if (count != 32) fail("a warp that is not whole");
  const std::size_t first = static_cast<Pending*>(of[0])->products.size();
  for (int i = 0; i < count; ++i)
    if (static_cast<Pending*>(of[i])->products.size() != first)
      fail("threads of a warp with different numbers of products");
}

}  // namespace

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

void loadMatrices(MatrixRows& rows) { meet(Group::Warp, "ldmatrix", &rows, shareMatrices); }

void multiplyByWarp(WarpProduct& product) { meet(Group::Warp, "mma", &product, multiplyFragments); }

void finishProducts() {
  const auto multiplyAll = [](void* const* of, int count) {
    requireSameProducts(of, count);
    const std::size_t products = static_cast<Pending*>(of[0])->products.size();
    for (std::size_t i = 0; i < products; ++i) multiply(of, i);
    for (int i = 0; i < count; ++i) {
      static_cast<Pending*>(of[i])->products.clear();
      static_cast<Pending*>(of[i])->productsBegun = false;
    }
  };
  meet(Group::Warp, "wgmma", &pending(), multiplyAll);
}

}  // namespace bankside::on_host
