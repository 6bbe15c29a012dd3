#include "filters/formats/bank_array.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <fstream>

#include "core/error.h"
#include "filters/catalog.h"
#include "tests/support/made_images.h"

namespace bankside {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::TemporaryFolder;

class BankArray : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& bytes) {
    std::ofstream(folder / name, std::ios::binary) << bytes;
    return folder / name;
  }
  /// An NPY file as NumPy writes it.
  std::string npy(const std::string& description, const std::string& shape, const std::string& data,
                  bool columnMajor = false) {
    std::string header = "{'descr': '" + description +
                         "', 'fortran_order': " + (columnMajor ? "True" : "False") + ", 'shape': (" + shape +
                         "), }";
    while ((10 + header.size() + 1) % 64 != 0) header += ' ';
    header += '\n';
    std::string bytes("\x93NUMPY\x01\x00", 8);
    bytes += static_cast<char>(header.size() & 255);
    bytes += static_cast<char>(header.size() >> 8);
    return write("a.npy", bytes + header + data);
  }
  template <class T>
  static std::string bytesOf(const std::vector<T>& values, bool swapped = false) {
    std::string bytes;
    for (const T value : values) {
      char one[sizeof(T)];
      std::memcpy(one, &value, sizeof(T));
      if (swapped) std::reverse(one, one + sizeof(T));
      bytes.append(one, sizeof(T));
    }
    return bytes;
  }
  std::string refusal(const std::string& file, ErrorCode code = ErrorCode::BadInput) {
    try {
      loadBank(file);
      return "taken";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code) << error.what();
      EXPECT_THAT(error.what(), HasSubstr(file));
      return error.what();
    }
  }
  TemporaryFolder folder;
};

