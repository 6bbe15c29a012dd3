// Overlap-save by tiles. What costs is one inverse transform a filter and tile, so everything else is shared:
// the tile's own transform by all filters, the filters' spectra by all tiles, and every complex transform by
// two real tiles.
//
// Tried, on one core with AVX-512 and 1 MiB of second-level cache, 12 filters, f32 results of 2048 x 2048:
//   columns of one pair of tiles in a vector, blocks turned over between the dimensions (kept). A vector
//   across 16 pairs would need as many shuffles to fill and 16 times the cache (2 MiB for 128 x 128).
//   radix 8 against 4: 5-12 % faster with 32 registers, no difference with 16.
//   results straight from the last pass around the caches, rows in whole vectors (a step is rounded down to
//   16 columns for that) against rows that are not: 25-30 % less time, though the tiles overlap more.
//   tiles of 64 to 128 a side: beyond that arithmetic falls by less than the caches cost.
#include "kernels/fft/fft_engine.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <mutex>
#include <numbers>
#include <numeric>
#include <optional>

#include "core/error.h"
#include "hwy/highway.h"
#include "kernels/fft/filter_spectra.h"
#include "kernels/fft/tile_store.h"
#include "kernels/highway/direct_strips.h"
#include "kernels/highway/flush_denormals.h"
#include "kernels/highway/raised_taps.h"

namespace bankside {
namespace {

using namespace fft;

/// A thread's memory, kept between tiles and runs.
struct Workspace {
  Workspace(const ConvolutionProblem& problem, const CorrelationTaps& taps, const TileKernels& kernels)
      : pixels(problem, taps, kernels), apart{{problem, taps}, {problem, taps}} {}
  PixelTile pixels;
  PixelsApart apart[2];
  direct::AlignedBuffer<float> spectra;
  direct::AlignedBuffer<float> space;
  direct::AlignedBuffer<float> buffer;
  direct::AlignedBuffer<float> panel;
  direct::AlignedBuffer<float> responses[2];
  direct::AlignedBuffer<float> values[2];
  direct::AlignedBuffer<std::int32_t> indices[2];
  direct::RowWindow window;  ///< of direct sums
  direct::RowOutput output;
};

/// One pair of tiles on its way from pixels to results.
struct Pair {
  int group = 0;
  TileArea areas[2];
  bool wanted[2] = {false, false};  ///< the region has pixels of it
  Treatment treatments[2];
  float* response[2] = {nullptr, nullptr};
  float* value[2] = {nullptr, nullptr};
  std::int32_t* index[2] = {nullptr, nullptr};

  bool goes(int i, TileWay way) const { return wanted[i] && treatments[i].way == way; }
  /// Whether any of its pixels have to be transformed.
  bool transforms() const { return goes(0, TileWay::Transform) || goes(1, TileWay::Transform); }
};

class FftPlan final : public HostPlan {
 public:
  FftPlan(const ConvolutionProblem& problem, const FilterBank& bank, const PlanOptions& options)
      : HostPlan(problem, bank, options),
        kernels_(tileKernels()),
        rowKernels_(direct::rowKernels()),
        raised_(direct::raiseTaps(problem, taps())),
        flush_(raised_ != 0 || direct::meetsSmallNumbers(problem, taps())),
        shape_(chooseTile(problem)),
        transforms_(makeTileTransforms(shape_.width, shape_.height, kernels_)),
        filters_(filtersOf(problem, options)),
        spectra_(problem, taps(), transforms_, filters_, team()),
        range_(rangeFor(spectra_)),
        responseStride_(paddedColumns(shape_.stepX)),
        results_(rowKernels_, responseStride_, raised_) {}

  PlanInfo info() const override {
    return {.shape = std::string(kernels_.target) + (kernels_.fused ? ", " : " (no FMA), ") +
                     std::to_string(shape_.width) + " x " + std::to_string(shape_.height) + " tiles, " +
                     std::to_string(shape_.stepX) + " x " + std::to_string(shape_.stepY) + " pixels kept"};
  }

