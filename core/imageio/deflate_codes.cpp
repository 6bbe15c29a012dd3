#include "core/imageio/deflate_codes.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/imageio/huffman.h"

namespace bankside::codec {
namespace {

/// A length, or a repetition of one.
struct LengthRun {
  std::uint8_t symbol;
  std::uint8_t extra;
  std::uint8_t extraBits;
};
class CodeLengths {
 public:
  explicit CodeLengths(std::span<const std::uint8_t> lengths) {
    for (std::size_t at = 0; at < lengths.size();) {
      std::size_t same = 1;
      while (at + same < lengths.size() && lengths[at + same] == lengths[at]) ++same;
      at += same;
      add(lengths[at - 1], same);
    }
  }
  std::span<const LengthRun> runs() const { return {runs_.data(), used_}; }

 private:
  void add(std::uint8_t length, std::size_t same) {
    if (length > 0) {
      push({length, 0, 0});
      --same;
    }
    while (same >= 3) {
      const std::size_t most = length > 0 ? 6 : same > 10 ? 138 : 10;
      const std::size_t part = std::min(same, most);
      if (length > 0) {
        push({16, static_cast<std::uint8_t>(part - 3), 2});
      } else if (part > 10) {
        push({18, static_cast<std::uint8_t>(part - 11), 7});
      } else {
        push({17, static_cast<std::uint8_t>(part - 3), 3});
      }
      same -= part;
    }
    for (; same > 0; --same) push({length, 0, 0});
  }
  void push(LengthRun run) { runs_[used_++] = run; }

  std::array<LengthRun, deflateSymbols + 2> runs_;
  std::size_t used_ = 0;
};

}  // namespace

void writeCodes(BitWriter& writer, std::span<const PrefixCode> codes, bool last) {
  std::array<std::uint8_t, deflateSymbols + 2> lengths;
  for (std::size_t i = 0; i < deflateSymbols; ++i) lengths[i] = static_cast<std::uint8_t>(codes[i].count);
  lengths[deflateSymbols] = lengths[deflateSymbols + 1] = 1;
  const CodeLengths coded(lengths);
  std::array<std::uint32_t, 19> counts{};
  for (const LengthRun& run : coded.runs()) ++counts[run.symbol];
  std::array<PrefixCode, 19> lengthCodes;
  huffmanCode(counts, 7, lengthCodes);
  static constexpr std::array<std::uint8_t, 19> order = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                         11, 4,  12, 3, 13, 2, 14, 1, 15};
  std::size_t written = order.size();
  while (written > 4 && lengthCodes[order[written - 1]].count == 0) --written;
  writer.put(last ? 1 : 0, 1);
  writer.put(2, 2);  // codes of its own
  writer.put(deflateSymbols - 257, 5);
  writer.put(2 - 1, 5);
  writer.put(written - 4, 4);
  writer.write();
  for (std::size_t i = 0; i < written; ++i) {
    writer.put(lengthCodes[order[i]].count, 3);
    writer.write();
  }
  for (const LengthRun& run : coded.runs()) {
    writer.put(lengthCodes[run.symbol]);
    writer.put(run.extra, run.extraBits);
    writer.write();
  }
}

}  // namespace bankside::codec
