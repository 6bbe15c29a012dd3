#include "core/judge/conformance.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/error.h"
#include "core/judge/row_streams.h"
#include "core/made_input.h"

namespace bankside {
namespace {

/// Result planes inside larger memory, so that a write beside them is seen. Rows start where their element
/// type may stand and no better.
class GuardedSink final : public Sink {
 public:
  GuardedSink(const ConvolutionProblem& problem, const Region& region) : types_(outputPlanes(problem)) {
    for (const ElementType type : types_) {
      Guarded g;
      g.plane = {nullptr, type, region.width, region.height,
                 static_cast<std::ptrdiff_t>((static_cast<std::size_t>(region.width) + guardElements) *
                                             sizeOf(type))};
      g.bytes.assign(
          static_cast<std::size_t>(g.plane.strideBytes) * (static_cast<std::size_t>(region.height) + 2),
          guardByte);
      g.plane.data = g.bytes.data() + g.plane.strideBytes + static_cast<std::ptrdiff_t>(sizeOf(type));
      for (int y = 0; y < region.height; ++y) std::memset(g.plane.row(y), poisonByte, rowBytes(g.plane));
      guarded_.push_back(std::move(g));
    }
  }

  int planes() const override { return static_cast<int>(types_.size()); }
  ElementType type(int plane) const override { return types_[static_cast<std::size_t>(plane)]; }
  std::optional<MutablePlane> resident(int plane) override {
    return guarded_[static_cast<std::size_t>(plane)].plane;
  }
  void writeRows(int plane, int firstRow, ConstPlane src) override {
    const MutablePlane& dst = guarded_[static_cast<std::size_t>(plane)].plane;
    for (int y = 0; y < src.height; ++y) std::memcpy(dst.row(firstRow + y), src.row(y), rowBytes(dst));
  }

  /// The planes as images; `touched` counts the bytes around them that are no longer as they were.
  std::vector<Image> take(std::size_t& touched) const {
    std::vector<Image> images;
    touched = 0;
    for (const Guarded& g : guarded_) {
      Image image(1, g.plane.height, g.plane.width, g.plane.type);
      std::vector<std::byte> rest = g.bytes;
      for (int y = 0; y < g.plane.height; ++y) {
        std::memcpy(image.plane(0).row(y), g.plane.row(y), rowBytes(g.plane));
        std::memset(rest.data() + (g.plane.row(y) - g.bytes.data()), static_cast<int>(guardByte),
                    rowBytes(g.plane));
      }
      for (const std::byte b : rest) touched += b != guardByte;
      images.push_back(std::move(image));
    }
    return images;
  }

 private:
  static constexpr std::size_t guardElements = 67;
  static constexpr std::byte guardByte{0xa5};
  static constexpr int poisonByte = 0xff;  // NaN in f16 and f32

  struct Guarded {
    std::vector<std::byte> bytes;
    MutablePlane plane;
  };
  static std::size_t rowBytes(const MutablePlane& p) {
    return static_cast<std::size_t>(p.width) * sizeOf(p.type);
  }

  std::vector<ElementType> types_;
  std::vector<Guarded> guarded_;
};

Image makeImage(const ConvolutionProblem& p, MadePixels pixels) {
  const auto make = pixels == MadePixels::Integers ? integerImage
                    : pixels == MadePixels::Random ? randomImage
                                                   : nonFiniteImage;
  return make(p.channels, p.height, p.width, p.srcType, hash(p));
}

FilterBank makeBank(const ConvolutionProblem& p, MadePixels pixels, bool separable) {
  const auto make = pixels == MadePixels::Integers ? (separable ? integerSeparableBank : integerBank)
                                                   : (separable ? separableBank : randomBank);
  const FilterBank bank = make(p.filterCount, p.tapChannels(), p.filterHeight, p.filterWidth, hash(p));
  return withMode(withAnchor(bank, p.anchorX, p.anchorY), p.mode);
}

/// Whether every sum on the way to the result is exact in f32: pixels up to 15 and taps up to 4, counted in
/// halves for the border -3.5; `growth` as in ErrorBound.
bool staysExact(const ConvolutionProblem& p, double growth) {
  double largest = growth * 2.0 * 15 * 4 * p.tapChannels() * p.filterHeight * p.filterWidth;
  if (p.combine == Combine::Sum || p.combine == Combine::Mean) largest *= p.filterCount;
  if (p.combine == Combine::Magnitude) largest *= largest * p.filterCount;
  return largest < 0x1p24;
}

Image crop(const Image& image, const Region& region) {
  Image part(1, region.height, region.width, image.type());
  const std::size_t size = sizeOf(image.type());
  for (int y = 0; y < region.height; ++y) {
    std::memcpy(part.plane(0).row(y),
                image.plane(0).row(region.y + y) + static_cast<std::ptrdiff_t>(region.x * size),
                static_cast<std::size_t>(region.width) * size);
  }
  return part;
}

/// The first plane and how it differs, or an empty text.
std::string firstDifference(const std::vector<Image>& got, const std::vector<Image>& expected) {
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (samePixels(got[i], expected[i])) continue;
    const Verification v = difference(got, expected);
    if (v.failed == 0)
      return "plane " + std::to_string(i) + " differs in the sign of a zero or the bits of a NaN";
    return v.place() + " (" + std::to_string(v.failed) + " of " + std::to_string(v.checked) +
           " pixels differ)";
  }
  return {};
}

}  // namespace

