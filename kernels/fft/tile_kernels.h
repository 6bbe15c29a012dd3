/// What the FFT engine asks of the vector code, compiled once for every SIMD target and picked at run time.
///
/// Two real tiles travel as one complex tile: the filters are real, so the real part of the result belongs to
/// the first and the imaginary part to the second, and nothing is ever separated. A vector holds one row's
/// neighbouring columns in the first dimension and one column's neighbouring rows in the second; the blocks
/// are turned over in between, so that no butterfly shuffles.
///   space      [column group][row y][re lanes | im lanes]
///   frequency  [row group of ky][kx][re lanes | im lanes], ky and kx in the transforms' digit-reversed order
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/problem.h"
#include "kernels/fft/transform.h"

namespace bankside::fft {

struct TileTransforms {
  Transform x;
  Transform y;
  int lanes = 1;
  std::size_t groupFloats = 0;  ///< from one column group of the space layout to the next

  std::size_t spectrumFloats() const {
    return 2 * static_cast<std::size_t>(x.length) * static_cast<std::size_t>(y.length);
  }
  std::size_t spaceFloats() const { return groupFloats * static_cast<std::size_t>(x.length / lanes); }
  /// Where frequency (kx, ky) has its real part; the imaginary one is `lanes` behind.
  std::size_t frequencyAt(int kx, int ky) const {
    const int row = y.position[static_cast<std::size_t>(ky)];
    const auto column = static_cast<std::size_t>(x.position[static_cast<std::size_t>(kx)]);
    const auto group = static_cast<std::size_t>(row / lanes) * static_cast<std::size_t>(x.length);
    return (group + column) * 2 * static_cast<std::size_t>(lanes) + static_cast<std::size_t>(row % lanes);
  }
  double stages() const { return x.stages + y.stages; }
};

/// One filter over one pair of tiles: products summed over channels, back to space, the kept part stored.
/// Shapes  spectra, filter: `channels` spectra one behind the other · responses: [rows][columns]
struct ResponseCall {
  const TileTransforms* transforms = nullptr;
  int channels = 1;
  const float* spectra = nullptr;
  const float* filter = nullptr;
  float* buffer = nullptr;  ///< [x.length][2 lanes]
  float* space = nullptr;
  float* panel = nullptr;  ///< [2][y.length][lanes]
  int rows = 0;            ///< kept, of both tiles
  bool stream = false;     ///< store around the caches: every row starts on a whole vector
  bool larger = false;     ///< the maximum of what is there and the response; whole vectors
  struct Response {
    float* data = nullptr;  ///< null where nobody wants the tile
    int columns = 0;        ///< kept
    std::ptrdiff_t stride = 0;
  };
  Response responses[2];
};

struct TileKernels {
  const char* target = "";
  int lanes = 1;
  bool fused = false;  ///< one rounding a multiply-add

  /// Row `y` of both tiles into the space layout, x.length floats each, and what largest() wants to know of
  /// them into `extent`: [2 tiles][2 lanes], zeros before the first row.
  void (*packRow)(const TileTransforms& t, const float* first, const float* second, int y, float* space,
                  float* extent) = nullptr;
  /// The largest |pixel| of a tile, infinity if any is not finite.
  float (*largest)(const float* extent) = nullptr;
  /// Destroys `space`.
  void (*forward)(const TileTransforms& t, float* space, float* spectrum) = nullptr;
  void (*respond)(const ResponseCall& call) = nullptr;
  /// Transforms in double, of `doubles` signals side by side, in natural order, unscaled; length 2^a 3^b. For
  /// filter spectra. Shapes  in, out: [length][re doubles | im doubles]
  int doubles = 1;
  void (*exactTransforms)(const double* in, int length, double* out) = nullptr;
  /// As core's Combiner::accumulate; whole vectors.
  void (*combineRow)(Combine combine, int filter, const float* response, int count, float* value,
                     std::int32_t* index) = nullptr;
};

/// Those of the best target that this machine has.
const TileKernels& tileKernels();

TileTransforms makeTileTransforms(int width, int height, const TileKernels& kernels);

}  // namespace bankside::fft