TEST_F(BankArray, ShapesAreFiltersChannelsRowsColumns) {
  const FilterBank one = loadBank(npy("<f8", "2, 3", bytesOf<double>({1, 2, 3, 4, 5, 6})));
  ASSERT_EQ(one.size(), 1);
  EXPECT_EQ(one[0].height, 2);
  EXPECT_EQ(one[0].width, 3);
  EXPECT_EQ(one[0].anchorX, 1);
  EXPECT_EQ(one[0].anchorY, 1);
  EXPECT_EQ(one[0].label, "filter0");
  EXPECT_THAT(one[0].taps, ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(one.info().mode, FilterMode::CrossCorrelation);
  EXPECT_EQ(one.info().name, (folder / "a.npy").string());

  const FilterBank three = loadBank(npy("<f4", "3, 1, 2", bytesOf<float>({1, 2, 3, 4, 5, 6})));
  ASSERT_EQ(three.size(), 3);
  EXPECT_EQ(three.channels(), 1);
  EXPECT_THAT(three[2].taps, ElementsAre(5, 6));
  EXPECT_EQ(three[2].label, "filter2");

  const FilterBank full =
      loadBank(npy("<f4", "2, 3, 1, 2", bytesOf<float>({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})));
  ASSERT_EQ(full.size(), 2);
  EXPECT_EQ(full.channels(), 3);
  EXPECT_EQ(full[1].tap(2, 0, 1), 12);
  EXPECT_EQ(full[0].tap(1, 0, 0), 3);
}

TEST_F(BankArray, ColumnMajorIsTheSameArray) {
  // a[f][c][y][x] with f fastest in the file.
  std::vector<float> rows;
  std::vector<float> columns;
  const auto value = [](int f, int c, int y, int x) {
    return static_cast<float>(1000 * f + 100 * c + 10 * y + x);
  };
  for (int f = 0; f < 2; ++f)
    for (int c = 0; c < 3; ++c)
      for (int y = 0; y < 2; ++y)
        for (int x = 0; x < 4; ++x) rows.push_back(value(f, c, y, x));
  for (int x = 0; x < 4; ++x)
    for (int y = 0; y < 2; ++y)
      for (int c = 0; c < 3; ++c)
        for (int f = 0; f < 2; ++f) columns.push_back(value(f, c, y, x));
  const FilterBank a = loadBank(npy("<f4", "2, 3, 2, 4", bytesOf(rows)));
  const FilterBank b = loadBank(npy("<f4", "2, 3, 2, 4", bytesOf(columns), true));
  EXPECT_EQ(a.filters(), b.filters());
}

TEST_F(BankArray, EveryKindOfNumberIsTaken) {
  const auto taps = [&](const std::string& description, const std::string& data) {
    return loadBank(npy(description, "1, 2", data))[0].taps;
  };
  EXPECT_THAT(taps("|i1", bytesOf<std::int8_t>({-3, 7})), ElementsAre(-3, 7));
  EXPECT_THAT(taps("|u1", bytesOf<std::uint8_t>({3, 200})), ElementsAre(3, 200));
  EXPECT_THAT(taps("<i2", bytesOf<std::int16_t>({-300, 7})), ElementsAre(-300, 7));
  EXPECT_THAT(taps("<u2", bytesOf<std::uint16_t>({65535, 7})), ElementsAre(65535, 7));
  EXPECT_THAT(taps("<i4", bytesOf<std::int32_t>({-70000, 7})), ElementsAre(-70000, 7));
  EXPECT_THAT(taps("<i8", bytesOf<std::int64_t>({-1, 1 << 24})), ElementsAre(-1, 1 << 24));
  EXPECT_THAT(taps("<f2", bytesOf<std::uint16_t>({0x3c00, 0xc100})), ElementsAre(1, -2.5f));
  EXPECT_THAT(taps(">f4", bytesOf<float>({0.25f, -8}, true)), ElementsAre(0.25f, -8));
  EXPECT_THAT(taps(">f8", bytesOf<double>({0.1, -8}, true)), ElementsAre(0.1f, -8));
}

TEST_F(BankArray, RefusesInWordsWhatIsNoBank) {
  const std::string some = bytesOf<float>(std::vector<float>(64, 1));
  EXPECT_THAT(refusal(npy("<f4", "6,", some)),
              HasSubstr("is an NPY array of shape [6], expected [kh,kw], [F,kh,kw] or [F,C,kh,kw]"));
  EXPECT_THAT(refusal(npy("<f4", "1, 1, 1, 1, 2", some)), HasSubstr("shape [1,1,1,1,2]"));
  EXPECT_THAT(refusal(npy("<f4", "0, 3", some)), HasSubstr("expected 1 to 4096 filters"));
  EXPECT_THAT(refusal(npy("<f4", "1, 128", some)), HasSubstr("of 1 to 127 rows and columns"));
  EXPECT_THAT(refusal(npy("<f4", "4097, 1, 1", some)), HasSubstr("expected 1 to 4096 filters"));
  EXPECT_THAT(refusal(npy("<f4", "9223372036854775807, 9223372036854775807", some)),
              HasSubstr("expected 1 to"));
  EXPECT_THAT(refusal(npy("<f4", "4096, 4096, 127, 127", some)), HasSubstr("64 MiB"));
  EXPECT_THAT(refusal(npy("<f4", "10, 7", some)), HasSubstr("promises 70 taps, the file has 64"));
  EXPECT_THAT(refusal(npy("<f4", "4096, 64, 7, 7", some)),
              HasSubstr("promises 12845056 taps, the file has 64"));
  EXPECT_THAT(refusal(npy("<c8", "2, 2", some), ErrorCode::Unsupported), HasSubstr("elements '<c8'"));
  EXPECT_THAT(refusal(npy("|O", "2, 2", some), ErrorCode::Unsupported), HasSubstr("'|O'"));
  EXPECT_THAT(refusal(npy("|f4", "2, 2", some), ErrorCode::Unsupported), HasSubstr("'|f4'"));
  EXPECT_THAT(
      refusal(npy("<f4", "1, 2, 2", bytesOf<float>({1, 2, std::numeric_limits<float>::quiet_NaN(), 4}))),
      HasSubstr("tap [0,0,1,0] is not a number that fits 32-bit float"));
  EXPECT_THAT(refusal(npy("<f8", "1, 2", bytesOf<double>({1e39, 2}))), HasSubstr("tap [0,0,0,0]"));
  EXPECT_THAT(refusal(write("b.npy", "\x93NUMPY")), HasSubstr("cut short"));
  EXPECT_THAT(refusal(write("b.npy", "not an array at all, whatever it is called")),
              HasSubstr("is no NPY file"));
  EXPECT_THAT(refusal(folder / "missing.npy", ErrorCode::Io), HasSubstr("cannot open"));
}

TEST_F(BankArray, TextIsOneFilter) {
  const std::string same[] = {"1,2,-3\n4,5,6e-1\n", "1 2 -3\n4 5 0.6",
                              "# a filter\n\n1; 2; -3\r\n4\t5 , .6 # end\n"};
  for (const std::string& text : same) {
    for (const char* name : {"a.csv", "a.txt"}) {
      const FilterBank bank = loadBank(write(name, text));
      ASSERT_EQ(bank.size(), 1);
      EXPECT_EQ(bank[0].height, 2);
      EXPECT_EQ(bank[0].width, 3);
      EXPECT_EQ(bank[0].anchorX, 1);
      EXPECT_EQ(bank[0].anchorY, 1);
      EXPECT_THAT(bank[0].taps, ElementsAre(1, 2, -3, 4, 5, 0.6f));
    }
  }
  for (const char* decimals : {"0,5;0,25\n", "0,5\t0,25\n", "1;0,5 2\n"})
    EXPECT_THAT(refusal(write("a.csv", decimals)), HasSubstr(":1:1: found commas within numbers"))
        << decimals;
  EXPECT_THAT(loadBank(write("a.csv", "1, 2 3\n"))[0].taps, ElementsAre(1, 2, 3));
  EXPECT_THAT(refusal(write("a.csv", "1,2\n\n3\n")),
              HasSubstr(":3:1: found 1 numbers, expected 2 as in the first row"));
  EXPECT_THAT(refusal(write("a.csv", "1,x\n")), HasSubstr(":1:3: found \"x\", expected a number"));
  EXPECT_THAT(refusal(write("a.csv", "1,,2\n")), HasSubstr(":1:3: found \",\", expected a number"));
  EXPECT_THAT(refusal(write("a.csv", "1,nan\n")), HasSubstr("found \"nan\""));
  EXPECT_THAT(refusal(write("a.csv", "1e39\n")), HasSubstr("fits 32-bit float"));
  EXPECT_THAT(refusal(write("a.csv", "# nothing\n")), HasSubstr("has no numbers"));
  EXPECT_THAT(refusal(write("a.csv", std::string(400, '1').replace(1, 1, ",") + "\n")),
              HasSubstr("found \"111"));
  std::string wide;
  for (int i = 0; i < 128; ++i) wide += "1,";
  EXPECT_THAT(refusal(write("a.csv", wide)), HasSubstr("found more than 127 numbers"));
  std::string high;
  for (int i = 0; i < 128; ++i) high += "1\n";
  EXPECT_THAT(refusal(write("a.csv", high)), HasSubstr("more than 127 rows"));
  EXPECT_THAT(refusal(write("a.csv", std::string((1 << 20) + 1, ' ')), ErrorCode::BadInput),
              HasSubstr("1 MiB"));
}

}  // namespace
}  // namespace bankside
