/// What lies outside the image: OpenCV's five answers, under OpenCV's names.
///
/// One constexpr function defines them all, on host and device; every engine resolves its borders through it
/// (or, in vector code, is tested against it), so that no two engines can disagree about a pixel.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/host_device.h"

namespace bankside {

///            outside | inside  | outside
/// Constant    v v v  | a b c d |  v v v
/// Replicate   a a a  | a b c d |  d d d
/// Reflect     c b a  | a b c d |  d c b
/// Reflect101  d c b  | a b c d |  c b a      (filter2D's default)
/// Wrap        b c d  | a b c d |  a b c
enum class BorderKind { Constant, Replicate, Reflect, Reflect101, Wrap };

inline constexpr BorderKind allBorderKinds[] = {BorderKind::Constant, BorderKind::Replicate,
                                                BorderKind::Reflect, BorderKind::Reflect101,
                                                BorderKind::Wrap};

/// `value` matters for Constant alone and is 0 for the others.
struct Border {
  BorderKind kind = BorderKind::Reflect101;
  float value = 0.0f;
  bool operator==(const Border&) const = default;

  /// Whether what lies outside is `value`; else it is a pixel of the image.
  BANKSIDE_HOST_DEVICE constexpr bool isConstant() const { return kind == BorderKind::Constant; }
  constexpr bool isZero() const { return isConstant() && value == 0; }
  constexpr bool replicates() const { return kind == BorderKind::Replicate; }
  constexpr bool mirrors() const { return kind == BorderKind::Reflect || kind == BorderKind::Reflect101; }
  constexpr bool wraps() const { return kind == BorderKind::Wrap; }
};
inline constexpr Border zeroBorder{BorderKind::Constant, 0.0f};

/// The index inside [0, n) that position `i` reads, or -1 where Constant supplies the value.
/// Any `i` is allowed: images smaller than the filter reflect or wrap as often as it takes. Requires n >= 1.
/// Source: OpenCV documentation, cv::BorderTypes and cv::borderInterpolate.
BANKSIDE_HOST_DEVICE constexpr int borderIndex(int i, int n, BorderKind kind) {
  if (i >= 0 && i < n) return i;
  switch (kind) {
    case BorderKind::Constant: return -1;
    case BorderKind::Replicate: return i < 0 ? 0 : n - 1;
    case BorderKind::Reflect: {
      const int period = 2 * n;
      int m = i % period;
      if (m < 0) m += period;
      return m < n ? m : period - 1 - m;
    }
    case BorderKind::Reflect101: {
      if (n == 1) return 0;
      const int period = 2 * n - 2;
      int m = i % period;
      if (m < 0) m += period;
      return m < n ? m : period - m;
    }
    case BorderKind::Wrap: {
      const int m = i % n;
      return m < 0 ? m + n : m;
    }
  }
  return -1;
}
BANKSIDE_HOST_DEVICE constexpr int borderIndex(int i, int n, const Border& border) {
  return borderIndex(i, n, border.kind);
}

/// "constant", "replicate", "reflect", "reflect101", "wrap".
const char* toString(BorderKind kind);

/// "reflect101", "constant" or "constant=-3.5" (the value only where it is not 0). `parseBorder` reads it
/// back.
std::string format(const Border& border);

/// Nothing where the text names no border or gives a value to one that takes none.
std::optional<Border> parseBorder(std::string_view text);

}  // namespace bankside