  /// Every pixel of a tile carries the tile's rounding errors, so the bound is not pixelwise. With u = 2^-24
  /// and one radix-2 stage's eta = u + gamma_4 (sqrt(2) + u) (Higham, Accuracy and Stability, 2nd ed.,
  /// theorem 24.2):
  ///   a stage's values that lead to one result, summed as squares, are at most the square of
  ///   S = sqrt(2) max|pixel| sum|tap| (Parseval over the aliases of that stage; sqrt(2) for the two tiles in
  ///   one), and each carries a relative error of at most eta. Forward and inverse have `stages` each, the
  ///   product has 2 + C roundings and the rounding of the spectrum. Added up as if every stage's whole
  ///   share went one way: (2 stages eta + gamma_(C+4)) S.
  /// That is a bound for errors that do not conspire within a stage (independent ones pass it with a
  /// probability below 1e-60 a pixel, by Hoeffding's inequality); if all do it is sqrt(n)-fold in theory.
  NumericTraits traits() const override {
    const double u = 0x1p-24;
    const double eta = u + gammaBound(4) * (std::numbers::sqrt2 + u);
    const double transforms = 2 * transforms_.stages() * eta;
    const double factor = std::numbers::sqrt2 * (transforms + gammaBound(problem().tapChannels() + 4.0));
    // The tile is chosen for all filters, and lies on the image's own grid.
    return {
        .errorBound = {factor, false}, .directSums = false, .dependsOnWholeBank = true, .heedsOnly = true};
  }

 private:
  int blockRows() const override { return shape_.stepY; }

  static std::vector<int> filtersOf(const ConvolutionProblem& problem, const PlanOptions& options) {
    if (problem.combine == Combine::None && !options.only.empty()) return options.only;
    std::vector<int> all(static_cast<std::size_t>(problem.filterCount));
    std::iota(all.begin(), all.end(), 0);
    return all;
  }

  static MagnitudeRange rangeFor(const FilterSpectra& spectra) {
    if (spectra.largestGain() == 0) return {0, std::numeric_limits<float>::max()};
    return {static_cast<float>(std::max(0x1p-90, 0x1p-100 / spectra.smallestGain())),
            static_cast<float>(std::min(0x1p100, 0x1p120 / spectra.largestGain()))};
  }

  void compute(const SourceBand& in, const SinkBand& out, const std::stop_token& stop) override {
    const Region& r = out.region;
    const int firstRow = r.y / shape_.stepY;
    const int rows = (r.y + r.height - 1) / shape_.stepY - firstRow + 1;
    const int firstPair = r.x / shape_.stepX / 2;
    const int pairs = (r.x + r.width - 1) / shape_.stepX / 2 - firstPair + 1;
    const auto work = [&](int first, int last) {
      const direct::FlushDenormals flush(flush_);
      auto space = workspaces_.take([&] { return std::make_unique<Workspace>(problem(), taps(), kernels_); });
      for (int task = first; task < last; ++task) {
        Pair pair;
        pair.group = task / pairs / rows;
        for (int i = 0; i < 2; ++i) {
          pair.areas[i] =
              tileArea(problem(), shape_, 2 * (firstPair + task % pairs) + i, firstRow + task / pairs % rows);
          const Region kept = clip(pair.areas[i], r);
          pair.wanted[i] = kept.width > 0 && kept.height > 0;
        }
        computePair(in, out, pair, *space, stop);
      }
      rowKernels_.fence();
      workspaces_.giveBack(std::move(space));
    };
    team().forRanges(0, problem().responseGroups() * rows * pairs, 1, std::ref(work));
  }

