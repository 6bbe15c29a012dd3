/// What a compiled kernel shape is called and what it can do: variants.def as data, without CUDA.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "core/problem.h"
#include "kernels/cuda/pixels/tile_math.h"

namespace bankside::cuda {

/// As much shared memory as anybody asks for.
inline constexpr std::size_t anyShared = std::numeric_limits<std::size_t>::max();

/// Rows: register form. Tile: sums in registers, source in shared memory. AnySize: the same with loops.
/// Paper: Algorithm 1 as it stands; `shape.pixels` are its unitPixels.
enum class Form { Rows, Tile, AnySize, Paper };

/// A shape for the tuner alone: compiled for plain f32 responses, for a fused value, or with an index.
enum class Trial { No, Plain, Value, Index };

/// Which images a shape was made for: its name ends in `low`, `short` or `tall`.
enum class ForSize { Any, Small, Medium, Large };

struct Variant {
  std::string name;
  Form form = Form::AnySize;
  TileShape shape;    ///< form Rows: filterWidth, rows and warps; AnySize: rows and pixels
  int minBlocks = 1;  ///< thread blocks that an SM's registers hold
  Trial trial = Trial::No;
  bool single = false;     ///< for one plain response only
  bool valueOnly = false;  ///< for a fused value only

  int across = 1;          ///< form Rows: warps side by side; the others stand below
  bool indexOnly = false;  ///< for ArgMax only
  bool tuned = false;      ///< form Paper: the fastest that was measured
  ForSize forSize = ForSize::Any;

  int blockWidth() const { return shape.tileWidth() * across; }
  int blockHeight() const { return shape.tileHeight() / across; }
  /// Form AnySize: units of a thread, side by side in the thread block.
  int anySizeUnits() const { return shape.pixels / 4; }
  /// From one row of a filter's taps to the next, as the kernel wants them.
  int tapStride(int filterWidth) const;
  /// Whether taps come from constant memory (else from global memory: any number).
  bool constantTaps() const { return form != Form::AnySize; }
  /// Of the engine that keeps the paper's algorithm: the rules of the other one never take it.
  bool paper() const { return form == Form::Paper; }
};

/// Every variant, in the order of variants.def, then the form of any size, then trials.
const std::vector<Variant>& variants();

/// Position in `variants()`, or -1.
int findVariant(const std::string& name);

/// Bytes of dynamic shared memory of a thread block.
std::size_t sharedBytes(const Variant& variant, int filterWidth, int filterHeight);

/// Whether a variant can compute a problem at all (its filter size, anchor, number of taps) where a block has
/// `mostShared` bytes of shared memory. `anchorX` and `anchorY` are those of the correlation form.
bool fits(const Variant& variant, const ConvolutionProblem& problem, int anchorX, int anchorY,
          std::size_t mostShared = anyShared);

}  // namespace bankside::cuda
