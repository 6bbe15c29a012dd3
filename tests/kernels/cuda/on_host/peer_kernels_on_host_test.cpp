/// What peers of the GPU do with pixels before and after the library's call.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/element_type.h"
#include "core/engine.h"
#include "core/made_input.h"
#include "kernels/peers/half_planes.h"
#include "kernels/peers/im2col.h"
#include "kernels/reference/reference_engine.h"

namespace bankside::cuda {
namespace {

/// The product that cuBLAS is asked for, in its terms, with the columns made here: responses of the bank.
TEST(Im2colOnHost, MakesTheProductTheBank) {
  for (const char* text : {"c3h11w13-f2k3-constant=-3.5-f32:f32-none", "c2h9w7-f3k4x5a3x0-wrap-f32:f32-none",
                           "c5h6w6-f2k5x2-reflect-f32:f32-none", "c1h3w2-f1k7-reflect101-f32:f32-none",
                           "c4h8w8-f3k3-replicate-f32:f32-none-convolution"}) {
    const ConvolutionProblem p = parseProblem(text);
    const FilterBank bank =
        withMode(withAnchor(integerBank(p.filterCount, p.channels, p.filterHeight, p.filterWidth), p.anchorX,
                            p.anchorY),
                 p.mode);
    const CorrelationTaps taps = correlationTaps(p, bank);
    const Image image = integerImage(p.channels, p.height, p.width, ElementType::F32);
    std::vector<float> src;
    for (int c = 0; c < p.channels; ++c)
      for (int y = 0; y < p.height; ++y)
        src.insert(src.end(), image.view<float>(c).row(y), image.view<float>(c).row(y) + p.width);
    const int depth = p.channels * p.filterHeight * p.filterWidth;
    const int pixels = p.height * p.width;
    const auto exact = runWhole(*makeReferenceEngine(), p, bank, image);
    for (const int atOnce : {pixels, 10}) {
      for (int first = 0; first < pixels; first += atOnce) {
        const int count = std::min(atOnce, pixels - first);
        std::vector<float> columns(static_cast<std::size_t>(depth * count), NAN);
        startIm2col(p, taps.anchorX, taps.anchorY, src.data(), first, count, columns.data(), nullptr);
        for (int f = 0; f < p.filterCount; ++f) {
          for (int i = 0; i < count; ++i) {
            // Column by column, as cuBLAS counts: A is count x depth, B depth x filters.
            float sum = 0;
            for (int k = 0; k < depth; ++k)
              sum += columns[static_cast<std::size_t>(i + k * count)] *
                     taps.taps[static_cast<std::size_t>(k + f * depth)];
            const int pixel = first + i;
            EXPECT_EQ(sum,
                      exact[static_cast<std::size_t>(f)].view<float>(0).row(pixel / p.width)[pixel % p.width])
                << text << " filter " << f << " pixel " << pixel;
          }
        }
      }
    }
  }
}

TEST(HalfPlanesOnHost, GoThereAndBack) {
  for (const int planes : {1, 3, 33, 70}) {
    for (const std::size_t pixels : {std::size_t{1}, std::size_t{31}, std::size_t{100}}) {
      const std::size_t count = static_cast<std::size_t>(planes) * pixels;
      std::vector<float> src(count);
      for (std::size_t i = 0; i < count; ++i) src[i] = static_cast<float>(i % 2000) - 999.5f;
      for (const bool channelsLast : {false, true}) {
        std::vector<Half> halves(count);
        startToHalf(src.data(), halves.data(), planes, pixels, channelsLast, nullptr);
        for (std::size_t p = 0; p < pixels; ++p)
          for (std::size_t c = 0; c < static_cast<std::size_t>(planes); ++c)
            ASSERT_EQ(halves[channelsLast ? p * static_cast<std::size_t>(planes) + c : c * pixels + p],
                      toHalf(src[c * pixels + p]));
        std::vector<float> back(count);
        startToFloat(halves.data(), back.data(), planes, pixels, channelsLast, 4.0f, nullptr);
        for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(back[i], 4.0f * toFloat(toHalf(src[i])));
      }
    }
  }
}

}  // namespace
}  // namespace bankside::cuda
