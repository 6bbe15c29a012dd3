/// Two stages on one device, the maps between them in blocks: neither waits for the other's turn on it.
#include <gtest/gtest.h>

#include "core/made_input.h"
#include "core/run/runner.h"
#include "tests/kernels/cuda/on_host/engines_on_host.h"

namespace bankside {
namespace {

using Band = std::vector<Image>;

std::vector<Band> bandsOf(const Pipeline& pipeline, const Image& image, std::int64_t budget) {
  Runner runner(
      pipeline, {.plan = {}, .memoryBudget = budget},
      [](const ConvolutionProblem&) -> const Engine& { return *engineOnHost("cuda:single-channel"); });
  ImageSource source(image);
  std::vector<Band> bands;
  runner.run(source, [&](int, const Band& planes) {
    Band& band = bands.emplace_back();
    for (const Image& plane : planes) band.push_back(plane.clone());
  });
  return bands;
}

TEST(TwoStagesOnHost, MapsInBlocksGiveTheBytesOfTheWhole) {
  Pipeline pipeline(randomBank(2, 1, 3, 3, 1));
  pipeline.stages.front().activation = Activation::Abs;
  pipeline.stages.push_back({randomBank(1, 1, 5, 5, 2)});
  const Image image = randomImage(1, 48, 36, ElementType::F32);
  const std::vector<Band> whole = bandsOf(pipeline, image, std::int64_t{1} << 30);
  ASSERT_EQ(whole.size(), 1u);
  const std::vector<Band> bands = bandsOf(pipeline, image, 36 * 4 * 2 * 16);
  ASSERT_GT(bands.size(), 2u);
  for (std::size_t plane = 0; plane < whole[0].size(); ++plane) {
    int y = 0;
    for (const Band& band : bands) {
      for (int row = 0; row < band[plane].height(); ++row, ++y)
        for (int x = 0; x < image.width(); ++x)
          ASSERT_EQ(band[plane].view<float>(0).row(row)[x], whole[0][plane].view<float>(0).row(y)[x])
              << plane << " " << x << " " << y;
    }
    EXPECT_EQ(y, image.height());
  }
}

}  // namespace
}  // namespace bankside
