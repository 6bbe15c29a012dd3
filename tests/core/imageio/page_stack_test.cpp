#include "core/imageio/page_stack.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/run/channel.h"
#include "core/run/runner.h"
#include "kernels/engines.h"
#include "tests/core/imageio/image_files.h"
#include "tests/core/run/two_stages.h"
#include "tests/support/made_images.h"

namespace bankside {
namespace {

using ::testing::HasSubstr;
using testing::Path;
using testing::TemporaryFolder;
using testing::TiffOptions;

/// A TIFF whose pages are the image's planes.
void writePages(const Path& path, const Image& image) {
  for (int c = 0; c < image.channels(); ++c) {
    testing::writeTiff(
        path, {.width = image.width(), .height = image.height(), .rowsPerStrip = 4},
        [&](int, int y, int x) { return std::uint64_t{image.view<std::uint8_t>(c).at(x, y)}; },
        c == 0 ? "w" : "a");
  }
}

TEST(PageStack, PagesAreTheChannelsThatABankSumsOver) {
  const TemporaryFolder folder;
  const Image image = testing::integerImage(5, 23, 31, ElementType::U8);
  writePages(folder / "stack.tiff", image);
  const FilterBank bank = testing::integerBank(2, 5, 3, 3);
  const auto problem = makeProblem(bank, 5, 23, 31, ElementType::U8, ElementType::F32, {}, Combine::None);
  const auto expected = runWhole(*findEngine("reference"), problem, bank, image);
  for (const std::int64_t memory : {std::int64_t{1} << 20, std::int64_t{0}}) {
    const PageStack stack = openPageStack(ImageFile(folder / "stack.tiff"), memory);
    EXPECT_EQ(stack.info.pages, 1);
    EXPECT_EQ(stack.info.channelNames,
              (std::vector<std::string>{"page1", "page2", "page3", "page4", "page5"}));
    EXPECT_EQ(stack.source->resident(4).has_value(), memory > 0);
    const auto chosen = selectChannels(*stack.source, stack.info.channelNames, ChannelChoice::Pages, 5);
    Runner runner(bank, {}, testing::named("cpu:direct"));
    const auto planes = testing::collect(runner, *chosen.source);
    ASSERT_EQ(planes.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) EXPECT_TRUE(samePixels(planes[i], expected[i])) << memory;
    EXPECT_EQ(testing::refusalOf([&] {
                selectChannels(*stack.source, stack.info.channelNames, ChannelChoice::Pages, 4);
              }).sentence,
              "the bank sums over 4 channels and the choice \"pages\" gives 5");
  }
}

TEST(PageStack, RefusesPagesThatDoNotGoTogether) {
  const TemporaryFolder folder;
  const Path path = folder / "a.tiff";
  const auto page = [&](const TiffOptions& options, const char* mode) {
    testing::writeTiff(
        path, options, [](int, int, int) { return std::uint64_t{1}; }, mode);
  };
  const auto refusal = [&] { return testing::refusalOf([&] { openPageStack(ImageFile(path), 1 << 20); }); };
  page({.width = 4, .height = 3}, "w");
  page({.width = 4, .height = 3, .bits = 16}, "a");
  EXPECT_THAT(refusal().sentence, HasSubstr("page 2 is 4 x 3 u16, the first is 4 x 3 u8"));
  page({.width = 4, .height = 3}, "w");
  page({.width = 5, .height = 3}, "a");
  EXPECT_THAT(refusal().sentence, HasSubstr("page 2 is 5 x 3 u8, the first is 4 x 3 u8"));
  page({.width = 4, .height = 3, .samples = 3, .photometric = 2}, "w");
  EXPECT_THAT(refusal().sentence, HasSubstr("page 1 has the channels red, green and blue"));
  EXPECT_EQ(refusal().code, ErrorCode::BadInput);
  page({.width = 1, .height = 1}, "w");
  for (int i = 0; i < maxStreamedPages; ++i) page({.width = 1, .height = 1}, "a");
  const auto many = testing::refusalOf([&] { openPageStack(ImageFile(path), 0); });
  EXPECT_THAT(many.sentence, HasSubstr("257 pages do not fit the memory allowed, and at most 256"));
  EXPECT_EQ(many.code, ErrorCode::Limit);
}

TEST(PageStack, AColourImageIsNoStack) {
  const Image image = testing::integerImage(3, 4, 4, ElementType::U8);
  ImageSource source(image);
  EXPECT_THAT(testing::refusalOf([&] {
                selectChannels(source, {"red", "green", "blue"}, ChannelChoice::Pages, 3);
              }).sentence,
              HasSubstr("one page was opened"));
  const auto all = selectChannels(source, {"red", "green", "blue"}, ChannelChoice::Auto, 3);
  EXPECT_EQ(all.source->channels(), 3) << "a bank of three channels takes the colours as they are";
}

/// To the byte: five planes of 23 x 31 fit their size and no less.
TEST(PageStack, LiesInMemoryWhereItFits) {
  const TemporaryFolder folder;
  writePages(folder / "stack.tiff", testing::integerImage(5, 23, 31, ElementType::U8));
  const auto resident = [&](std::int64_t bytes) {
    return openPageStack(ImageFile(folder / "stack.tiff"), bytes).source->resident(0).has_value();
  };
  EXPECT_TRUE(resident(5 * 23 * 31));
  EXPECT_FALSE(resident(5 * 23 * 31 - 1));
}

}  // namespace
}  // namespace bankside
