#include "library/preload/filter_call.h"

#include <optional>

namespace bankside::preload {
namespace {

// OpenCV's depths and borders, which are part of its ABI.
constexpr int depth8U = 0, depth16U = 2, depth32F = 5, depth64F = 6;
constexpr int isolated = 16;

std::optional<bk_type> typeOf(int depth) {
  switch (depth) {
    case depth8U: return BK_U8;
    case depth16U: return BK_U16;
    case depth32F: return BK_F32;
    default: return std::nullopt;
  }
}

std::optional<bk_border> borderOf(int border) {
  switch (border & ~isolated) {
    case 0: return BK_BORDER_CONSTANT;
    case 1: return BK_BORDER_REPLICATE;
    case 2: return BK_BORDER_REFLECT;
    case 4: return BK_BORDER_REFLECT101;
    default: return std::nullopt;
  }
}

int depthOf(int type) { return type & 7; }

bool overlap(const FilterCall& call) {
  const auto bytes = [&](std::size_t step, int type) {
    const std::size_t pixel = static_cast<std::size_t>(bk_type_size(*typeOf(depthOf(type)))) *
                              static_cast<std::size_t>((type >> 3) + 1);
    return step * static_cast<std::size_t>(call.height - 1) + pixel * static_cast<std::size_t>(call.width);
  };
  return call.src < call.dst + bytes(call.dstStep, call.dstType) &&
         call.dst < call.src + bytes(call.srcStep, call.srcType);
}

}  // namespace

bk_type FilterCall::srcDepth() const { return typeOf(depthOf(srcType)).value(); }
bk_type FilterCall::dstDepth() const { return typeOf(depthOf(dstType)).value(); }
bk_border FilterCall::edge() const { return borderOf(border).value(); }

const char* refusal(const FilterCall& call) {
  const auto src = typeOf(depthOf(call.srcType));
  const auto dst = typeOf(depthOf(call.dstType));
  if (!src || !dst) return "pixels of another type";
  if (*dst != *src && *dst != BK_F32) return "pixels of another type";
  if (call.channels() != (call.dstType >> 3) + 1) return "other channels";
  if (depthOf(call.kernelType) != depth32F && depthOf(call.kernelType) != depth64F)
    return "taps of another type";
  if (call.kernelWidth > 127 || call.kernelHeight > 127) return "more than 127 taps on a side";
  if (!borderOf(call.border)) return "another border";
  if (call.delta != 0) return "a delta";
  const bool whole = call.fullWidth == call.width && call.fullHeight == call.height;
  if (!whole && (call.border & isolated) == 0) return "a part of a larger image";
  // Smaller than what a filter reaches, OpenCV reads its borders in a way of its own.
  if (call.width < call.kernelWidth || call.height < call.kernelHeight)
    return "an image smaller than the filter";
  if (overlap(call)) return "in place";
  return nullptr;
}

const char* disadvantage(const FilterCall& call) {
  // The least filters and images that were 1.4 times as fast on one thread; the figures are kept under
  // tests/bench/results/cpu/preload. Colours side by side are taken apart on the way.
  struct Least {
    int taps;
    int side;
  };
  const bool one = call.channels() == 1;
  const bool floats = call.srcDepth() == BK_F32;
  const bool integers = call.dstDepth() != BK_F32;
  const Least least = floats                                 ? (one ? Least{49, 64} : Least{169, 32})
                      : call.srcDepth() == BK_U8 && integers ? (one ? Least{25, 64} : Least{81, 64})
                      : one                                  ? Least{9, 64}
                      : integers                             ? Least{25, 64}
                                                             : Least{49, 64};
  if (call.kernelWidth * call.kernelHeight < least.taps) return "few taps";
  if (static_cast<double>(call.width) * call.height < least.side * least.side) return "a small image";
  return nullptr;
}

}  // namespace bankside::preload