  /// Source spectra of the pair, one a tap channel. Tiles that a transform cannot take as they are are
  /// treated, and the pair begins anew.
  void transformPair(const SourceBand& in, Pair& pair, Workspace& space) const {
    const int channels = problem().tapChannels();
    const std::size_t stride = transforms_.spectrumFloats();
    float* spectra = space.spectra.atLeast(stride * static_cast<std::size_t>(channels));
    float* work = space.space.atLeast(transforms_.spaceFloats());
    for (int c = 0; c < channels;) {
      float largest[2];
      bool anew = false;
      space.pixels.pack(in, transforms_, pair.areas, pair.treatments, firstChannel(pair) + c, work, largest);
      for (int i = 0; i < 2; ++i) {
        if (pair.treatments[i].needed || range_.holds(largest[i])) continue;
        pair.treatments[i] =
            space.pixels.examine(in, pair.areas[i], firstChannel(pair), range_, space.apart[i]);
        anew = true;
      }
      if (!pair.transforms()) return;
      if (!anew) kernels_.forward(transforms_, work, spectra + static_cast<std::size_t>(c) * stride);
      c = anew ? 0 : c + 1;
    }
  }

  /// The responses of one filter as they would be without treatment. Where they are combined, results that
  /// are NaN in all filters become so at the end.
  void undo(const Pair& pair, int i, int filter, const Workspace& space, float* response,
            std::size_t stride) const {
    const TileArea& area = pair.areas[i];
    // Beyond what PowerOfTwo holds, every response is 0 or infinite.
    const int exponent = std::clamp(-pair.treatments[i].exponent - spectra_.exponent(filter), -252, 252);
    const PowerOfTwo power(exponent);
    for (int y = 0; exponent != 0 && y < area.height; ++y) {
      float* row = response + static_cast<std::size_t>(y) * stride;
      for (int x = 0; x < area.width; ++x) row[x] = row[x] * power.first * power.second;
    }
    if (!pair.treatments[i].needed) return;
    const bool nan = problem().combine == Combine::None || !space.apart[i].alikeInAll();
    space.apart[i].addTo(filter, nan, response, stride);
  }

  int firstChannel(const Pair& pair) const {
    return problem().channelMode == ChannelMode::Summed ? 0 : pair.group;
  }

  void computePair(const SourceBand& in, const SinkBand& out, Pair& pair, Workspace& space,
                   const std::stop_token& stop) const {
    if (stop.stop_requested()) throw Cancelled();
    const ConvolutionProblem& p = problem();
    const std::size_t tileFloats = responseStride_ * static_cast<std::size_t>(shape_.stepY);
    for (int i = 0; i < 2; ++i) {
      pair.response[i] = space.responses[i].atLeast(tileFloats);
      if (p.combine != Combine::None) pair.value[i] = space.values[i].atLeast(tileFloats);
      if (p.combine == Combine::ArgMax) pair.index[i] = space.indices[i].atLeast(tileFloats);
    }
    transformPair(in, pair, space);
    makeUntransformed(in, out, pair, space, stop);
    if (!pair.transforms()) return;
    ResponseCall call;
    call.transforms = &transforms_;
    call.channels = p.tapChannels();
    call.spectra = space.spectra.atLeast(0);
    call.space = space.space.atLeast(0);
    const auto lanes = static_cast<std::size_t>(transforms_.lanes);
    call.buffer = space.buffer.atLeast(2 * lanes * static_cast<std::size_t>(shape_.width));
    call.panel = space.panel.atLeast(2 * lanes * static_cast<std::size_t>(shape_.height));
    call.rows = std::max(pair.areas[0].height, pair.areas[1].height);
    const bool inPlace = raised_ == 0 && fitsInPlace(out, pair);
    for (const int f : filters_) {
      if (stop.stop_requested()) throw Cancelled();
      call.filter = spectra_.filter(f);
      aim(out, pair, f, inPlace, call);
      if (call.responses[0].data != nullptr || call.responses[1].data != nullptr) kernels_.respond(call);
      for (int i = 0; i < 2; ++i) {
        if (!pair.wanted[i]) continue;
        const ResponseCall::Response& response = call.responses[i];
        undo(pair, i, f, space, response.data, static_cast<std::size_t>(response.stride));
        if (inPlace || maxInPlace(pair)) continue;
        if (p.combine == Combine::None) {
          results_.store(out, planeOf(pair.group, f), pair.areas[i], pair.response[i]);
        } else {
          combine(f, pair, i);
        }
      }
    }
    if (p.combine != Combine::None) finish(out, pair, space);
  }

