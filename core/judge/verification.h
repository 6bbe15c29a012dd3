/// What a judge says of a result.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace bankside {

struct Verification {
  bool passed = true;
  std::int64_t checked = 0;  ///< pixels judged, over all planes
  std::int64_t failed = 0;   ///< pixels outside their bound
  double maxAbsError = 0;    ///< largest |out - exact| in pixel units, over finite pixels
  double maxBoundRatio = 0;  ///< largest |out - exact| / bound; at most 1 where everything passed
  /// Where: the first failure if there is one, else the place of `maxAbsError`.
  int plane = 0;
  int x = 0;
  int y = 0;
  double got = 0;
  double expected = 0;

  /// Takes in the judgement of other pixels of the same result.
  void add(const Verification& other);

  /// "pixel (x, y) of plane p: got 1.5, expected 1.25".
  std::string place() const;
};

/// The first judgement, or one more.
void add(std::optional<Verification>& sum, const Verification& v);

}  // namespace bankside
