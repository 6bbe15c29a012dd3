#include "core/combine.h"

#include <algorithm>
#include <cmath>

namespace bankside {

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
    case Combine::Max:
      for (int x = 0; x < count; ++x) {
        const float r = response[x];
        if (r > value[x] || (std::isnan(r) && !std::isnan(value[x]))) value[x] = r;
      }
      break;
    case Combine::ArgMax:
      for (int x = 0; x < count; ++x) {
        const float r = response[x];
        if (r > value[x] || (std::isnan(r) && !std::isnan(value[x]))) {
          value[x] = r;
          index[x] = static_cast<std::uint16_t>(filter);
        }
      }
      break;
    case Combine::AbsMax:
      for (int x = 0; x < count; ++x) {
        const float r = response[x];
        if (std::fabs(r) > std::fabs(value[x]) || (std::isnan(r) && !std::isnan(value[x]))) value[x] = r;
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