  /// What needs no transform of a pair, which then wants it no more.
  void makeUntransformed(const SourceBand& in, const SinkBand& out, Pair& pair, Workspace& space,
                         const std::stop_token& stop) const {
    Region direct[2];
    int parts = 0;
    for (int i = 0; i < 2; ++i) {
      if (!pair.wanted[i] || pair.treatments[i].way == TileWay::Transform) continue;
      if (pair.treatments[i].way == TileWay::Nan)
        storeNan(out, pair, i);
      else
        direct[parts++] = clip(pair.areas[i], out.region);
      pair.wanted[i] = false;
    }
    if (parts == 0) return;
    // The two lie side by side.
    const int width = direct[0].width + (parts == 2 ? direct[1].width : 0);
    const int x = direct[0].x - out.region.x;
    const int y = direct[0].y - out.region.y;
    space.output.start(problem(), rowKernels_, out, pair.group, x, width, false);
    space.output.lowerBy(raised_);
    const direct::StripTile tile{pair.group, x, width, y, y + direct[0].height};
    strips().compute(in, out.region, tile, space.window, space.output, stop);
  }

  void storeNan(const SinkBand& out, const Pair& pair, int i) const {
    const std::size_t floats = responseStride_ * static_cast<std::size_t>(shape_.stepY);
    std::fill(pair.response[i], pair.response[i] + floats, std::numeric_limits<float>::quiet_NaN());
    const int planes = problem().combine == Combine::None ? problem().filterCount : 1;
    for (int f = 0; f < planes; ++f)
      results_.store(out, planeOf(pair.group, f), pair.areas[i], pair.response[i]);
    if (problem().combine != Combine::ArgMax) return;
    std::fill(pair.index[i], pair.index[i] + floats, 0);
    results_.storeIndex(out, planeOf(pair.group, 1), pair.areas[i], pair.index[i]);
  }

  /// Of a group's responses, or of its combined values and their indices.
  std::size_t planeOf(int group, int which) const {
    const Combine combine = problem().combine;
    const int planes = combine == Combine::None ? problem().filterCount : combine == Combine::ArgMax ? 2 : 1;
    return static_cast<std::size_t>(planes * group + which);
  }

  /// Made when first wanted.
  const direct::DirectStrips& strips() const {
    std::call_once(stripsMade_, [this] { strips_.emplace(problem(), taps()); });
    return *strips_;
  }

  /// Whether respond() can write f32 results to where they belong: they are such, and the whole of each tile
  /// is wanted.
  bool fitsInPlace(const SinkBand& out, const Pair& pair) const {
    if (problem().combine != Combine::None || problem().dstType != ElementType::F32) return false;
    for (int i = 0; i < 2; ++i) {
      const Region kept = clip(pair.areas[i], out.region);
      if (pair.wanted[i] && (kept.width != pair.areas[i].width || kept.height != pair.areas[i].height))
        return false;
    }
    return true;
  }

  /// Whether respond() can keep the maximum itself: responses are as they come.
  bool maxInPlace(const Pair& pair) const {
    return problem().combine == Combine::Max && !spectra_.scaled() && !pair.treatments[0].needed &&
           !pair.treatments[1].needed;
  }

  void aim(const SinkBand& out, const Pair& pair, int filter, bool inPlace, ResponseCall& call) const {
    const bool ofMax = maxInPlace(pair);
    call.larger = ofMax && filter > 0;
    // What is read again to be mended stays in the caches.
    const bool mended = spectra_.scaled() || pair.treatments[0].needed || pair.treatments[1].needed;
    call.stream = inPlace && !mended && isLarge(out);
    for (int i = 0; i < 2; ++i) {
      call.responses[i] = {};
      if (!pair.wanted[i]) continue;
      const TileArea& area = pair.areas[i];
      if (!inPlace) {
        call.responses[i] = {ofMax ? pair.value[i] : pair.response[i],
                             static_cast<int>(paddedColumns(area.width)),
                             static_cast<std::ptrdiff_t>(responseStride_)};
        continue;
      }
      const MutablePlane& plane = out.planes[planeOf(pair.group, filter)];
      float* data = plane.as<float>().row(area.y - out.region.y) + (area.x - out.region.x);
      call.responses[i] = {data, area.width, plane.as<float>().stride};
      call.stream = call.stream && reinterpret_cast<std::uintptr_t>(data) % direct::rowAlignment == 0 &&
                    plane.strideBytes % static_cast<std::ptrdiff_t>(direct::rowAlignment) == 0;
    }
  }

