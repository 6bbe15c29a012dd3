// What asynchronous instructions do when they are waited for, and a warp's matrix instructions.
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
/// (kernels/cuda/tensor/tensor_bank.h; kernels/cuda/multichannel/tensor/tensor_taps.h).
constexpr int extraBits = 1;

/// 2^exponent, and the exponent of a number: of doubles that are not denormal, as every float is.
double powerOfTwo(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}
int exponentOf(double positive) {
  return static_cast<int>(std::bit_cast<std::uint64_t>(positive) >> 52) - 1023;
}

/// Addends cut at one unit, their sum cut to 24 bits. Finite numbers.
template <int count>
float cutSum(const float (&addends)[count]) {
  float largest = 0;
  for (const float addend : addends) largest = std::max(largest, std::fabs(addend));
  if (largest == 0) return 0;
  const int exponent = exponentOf(largest) - 23 - extraBits;
  const double perUnit = powerOfTwo(-exponent);
  static_assert(count < 63);  // each addend has less than 25 bits
  std::int32_t total = 0;
  for (const float addend : addends) total += static_cast<std::int32_t>(addend * perUnit);
  const auto magnitude = static_cast<std::uint32_t>(std::abs(total));
  const int tooLong = std::max(0, static_cast<int>(std::bit_width(magnitude)) - 24);
  const auto kept = static_cast<double>(magnitude >> tooLong << tooLong) * powerOfTwo(exponent);
  return static_cast<float>(total < 0 ? -kept : kept);
}

/// sum + a[0] * b[0] + a[1] * b[1] + ...; products are exact in f32.
template <int count>
float sumOfProducts(float sum, const float* a, const float* b) {
  if (!sumsAreCut()) {
    for (int k = 0; k < count; ++k) sum += a[k] * b[k];
    return sum;
  }
  float addends[count + 1];
  bool finite = std::isfinite(sum);
  for (int k = 0; k < count; ++k) {
    addends[k] = a[k] * b[k];
    finite = finite && std::isfinite(addends[k]);
  }
  addends[count] = sum;
  if (finite) return cutSum(addends);
  for (int k = 0; k < count; ++k) sum += addends[k];
  return sum;
}

/// Whether nothing in it makes zeros into something else; zeros for missing filters and channels are most of
/// the work.
bool isFinite(const float* numbers, int count) {
  return std::all_of(numbers, numbers + count, [](float v) { return std::isfinite(v); });
}
bool isZero(const float* numbers, int count) {
  return std::all_of(numbers, numbers + count, [](float v) { return v == 0; });
}

/// Two halves of a register.
void unpack(std::uint32_t pair, float* to) {
  to[0] = halves()[pair & 0xffff];
  to[1] = halves()[pair >> 16];
}

/// PTX ISA, the fragments of mma.m16n8k16: with g = lane / 4 and t = lane % 4, a lane has of rows g and g + 8
/// halves 2t, 2t + 1 (registers 0, 1) and 8 more (2, 3); of column g the same (0; 1); sums of row g, columns
/// 2t, 2t + 1, then of row g + 8.
void multiplyFragments(void* const* of, int count) {
  if (count != 32) fail("a warp that is not whole");
  float rows[16][16];
  float columns[8][16];
  for (int lane = 0; lane < 32; ++lane) {
    const WarpProduct& own = *static_cast<const WarpProduct*>(of[lane]);
    const int g = lane / 4;
    const int first = lane % 4 * 2;
    for (int i = 0; i < 4; ++i) unpack(own.rows[i], rows[g + i % 2 * 8] + first + i / 2 * 8);
    for (int i = 0; i < 2; ++i) unpack(own.columns[i], columns[g] + first + i * 8);
  }
  bool finite = true;
  for (const auto& row : rows) finite = finite && isFinite(row, 16);
  bool zero[8];
  for (int i = 0; i < 8; ++i) zero[i] = finite && isZero(columns[i], 16);
  for (int lane = 0; lane < 32; ++lane) {
    float* const sum = static_cast<const WarpProduct*>(of[lane])->sum;
    for (int i = 0; i < 4; ++i) {
      if (zero[lane % 4 * 2 + i % 2]) continue;
      const float* const row = rows[lane / 4 + i / 2 * 8];
      const float* const column = columns[lane % 4 * 2 + i % 2];
      // As devices before 9.0 add them: in two eights.
      for (int k = 0; k < 16; k += 8) sum[i] = sumOfProducts<8>(sum[i], row + k, column + k);
    }
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

/// Rows or columns [first, first + count) of 32 bytes each, as 16 halves.
void readMatrix(std::uint32_t descriptor, std::uint32_t nextEight, int first, int count, float (*to)[16]) {
  const std::uint32_t start = (descriptor & fieldMask) * 16;
  const std::uint32_t nextUnit = (descriptor >> 16 & fieldMask) * 16;
  for (int n = first; n < first + count; ++n) {
    for (int unit = 0; unit < 2; ++unit) {
      const std::size_t at = start + static_cast<std::size_t>(n / 8) * nextEight +
                             static_cast<std::size_t>(unit) * nextUnit + static_cast<std::size_t>(n % 8) * 16;
      if (at + 16 > sharedBytes()) fail("a matrix of a product outside dynamic shared memory");
      float* const numbers = to[n - first] + unit * 8;
      std::uint16_t bits[8];
      std::memcpy(bits, sharedMemory() + at, sizeof(bits));
      for (int i = 0; i < 8; ++i) numbers[i] = halves()[bits[i]];
    }
  }
}

/// PTX ISA, the fragment of wgmma's D: with g = lane / 4 and t = lane % 4, a lane of warp w holds of row 16w
/// + g columns 8j + 2t, 8j + 2t + 1 at 4j, of row 16w + g + 8 at 4j + 2.
void multiply(void* const* of, std::size_t which) {
  static float rows[16][16];
  static float columns[128][16];
  const Product& first = static_cast<Pending*>(of[0])->products[which];
  constexpr int count = 16;
  readMatrix(first.rows, first.nextRows, 16 * first.warp, 16, rows);
  readMatrix(first.columns, first.nextColumns, 0, first.columnCount, columns);
  bool finiteRows = true;
  bool finiteColumns = true;
  bool zeroRow[16], zeroColumn[128];
  for (int i = 0; i < 16; ++i) {
    finiteRows = finiteRows && isFinite(rows[i], count);
    zeroRow[i] = isZero(rows[i], count);
  }
  for (int i = 0; i < first.columnCount; ++i) {
    finiteColumns = finiteColumns && isFinite(columns[i], count);
    zeroColumn[i] = isZero(columns[i], count);
  }
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
    for (int i = 0; i < product.columnCount / 2; ++i) {
      const int row = lane / 4 + i / 2 % 2 * 8;
      const int column = i / 4 * 8 + lane % 4 * 2 + i % 2;
      float& sum = product.sum[i];
      if (!product.add) sum = 0.0f;
      if ((zeroRow[row] && finiteColumns) || (zeroColumn[column] && finiteRows)) continue;
      sum = sumOfProducts<count>(sum, rows[row], columns[column]);
    }
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
