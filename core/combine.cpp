#include "core/combine.h"

#include <algorithm>
#include <cmath>

namespace bankside {
namespace {

/// r > v, or r is the first NaN. Without short cuts, so that it stays one comparison a lane.
bool takesOver(float r, float v) { return (r > v) | ((r != r) & (v == v)); }

}  // namespace

void Combiner::accumulate(int filter, const float* response, int count, float* value,
                          std::uint16_t* index) const {
  if (filter == 0) {
    for (int x = 0; x < count; ++x) {
      value[x] = combine == Combine::Magnitude ? response[x] * response[x] : response[x];
    }
    if (index != nullptr) std::fill(index, index + count, std::uint16_t{0});
    return;
  }
  switch (combine) {
    case Combine::None: break;
    // Every pixel is written, taken or not: only then do compilers make vector code of the choice.
    case Combine::Max:
      for (int x = 0; x < count; ++x) {
        value[x] = takesOver(response[x], value[x]) ? response[x] : value[x];
      }
      break;
    case Combine::ArgMax:
      for (int x = 0; x < count; ++x) {
        const bool take = takesOver(response[x], value[x]);
        value[x] = take ? response[x] : value[x];
        index[x] = take ? static_cast<std::uint16_t>(filter) : index[x];
      }
      break;
    case Combine::AbsMax:
      for (int x = 0; x < count; ++x) {
        const bool larger = std::fabs(response[x]) > std::fabs(value[x]);
        const bool firstNan = (response[x] != response[x]) & (value[x] == value[x]);
        value[x] = (larger | firstNan) ? response[x] : value[x];
      }
      break;
    case Combine::Mean:
    case Combine::Sum:
      for (int x = 0; x < count; ++x) value[x] += response[x];
      break;
    case Combine::Magnitude:
      for (int x = 0; x < count; ++x) value[x] = std::fma(response[x], response[x], value[x]);
      break;
  }
}

void Combiner::finish(int count, float* value) const {
  if (combine == Combine::Mean) {
    const float reciprocal = 1.0f / static_cast<float>(filterCount);
    for (int x = 0; x < count; ++x) value[x] *= reciprocal;
  } else if (combine == Combine::Magnitude) {
    for (int x = 0; x < count; ++x) value[x] = std::sqrt(value[x]);
  }
}

}  // namespace bankside