const char* toString(MadePixels pixels) {
  switch (pixels) {
    case MadePixels::Integers: return "integers";
    case MadePixels::Random: return "random";
    case MadePixels::NonFinite: return "nonfinite";
  }
  return "?";
}

bool applies(MadePixels pixels, const ConvolutionProblem& problem) {
  return pixels != MadePixels::NonFinite || problem.srcType == ElementType::F16 ||
         problem.srcType == ElementType::F32;
}

ConformanceResult checkConformance(const Engine& engine, const Engine& reference, const ConvolutionProblem& p,
                                   MadePixels pixels) {
  if (!applies(pixels, p)) {
    throw Error(ErrorCode::BadInput,
                "a " + std::string(toString(p.srcType)) + " image holds no NaN: " + format(p));
  }
  requireSupport(engine, p);
  const Image image = makeImage(p, pixels);
  FilterBank bank = makeBank(p, pixels, false);
  ConformanceResult result;
  const auto fail = [&](const std::string& what) {
    result.sentence = engine.name() + " (" + toString(result.plan) + ") on " + toString(pixels) + ": " +
                      what + "; repeat with: bankside verify --engine " + engine.name() + " --problem " +
                      format(p);
    return result;
  };

  std::unique_ptr<Plan> plan;
  try {
    plan = engine.prepare(p, bank, {.threads = 1});
  } catch (const Error& error) {
    // Some take banks of rank 1 only, which no problem shows: such an engine is held to those.
    if (error.code() != ErrorCode::Unsupported) throw;
    bank = makeBank(p, pixels, true);
    plan = engine.prepare(p, bank, {.threads = 1});
  }
  result.plan = plan->info();
  const NumericTraits traits = plan->traits();
  const ErrorBound& bound = traits.errorBound;
  result.bitExact = pixels == MadePixels::Integers && bound.pixelwise && staysExact(p, bound.growth);
  ImageSource source(image);
  GuardedSink sink(p, wholeImage(p));
  plan->run(source, sink, wholeImage(p), {});
  std::size_t touched = 0;
  const std::vector<Image> whole = sink.take(touched);
  if (touched > 0) return fail("wrote " + std::to_string(touched) + " bytes outside the result planes");
  if (result.bitExact) {
    const std::string what = firstDifference(whole, runWhole(reference, p, bank, image, {.threads = 1}));
    if (!what.empty()) return fail(what);
  } else {
    result.verification = verify(p, bank, source, wholeImage(p), whole, bound, 1);
    if (!result.verification.passed) return fail(result.verification.place());
  }

  const Region part{p.width / 3, p.height / 3, std::max(1, p.width / 2), std::max(1, p.height / 2)};
  const auto second = engine.prepare(p, bank, {.threads = 2});
  RowSource rows(image);
  RowSink bands(p, part);
  second->run(rows, bands, part, {});
  if (traits.partEqualsWhole && pixels != MadePixels::NonFinite) {
    std::vector<Image> expected;
    for (const Image& plane : whole) expected.push_back(crop(plane, part));
    const std::string what = firstDifference(bands.images(), expected);
    if (!what.empty()) return fail("a part in bands on two threads is not the same bytes: " + what);
  } else {
    const Verification v = verify(p, bank, rows, part, bands.images(), bound, 1);
    if (!v.passed) return fail("a part in bands: " + v.place());
  }
  result.passed = true;
  return result;
}

}  // namespace bankside
