#include "kernels/peers/onednn_engine.h"

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

#include "core/combine.h"
#include "core/error.h"
#include "core/host_plan.h"
#include "kernels/peers/onednn_convolution.h"

namespace bankside {
namespace {

constexpr int rowsAtATime = 32;

/// Pixels up to which the planar convolution through GEMM is known to come back: 2.6.3 took 0.27 s for 3072 x
/// 3072 at K = 5 and never returned from 4096 x 4096.
constexpr double gemmPixels = 3072.0 * 3072.0;

/// Elements between neighbouring planes beyond their own; allocators leave less than a page or two.
constexpr std::ptrdiff_t farApart = 65536;

[[noreturn]] void rethrow(const dnnl::error& error) {
  throw Error(error.status == dnnl_out_of_memory ? ErrorCode::Limit : ErrorCode::Unsupported,
              std::string("oneDNN: ") + error.what());
}

/// Pixels in the layout that oneDNN wants, made once and kept.
struct FreeAligned {
  void operator()(float* data) const { std::free(data); }
};
using Floats = std::unique_ptr<float[], FreeAligned>;

class ConvolutionPlan final : public HostPlan {
 public:
  ConvolutionPlan(const ConvolutionProblem& p, const FilterBank& bank, const PlanOptions& options)
      : HostPlan(p, bank, options), engine_(dnnl::engine::kind::cpu, 0), stream_(engine_) {
    omp_set_num_threads(team().count());
    try {
      choose(shapeFor(p.height, p.width, problem().border.isZero()), false);
    } catch (const dnnl::error& error) {
      rethrow(error);
    }
  }

  PlanInfo info() const override { return {.shape = variant_}; }

  /// Its implementations sum in the order that suits them, another one for another shape.
  NumericTraits traits() const override {
    NumericTraits traits = HostPlan::traits();
    traits.dependsOnWholeBank = true;
    traits.partEqualsWhole = false;
    return traits;
  }

 private:
  /// `native`: oneDNN supplies the zeros around the image; else the pixels come with their border.
  OneDnnShape shapeFor(int height, int width, bool native) const {
    const ConvolutionProblem& p = problem();
    OneDnnShape s{.batch = p.responseGroups(),
                  .channels = p.tapChannels(),
                  .height = height,
                  .width = width,
                  .filters = p.filterCount,
                  .filterHeight = p.filterHeight,
                  .filterWidth = p.filterWidth};
    if (native) {
      s.padTop = taps().anchorY;
      s.padLeft = taps().anchorX;
      s.padBottom = p.filterHeight - 1 - taps().anchorY;
      s.padRight = p.filterWidth - 1 - taps().anchorX;
    } else {
      s.height += p.filterHeight - 1;
      s.width += p.filterWidth - 1;
    }
    return s;
  }

  /// Makes the convolution for a shape in both ways and keeps the one that is faster on it. `reversed`: its
  /// last filter first.
  void choose(const OneDnnShape& shape, bool reversed) {
    shape_ = shape;
    reversed_ = reversed;
    std::vector<float> bank = taps().taps;
    if (reversed) {
      const std::size_t size = bank.size() / static_cast<std::size_t>(problem().filterCount);
      for (std::size_t i = 0; i < bank.size(); ++i)
        bank[i] = taps().taps[bank.size() - size * (i / size + 1) + i % size];
    }
    auto liked = std::make_unique<OneDnnConvolution>(engine_, shape, bank.data(), false);
    std::unique_ptr<OneDnnConvolution> planar;
    try {
      planar = std::make_unique<OneDnnConvolution>(engine_, shape, bank.data(), true);
    } catch (const dnnl::error&) {
    }
    const double pixels = static_cast<double>(shape.height) * shape.width;
    if (planar && planar->implementation().find("gemm") != std::string::npos && pixels > gemmPixels)
      planar = nullptr;
    const bool usePlanar = planar && secondsOf(*planar) < secondsOf(*liked);
    convolution_ = usePlanar ? std::move(planar) : std::move(liked);
    variant_ = convolution_->implementation() + (usePlanar ? ", planar" : ", blocked and reordered");
  }

