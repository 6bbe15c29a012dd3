#include "kernels/cuda/fft/fft_bank.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "kernels/cuda/fft/spectrum_product.h"
#include "kernels/cuda/runtime/launch.h"
#include "kernels/cuda/runtime/zeroed_memory.h"

namespace bankside::cuda {
namespace {

/// Products and responses of the tiles that are on their way together: a part of them stays in the L2, and
/// there are enough for every multiprocessor.
constexpr double bytesAtOnce = 128.0 * 1024 * 1024;
constexpr int mostTilesAtOnce = 256;

int chooseTilesAtOnce(const ConvolutionProblem& p, const FftLayout& l) {
  const double tile = static_cast<double>(l.spectrum()) * 8 + static_cast<double>(l.pixels()) * 4;
  const double most = std::min(bytesAtOnce / (tile * p.filterCount), static_cast<double>(mostTilesAtOnce));
  const int tiles = l.tilesX * l.tilesY;
  const int atOnce = std::clamp(static_cast<int>(most), 1, tiles);
  // As many rounds, but no tiles in the last one that nobody looks at.
  const int rounds = (tiles + atOnce - 1) / atOnce;
  return (tiles + rounds - 1) / rounds;
}

}  // namespace

ErrorBound fftErrorBound(const FftLayout& layout) {
  const double u = 0x1p-24;
  const double eta = u + gammaBound(4) * (std::numbers::sqrt2 + u);
  const double stages = std::log2(static_cast<double>(layout.pixels()));
  return {2 * std::numbers::sqrt2 * (2 * stages * eta + gammaBound(5)), false};
}

NumericTraits FftBank::traits() const {
  // Tiles are counted from where a launch begins.
  return {.errorBound = fftErrorBound(layout_),
          .directSums = false,
          .dependsOnWholeBank = true,
          .partEqualsWhole = false};
}

FftBank::FftBank(const ConvolutionProblem& problem, const CorrelationTaps& taps, bool besideOthers)
    : problem_(problem),
      layout_(chooseFftLayout(problem)),
      anchorX_(taps.anchorX),
      anchorY_(taps.anchorY),
      tilesAtOnce_(chooseTilesAtOnce(problem, layout_)),
      fallback_(problem, taps, besideOthers),
      forward_(PlaneTransform::Direction::Forward, layout_.height, layout_.width, tilesAtOnce_),
      inverse_(PlaneTransform::Direction::Inverse, layout_.height, layout_.width,
               tilesAtOnce_ * problem.filterCount) {
  const auto tiles = static_cast<std::size_t>(tilesAtOnce_);
  const auto filters = static_cast<std::size_t>(problem.filterCount);
  const std::size_t plane = layout_.pixels() * sizeof(float);
  const std::size_t spectrum = layout_.spectrum() * sizeof(float2);
  // What the last batch, which may not be full, transforms beside its tiles.
  reserveZeros(pixels_, tiles * plane);
  images_.reserve(tiles * spectrum);
  // Filters are transformed as many at a time as tiles are: room for the last, incomplete batch.
  filters_.reserve((filters + tiles - 1) / tiles * tiles * spectrum);
  reserveZeros(products_, tiles * filters * spectrum);
  responses_.reserve(tiles * filters * plane);
  extents_.reserve(tiles * sizeof(TileExtent));
  makeSpectra(taps);
  chooseRange(taps);
}

void FftBank::makeSpectra(const CorrelationTaps& taps) {
  const auto filters = static_cast<std::size_t>(problem_.filterCount);
  const auto atOnce = static_cast<std::size_t>(tilesAtOnce_);
  const std::size_t pixels = layout_.pixels();
  // A power of two: exact unless a tap is all but nothing.
  const float scale = 1.0f / static_cast<float>(pixels);
  std::vector<float> planes(atOnce * pixels);
  for (std::size_t first = 0; first < filters; first += atOnce) {
    std::fill(planes.begin(), planes.end(), 0.0f);
    for (std::size_t f = first; f < std::min(filters, first + atOnce); ++f) {
      const float* tap = taps.taps.data() + f * static_cast<std::size_t>(problem_.filterHeight) *
                                                static_cast<std::size_t>(problem_.filterWidth);
      for (int ky = 0; ky < problem_.filterHeight; ++ky) {
        for (int kx = 0; kx < problem_.filterWidth; ++kx, ++tap) {
          // A correlation: the tap that reads the pixel to the right stands to the left.
          const int y = (layout_.height - ky) % layout_.height;
          const int x = (layout_.width - kx) % layout_.width;
          planes[(f - first) * pixels +
                 static_cast<std::size_t>(y) * static_cast<std::size_t>(layout_.width) +
                 static_cast<std::size_t>(x)] = *tap * scale;
        }
      }
    }
    BANKSIDE_CUDA_CHECK(
        cudaMemcpy(pixels_.data(), planes.data(), planes.size() * sizeof(float), cudaMemcpyHostToDevice));
    forward_.start(pixels_.data(), filters_.data() + first * layout_.spectrum() * sizeof(float2), nullptr);
    BANKSIDE_CUDA_CHECK(cudaDeviceSynchronize());
  }
}

/// Pixels whose products with any filter neither overflow nor lose bits below f32's normal numbers.
void FftBank::chooseRange(const CorrelationTaps& taps) {
  const auto each =
      static_cast<std::size_t>(problem_.filterHeight) * static_cast<std::size_t>(problem_.filterWidth);
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
  for (std::size_t at = 0; at < taps.taps.size(); at += each) {
    double gain = 0;
    for (std::size_t i = at; i < at + each; ++i) gain += std::fabs(static_cast<double>(taps.taps[i]));
    if (gain > 0) least = std::min(least, gain);
    most = std::max(most, gain);
  }
  range_ = {0, std::numeric_limits<float>::max()};
  if (most == 0) return;
  transforms_ = least >= 0x1p-60 && most <= 0x1p80;
  range_ = {static_cast<float>(std::max(0x1p-80, 0x1p-80 / least)),
            static_cast<float>(std::min(0x1p90, 0x1p100 / most))};
}

std::string FftBank::describe() const {
  return transformLibrary() + ", " + std::to_string(layout_.width) + " x " + std::to_string(layout_.height) +
         " tiles, " + std::to_string(tilesAtOnce_) + " at a time";
}

void FftBank::start(KernelArguments base, std::ptrdiff_t, int, cudaStream_t stream) {
  if (!transforms_) {
    fallback_.start(base, stream);
    return;
  }
  ReadyLaunches::startsOtherWork();
  FftTiles a;
  a.base = withBank(base, problem_, anchorX_, anchorY_, nullptr);
  a.base.fallback = fallback_.emptyMap(base.width, base.height, stream);
  a.layout = layout_;
  a.layout.tilesX = (base.width + layout_.stepX - 1) / layout_.stepX;
  a.layout.tilesY = (base.height + layout_.stepY - 1) / layout_.stepY;
  a.pixels = reinterpret_cast<float*>(pixels_.data());
  a.responses = reinterpret_cast<const float*>(responses_.data());
  a.extents = reinterpret_cast<TileExtent*>(extents_.data());
  a.range = range_;
  const int tiles = a.layout.tilesX * a.layout.tilesY;
  // The batch is always the same: its last tiles hold what was there before, and nobody looks at them.
  for (a.firstTile = 0; a.firstTile < tiles; a.firstTile += tilesAtOnce_) {
    a.tiles = std::min(tilesAtOnce_, tiles - a.firstTile);
    startStageTiles(a, stream);
    forward_.start(pixels_.data(), images_.data(), stream);
    startSpectrumProduct(reinterpret_cast<const float2*>(images_.data()),
                         reinterpret_cast<const float2*>(filters_.data()),
                         reinterpret_cast<float2*>(products_.data()), layout_.spectrum(),
                         problem_.filterCount, a.tiles, stream);
    inverse_.start(products_.data(), responses_.data(), stream);
    startTileResults(a, stream);
  }
  fallback_.start(a.base, stream);
}

}  // namespace bankside::cuda
