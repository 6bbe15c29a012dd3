#include "core/run/channel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "tests/support/made_images.h"

namespace bankside {
namespace {

const std::vector<std::string> colours = {"red", "green", "blue"};

std::uint8_t firstPixel(Source& source, int channel = 0) {
  Image row(1, 1, source.width(), ElementType::U8);
  source.readRows(channel, 0, row.plane(0));
  return row.view<std::uint8_t>(0).at(0, 0);
}

Image onePixel(std::vector<int> values) {
  Image image(static_cast<int>(values.size()), 1, 1, ElementType::U8);
  for (std::size_t c = 0; c < values.size(); ++c) {
    image.view<std::uint8_t>(static_cast<int>(c)).at(0, 0) = static_cast<std::uint8_t>(values[c]);
  }
  return image;
}

TEST(Channel, AutoTakesGreyAsItIsAndMixesColour) {
  const Image grey = onePixel({7});
  ImageSource greySource(grey);
  const auto asIs = selectChannels(greySource, {"grey"}, ChannelChoice::Auto, 1);
  EXPECT_EQ(firstPixel(*asIs.source), 7);
  EXPECT_EQ(asIs.note, "");
  const Image colour = onePixel({200, 100, 50});
  ImageSource source(colour);
  const auto luma = selectChannels(source, colours, ChannelChoice::Auto, 1);
  EXPECT_EQ(firstPixel(*luma.source), 124);  // 59.8 + 58.7 + 5.7 = 124.2
  EXPECT_THAT(luma.note, ::testing::HasSubstr("luma"));
}

TEST(Channel, PicksOneAndSaysWhatIsLeftOut) {
  const Image image = onePixel({200, 100, 50, 9});
  ImageSource source(image);
  const auto green = selectChannels(source, {"red", "green", "blue", "alpha"}, ChannelChoice::Green, 1);
  EXPECT_EQ(firstPixel(*green.source), 100);
  EXPECT_EQ(green.dropped, (std::vector<std::string>{"red", "blue", "alpha"}));
  const auto luma = selectChannels(source, {"red", "green", "blue", "alpha"}, ChannelChoice::Auto, 1);
  EXPECT_EQ(luma.dropped, std::vector<std::string>{"alpha"});
}

TEST(Channel, AllKeepsEveryPlane) {
  const Image image = onePixel({1, 2, 3, 4});
  ImageSource source(image);
  const auto all = selectChannels(source, {"red", "green", "blue", "alpha"}, ChannelChoice::All, 1);
  EXPECT_EQ(all.source->channels(), 4);
  EXPECT_EQ(firstPixel(*all.source, 3), 4);
}

TEST(Channel, PagesMaxIsTheLargestValueOfAllPages) {
  const Image image = onePixel({3, 250, 17});
  ImageSource source(image);
  const std::vector<std::string> pages = {"page1", "page2", "page3"};
  const auto largest = selectChannels(source, pages, ChannelChoice::PagesMax, 1);
  EXPECT_EQ(largest.source->channels(), 1);
  EXPECT_EQ(largest.source->type(), ElementType::U8);
  EXPECT_EQ(firstPixel(*largest.source), 250);
  EXPECT_EQ(largest.names, std::vector<std::string>{"pages-max"});
  EXPECT_EQ(parseChannelChoice("pages-max"), ChannelChoice::PagesMax);
  EXPECT_THROW(selectChannels(source, pages, ChannelChoice::PagesMax, 3), Error) << "one channel is left";
  EXPECT_THROW(selectChannels(source, colours, ChannelChoice::PagesMax, 1), Error) << "one page was opened";
}

TEST(Channel, PagesMaxKeepsWhatIsNoNumber) {
  Image image(2, 1, 4, ElementType::F32);
  const float values[2][4] = {{-2, NAN, 1, -INFINITY}, {-1, 5, NAN, -INFINITY}};
  for (int c = 0; c < 2; ++c) std::copy_n(values[c], 4, image.view<float>(c).row(0));
  ImageSource source(image);
  const auto largest = selectChannels(source, {"page1", "page2"}, ChannelChoice::PagesMax, 1);
  Image row(1, 1, 4, ElementType::F32);
  largest.source->readRows(0, 0, row.plane(0));
  const float* got = row.view<float>(0).row(0);
  EXPECT_EQ(got[0], -1);
  EXPECT_TRUE(std::isnan(got[1]));
  EXPECT_TRUE(std::isnan(got[2]));
  EXPECT_EQ(got[3], -INFINITY);
}

TEST(Channel, AutoGivesAColourBankItsColours) {
  const Image image = onePixel({1, 2, 3});
  ImageSource source(image);
  EXPECT_EQ(selectChannels(source, colours, ChannelChoice::Auto, 3).source->channels(), 3);
  EXPECT_THROW(selectChannels(source, colours, ChannelChoice::Auto, 2), Error);
  EXPECT_THROW(selectChannels(source, colours, ChannelChoice::Green, 3), Error);
}

TEST(Channel, RefusesAChannelThatIsNotThere) {
  const Image grey = onePixel({7});
  ImageSource source(grey);
  try {
    selectChannels(source, {"grey"}, ChannelChoice::Green, 1);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("has no green channel; it has grey"));
  }
}

}  // namespace
}  // namespace bankside
