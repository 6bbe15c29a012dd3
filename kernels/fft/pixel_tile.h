/// The source pixels under a pair of tiles, packed for the transform.
#pragma once

#include "core/host_plan.h"
#include "core/magnitude_range.h"
#include "kernels/fft/pixels_apart.h"
#include "kernels/fft/tile_grid.h"
#include "kernels/fft/tile_kernels.h"
#include "kernels/highway/row_window.h"

namespace bankside::fft {

/// One tile's place: output pixels [x, x + width) x [y, y + height) of the image; empty right of the image.
struct TileArea {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
};

TileArea tileArea(const ConvolutionProblem& problem, const TileGrid& shape, int tileX, int tileY);

/// How a tile's results are made: direct sums where too many pixels would be apart, nothing at all where
/// every result is NaN.
enum class TileWay { Transform, Direct, Nan };

/// What a tile's pixels need before a transform takes them: 0 for those apart, larger than `most` or not
/// finite, the others times 2^exponent. A tile that goes no such way is 0 beside one that does.
struct Treatment {
  bool needed = false;
  TileWay way = TileWay::Transform;
  float most = 0;
  int exponent = 0;
};

class PixelTile {
 public:
  PixelTile(const ConvolutionProblem& problem, const CorrelationTaps& taps, const TileKernels& kernels)
      : problem_(problem), taps_(taps), kernels_(kernels), rowKernels_(direct::rowKernels()) {}

  /// Packs a channel of both areas into the space layout, with zeros or pixels of the image where no output
  /// of the area reads (which of them follows from the area's place alone), and returns the largest |pixel|
  /// of each (infinity for any that is not finite).
  void pack(const SourceBand& in, const TileTransforms& t, const TileArea* areas, const Treatment* treatments,
            int channel, float* space, float* largest);

  /// What the pixels under an area need, over all its channels; which are apart goes to `apart`.
  Treatment examine(const SourceBand& in, const TileArea& area, int firstChannel, const MagnitudeRange& range,
                    PixelsApart& apart);

 private:
  /// Image row `y` under an area, `padded` pixels that begin with its own: where it lies, if all are the
  /// image's and floats, or in `filled`.
  const float* rowOf(const SourceBand& in, const TileArea& area, int channel, int y, int padded,
                     float* filled) const;
  void fetch(const SourceBand& in, const TileArea& area, int channel, int y) const;
  /// Image row `y` under an area, in floats, with zeros up to `padded`.
  void fillRow(const SourceBand& in, const TileArea& area, int channel, int y, int padded, float* dst) const;

  const ConvolutionProblem& problem_;
  const CorrelationTaps& taps_;
  const TileKernels& kernels_;
  const direct::RowKernels& rowKernels_;
  direct::AlignedBuffer<float> rows_;
  /// A row with pixels that a transform may not take, of all channels' rows.
  struct StrangeRow {
    int row;
    float most;  ///< infinity if any is not finite
  };
  std::vector<StrangeRow> strange_;
};

}  // namespace bankside::fft
