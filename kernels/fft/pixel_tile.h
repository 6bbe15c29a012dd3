/// The source pixels under a pair of tiles: packed for the transform, or as plain rows for the direct sum.
#pragma once

#include "core/host_plan.h"
#include "kernels/fft/tile_kernels.h"
#include "kernels/fft/tile_shape.h"
#include "kernels/highway/row_window.h"

namespace bankside::fft {

/// One tile's place: output pixels [x, x + width) x [y, y + height) of the image; empty right of the image.
struct TileArea {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
};

TileArea tileArea(const ConvolutionProblem& problem, const TileShape& shape, int tileX, int tileY);

class PixelTile {
 public:
  PixelTile(const ConvolutionProblem& problem, const CorrelationTaps& taps, const TileKernels& kernels)
      : problem_(problem), taps_(taps), kernels_(kernels), rowKernels_(direct::rowKernels()) {}

  /// Packs a channel of both areas into the space layout, with zeros or pixels of the image where no output
  /// of the area reads (which of them follows from the area's place alone), and returns the largest |pixel|
  /// of each (infinity for any that is not finite).
  void pack(const SourceBand& in, const TileTransforms& t, const TileArea* areas, int channel, float* space,
            float* largest);

  /// The sum over taps for every pixel of an area, whole vectors of columns.
  /// Shapes  dst [area.height][stride]
  void respondDirectly(const SourceBand& in, const TileArea& area, int firstChannel, int filter, float* dst,
                       std::size_t stride, const std::stop_token& stop);

 private:
  /// Image row `y` under an area, in floats, with zeros up to `padded`.
  void fillRow(const SourceBand& in, const TileArea& area, int channel, int y, int padded, float* dst) const;

  const ConvolutionProblem& problem_;
  const CorrelationTaps& taps_;
  const TileKernels& kernels_;
  const direct::RowKernels& rowKernels_;
  direct::AlignedBuffer<float> rows_;
  std::vector<const float*> table_;
};

}  // namespace bankside::fft
