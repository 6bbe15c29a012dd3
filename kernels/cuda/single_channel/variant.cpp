#include "kernels/cuda/single_channel/variant.h"

#include <cmath>

#include "kernels/cuda/pixels/fused.h"
#include "kernels/cuda/single_channel/any_size_shape.h"

namespace bankside::cuda {
namespace {

Variant rowsVariant(const char* name, int filterSize, int rows, int warps, int across, bool single,
                    int minBlocks, Trial trial) {
  Variant v{name, Form::Rows, {filterSize, rows, 4, 1, 32, warps}, minBlocks, trial};
  v.single = single;
  v.across = across;
  return v;
}

/// Warps side by side make a row of `width` pixels, and go down `height` rows.
Variant paperVariant(const char* name, int filterSize, int unitPixels, int width, int height, Trial trial) {
  const int warps = width / (32 * unitPixels);
  Variant v{name, Form::Paper, {filterSize, height, unitPixels, 1, 32, warps}, 1, trial};
  v.across = warps;
  return v;
}

std::vector<Variant> makeVariants() {
  std::vector<Variant> list;
#define BANKSIDE_ROWS_VARIANT(name, filterSize, rows, warps, across, single, minBlocks, loadedTaps) \
  list.push_back(rowsVariant(#name, filterSize, rows, warps, across, single, minBlocks, Trial::No));
#define BANKSIDE_TILE_VARIANT(name, filterWidth, rows, pixels, filtersPerPass, lanes, warps, minBlocks) \
  list.push_back({#name, Form::Tile, {filterWidth, rows, pixels, filtersPerPass, lanes, warps}, minBlocks});
#define BANKSIDE_FUSED_TILE_VARIANT(name, filterWidth, rows, pixels, filtersPerPass, lanes, warps, \
                                    minBlocks)                                                     \
  list.push_back({#name,                                                                           \
                  Form::Tile,                                                                      \
                  {filterWidth, rows, pixels, filtersPerPass, lanes, warps},                       \
                  minBlocks,                                                                       \
                  Trial::No,                                                                       \
                  false,                                                                           \
                  true});
#define BANKSIDE_INDEX_TILE_VARIANT(name, filterWidth, rows, pixels, filtersPerPass, lanes, warps,           \
                                    minBlocks)                                                               \
  list.push_back({#name, Form::Tile, {filterWidth, rows, pixels, filtersPerPass, lanes, warps}, minBlocks}); \
  list.back().indexOnly = true;
#define BANKSIDE_PAPER_VARIANT(name, filterSize, unitPixels, width, height) \
  list.push_back(paperVariant(#name, filterSize, unitPixels, width, height, Trial::No));
#define BANKSIDE_PAPER_TUNED(name, filterSize, unitPixels, width, height)                \
  list.push_back(paperVariant(#name, filterSize, unitPixels, width, height, Trial::No)); \
  list.back().tuned = true;
#include "kernels/cuda/single_channel/variants.def"
#undef BANKSIDE_INDEX_TILE_VARIANT
#undef BANKSIDE_PAPER_TUNED
#undef BANKSIDE_PAPER_VARIANT
#undef BANKSIDE_FUSED_TILE_VARIANT
#undef BANKSIDE_ROWS_VARIANT
#undef BANKSIDE_TILE_VARIANT
  for (const int units : {1, 2}) {
    const TileShape shape{0,  AnySizeShape::rows, units * AnySizeShape::unitPixels, 1,
                          32, AnySizeShape::warps};
    list.push_back({units == 1 ? "any-size" : "any-size-wide", Form::AnySize, shape, 2});
  }
#ifdef BANKSIDE_CUDA_TRIALS
#define BANKSIDE_ROWS_TRIAL(name, filterSize, rows, warps, across, single, minBlocks, loadedTaps) \
  list.push_back(rowsVariant(#name, filterSize, rows, warps, across, single, minBlocks, Trial::Plain));
#define BANKSIDE_TILE_TRIAL(fused, name, filterWidth, rows, pixels, filtersPerPass, lanes, warps, minBlocks, \
                            loadedTaps)                                                                      \
  list.push_back({#name,                                                                                     \
                  Form::Tile,                                                                                \
                  {filterWidth, rows, pixels, filtersPerPass, lanes, warps},                                 \
                  minBlocks,                                                                                 \
                  fused == 2   ? Trial::Index                                                                \
                  : fused == 1 ? Trial::Value                                                                \
                               : Trial::Plain});
#define BANKSIDE_PAPER_TRIAL(name, filterSize, unitPixels, width, height) \
  list.push_back(paperVariant(#name, filterSize, unitPixels, width, height, Trial::Plain));
#include "kernels/cuda/single_channel/variants_trial.def"
#undef BANKSIDE_PAPER_TRIAL
#undef BANKSIDE_ROWS_TRIAL
#undef BANKSIDE_TILE_TRIAL
#endif
  for (Variant& v : list) {
    if (v.name.ends_with("_low")) v.forSize = ForSize::Small;
    if (v.name.ends_with("_short")) v.forSize = ForSize::Medium;
    if (v.name.ends_with("_tall")) v.forSize = ForSize::Large;
  }
  return list;
}

}  // namespace

const std::vector<Variant>& variants() {
  static const std::vector<Variant> list = makeVariants();
  return list;
}

int findVariant(const std::string& name) {
  for (std::size_t i = 0; i < variants().size(); ++i) {
    if (variants()[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

namespace {

/// Whether pixels of the type can be what a constant border gives.
bool holds(ElementType type, const Border& border) {
  if (!border.isConstant()) return true;
  const float v = border.value;
  switch (type) {
    case ElementType::U8: return v == std::floor(v) && v >= 0 && v <= 255;
    case ElementType::U16: return v == std::floor(v) && v >= 0 && v <= 65535;
    case ElementType::F16: return asFloat(toHalf(v)) == v;
    case ElementType::F32: break;
  }
  return true;
}

}  // namespace

int Variant::tapStride(int filterWidth) const {
  switch (form) {
    case Form::AnySize: return AnySizeShape::tapStride(filterWidth);
    case Form::Tile: return shape.tapStride();
    case Form::Rows:
    case Form::Paper: break;
  }
  return filterWidth;
}

std::size_t sharedBytes(const Variant& variant, int filterWidth, int filterHeight) {
  switch (variant.form) {
    case Form::Rows:
    case Form::Paper: return 0;
    case Form::Tile: return variant.shape.sharedBytes(filterHeight);
    case Form::AnySize: return AnySizeShape::sharedBytes(variant.anySizeUnits(), filterWidth, filterHeight);
  }
  return 0;
}

bool fits(const Variant& v, const ConvolutionProblem& p, int anchorX, int anchorY, std::size_t mostShared) {
  if (sharedBytes(v, p.filterWidth, p.filterHeight) > mostShared) return false;
  if (v.form == Form::AnySize) {
    // Two units leave no registers for an index.
    return v.anySizeUnits() == 1 ||
           (fusedOf(p.combine) != Fused::Index &&
            sharedBytes(v, p.filterWidth, p.filterHeight) <= AnySizeShape::mostWideBytes);
  }
  if (v.single && (p.filterCount != 1 || p.combine != Combine::None)) return false;
  if (v.indexOnly && fusedOf(p.combine) != Fused::Index) return false;
  if (v.valueOnly && fusedOf(p.combine) != Fused::Value) return false;
  if (v.trial != Trial::No) {
    if (v.form != Form::Tile && p.srcType != ElementType::F32) return false;
    const Fused compiled = v.trial == Trial::Index   ? Fused::Index
                           : v.trial == Trial::Value ? Fused::Value
                                                     : Fused::None;
    if (fusedOf(p.combine) != compiled) return false;
  }
  if (p.filterWidth != v.shape.filterWidth) return false;
  if (v.form == Form::Paper &&
      (p.combine != Combine::None || static_cast<std::size_t>(v.shape.pixels) * sizeOf(p.srcType) > 16 ||
       !holds(p.srcType, p.border)))
    return false;
  // For squares anchored in the middle; the tile form takes any height.
  if ((v.form == Form::Rows || v.form == Form::Paper) &&
      (p.filterHeight != p.filterWidth || anchorX != p.filterWidth / 2 || anchorY != p.filterHeight / 2))
    return false;
  const double passes = ceilDiv(p.filterCount, v.shape.filtersPerPass);
  // Banks of plain responses go in chunks; a fused combine needs all taps at once.
  const double atOnce = p.combine == Combine::None ? 1 : passes;
  return atOnce * passStride(p.filterHeight * v.tapStride(p.filterWidth), v.shape.filtersPerPass) <=
         maxConstantTaps;
}

}  // namespace bankside::cuda
