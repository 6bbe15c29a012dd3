#include "core/phantom/phantom.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "core/error.h"
#include "core/stopping.h"
#include "core/text.h"

namespace bankside {
namespace {

constexpr int samples = 3;                 // a pixel is samples x samples looks at the geometry
constexpr double leastRadiusPixels = 0.6;  // thinner ones would fall between pixels
constexpr double viewRadius = 0.485;       // of the picture's side
constexpr double depthUnit = 248.0;        // blood's depth is counted in pixels of a 512 picture

/// 1 inside, 0 outside, smooth between the two edges.
double smoothStep(double edge0, double edge1, double v) {
  const double t = std::clamp((v - edge0) / (edge1 - edge0), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

double hashedUniform(std::uint64_t seed, std::uint64_t index) {
  return PhantomRandom(seed + index * 0xd1342543de82ef95u).uniform();
}

/// Smooth noise of feature size 1 in [-1, 1].
double latticeNoise(std::uint64_t seed, double x, double y) {
  const double fx = std::floor(x);
  const double fy = std::floor(y);
  const auto corner = [&](int dx, int dy) {
    const auto cx = static_cast<std::uint64_t>(static_cast<std::int64_t>(fx) + dx + 4096);
    const auto cy = static_cast<std::uint64_t>(static_cast<std::int64_t>(fy) + dy + 4096);
    return 2 * hashedUniform(seed, cy * 8192 + cx) - 1;
  };
  const double u = smoothStep(0, 1, x - fx);
  const double v = smoothStep(0, 1, y - fy);
  const double top = corner(0, 0) + u * (corner(1, 0) - corner(0, 0));
  const double bottom = corner(0, 1) + u * (corner(1, 1) - corner(0, 1));
  return top + v * (bottom - top);
}

using ExactColour = std::array<double, 3>;

/// The retina without its vessels at a point of the unit circle, in grey levels.
class Background {
 public:
  Background(const RetinaLayout& layout, std::uint64_t seed) : eye_(layout), seed_(seed) {
    PhantomRandom random(seed ^ 0x6c69676874u);
    lightX_ = random.between(-0.25, 0.25);
    lightY_ = random.between(-0.25, 0.25);
  }

  ExactColour at(double x, double y) const {
    const double mottle = 0.5 * latticeNoise(seed_ + 1, 3 * x, 3 * y) +
                          0.3 * latticeNoise(seed_ + 2, 9 * x, 9 * y) +
                          0.2 * latticeNoise(seed_ + 3, 31 * x, 31 * y);
    const double lightDistance = square(x - lightX_) + square(y - lightY_);
    const double light = 1.05 - 0.24 * lightDistance - 0.10 * square(lightDistance);
    ExactColour c = {212 * (1 + 0.05 * mottle), 98 * (1 + 0.10 * mottle), 70 * (1 + 0.09 * mottle)};
    const double fovea = std::sqrt(square(x - eye_.foveaX) + square(y - eye_.foveaY));
    const double macula = square(1 - smoothStep(0, 0.30, fovea));
    const double pit = 1 - smoothStep(0, 0.05, fovea);
    scale(c, {1 - 0.22 * macula, 1 - 0.42 * macula - 0.05 * pit, 1 - 0.40 * macula});
    paintDisc(c, x, y);
    for (double& channel : c) channel *= light;
    return c;
  }

 private:
  static double square(double v) { return v * v; }
  static void scale(ExactColour& c, const ExactColour& by) {
    for (std::size_t i = 0; i < 3; ++i) c[i] *= by[i];
  }
  static void blend(ExactColour& c, const ExactColour& with, double weight) {
    for (std::size_t i = 0; i < 3; ++i) c[i] += weight * (with[i] - c[i]);
  }

  /// A pale yellow disc, a little taller than wide, with a paler cup; nerve fibres brighten its surroundings.
  void paintDisc(ExactColour& c, double x, double y) const {
    const double dx = (x - eye_.discX) / (0.92 * eye_.discRadius);
    const double dy = (y - eye_.discY) / (1.08 * eye_.discRadius);
    const double wobble = 0.05 * latticeNoise(seed_ + 4, 12 * x, 12 * y);
    const double r = std::sqrt(dx * dx + dy * dy) + wobble;
    const double glow = square(1 - smoothStep(0.8, 3.2, r));
    scale(c, {1 + 0.10 * glow, 1 + 0.28 * glow, 1 + 0.22 * glow});
    blend(c, {240, 182, 112}, 0.92 * (1 - smoothStep(0.84, 1.08, r)));
    const double cup = std::sqrt(square(dx - 0.12) + dy * dy) + wobble;
    blend(c, {252, 226, 172}, 0.85 * (1 - smoothStep(0.30, 0.62, cup)));
  }

  RetinaLayout eye_;
  std::uint64_t seed_;
  double lightX_;
  double lightY_;
};

/// Where a point lies with respect to a piece of vessel.
struct Nearness {
  double distance;
  double radius;
};
Nearness nearness(const VesselSegment& s, double x, double y) {
  const double dx = s.x1 - s.x0;
  const double dy = s.y1 - s.y0;
  const double lengthSquared = dx * dx + dy * dy;
  const double along = lengthSquared > 0 ? ((x - s.x0) * dx + (y - s.y0) * dy) / lengthSquared : 0.0;
  const double t = std::clamp(along, 0.0, 1.0);
  const double ox = x - (s.x0 + t * dx);
  const double oy = y - (s.y0 + t * dy);
  return {std::sqrt(ox * ox + oy * oy), s.radius0 + t * (s.radius1 - s.radius0)};
}

/// Calls `visit(px, py)` for every pixel that a box around the segment touches.
template <class Visit>
void forPixelsNear(const VesselSegment& s, int width, int rowBegin, int rowEnd, Visit visit) {
  const double reach = std::max(s.radius0, s.radius1) + 1;
  const int x0 = std::max(0, static_cast<int>(std::floor(std::min(s.x0, s.x1) - reach)));
  const int x1 = std::min(width - 1, static_cast<int>(std::ceil(std::max(s.x0, s.x1) + reach)));
  const int y0 = std::max(rowBegin, static_cast<int>(std::floor(std::min(s.y0, s.y1) - reach)));
  const int y1 = std::min(rowEnd - 1, static_cast<int>(std::ceil(std::max(s.y0, s.y1) + reach)));
  for (int y = y0; y <= y1; ++y) {
    throwIfProgramStops();
    for (int x = x0; x <= x1; ++x) visit(x, y);
  }
}

class Painter {
 public:
  explicit Painter(const PhantomOptions& options)
      : options_(options),
        layout_(makeRetinaLayout(options.seed)),
        middle_(0.5 * (options.size - 1)),
        unit_(viewRadius * options.size) {
    phantom_.segments = growVesselTree(layout_, options.seed, leastRadiusPixels / unit_);
    for (VesselSegment& s : phantom_.segments) {
      for (double* position : {&s.x0, &s.y0, &s.x1, &s.y1}) *position = middle_ + unit_ * *position;
      s.radius0 *= unit_;
      s.radius1 *= unit_;
    }
  }

  Phantom paint() {
    const int n = options_.size;
    phantom_.photograph = Image(3, n, n, ElementType::U8);
    phantom_.photograph.setChannelNames({"red", "green", "blue"});
    phantom_.vessels = blank(ElementType::U8);
    phantom_.fieldOfView = blank(ElementType::U8);
    phantom_.centreLineWidth = blank(ElementType::F32);
    markView();
    markVessels();
    markCentreLines();
    Image scene = paintScene();
    blurAndExpose(scene);
    return std::move(phantom_);
  }

 private:
  Image blank(ElementType type) const {
    Image image(1, options_.size, options_.size, type);
    visit(type, [&](auto element) {
      const auto view = image.view<decltype(element)>(0);
      for (int y = 0; y < view.height; ++y) std::fill_n(view.row(y), view.width, decltype(element){});
    });
    return image;
  }

  bool inView(int x, int y) const {
    const double dx = x - middle_;
    const double dy = y - middle_;
    return dx * dx + dy * dy <= unit_ * unit_;
  }

  void markView() {
    const auto view = phantom_.fieldOfView.view<std::uint8_t>(0);
    for (int y = 0; y < view.height; ++y) {
      for (int x = 0; x < view.width; ++x) view.at(x, y) = inView(x, y) ? 255 : 0;
    }
  }

  void markVessels() {
    const auto view = phantom_.vessels.view<std::uint8_t>(0);
    for (const VesselSegment& s : phantom_.segments) {
      forPixelsNear(s, view.width, 0, view.height, [&](int x, int y) {
        const Nearness near = nearness(s, x, y);
        if (near.distance <= near.radius && inView(x, y)) view.at(x, y) = 255;
      });
    }
  }

  void markCentreLines() {
    const auto view = phantom_.centreLineWidth.view<float>(0);
    for (const VesselSegment& s : phantom_.segments) {
      const double dx = s.x1 - s.x0;
      const double dy = s.y1 - s.y0;
      const int steps = static_cast<int>(4 * std::sqrt(dx * dx + dy * dy)) + 1;
      for (int i = 0; i <= steps; ++i) {
        const double t = static_cast<double>(i) / steps;
        const int x = static_cast<int>(std::floor(s.x0 + t * dx + 0.5));
        const int y = static_cast<int>(std::floor(s.y0 + t * dy + 0.5));
        if (x < 0 || y < 0 || x >= view.width || y >= view.height || !inView(x, y)) continue;
        const auto diameter = static_cast<float>(2 * (s.radius0 + t * (s.radius1 - s.radius0)));
        view.at(x, y) = std::max(view.at(x, y), diameter);
      }
    }
  }

  /// Background times what the blood lets through, f32 [3,H,W], in bands so that the samples stay small.
  Image paintScene() const {
    const int n = options_.size;
    Image scene(3, n, n, ElementType::F32);
    const Background background(layout_, options_.seed);
    std::vector<std::vector<const VesselSegment*>> bands(
        static_cast<std::size_t>((n + bandRows - 1) / bandRows));
    for (const VesselSegment& s : phantom_.segments) {
      const double reach = std::max(s.radius0, s.radius1) + 1;
      const int first = std::max(0, static_cast<int>(std::floor(std::min(s.y0, s.y1) - reach)) / bandRows);
      const int last = std::min(static_cast<int>(bands.size()) - 1,
                                static_cast<int>(std::ceil(std::max(s.y0, s.y1) + reach)) / bandRows);
      for (int band = first; band <= last; ++band) bands[static_cast<std::size_t>(band)].push_back(&s);
    }
    for (std::size_t band = 0; band < bands.size(); ++band) {
      paintBand(scene, background, bands[band], static_cast<int>(band) * bandRows);
    }
    return scene;
  }

  /// How much blood a look passes through, in pixels of a 512 picture: [0] veins, [1] arteries.
  using Depth = std::array<float, 2>;

  void paintBand(Image& scene, const Background& background,
                 const std::vector<const VesselSegment*>& segments, int rowBegin) const {
    const int n = options_.size;
    const int rowEnd = std::min(n, rowBegin + bandRows);
    constexpr std::size_t looks = samples * samples;
    std::vector<Depth> depths(static_cast<std::size_t>(rowEnd - rowBegin) * n * looks);
    const auto depthsAt = [&](int x, int y) {
      return depths.data() + (static_cast<std::size_t>(y - rowBegin) * n + x) * looks;
    };
    for (const VesselSegment* s : segments) {
      forPixelsNear(*s, n, rowBegin, rowEnd, [&](int x, int y) {
        Depth* depth = depthsAt(x, y);
        for (int j = 0; j < samples; ++j) {
          for (int i = 0; i < samples; ++i, ++depth) {
            const Nearness near = nearness(*s, x + (i - 1) / 3.0, y + (j - 1) / 3.0);
            if (near.distance >= near.radius) continue;
            float& most = (*depth)[s->artery ? 1 : 0];
            most = std::max(most, static_cast<float>(bloodDepth(near, s->artery)));
          }
        }
      });
    }
    for (int y = rowBegin; y < rowEnd; ++y) {
      throwIfProgramStops();
      for (int x = 0; x < n; ++x) {
        const ExactColour c = background.at((x - middle_) / unit_, (y - middle_) / unit_);
        for (int channel = 0; channel < 3; ++channel) {
          const auto k = static_cast<std::size_t>(channel);
          scene.view<float>(channel).at(x, y) = static_cast<float>(c[k] * transmission(depthsAt(x, y), k));
        }
      }
    }
  }

  /// The chord through a round vessel; on wide arteries light glints back along the middle.
  double bloodDepth(const Nearness& near, bool artery) const {
    const double chord =
        2 * std::sqrt(near.radius * near.radius - near.distance * near.distance) * depthUnit / unit_;
    if (!artery) return chord;
    const double wide = smoothStep(1.2, 2.4, near.radius * depthUnit / unit_);
    const double glint = 1 - smoothStep(0.1, 0.5, near.distance / near.radius);
    return chord * (1 - 0.45 * wide * glint);
  }

  /// The mean over a pixel's looks; deeper blood lets less through, green least.
  static double transmission(const Depth* depth, std::size_t channel) {
    constexpr ExactColour veins = {0.042, 0.125, 0.085};
    constexpr ExactColour arteries = {0.018, 0.100, 0.070};
    double sum = 0;
    for (int i = 0; i < samples * samples; ++i) {
      const Depth& d = depth[i];
      sum += 1 /
             (1 + veins[channel] * static_cast<double>(d[0]) + arteries[channel] * static_cast<double>(d[1]));
    }
    return sum / (samples * samples);
  }

  /// The lens: 1 2 1 both ways (borders repeat). Then the sensor: noise, rounding, black outside the view.
  void blurAndExpose(const Image& scene) {
    const int n = options_.size;
    for (int channel = 0; channel < 3; ++channel) {
      const auto from = scene.view<float>(channel);
      const auto to = phantom_.photograph.view<std::uint8_t>(channel);
      const std::uint64_t seed = options_.seed * 3 + static_cast<std::uint64_t>(channel) + 0x6e6f697365u;
      for (int y = 0; y < n; ++y) {
        throwIfProgramStops();
        for (int x = 0; x < n; ++x) {
          double sum = 0;
          for (int j = -1; j <= 1; ++j) {
            const float* row = from.row(std::clamp(y + j, 0, n - 1));
            for (int i = -1; i <= 1; ++i) {
              sum += (2 - std::abs(i)) * (2 - std::abs(j)) *
                     static_cast<double>(row[std::clamp(x + i, 0, n - 1)]);
            }
          }
          const auto index =
              static_cast<std::uint64_t>(y) * static_cast<std::uint64_t>(n) + static_cast<std::uint64_t>(x);
          const double level = sum / 16 + options_.noise * bellNoise(seed, index);
          to.at(x, y) =
              inView(x, y) ? static_cast<std::uint8_t>(std::floor(std::clamp(level, 0.0, 255.0) + 0.5)) : 0;
        }
      }
    }
  }

  /// Mean 0, variance 1, nearly normal: the sum of four uniform numbers.
  static double bellNoise(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t bits = PhantomRandom(seed + index * 0xd1342543de82ef95u).next();
    std::uint64_t sum = 0;
    for (int i = 0; i < 4; ++i, bits >>= 16) sum += bits & 0xffff;
    return (static_cast<double>(sum) - 2 * 65535.0) / (65536.0 * 0.57735026918962576);  // root of 4 / 12
  }

  static constexpr int bandRows = 64;
  PhantomOptions options_;
  RetinaLayout layout_;
  double middle_;
  double unit_;
  Phantom phantom_;
};

}  // namespace

Phantom makePhantom(const PhantomOptions& options) {
  if (options.size < 64 || options.size > 8192) {
    throw Error(ErrorCode::BadInput, "a phantom of " + std::to_string(options.size) +
                                         " pixels a side was asked for; it can be 64 to 8192");
  }
  if (!(options.noise >= 0 && options.noise <= 50)) {
    throw Error(ErrorCode::BadInput, "a phantom's noise of " + formatNumber(options.noise) +
                                         " was asked for; it can be 0 to 50 grey levels");
  }
  return Painter(options).paint();
}

}  // namespace bankside
