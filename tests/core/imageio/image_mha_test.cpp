/// MetaImage from bytes written by hand, and back.
#include "tests/core/imageio/raw_read.h"

namespace bankside {
namespace {

using testing::anyBits;
using testing::RawRead;
using testing::values;
using Values = std::vector<int>;
using namespace std::string_literals;

/// As ITK 5 writes it: whatever `more` says comes after its fields, which it may repeat.
std::string metaImage(const std::string& more, const std::string& pixels) {
  return "ObjectType = Image\nNDims = 2\nBinaryData = True\nBinaryDataByteOrderMSB = False\n"
         "CompressedData = False\nTransformMatrix = 1 0 0 1\nOffset = 0 0\nCenterOfRotation = 0 0\n"
         "ElementSpacing = 1 1\nDimSize = 3 2\n" +
         more + "ElementDataFile = LOCAL\n" + pixels;
}

class MetaImage : public RawRead {};

TEST_F(MetaImage, IsReadAsItkWritesIt) {
  const LoadedImage grey = read(metaImage("ElementType = MET_UCHAR\n", "abcdef"));
  EXPECT_EQ(grey.info.format, "MetaImage");
  EXPECT_EQ(grey.info.channelNames, std::vector<std::string>{"grey"});
  EXPECT_EQ(values(grey.image), (Values{97, 98, 99, 100, 101, 102}));
  EXPECT_TRUE(grey.info.notes.empty());

  const LoadedImage colour =
      read(metaImage("ElementNumberOfChannels = 3\nElementType = MET_UCHAR\n", "RGBrgbRGBrgbRGBrgb"));
  EXPECT_EQ(colour.info.channelNames, (std::vector<std::string>{"red", "green", "blue"}));
  EXPECT_EQ(values(colour.image, 2), (Values{'B', 'b', 'B', 'b', 'B', 'b'}));
}

TEST_F(MetaImage, BothByteOrdersHoldTheSameNumbers) {
  const Values expected = {1, 256, 65535, 0, 2, 3};
  EXPECT_EQ(values(read(metaImage("ElementType = MET_USHORT\n", "\1\0\0\1\xff\xff\0\0\2\0\3\0"s)).image),
            expected);
  EXPECT_EQ(values(read(metaImage("BinaryDataByteOrderMSB = True\nElementType = MET_USHORT\n",
                                  "\0\1\1\0\xff\xff\0\0\0\2\0\3"s))
                       .image),
            expected);
}

TEST_F(MetaImage, SlicesArePages) {
  const std::string volume = metaImage("NDims = 3\nDimSize = 2 1 3\nElementType = MET_UCHAR\n", "abcdef");
  for (int page = 0; page < 3; ++page) {
    const LoadedImage loaded = read(volume, page);
    EXPECT_EQ(loaded.info.pages, 3);
    EXPECT_EQ(values(loaded.image), (Values{97 + 2 * page, 98 + 2 * page}));
  }
  EXPECT_EQ(refusal(volume.substr(0, volume.size() - 1)),
            "is cut short: its header promises 3 slices, the file ends before");
  EXPECT_EQ(
      refusal(metaImage("NDims = 3\nDimSize = 1 1 1000001\nElementType = MET_UCHAR\n", ""), ErrorCode::Limit),
      "has 1000001 slices, the limit is 1000000");
}

TEST_F(MetaImage, WhatIsNotUsedIsSaid) {
  const LoadedImage loaded =
      read(metaImage("ElementSpacing = 0.5 0.25\nElementType = MET_UCHAR\n", "abcdef"));
  EXPECT_EQ(loaded.info.notes, std::vector<std::string>{"spacing of pixels (0.5 0.25) not used"});
}

TEST_F(MetaImage, OtherKindsAreRefusedByName) {
  const auto unsupported = [&](const std::string& more) {
    return refusal(metaImage(more, "abcdef"), ErrorCode::Unsupported);
  };
  EXPECT_EQ(unsupported("ElementType = MET_SHORT\n"),
            "is a MetaImage of MET_SHORT; save it as MET_UCHAR, MET_USHORT or MET_FLOAT");
  EXPECT_EQ(unsupported("CompressedData = True\nElementType = MET_UCHAR\n"),
            "is a compressed MetaImage; save it without compression");
  EXPECT_EQ(unsupported("BinaryData = False\nElementType = MET_UCHAR\n"),
            "is a MetaImage of pixels as text; save it as binary");
  EXPECT_EQ(unsupported("ElementDataFile = a.raw\n"),
            "is a MetaImage whose pixels are in another file (a.raw); save it as one .mha");
  EXPECT_EQ(unsupported("NDims = 4\nDimSize = 1 1 1 1\nElementType = MET_UCHAR\n"),
            "is a MetaImage of 4 dimensions; read are 2, and 3 as pages");
  EXPECT_EQ(refusal("ObjectType = Tube\nElementDataFile = LOCAL\n", ErrorCode::Unsupported),
            "is a MetaImage file of no image (Tube)");
}

TEST_F(MetaImage, DamagedHeaders) {
  const std::string start = "has a damaged MetaImage header: ";
  EXPECT_EQ(refusal("ObjectType = Image\nNDims = 2\n"), start + "it does not say where the pixels are");
  EXPECT_EQ(refusal("ObjectType = Image\n" + std::string(70'000, 'a')),
            start + "it does not say where the pixels are");
  EXPECT_EQ(refusal("ObjectType\n"), start + "a line has no \"=\"");
  for (const char* sizes : {"0 2", "-1 2", "1.5 2", "1e300 2", "nan 2", "16777217 2"}) {
    EXPECT_EQ(refusal(metaImage("DimSize = "s + sizes + "\nElementType = MET_UCHAR\n", "abcdef")),
              start + "DimSize is no usable number")
        << sizes;
  }
  EXPECT_EQ(refusal(metaImage("DimSize = a b\n", "")), start + "DimSize is no list of numbers");
  EXPECT_EQ(refusal(metaImage("DimSize = 1 2 3\n", "")), start + "NDims and DimSize do not agree");
  EXPECT_EQ(refusal(metaImage("ElementType = MET_UCHAR\n", "abcde")),
            "is cut short: its header promises 6 bytes of pixels, the file has 5");
}

TEST_F(MetaImage, GivesBackWhatWasWritten) {
  for (const ElementType type : {ElementType::U8, ElementType::U16, ElementType::F32}) {
    for (const int channels : {1, 2, 3, 4, 12}) {
      const Image image = anyBits(channels, 7, 5, type);
      writeImage(path_, image, FileFormat::Mha);
      EXPECT_TRUE(samePixels(readImage(path_).image, image)) << toString(type) << " " << channels;
    }
  }
  EXPECT_EQ(testing::refusalOf([&] {
              writeImage(folder_ / "f16", Image(1, 2, 2, ElementType::F16), FileFormat::Mha);
            }).sentence,
            (folder_ / "f16").string() + ": MetaImage cannot hold float16; use tiff or npy");
}

}  // namespace
}  // namespace bankside
