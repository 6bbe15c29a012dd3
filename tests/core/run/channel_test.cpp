#include "core/run/channel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