  /// The shorter of two runs over zeros.
  double secondsOf(OneDnnConvolution& convolution) {
    float* src = sourceBuffer();
    std::fill_n(src, sourceElements(), 0.0f);
    double best = 1e30;
    for (int i = 0; i < 2; ++i) {
      const auto start = std::chrono::steady_clock::now();
      convolution.run(stream_, src, densePlanes());
      best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
  }

  void compute(const SourceBand& in, const SinkBand& out, const std::stop_token& stop) override {
    if (stop.stop_requested()) throw Cancelled();
    omp_set_num_threads(team().count());
    const bool native = problem().border.isZero() && out.region == wholeImage(problem());
    try {
      const OneDnnShape shape = shapeFor(out.region.height, out.region.width, native);
      const bool plain = problem().combine == Combine::None && problem().dstType == ElementType::F32;
      bool reversed = false;
      // (A batch would have to be reversed too.)
      OneDnnPlanes planes =
          plain && problem().responseGroups() == 1 ? evenlySpaced(out, reversed) : OneDnnPlanes{};
      if (shape != shape_ || reversed != reversed_) choose(shape, reversed);
      const float* src = native ? inPlace(in) : nullptr;
      if (src == nullptr) src = gather(in, out.region, native);
      const bool direct = planes.first != nullptr && convolution_->takesStrides();
      if (!direct) planes = densePlanes();
      convolution_->run(stream_, src, planes);
      if (!direct) store(out);
    } catch (const dnnl::error& error) {
      rethrow(error);
    }
  }

  /// The image itself, if its planes are dense f32 one after the other.
  const float* inPlace(const SourceBand& in) const {
    const ConvolutionProblem& p = problem();
    const std::ptrdiff_t row =
        static_cast<std::ptrdiff_t>(p.width) * static_cast<std::ptrdiff_t>(sizeof(float));
    if (p.srcType != ElementType::F32) return nullptr;
    for (int c = 0; c < p.channels; ++c) {
      const auto plane = in.whole(c);
      if (!plane || plane->strideBytes != row || plane->data != in.whole(0)->data + c * row * p.height)
        return nullptr;
    }
    return reinterpret_cast<const float*>(in.whole(0)->data);
  }

  const float* gather(const SourceBand& in, const Region& region, bool native) {
    const ConvolutionProblem& p = problem();
    float* pixels = sourceBuffer();
    const int firstX = region.x - (native ? 0 : taps().anchorX);
    const int firstY = region.y - (native ? 0 : taps().anchorY);
    team().forRanges(0, p.channels * shape_.height, rowsAtATime, [&](int first, int last) {
      for (int i = first; i < last; ++i) {
        const std::byte* row = in.row(i / shape_.height, firstY + i % shape_.height);
        gatherRow(row, p.srcType, p.width, p.border, firstX, shape_.width,
                  pixels + static_cast<std::ptrdiff_t>(i) * shape_.width);
      }
    });
    return pixels;
  }

  /// The sink's planes as oneDNN can address them: at even distances. Large planes that were taken one after
  /// the other often lie from the last to the first (`reversed`).
  static OneDnnPlanes evenlySpaced(const SinkBand& out, bool& reversed) {
    const auto at = [&](std::size_t i) { return reinterpret_cast<float*>(out.planes[i].data); };
    const std::ptrdiff_t row = out.planes[0].strideBytes / static_cast<std::ptrdiff_t>(sizeof(float));
    const std::ptrdiff_t plane = out.planes.size() > 1 ? at(1) - at(0) : row * out.region.height;
    for (std::size_t i = 0; i < out.planes.size(); ++i) {
      if (at(i) != at(0) + static_cast<std::ptrdiff_t>(i) * plane) return {};
    }
    // Far apart they are refused too: oneDNN's reorder counts some strides in 32 bits.
    const std::ptrdiff_t dense = row * out.region.height;
    if (std::abs(plane) < dense || std::abs(plane) > 2 * dense + farApart) return {};
    reversed = plane < 0;
    return {reversed ? at(out.planes.size() - 1) : at(0), std::abs(plane), row};
  }

  /// From dense responses to the sink: copied, combined, rounded.
  void store(const SinkBand& out) {
    const ConvolutionProblem& p = problem();
    const Combiner combiner{p.combine, p.filterCount};
    const int width = out.region.width;
    const std::ptrdiff_t planeSize = static_cast<std::ptrdiff_t>(width) * out.region.height;
    team().forRanges(0, out.region.height, rowsAtATime, [&](int first, int last) {
      std::vector<float> value(static_cast<std::size_t>(width));
      for (int g = 0; g < p.responseGroups(); ++g) {
        for (int y = first; y < last; ++y) {
          const float* response =
              responses_.get() + g * p.filterCount * planeSize + static_cast<std::ptrdiff_t>(y) * width;
          if (p.combine == Combine::None) {
            for (int f = 0; f < p.filterCount; ++f) {
              const int at = reversed_ ? p.filterCount - 1 - f : f;
              storeRow(response + at * planeSize, out.planes[static_cast<std::size_t>(g * p.filterCount + f)],
                       y);
            }
            continue;
          }
          const bool withIndex = p.combine == Combine::ArgMax;
          const auto plane = static_cast<std::size_t>(withIndex ? 2 * g : g);
          std::uint16_t* index = withIndex ? out.planes[plane + 1].as<std::uint16_t>().row(y) : nullptr;
          for (int f = 0; f < p.filterCount; ++f)
            combiner.accumulate(f, response + f * planeSize, width, value.data(), index);
          combiner.finish(width, value.data());
          storeRow(value.data(), out.planes[plane], y);
        }
      }
    });
  }

  static void storeRow(const float* from, const MutablePlane& plane, int y) {
    visit(plane.type, [&](auto element) {
      using T = decltype(element);
      T* to = plane.as<T>().row(y);
      for (int x = 0; x < plane.width; ++x) to[x] = fromFloat<T>(from[x]);
    });
  }

  std::size_t sourceElements() const {
    return static_cast<std::size_t>(shape_.batch) * shape_.channels * shape_.height * shape_.width;
  }
  float* sourceBuffer() { return atLeast(source_, sourceSize_, sourceElements()); }

  OneDnnPlanes densePlanes() {
    const std::ptrdiff_t plane = static_cast<std::ptrdiff_t>(shape_.outHeight()) * shape_.outWidth();
    const auto count =
        static_cast<std::size_t>(plane) * static_cast<std::size_t>(shape_.batch * shape_.filters);
    return {atLeast(responses_, responseSize_, count), plane, shape_.outWidth()};
  }

  static float* atLeast(Floats& memory, std::size_t& size, std::size_t count) {
    if (size < count) {
      memory.reset();
      memory.reset(static_cast<float*>(std::aligned_alloc(64, (count * sizeof(float) + 63) / 64 * 64)));
      if (!memory)
        throw Error(ErrorCode::Limit, "no memory for oneDNN's " + std::to_string(count) + " values");
      size = count;
    }
    return memory.get();
  }

  dnnl::engine engine_;
  dnnl::stream stream_;
  OneDnnShape shape_;
  std::unique_ptr<OneDnnConvolution> convolution_;
  bool reversed_ = false;
  std::string variant_;
  Floats source_, responses_;
  std::size_t sourceSize_ = 0;
  std::size_t responseSize_ = 0;
};

class OneDnnEngine final : public Engine {
 public:
  std::string name() const override { return "onednn:convolution"; }
  /// Version 2.6.3 never returns from some shapes.
  EngineKind kind() const override { return {.role = EngineKind::Role::Peer, .mayHang = true}; }
  std::string device() const override { return "CPU"; }
  std::string description() const override {
    const dnnl_version_t* v = dnnl_version();
    return "oneDNN " + std::to_string(v->major) + "." + std::to_string(v->minor) + "." +
           std::to_string(v->patch) + ", direct convolution, planar f32 results";
  }
  Support supports(const ConvolutionProblem&) const override { return Support::yes(); }
  std::unique_ptr<Plan> prepare(const ConvolutionProblem& problem, const FilterBank& bank,
                                const PlanOptions& options) const override {
    requireSupport(*this, problem);
    return std::make_unique<ConvolutionPlan>(problem, bank, options);
  }
};

}  // namespace

std::unique_ptr<Engine> makeOneDnnEngine() { return std::make_unique<OneDnnEngine>(); }

}  // namespace bankside