  static std::size_t paddedColumns(int columns) { return (static_cast<std::size_t>(columns) + 15) / 16 * 16; }

  void combine(int filter, const Pair& pair, int i) const {
    const int columns = static_cast<int>(paddedColumns(pair.areas[i].width));
    for (int y = 0; y < pair.areas[i].height; ++y) {
      const std::size_t at = static_cast<std::size_t>(y) * responseStride_;
      kernels_.combineRow(problem().combine, filter, pair.response[i] + at, columns, pair.value[i] + at,
                          pair.index[i] == nullptr ? nullptr : pair.index[i] + at);
    }
  }

  void finish(const SinkBand& out, const Pair& pair, const Workspace& space) const {
    const ConvolutionProblem& p = problem();
    const bool withIndex = p.combine == Combine::ArgMax;
    for (int i = 0; i < 2; ++i) {
      if (!pair.wanted[i]) continue;
      const TileArea& area = pair.areas[i];
      if (pair.treatments[i].needed && space.apart[i].alikeInAll()) {
        space.apart[i].fillNan(std::numeric_limits<float>::quiet_NaN(), pair.value[i], responseStride_);
        if (withIndex) space.apart[i].fillNan(0, pair.index[i], responseStride_);
      }
      for (int y = 0; y < area.height; ++y) {
        rowKernels_.finish(p.combine, p.filterCount, area.width,
                           pair.value[i] + static_cast<std::size_t>(y) * responseStride_);
      }
      results_.store(out, planeOf(pair.group, 0), area, pair.value[i]);
      if (withIndex) results_.storeIndex(out, planeOf(pair.group, 1), area, pair.index[i]);
    }
  }

  const TileKernels& kernels_;
  const direct::RowKernels& rowKernels_;
  int raised_;  ///< exponent, before anybody looks at the taps
  bool flush_;
  TileGrid shape_;
  TileTransforms transforms_;
  std::vector<int> filters_;  ///< that are computed
  FilterSpectra spectra_;
  MagnitudeRange range_;
  std::size_t responseStride_;
  TileStore results_;
  Spares<Workspace> workspaces_;
  mutable std::once_flag stripsMade_;
  mutable std::optional<direct::DirectStrips> strips_;
};

class FftEngine final : public Engine {
 public:
  std::string name() const override { return "cpu:fft"; }
  EngineKind kind() const override { return {.sharedPlans = true}; }
  std::string device() const override { return "CPU"; }
  std::string description() const override {
    return "Highway " + std::to_string(HWY_MAJOR) + "." + std::to_string(HWY_MINOR) + "." +
           std::to_string(HWY_PATCH) + ", " + tileKernels().target;
  }
  Support supports(const ConvolutionProblem& p) const override {
    if (chooseTile(p).width > 0) return Support::yes();
    return Support::no("the spectra of " + std::to_string(p.filterCount) + " filters of " +
                       std::to_string(p.tapChannels()) + " channels would take more than 2 GiB");
  }
  std::unique_ptr<Plan> prepare(const ConvolutionProblem& problem, const FilterBank& bank,
                                const PlanOptions& options) const override {
    requireSupport(*this, problem);
    return std::make_unique<FftPlan>(problem, bank, options);
  }
};

}  // namespace

std::unique_ptr<Engine> makeFftEngine() { return std::make_unique<FftEngine>(); }

}  // namespace bankside
