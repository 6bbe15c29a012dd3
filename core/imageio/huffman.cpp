#include "core/imageio/huffman.h"

#include <algorithm>
#include <array>

namespace bankside::codec {
namespace {

constexpr std::size_t mostSymbols = 288;
constexpr int mostBits = 15;

struct Leaf {
  std::uint32_t count;
  std::uint16_t symbol;
};

/// Depths of the leaves, which come by rising counts; the largest of them. Inner nodes are made by rising
/// counts too, so that the two smallest nodes are always in front of one of two queues (van Leeuwen 1976).
int treeDepths(std::span<const Leaf> leaves, std::span<std::uint16_t> depths) {
  std::array<std::uint64_t, 2 * mostSymbols> counts;
  std::array<std::uint16_t, 2 * mostSymbols> parents;
  const std::size_t n = leaves.size();
  for (std::size_t i = 0; i < n; ++i) counts[i] = leaves[i].count;
  std::size_t leaf = 0;
  std::size_t inner = n;
  for (std::size_t node = n; node < 2 * n - 1; ++node) {
    counts[node] = 0;
    for (int child = 0; child < 2; ++child) {
      const bool takeLeaf = leaf < n && (inner == node || counts[leaf] <= counts[inner]);
      const std::size_t smallest = takeLeaf ? leaf++ : inner++;
      counts[node] += counts[smallest];
      parents[smallest] = static_cast<std::uint16_t>(node);
    }
  }
  std::array<std::uint16_t, 2 * mostSymbols> depth;
  depth[2 * n - 2] = 0;
  for (std::size_t node = 2 * n - 2; node-- > 0;) {
    depth[node] = static_cast<std::uint16_t>(depth[parents[node]] + 1);
    if (node < n) depths[node] = depth[node];
  }
  return *std::max_element(depths.begin(), depths.begin() + static_cast<std::ptrdiff_t>(n));
}

std::uint16_t reversed(unsigned bits, int count) {
  unsigned result = 0;
  for (int i = 0; i < count; ++i) result |= (bits >> i & 1) << (count - 1 - i);
  return static_cast<std::uint16_t>(result);
}

}  // namespace

void huffmanCode(std::span<const std::uint32_t> counts, int longest, std::span<PrefixCode> codes) {
  std::array<Leaf, mostSymbols> all;
  std::size_t used = 0;
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (counts[i] > 0) all[used++] = {counts[i], static_cast<std::uint16_t>(i)};
  const std::span<Leaf> leaves(all.data(), used);
  std::sort(leaves.begin(), leaves.end(), [](const Leaf& a, const Leaf& b) {
    return a.count != b.count ? a.count < b.count : a.symbol < b.symbol;
  });
  std::array<std::uint16_t, mostSymbols> depths;
  // Halving keeps the order; when all counts are 1 the tree is as flat as can be.
  while (treeDepths(leaves, depths) > longest)
    for (Leaf& leaf : leaves) leaf.count = (leaf.count + 1) / 2;

  std::fill(codes.begin(), codes.end(), PrefixCode{});
  std::array<unsigned, mostBits + 2> next{};
  for (std::size_t i = 0; i < used; ++i) {
    codes[leaves[i].symbol].count = depths[i];
    ++next[depths[i] + 1u];
  }
  // `next` holds, one further, how many codes have a length; it becomes the first code of that length.
  unsigned first = 0;
  for (int bits = 1; bits <= mostBits; ++bits) {
    first = (first + next[static_cast<std::size_t>(bits)]) << 1;
    next[static_cast<std::size_t>(bits)] = first;
  }
  for (PrefixCode& code : codes)
    if (code.count > 0) code.bits = reversed(next[code.count]++, code.count);
}

}  // namespace bankside::codec
