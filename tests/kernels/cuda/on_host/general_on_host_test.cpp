/// Half precision and units: what the conformance list does not ask of them.
#include <gtest/gtest.h>

#include "core/judge/compare.h"
#include "core/judge/conformance.h"
#include "core/made_input.h"
#include "kernels/cuda/paper/unit_pass.h"
#include "kernels/reference/reference_engine.h"
#include "tests/kernels/cpu_path_checks.h"
#include "tests/kernels/cuda/on_host/engines_on_host.h"
#include "tests/kernels/cuda/on_host/fake_device.h"

namespace bankside {
namespace {

const Engine& reference() {
  static const auto engine = makeReferenceEngine();
  return *engine;
}

/// Halves hold small integers, so that nothing is rounded.
class HalfOnHost : public ::testing::TestWithParam<const char*> {
 protected:
  const Engine& engine = *engineOnHost(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Engines, HalfOnHost,
                         ::testing::Values("cuda:multichannel-fp16", "cuda:multichannel-fp16x3"),
                         [](const auto& i) { return std::string(i.param).substr(18); });

TEST_P(HalfOnHost, IsExactOnIntegers) {
  for (const char* text :
       {"c5h17w33-f3k3-reflect101-f32:f32-none", "c17h9w40-f35k5-wrap-f32:f32-none",
        "c64h9w33-f70k3-constant=-3.5-f32:f32-none", "c20h9w9-f6k3x5a2x0-reflect-u16:f32-none",
        "c128h8w32-f64k2-replicate-u8:f32-none"}) {
    on_host::setSeed(hash(parseProblem(text)));
    const ConvolutionProblem p = parseProblem(text);
    const FilterBank bank = withAnchor(integerBank(p.filterCount, p.channels, p.filterHeight, p.filterWidth),
                                       p.anchorX, p.anchorY);
    const Image image = integerImage(p.channels, p.height, p.width, p.srcType);
    const auto exact = runWhole(reference(), p, bank, image);
    const auto got = runWhole(engine, p, bank, image);
    for (std::size_t i = 0; i < got.size(); ++i)
      EXPECT_TRUE(samePixels(got[i], exact[i])) << text << ": " << difference(got, exact).place();
  }
}

/// Pixels far from one in both directions: the scale brings them into half precision.
TEST_P(HalfOnHost, TakesPixelsOfAnySize) {
  const ConvolutionProblem p = parseProblem("c18h12w40-f9k3-constant-f32:f32-none");
  const FilterBank bank = randomBank(9, 18, 3, 3, 3);
  for (const float size : {1e-25f, 1e-6f, 3e5f, 1e25f}) {
    Image image = randomImage(18, 12, 40, ElementType::F32, 4);
    for (int c = 0; c < 18; ++c)
      for (int y = 0; y < 12; ++y)
        for (int x = 0; x < 40; ++x) image.view<float>(c).row(y)[x] *= size;
    double ratio = 0;
    EXPECT_TRUE(testing::meetsBound(engine, p, bank, image, &ratio)) << size;
    EXPECT_GT(ratio, 0.001) << "it rounds";
  }
}

/// A constant border far below what the type's pixels can be, and no half: beside it nothing but zeros.
TEST_P(HalfOnHost, TakesATinyBorder) {
  for (const char* text :
       {"c9h6w9-f3k3-constant=1e-6-u8:f32-none", "c9h6w9-f3k3-constant=1.2345e-5-f16:f32-none"}) {
    const ConvolutionProblem p = parseProblem(text);
    const FilterBank bank = randomBank(3, 9, 3, 3, 3);
    const Image image(9, 6, 9, p.srcType);
    EXPECT_TRUE(testing::meetsBound(engine, p, bank, image));
  }
}

/// Algorithm 2 with units of every width, as the bank-width benchmark runs it.
TEST(UnitsOnHost, AreAllRight) {
  for (const ElementType type : {ElementType::F16, ElementType::F32}) {
    ConvolutionProblem p = parseProblem("c4h12w64-f64k3-constant-f32:f32-none");
    p.srcType = type;
    const FilterBank bank = integerBank(64, 4, 3, 3, 5);
    const Image image = integerImage(4, 12, 64, type);
    const auto exact = runWhole(reference(), p, bank, image);
    const std::size_t size = sizeOf(type);
    struct alignas(256) Unit {
      std::byte bytes[256];
    };
    std::vector<Unit> from(4 * 12 * 64 * size / sizeof(Unit));
    for (int c = 0; c < 4; ++c)
      for (int y = 0; y < 12; ++y)
        std::copy_n(image.plane(c).row(y), 64 * size,
                    from.front().bytes + static_cast<std::size_t>(c * 12 + y) * 64 * size);
    for (const int unit : {1, 2, 4}) {
      const auto pass = cuda::makeUnitPass(p, bank, unit);
      std::vector<Unit> to(pass->resultBytes() / sizeof(Unit) + 1);
      pass->start(from.data(), to.data(), nullptr);
      for (int f = 0; f < 64; ++f)
        for (int y = 0; y < 12; ++y) {
          const auto* row =
              reinterpret_cast<const float*>(to.front().bytes + pass->plane(f).offset +
                                             static_cast<std::size_t>(y) * pass->plane(f).rowBytes);
          for (int x = 0; x < 64; ++x)
            ASSERT_EQ(row[x], exact[static_cast<std::size_t>(f)].view<float>(0).row(y)[x])
                << toString(type) << " units of " << unit << ", filter " << f << " at " << x << ", " << y;
        }
    }
  }
}

}  // namespace
}  // namespace bankside
