/// Rows of maps spread over threads: the loop that most operations are.
#pragma once

#include "core/engine.h"
#include "core/maps/operation.h"

namespace bankside {

/// Calls body(y) for rows [0, height); rows know nothing of each other. Throws Cancelled
template <class Body>
void forRows(const OperationContext& context, int height, const Body& body) {
  context.team.forRanges(0, height, 16, [&](int first, int last) {
    if (context.stop.stop_requested()) throw Cancelled();
    for (int y = first; y < last; ++y) body(y);
  });
}

/// Every pixel of every map through `function(float) -> float`.
template <class Function>
Maps mapPixels(const Maps& in, const OperationContext& context, const Function& function) {
  Maps out = Maps::make(in.extent, in.names);
  for (std::size_t m = 0; m < in.size(); ++m) {
    const auto from = in.view(m);
    const auto to = out.view(m);
    forRows(context, from.height, [&](int y) {
      const float* a = from.row(y);
      float* b = to.row(y);
      for (int x = 0; x < from.width; ++x) b[x] = function(a[x]);
    });
  }
  return out;
}

}  // namespace bankside
