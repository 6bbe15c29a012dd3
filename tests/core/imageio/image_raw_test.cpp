/// PBM, PGM, PPM, PFM and NPY from bytes written by hand.
#include <gtest/gtest.h>

#include <algorithm>

#include <cmath>
#include <cstring>

#include "tests/core/imageio/raw_read.h"

namespace bankside {
namespace {

using testing::RawRead;
using testing::values;
using Names = std::vector<std::string>;
using namespace std::string_literals;

TEST_F(RawRead, PlainNetpbm) {
  LoadedImage grey = read("P2\n# made by hand\n3 2 # wide, high\n200\n0 100 200\n7 # seven\n8 9\n");
  EXPECT_EQ(grey.info.format, "PGM");
  EXPECT_EQ(grey.image.type(), ElementType::U8);
  EXPECT_EQ(values(grey.image), (std::vector<int>{0, 100, 200, 7, 8, 9}));
  LoadedImage wide = read("P2 2 1 1023 1023 4\n");
  EXPECT_EQ(wide.image.type(), ElementType::U16);
  EXPECT_EQ(values(wide.image), (std::vector<int>{1023, 4}));
  LoadedImage colour = read("P3 2 1 255\n1 2 3  4 5 6\n");
  EXPECT_EQ(colour.info.format, "PPM");
  EXPECT_EQ(colour.info.channelNames, (Names{"red", "green", "blue"}));
  EXPECT_EQ(values(colour.image, 0), (std::vector<int>{1, 4}));
  EXPECT_EQ(values(colour.image, 2), (std::vector<int>{3, 6}));
  LoadedImage bits = read("P1\n3 2\n1 0 1\n001");
  EXPECT_EQ(bits.info.format, "PBM");
  EXPECT_EQ(values(bits.image), (std::vector<int>{0, 255, 0, 255, 255, 0}));
  EXPECT_EQ(bits.info.notes, Names{"1-bit pixels expanded to 0..255"});
}

TEST_F(RawRead, RawNetpbm) {
  EXPECT_EQ(values(read("P5 2 2 255\n\x01\x02\xfe\xff").image), (std::vector<int>{1, 2, 254, 255}));
  EXPECT_EQ(values(read("P5\n2 1\n65535\n\x01\x02\xff\xfe").image), (std::vector<int>{0x0102, 0xfffe}));
  EXPECT_EQ(values(read("P5\n2 1\n300\n\x01\x02\x00\x05"s).image), (std::vector<int>{0x0102, 5}));
  EXPECT_EQ(values(read("P6\n1 2\n255\nabcdef").image, 1), (std::vector<int>{'b', 'e'}));
  EXPECT_EQ(values(read("P6 1 1 65535\n\x00\x01\x00\x02\x00\x03"s).image, 2), (std::vector<int>{3}));
  EXPECT_EQ(
      values(read("P4 10 2\n\xaa\x80\x55\x7f").image),
      (std::vector<int>{0, 255, 0, 255, 0, 255, 0, 255, 0, 255, 255, 0, 255, 0, 255, 0, 255, 0, 255, 0}));
  std::vector<int> bits(32, 0);  // two bytes a row of 16
  std::fill_n(bits.begin() + 16, 15, 255);
  EXPECT_EQ(values(read("P4 16 2\n\xff\xff\x00\x01"s).image), bits);
  EXPECT_EQ(values(read("P5 1 1 255 # a comment\nA").image), (std::vector<int>{'A'}));
  EXPECT_EQ(values(read("P5\r\n2 1\r\n255\r\nAB").image), (std::vector<int>{'A', 'B'}));
  EXPECT_EQ(values(read("P5 2 1 255\r\nA").image), (std::vector<int>{'\n', 'A'}));  // as the format says
}

TEST_F(RawRead, RawNetpbmPages) {
  const std::string two = "P5 2 1 255\nABP6 1 1 255\nxyz";
  EXPECT_EQ(values(read(two).image), (std::vector<int>{'A', 'B'}));
  EXPECT_EQ(read(two).info.pages, 2);
  EXPECT_EQ(values(read(two, 1).image, 2), (std::vector<int>{'z'}));
}

/// What follows the last picture and is none is a remark; a picture with a damaged header is a page that
/// fails.
TEST_F(RawRead, RawNetpbmWithSomethingBehind) {
  const std::string two = "P5 2 1 255\nABP5 2 1 255\nCD";
  const auto remarks = [&](const std::string& bytes, int page) {
    const std::vector<std::string> notes = read(bytes, page).info.notes;
    return std::count(notes.begin(), notes.end(), "what follows this picture is none and is not read");
  };
  for (const std::string& end : {"P"s, "XXP5 2 1 255\nCD"s, "P9 1 1 255\nA"s}) {
    EXPECT_EQ(read(two + end).info.pages, 2);
    EXPECT_EQ(remarks(two + end, 0), 0);
    EXPECT_EQ(remarks(two + end, 1), 1);
  }
  EXPECT_EQ(remarks(two + "\n \0\0"s, 1), 0);
  EXPECT_EQ(read(two + "P5 xx\n").info.pages, 3);
  EXPECT_EQ(values(read(two + "P5 xx\n", 1).image), (std::vector<int>{'C', 'D'}));
  EXPECT_THROW(read(two + "P5 xx\n", 2), Error);
}

TEST_F(RawRead, DamagedNetpbm) {
  EXPECT_EQ(refusal("P5 2 2 255\nABC"),
            "is cut short: its header promises 4 bytes of pixels, the file has 3");
  EXPECT_EQ(refusal("P5 65536 65536 255\nABCDEFGHIJKLMNOPQRST"),
            "is cut short: its header promises 4294967296 bytes of pixels, the file has 20");
  EXPECT_EQ(refusal("P2 60000 60000 255\n1 2 3\n"),
            "is cut short: its header promises 7200000000 bytes of pixels, the file has 6");
  EXPECT_EQ(refusal("P5 0 5 255\n"), "holds no pixels (0 x 5 pixels)");
  EXPECT_EQ(refusal("P5 2000000 1 255\nA", ErrorCode::Limit),
            "has 2000000 x 1 pixels, the limit is 1000000 a side");
  EXPECT_EQ(refusal("P5 999999 999999 255\nA", ErrorCode::Limit),
            "has 999999 x 999999 pixels, more than the limit of 4294967296; --max-pixels allows more");
  EXPECT_EQ(refusal("P5 99999999999999999999 1 255\nA"), "has a damaged header: no usable width");
  EXPECT_EQ(refusal("P5 -1 1 255\nA"), "has a damaged header: no usable width");
  EXPECT_EQ(refusal("P5 1 1 0\nA"), "has a maximum value of 0, outside 1 to 65535");
  EXPECT_EQ(refusal("P5 1 1 65536\nAA"), "has a maximum value of 65536, outside 1 to 65535");
  EXPECT_EQ(refusal("P2 2 1 9\n9 10\n"), "is damaged: a pixel is not a number from 0 to 9");
  EXPECT_EQ(refusal("P2 2 1 9\n9 x\n"), "is damaged: a pixel is not a number from 0 to 9");
  EXPECT_EQ(refusal("P2 2 1 99\n9 10"), "is cut short: the file ends within the pixels");
  EXPECT_EQ(refusal("P1 2 1\n02"), "is damaged: a pixel is neither 0 nor 1");
  EXPECT_EQ(refusal("P5 1"), "has a damaged header: no usable width");
}

std::string floats(std::initializer_list<float> list, bool bigEndian) {
  std::string bytes;
  for (const float value : list) {
    std::string four(4, '\0');
    std::memcpy(four.data(), &value, 4);
    bytes += bigEndian ? std::string(four.rbegin(), four.rend()) : four;
  }
  return bytes;
}

TEST_F(RawRead, PfmBothByteOrdersBottomRowFirst) {
  for (const bool bigEndian : {false, true}) {
    const std::string scale = bigEndian ? "2.5" : "-2.5";
    EXPECT_EQ(values(read("Pf\n2 2\n" + scale + "\n" + floats({3, 4, 1, 2}, bigEndian)).image),
              (std::vector<int>{1, 2, 3, 4}));
    const LoadedImage colour = read("PF 1 2 " + scale + "\n" + floats({4, 5, 6, 1, 2, 3}, bigEndian));
    EXPECT_EQ(values(colour.image, 1), (std::vector<int>{2, 5}));
    EXPECT_EQ(colour.info.channelNames, (Names{"red", "green", "blue"}));
  }
  EXPECT_EQ(values(read("Pf 1 1 0.5\n" + floats({7}, true)).image), std::vector<int>{7});
  const LoadedImage odd = read("Pf 2 1 -1\n" + floats({NAN, -INFINITY}, false));
  EXPECT_TRUE(std::isnan(odd.image.view<float>(0).at(0, 0)));
  EXPECT_EQ(odd.image.view<float>(0).at(1, 0), -INFINITY);
  EXPECT_EQ(values(read("Pf\r\n1 1\r\n-1\r\n" + floats({7}, false)).image), std::vector<int>{7});
}

TEST_F(RawRead, DamagedPfm) {
  const std::string bad = "has a damaged PFM header: width, height or scale is no usable number";
  EXPECT_EQ(refusal("Pf 1 1 0\nAAAA"), bad);
  EXPECT_EQ(refusal("Pf 1 1 nan\nAAAA"), bad);
  EXPECT_EQ(refusal("Pf 1x 1 1\nAAAA"), bad);
  EXPECT_EQ(refusal("Pf 1 1"), "has a damaged PFM header");
  EXPECT_EQ(refusal("Pf 0 1 1\nAAAA"), "holds no pixels (0 x 1 pixels)");
  EXPECT_EQ(refusal("Pf 9 9 1\nAAAA"),
            "is cut short: its header promises 324 bytes of pixels, the file has 4");
}

std::string npy(const std::string& header, const std::string& pixels, int version = 1) {
  std::string bytes = "\x93NUMPY"s + static_cast<char>(version) + '\0';
  bytes += static_cast<char>(header.size());
  bytes += '\0';
  if (version > 1) bytes += "\0\0"s;
  return bytes + header + pixels;
}
std::string dictionary(const std::string& type, const std::string& shape, bool fortran = false) {
  return "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") +
         ", 'shape': " + shape + ", }\n";
}

TEST_F(RawRead, NpyTypesVersionsAndByteOrders) {
  for (const int version : {1, 2, 3}) {
    const LoadedImage loaded = read(npy(dictionary("|u1", "(2, 3)"), "abcdef", version));
    EXPECT_EQ(loaded.info.format, "NPY");
    EXPECT_EQ(loaded.info.channelNames, Names{"grey"});
    EXPECT_EQ(values(loaded.image), (std::vector<int>{'a', 'b', 'c', 'd', 'e', 'f'}));
  }
  EXPECT_EQ(values(read(npy(dictionary("<u2", "(1, 2)"), "\x01\x02\x03\x04")).image),
            (std::vector<int>{0x201, 0x403}));
  EXPECT_EQ(values(read(npy(dictionary(">u2", "(1, 2)"), "\x01\x02\x03\x04")).image),
            (std::vector<int>{0x102, 0x304}));
  EXPECT_EQ(values(read(npy(dictionary("<f4", "(1, 2)"), floats({5, -6}, false))).image),
            (std::vector<int>{5, -6}));
  EXPECT_EQ(values(read(npy(dictionary(">f4", "(1, 2)"), floats({5, -6}, true))).image),
            (std::vector<int>{5, -6}));
  const LoadedImage half = read(npy(dictionary("<f2", "(1, 2)"), "\x00\x3c\x00\xc0"s));
  EXPECT_EQ(half.image.type(), ElementType::F16);
  EXPECT_EQ(values(half.image), (std::vector<int>{1, -2}));
  EXPECT_EQ(values(read(npy("{\"shape\":(1,2),\"fortran_order\":False,\"descr\":\"|u1\"}", "ab")).image),
            (std::vector<int>{'a', 'b'}));
}

TEST_F(RawRead, NpyAxes) {
  const LoadedImage planar = read(npy(dictionary("|u1", "(3, 1, 2)"), "abcdef"));
  EXPECT_EQ(planar.info.channelNames, (Names{"channel0", "channel1", "channel2"}));
  EXPECT_EQ(values(planar.image, 1), (std::vector<int>{'c', 'd'}));
  const LoadedImage last = read(npy(dictionary("|u1", "(1, 2, 3)"), "abcdef"));
  EXPECT_EQ(last.info.channelNames, (Names{"red", "green", "blue"}));
  EXPECT_EQ(last.info.notes, Names{"last axis of 3 taken as colour channels"});
  EXPECT_EQ(values(last.image, 1), (std::vector<int>{'b', 'e'}));
  EXPECT_EQ(read(npy(dictionary("|u1", "(1, 1, 4)"), "abcd")).info.channelNames,
            (Names{"red", "green", "blue", "alpha"}));
  const LoadedImage batch = read(npy(dictionary("|u1", "(1, 2, 1, 3)"), "abcdef"));
  EXPECT_EQ(values(batch.image, 1), (std::vector<int>{'d', 'e', 'f'}));
}

TEST_F(RawRead, NpyFortranOrder) {
  EXPECT_EQ(values(read(npy(dictionary("|u1", "(2, 3)", true), "adbecf")).image),
            (std::vector<int>{'a', 'b', 'c', 'd', 'e', 'f'}));
  EXPECT_EQ(values(read(npy(dictionary("|u1", "(1, 3)", true), "abc")).image),
            (std::vector<int>{'a', 'b', 'c'}));
  EXPECT_EQ(values(read(npy(dictionary("|u1", "(3, 1)", true), "abc")).image),
            (std::vector<int>{'a', 'b', 'c'}));
  // [2,2,2] with the first axis running fastest: element (c,y,x) at c + 2y + 4x.
  const LoadedImage planar = read(npy(dictionary("|u1", "(2, 2, 2)", true), "abcdefgh"));
  EXPECT_EQ(values(planar.image, 0), (std::vector<int>{'a', 'e', 'c', 'g'}));
  EXPECT_EQ(values(planar.image, 1), (std::vector<int>{'b', 'f', 'd', 'h'}));
  const LoadedImage last = read(npy(dictionary(">u2", "(1, 2, 3)", true), "\0a\0b\0c\0d\0e\0f"s));
  EXPECT_EQ(values(last.image, 0), (std::vector<int>{'a', 'b'}));
  EXPECT_EQ(values(last.image, 2), (std::vector<int>{'e', 'f'}));
}

TEST_F(RawRead, NpyThatIsNotRead) {
  const auto type = [&](const char* name) {
    return refusal(npy(dictionary(name, "(1, 1)"), "aaaaaaaa"), ErrorCode::Unsupported);
  };
  const std::string advice = "; save it as uint8, uint16, float16 or float32";
  EXPECT_EQ(type("<f8"), "is an NPY file of 64-bit floats ('<f8')" + advice);
  EXPECT_EQ(type("<i4"), "is an NPY file of signed integers ('<i4')" + advice);
  EXPECT_EQ(type("<u4"), "is an NPY file of wide unsigned integers ('<u4')" + advice);
  EXPECT_EQ(type("|b1"), "is an NPY file of booleans ('|b1')" + advice);
  EXPECT_EQ(type("|O"), "is an NPY file of Python objects ('|O')" + advice);
  EXPECT_EQ(type("<c8"), "is an NPY file of complex numbers ('<c8')" + advice);
  EXPECT_EQ(type(""), "is an NPY file of elements ('')" + advice);
  EXPECT_EQ(refusal(npy("{'descr': [('r', '|u1')], 'fortran_order': False, 'shape': (1, 1), }", "a"),
                    ErrorCode::Unsupported),
            "is an NPY file of records, which hold no single pixel type");
  EXPECT_EQ(refusal(npy(dictionary("|u1", "(5,)"), "abcde"), ErrorCode::Unsupported).substr(0, 28),
            "is an NPY array of shape [5]");
  EXPECT_EQ(refusal(npy(dictionary("|u1", "(2, 1, 1, 2)"), "abcd"), ErrorCode::Unsupported).substr(0, 34),
            "is an NPY array of shape [2,1,1,2]");
  EXPECT_EQ(refusal("\x93NUMPY\x04"s + std::string(20, '\0'), ErrorCode::Unsupported),
            "is NPY version 4, read are 1 to 3");
}

TEST_F(RawRead, DamagedNpy) {
  EXPECT_EQ(refusal(npy(dictionary("<f4", "(2, 3)"), "abc")),
            "is cut short: its header promises 24 bytes of pixels, the file has 3");
  EXPECT_EQ(refusal(npy(dictionary("<f4", "(0, 3)"), "abc")), "holds no pixels (3 x 0 pixels)");
  EXPECT_EQ(refusal("\x93NUMPY\x01"), "is cut short: the file ends within its NPY header");
  EXPECT_EQ(refusal("\x93NUMPY\x02\0\xff\xff\xff\xff"s), "has an NPY header of 4294967295 bytes");
  for (const char* header :
       {"", "{", "{}", "{'descr': '|u1'", "{'descr': '|u1', 'fortran_order': False, 'shape': (1, 1)} x",
        "{'descr': '|u1', 'fortran_order': Maybe, 'shape': (1, 1)}", "{'descr': '|u1', 'shape': (1, 1)}",
        "{'descr': '|u1', 'fortran_order': False}", "{'fortran_order': False, 'shape': (1, 1)}",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (1, -1)}",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (1, 99999999999999999999)}",
        "{'descr': '|u1 'fortran_order': False, 'shape': (1, 1)}", "{'other': '|u1'}"}) {
    EXPECT_EQ(refusal(npy(header, "a")), "has a damaged NPY header") << header;
  }
  EXPECT_EQ(refusal(npy(dictionary("<f4", "(4000000000, 4000000000, 4000000000)"), "a"), ErrorCode::Limit),
            "has 4000000000 x 4000000000 pixels, the limit is 1000000 a side");
  EXPECT_EQ(refusal(npy(dictionary("<f4", "(4000000000000000000, 1000, 1000)"), "a"), ErrorCode::Limit),
            "has 4000000000000000000 channels, the limit is 65535");
}

}  // namespace
}  // namespace bankside
