#include "core/precision.h"

namespace bankside {

const char* toString(Precision precision) {
  switch (precision) {
    case Precision::Exact: return "exact";
    case Precision::Fp32: return "fp32";
    case Precision::Fp16: return "fp16";
  }
  return "?";
}

std::optional<Precision> parsePrecision(std::string_view text) {
  for (const Precision precision : allPrecisions) {
    if (text == toString(precision)) return precision;
  }
  return std::nullopt;
}

}  // namespace bankside
