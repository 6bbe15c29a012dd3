/// What the judge of operations knows of windows, sizes and the field; core/maps/exact_operation.h has the
/// whole.
#pragma once

#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "core/maps/equalize.h"
#include "core/maps/operation.h"

namespace bankside::exact {

constexpr double u = 0x1p-24;
constexpr double tiny = 0x1p-126;

/// What a pixel should be, and how far an f32 result may lie from it.
struct Exact {
  double value = 0;
  double bound = 0;
};

inline Exact rounded(double value, double roundings) {
  return {value, roundings * u * std::fabs(value) + tiny};
}

inline double at(const Maps& maps, std::size_t map, int x, int y) { return maps.view(map).at(x, y); }

bool inField(OperationContext& context, const Maps& maps, int x, int y);

/// A row of `local-mean` and `local-rms`.
std::vector<Exact> localRow(const Operation& op, const Maps& in, OperationContext& context, std::size_t map,
                            int y);

Exact dilated(const Operation& op, const Maps& in, std::size_t map, int x, int y);

/// A row of `resample` and `restore`.
std::vector<Exact> resampledRow(const Maps& in, const Extent& extent, std::size_t map, int y);

/// `fill`, with the rows of means that it has needed so far.
class FillJudge {
 public:
  FillJudge(const Operation& op, const Maps& in, OperationContext& context);
  Exact at(std::size_t map, int x, int y);

 private:
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(in_.extent.width) +
           static_cast<std::size_t>(x);
  }
  const std::vector<Exact>& means(std::size_t map, int y);

  const Maps& in_;
  double sigma_;
  std::vector<char> kept_;  ///< pixels that stay what they are
  bool whole_ = false;
  std::map<std::pair<std::size_t, int>, std::vector<Exact>> rows_;
};

/// `equalize`, with what it has needed so far of the tiles.
class EqualizeJudge {
 public:
  EqualizeJudge(const Operation& op, const Maps& in);
  Exact at(std::size_t map, int x, int y);

 private:
  const std::vector<double>& levels(std::size_t map, int tileX, int tileY);

  const Maps& in_;
  EqualizeTiles tiles_;
  double clip_;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<double>> levels_;  ///< by map and tile
};

}  // namespace bankside::exact
