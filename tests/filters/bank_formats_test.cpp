#include "filters/formats/bank_formats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>

#include "core/imageio/zip_file.h"
#include "core/problem.h"
#include "core/text.h"
#include "filters/bank_json.h"
#include "filters/catalog.h"
#include "tests/support/made_images.h"
#include "tests/support/refusals.h"

namespace bankside {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::sentenceOf;
using testing::TemporaryFolder;

/// Taps that no short decimal has, without symmetry.
Filter crooked(const std::string& label, int height, int width) {
  std::vector<float> taps;
  for (int i = 0; i < height * width; ++i) taps.push_back(std::sin(1.0f + static_cast<float>(i)) / 3);
  return makeFilter(label, height, width, taps);
}

class BankFormats : public ::testing::Test {
 protected:
  FilterBank again(const FilterBank& bank, const BankFormat& format) {
    const std::string file = folder / "bank.any";
    std::ofstream(file, std::ios::binary) << writeBank(bank, format).bytes;
    return loadBank(format.name + ":" + file);
  }
  TemporaryFolder folder;
};

TEST_F(BankFormats, RoundTripsKeepEveryBit) {
  for (const BankFormat& format : bankFormats()) {
    std::vector<Filter> filters = {crooked("a", 3, 5)};
    if (format.several) filters.push_back(crooked("b", 3, 5));
    const FilterBank bank({.name = "x", .mode = format.mode}, filters);
    const WrittenBank written = writeBank(bank, format);
    EXPECT_EQ(written.notes.size(), format.warning.empty() ? 0u : 1u) << format.name;
    const FilterBank back = again(bank, format);
    EXPECT_EQ(back.info().mode, format.mode) << format.name;
    ASSERT_EQ(back.size(), bank.size()) << format.name;
    for (int i = 0; i < bank.size(); ++i) {
      EXPECT_EQ(back[i].taps, bank[i].taps) << format.name;
      EXPECT_EQ(back[i].anchorX, 2) << format.name;
      EXPECT_EQ(back[i].anchorY, 1) << format.name;
    }
  }
}

/// The filter as plain sums: what it adds up at (x, y) from its anchor.
float slid(const FilterBank& bank, int filter, int x, int y) {
  const Filter f = bank.info().mode == FilterMode::Convolution ? rotated180(bank[filter]) : bank[filter];
  const int column = x + f.anchorX;
  const int row = y + f.anchorY;
  return column < 0 || row < 0 || column >= f.width || row >= f.height ? 0 : f.tap(0, row, column);
}

TEST_F(BankFormats, WhatIsSaidStaysTheSameWhateverTheConvention) {
  Filter even = crooked("even", 2, 4);
  Filter aside = crooked("aside", 3, 3);
  aside.anchorX = 0;
  aside.anchorY = 2;
  for (const FilterMode mode : {FilterMode::CrossCorrelation, FilterMode::Convolution}) {
    for (const Filter& f : {even, aside, crooked("plain", 5, 3)}) {
      const FilterBank bank({.name = "x", .mode = mode}, {f});
      for (const BankFormat& format : bankFormats()) {
        const FilterBank back = again(bank, format);
        for (int y = -6; y <= 6; ++y) {
          for (int x = -6; x <= 6; ++x)
            ASSERT_EQ(slid(back, 0, x, y), slid(bank, 0, x, y))
                << format.name << " " << f.label << " " << x << " " << y;
        }
      }
    }
  }
}

TEST_F(BankFormats, WhatWasConvertedIsSaid) {
  Filter f = crooked("a", 3, 3);
  f.anchorX = 0;
  const FilterBank bank({.name = "x"}, {f});
  const auto magick = writeBank(bank, *findBankFormat("imagemagick")).notes;
  EXPECT_THAT(magick[0], HasSubstr("turned by 180 degrees"));
  const auto vips = writeBank(bank, *findBankFormat("vips")).notes;
  EXPECT_THAT(vips[0], HasSubstr("zeros are added"));
  const FilterBank round({.name = "x"}, {makeFilter("g", 1, 3, {1, 2, 1})});
  EXPECT_EQ(writeBank(round, *findBankFormat("imagemagick")).notes.size(), 1u) << "turned it is the same";
}

/// As numpy shows it: an axis is there where there are several.
TEST_F(BankFormats, AnArrayHasTheAxesThatItNeeds) {
  const auto shape = [](const std::vector<Filter>& filters) {
    const std::string bytes = writeBank(FilterBank({.name = "x"}, filters), *findBankFormat("npy")).bytes;
    const std::size_t at = bytes.find('(');
    return bytes.substr(at, bytes.find(')') + 1 - at);
  };
  EXPECT_EQ(shape({crooked("a", 3, 5)}), "(3, 5)");
  EXPECT_EQ(shape({crooked("a", 3, 5), crooked("b", 3, 5)}), "(2, 3, 5)");
}

TEST_F(BankFormats, SeveralSizesGoIntoOneArray) {
  const FilterBank bank({.name = "x"}, {crooked("a", 2, 2), crooked("b", 5, 1)});
  const FilterBank back = again(bank, *findBankFormat("npy"));
  ASSERT_EQ(back.size(), 2);
  EXPECT_TRUE(back.uniform());
  for (int i = 0; i < 2; ++i) {
    for (int y = -3; y <= 3; ++y) {
      for (int x = -3; x <= 3; ++x) EXPECT_EQ(slid(back, i, x, y), slid(bank, i, x, y));
    }
  }
}

TEST_F(BankFormats, WhatAFormatCannotHoldIsRefused) {
  const FilterBank two = makeBank("sobel");
  const FilterBank deep = makeBank("vessel-collinear:orientations=1");
  for (const BankFormat& format : bankFormats()) {
    if (!format.several) {
      EXPECT_THAT(sentenceOf([&] { writeBank(two, format); }, ErrorCode::Unsupported), HasSubstr("has 2"));
    }
    if (!format.channels) {
      EXPECT_THAT(sentenceOf([&] { writeBank(deep, format); }, ErrorCode::Unsupported), HasSubstr("channel"));
    }
  }
  EXPECT_EQ(again(deep, *findBankFormat("npy")).channels(), 5);
}

/// The archives of the fuzzers' seeds: numpy.savez_compressed(dx=[[-1, 0, 1]], two=range(8) as [2,2,2] of
/// i2), and numpy.savez of the first.
class NumpyArchives : public ::testing::Test {
 protected:
  static std::string seed(const std::string& name) {
    std::ifstream in(std::string(BANKSIDE_NPZ_DIR) + "/" + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::string wrong(const std::string& bytes, ErrorCode code = ErrorCode::BadInput) {
    std::ofstream(folder / "wrong.npz", std::ios::binary) << bytes;
    return sentenceOf([&] { loadBank(folder / "wrong.npz"); }, code);
  }
  TemporaryFolder folder;
};

TEST_F(NumpyArchives, AreReadAsNumpyWritesThem) {
  const FilterBank bank = loadBank(std::string(BANKSIDE_NPZ_DIR) + "/deflated.npz");
  ASSERT_EQ(bank.size(), 3);
  EXPECT_EQ(bank[0].label, "dx");
  EXPECT_THAT(bank[0].taps, ElementsAre(-1, 0, 1));
  EXPECT_EQ(bank[1].label, "two-0");
  EXPECT_EQ(bank[2].label, "two-1");
  EXPECT_THAT(bank[2].taps, ElementsAre(4, 5, 6, 7));
  EXPECT_EQ(loadBank(std::string(BANKSIDE_NPZ_DIR) + "/stored.npz").filters(), std::vector<Filter>{bank[0]});
}

TEST_F(NumpyArchives, KeepLabelsAndSizes) {
  const FilterBank bank({.name = "x"}, {crooked("a-1", 3, 5), crooked("b", 1, 1), crooked("c", 7, 2)});
  std::ofstream(folder / "bank.npz", std::ios::binary) << writeBank(bank, *findBankFormat("npz")).bytes;
  EXPECT_EQ(loadBank(folder / "bank.npz").filters(), bank.filters());
}

TEST_F(NumpyArchives, NamesThatAreNoLabelsBecomeSome) {
  const auto label = [&](const std::string& name) {
    const std::string array =
        writeBank(FilterBank({.name = "x"}, {crooked("a", 3, 3)}), *findBankFormat("npy")).bytes;
    std::ofstream(folder / "bank.npz", std::ios::binary) << zipOf({{name + ".npy", array}});
    return loadBank(folder / "bank.npz")[0].label;
  };
  EXPECT_EQ(label("azAZ09._-+"), "azAZ09._-+");
  EXPECT_EQ(label("a b/c"), "a_b_c");
}

TEST_F(NumpyArchives, WhatIsDamagedIsRefused) {
  const std::string good = seed("stored.npz");
  EXPECT_THAT(wrong("PK"), HasSubstr("is no ZIP archive, or cut short"));
  EXPECT_THAT(wrong(good.substr(0, good.size() - 30)), HasSubstr("is no ZIP archive, or cut short"));
  std::string flipped = good;
  flipped[good.find("NUMPY") + 70] ^= 1;
  EXPECT_THAT(wrong(flipped), HasSubstr("\"dx.npy\" inside has another checksum"));
  std::string pickled = good;
  for (std::size_t at = 0; (at = pickled.find("dx.npy", at)) != std::string::npos;)
    pickled.replace(at, 6, "dx.pkl");
  EXPECT_THAT(wrong(pickled), HasSubstr("expected names that end in .npy"));
  std::string method = good;
  method[good.find("PK\x01\x02") + 10] = 12;
  EXPECT_THAT(wrong(method, ErrorCode::Unsupported), HasSubstr("packed by method 12"));
  std::string large = good;
  large.replace(good.find("PK\x01\x02") + 24, 4, "\xff\xff\xff\x7f");
  EXPECT_THAT(wrong(large), HasSubstr("2147483647 bytes"));
}

TEST(ImageMagickKernels, AreReadAsTheManualWritesThem) {
  const FilterBank bank = loadBank("imagemagick:3x2+0+1: 1,2,nan  -,5,+6e-1 ; 1: 9 ; 0 0 0 0 1 0 0 0 -1");
  EXPECT_EQ(bank.info().mode, FilterMode::Convolution);
  ASSERT_EQ(bank.size(), 3);
  EXPECT_THAT(bank[0].taps, ElementsAre(1, 2, 0, 0, 5, 0.6f));
  EXPECT_EQ(bank[0].anchorX, 0);
  EXPECT_EQ(bank[0].anchorY, 1);
  EXPECT_THAT(bank[1].taps, ElementsAre(9));
  EXPECT_EQ(bank[2].width, 3);
  EXPECT_EQ(bank[2].anchorX, 1);
  EXPECT_EQ(parseMagick("4x2: 1 2 3 4 5 6 7 8", "k")[0].anchorX, 1);
}

/// As `convert -define morphology:showKernel=1 -morphology Convolve KERNEL` of ImageMagick 6.9.11 lists them.
TEST(ImageMagickKernels, AFlagMakesSeveralOfOne) {
  const auto listed = [](const std::string& text) {
    std::vector<std::string> all;
    const FilterBank bank = parseMagick(text, "k");
    for (const Filter& f : bank.filters()) {
      std::string line = std::to_string(f.width) + "x" + std::to_string(f.height) + "+" +
                         std::to_string(f.anchorX) + "+" + std::to_string(f.anchorY) + ":";
      for (const float tap : f.taps) line += " " + formatNumber(tap);
      all.push_back(line);
    }
    return all;
  };
  EXPECT_THAT(
      listed("3x3@: 1,2,3 4,5,6 7,8,9"),
      ElementsAre("3x3+1+1: 1 2 3 4 5 6 7 8 9", "3x3+1+1: 4 1 2 7 5 3 8 9 6", "3x3+1+1: 7 4 1 8 5 2 9 6 3",
                  "3x3+1+1: 8 7 4 9 5 1 6 3 2", "3x3+1+1: 9 8 7 6 5 4 3 2 1", "3x3+1+1: 6 9 8 3 5 7 2 1 4",
                  "3x3+1+1: 3 6 9 2 5 8 1 4 7", "3x3+1+1: 2 3 6 1 5 9 4 7 8"));
  EXPECT_THAT(
      listed("3x3+0+1@: 1,0,0 0,0,0 0,0,1"),
      ElementsAre("3x3+0+1: 1 0 0 0 0 0 0 0 1", "3x3+0+0: 0 1 0 0 0 0 0 1 0", "3x3+1+0: 0 0 1 0 0 0 1 0 0",
                  "3x3+2+0: 0 0 0 1 0 1 0 0 0", "3x3+2+1: 1 0 0 0 0 0 0 0 1", "3x3+2+2: 0 1 0 0 0 0 0 1 0",
                  "3x3+1+2: 0 0 1 0 0 0 1 0 0", "3x3+0+2: 0 0 0 1 0 1 0 0 0"));
  EXPECT_THAT(listed("2x2+0+1>: 1,2,3,4"),
              ElementsAre("2x2+0+1: 1 2 3 4", "2x2+0+0: 3 1 4 2", "2x2+1+0: 4 3 2 1", "2x2+1+1: 2 4 1 3"));
  EXPECT_THAT(listed("3x1+0+0>: 1,2,3"),
              ElementsAre("3x1+0+0: 1 2 3", "1x3+0+0: 1 2 3", "3x1+2+0: 3 2 1", "1x3+0+2: 3 2 1"));
  EXPECT_THAT(listed("3x1+0+0<: 1,2,3"),
              ElementsAre("3x1+0+0: 1 2 3", "3x1+2+0: 3 2 1", "1x3+0+2: 3 2 1", "1x3+0+0: 1 2 3"));
  EXPECT_THAT(listed("5x1<: 1,2,3,2,1"), ElementsAre("5x1+2+0: 1 2 3 2 1", "5x1+2+0: 1 2 3 2 1",
                                                     "1x5+0+2: 1 2 3 2 1", "1x5+0+2: 1 2 3 2 1"));
  EXPECT_THAT(listed("3x3>: 1,0,1 0,2,0 1,0,1"), ElementsAre("3x3+1+1: 1 0 1 0 2 0 1 0 1"));
  const FilterBank two = parseMagick("1: 5 ; 3x1<: 1 2 3", "k");
  EXPECT_EQ(two[0].label, "filter0");
  EXPECT_EQ(two[1].label, "filter1-turn000");
  EXPECT_EQ(two[3].label, "filter1-turn270");
}

TEST(ImageMagickKernels, WrongWordsAreNamedWithTheirPlace) {
  const auto wrong = [](const std::string& text) { return sentenceOf([&] { parseMagick(text, "k"); }); };
  EXPECT_THAT(wrong("3x1: 1,x,2"), HasSubstr("k:1:8: found \"x\", expected a number"));
  EXPECT_THAT(wrong("2x2:\n 1,2\n 3"), HasSubstr("k:3:3: found 3 numbers, expected 2 x 2"));
  EXPECT_THAT(wrong("2x2: 1 2 3 4 5"), HasSubstr("found 5 numbers, expected 2 x 2"));
  EXPECT_THAT(wrong("1 2 3"), HasSubstr("expected an odd number squared"));
  EXPECT_THAT(wrong("Gaussian:0x2"), HasSubstr("k:1:1: found a kernel by name"));
  EXPECT_THAT(wrong("Sobel"), HasSubstr("k:1:1: found a kernel by name"));
  EXPECT_THAT(wrong("1: 2; Unity"), HasSubstr("k:1:7: found a kernel by name"));
  EXPECT_THAT(wrong("3x3^: 1"), HasSubstr("k:1:4: found \"^"));
  EXPECT_THAT(wrong("3x3@>: 1"), HasSubstr("k:1:5: found \">"));
  EXPECT_THAT(wrong("4x4@: 1"), HasSubstr("k:1:4: found the flag @, which turns kernels of 3 x 3 alone"));
  EXPECT_THAT(wrong("3x2+0+0<: 1"),
              HasSubstr("k:1:8: found the flag <, which turns squares and lines alone"));
  EXPECT_THAT(wrong("3x3+3+0: 1"), HasSubstr("whole number from 0 to 2"));
  EXPECT_THAT(wrong("200x1: 1"), HasSubstr("whole number from 1 to 127"));
  EXPECT_THAT(wrong("  "), HasSubstr("found the end of the text"));
}

TEST(VipsMatrices, DivideByTheirScale) {
  const FilterBank bank = parseVips("3 2 8 0\n-1 0 1\n2, 4 16\n", "m");
  EXPECT_THAT(bank[0].taps, ElementsAre(-0.125f, 0, 0.125f, 0.25f, 0.5f, 2));
  EXPECT_EQ(bank[0].anchorX, 1);
  EXPECT_THAT(parseVips("2 1\r\n1 2", "m")[0].taps, ElementsAre(1, 2));
  const auto wrong = [](const std::string& text) { return sentenceOf([&] { parseVips(text, "m"); }); };
  EXPECT_THAT(wrong("3 2 0 0\n"), HasSubstr("m:1:5: found the scale 0"));
  EXPECT_THAT(wrong("3 2 1 128\n"), HasSubstr("m:1:7: found an offset, expected 0"));
  EXPECT_THAT(wrong("2 2 1 0\n1 2\n3\n"), HasSubstr("m:3:2: found the end of the line"));
  EXPECT_THAT(wrong("2 1 1 0\n1 2 3\n"), HasSubstr("m:2:5: found \"3\", expected nothing more"));
  EXPECT_THAT(wrong("1 1 1e-30 0\n1e30\n"), HasSubstr("does not fit"));
}

TEST(FileStorages, MatricesAreFiltersOfTheirNames) {
  const std::string yaml =
      "%YAML:1.0\n---\nsigma: 2.\nlist:\n   - 1\n   - 2\nkx: !!opencv-matrix\n   rows: 1\n   cols: 3\n   dt: "
      "f\n"
      "   data: [ -1., 0.,\n       1.5e-01 ]\n\"odd name\": !!opencv-matrix\n   rows: 1\n   cols: 1\n   dt: "
      "d\n"
      "   data: [ 3. ]\n...\n";
  const FilterBank bank = parseFileStorage(yaml, "f.yml");
  ASSERT_EQ(bank.size(), 2);
  EXPECT_EQ(bank[0].label, "kx");
  EXPECT_THAT(bank[0].taps, ElementsAre(-1, 0, 0.15f));
  EXPECT_EQ(bank[1].label, "filter1");
  const std::string json =
      "{\"a\": 3, \"k\": {\"type_id\": \"opencv-matrix\", \"rows\": 1, \"cols\": 2, \"dt\": \"d\", \"data\": "
      "[1.0, -2.5]}}";
  EXPECT_THAT(parseFileStorage(json, "f.json")[0].taps, ElementsAre(1, -2.5f));
  EXPECT_TRUE(isFileStorageJson(json));
  EXPECT_FALSE(isFileStorageJson(writeBankJson(makeBank("sobel"))));
}

TEST(FileStorages, HoldNoMoreMatricesThanABank) {
  std::string yaml = "%YAML:1.0\n---\n";
  for (int i = 0; i <= maxFilterCount; ++i)
    yaml +=
        "k" + std::to_string(i) + ": !!opencv-matrix\n   rows: 1\n   cols: 1\n   dt: f\n   data: [ 1. ]\n";
  EXPECT_THAT(sentenceOf([&] { parseFileStorage(yaml, "f"); }),
              HasSubstr("found more than " + std::to_string(maxFilterCount) + " matrices"));
}

TEST(FileStorages, NamesThatCanBeLabelsAreKept) {
  const auto label = [](const std::string& name) {
    return parseFileStorage("{\"" + name +
                                "\": {\"type_id\": \"opencv-matrix\", \"rows\": 1, \"cols\": 1, "
                                "\"dt\": \"f\", \"data\": [1.0]}}",
                            "f.json")[0]
        .label;
  };
  EXPECT_EQ(label("azAZ09._-+"), "azAZ09._-+");
  EXPECT_EQ(label(std::string(100, 'a')), std::string(100, 'a'));
  EXPECT_EQ(label(std::string(101, 'a')), "filter0");
  EXPECT_EQ(label(".hidden"), "filter0");
  EXPECT_EQ(label(""), "filter0");
}

TEST(FileStorages, WrongWordsAreNamedWithTheirPlace) {
  const auto wrong = [](const std::string& body) {
    return sentenceOf([&] { parseFileStorage("%YAML:1.0\n---\nk: !!opencv-matrix\n" + body, "f"); });
  };
  EXPECT_THAT(wrong("   rows: 0\n"), HasSubstr("f:4:10: found \"0\", expected a whole number"));
  EXPECT_THAT(wrong("   rows: 1\n   cols: 2\n   dt: \"2f\"\n"), HasSubstr("f:6:9: found \"2f\""));
  EXPECT_THAT(wrong("   rows: 1\n   cols: 2\n   dt: f\n   data: [ 1., x ]\n"),
              HasSubstr("f:7:16: found \"x\""));
  EXPECT_THAT(wrong("   rows: 1\n   cols: 2\n   dt: f\n   data: [ 1. ]\n"), HasSubstr("expected \",\""));
  EXPECT_THAT(wrong("   rows: 1\n   cols: 1\n   dt: f\n   data: [ 1., 2. ]\n"), HasSubstr("expected \"]\""));
  EXPECT_THAT(wrong("   rows: 1\n   data: [ 1. ]\n"), HasSubstr("before all of rows:"));
  EXPECT_THAT(sentenceOf([] { parseFileStorage("rows: 1", "f"); }), HasSubstr("%YAML:1.0"));
  EXPECT_THAT(sentenceOf([] { parseFileStorage("%YAML:1.0\n---\na: 1\n", "f"); }),
              HasSubstr("has no matrix"));
  EXPECT_THAT(sentenceOf([] {
                parseFileStorage(
                    "{\"k\": {\"type_id\": \"opencv-matrix\", \"rows\": 1, \"cols\": 2, \"dt\": \"f\", "
                    "\"data\": [1, \"x\"]}}",
                    "f");
              }),
              HasSubstr("f: /k/data/1: found"));
}

TEST_F(BankFormats, EndingsSayTheFormat) {
  EXPECT_EQ(bankFormatOfFile("a.mat")->name, "vips");
  EXPECT_EQ(bankFormatOfFile("a.yaml")->name, "opencv-yaml");
  EXPECT_EQ(bankFormatOfFile("a.kernel")->name, "imagemagick");
  EXPECT_EQ(bankFormatOfFile("a.json"), nullptr);
  EXPECT_EQ(bankFormatOfFile("a"), nullptr);
  std::ofstream(folder / "k.json") << writeBank(makeBank("sobel"), *findBankFormat("opencv-json")).bytes;
  EXPECT_EQ(loadBank(folder / "k.json")[1].label, "dy");
  EXPECT_THAT(sentenceOf([] { loadBank("vips:no-such-file"); }, ErrorCode::Io), HasSubstr("no-such-file"));
}

}  // namespace
}  // namespace bankside
