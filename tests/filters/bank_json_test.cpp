#include "filters/bank_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>

#include "core/error.h"
#include "filters/catalog.h"
#include "tests/support/made_images.h"

namespace bankside {
namespace {

using ::testing::HasSubstr;
using testing::TemporaryFolder;

void expectSame(const FilterBank& a, const FilterBank& b) {
  EXPECT_EQ(a.info(), b.info());
  EXPECT_EQ(a.filters(), b.filters());
  EXPECT_EQ(a.contentHash(), b.contentHash());
}

/// One 1 x 2 filter; the tests break it.
const std::string small = R"({
  "schemaVersion": 1,
  "filters": [
    {"label": "a", "height": 1, "width": 2, "taps": [1, 2.5]}
  ]
})";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const auto at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

std::string refusal(const std::string& text, ErrorCode code = ErrorCode::BadInput) {
  try {
    parseBankJson(text, "bank.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_THAT(error.what(), ::testing::StartsWith("bank.json: "));
    return error.what();
  }
  ADD_FAILURE() << "not refused: " << text.substr(0, 400);
  return "";
}

std::string refusalOf(const std::string& what, const std::string& by) {
  return refusal(replaced(small, what, by));
}

TEST(BankJson, EveryCatalogueBankReadsBackEqual) {
  for (const CatalogEntry& entry : catalog()) {
    const FilterBank bank = makeBank(entry.name);
    const std::string text = writeBankJson(bank);
    const FilterBank again = parseBankJson(text, bank.info().name);
    expectSame(again, bank);
    EXPECT_EQ(writeBankJson(again), text) << entry.name;
  }
}

TEST(BankJson, KeepsWhatAHandMadeBankHolds) {
  Filter f = makeFilter("a+b", 2, 3, {});
  f.channels = 2;
  f.taps = {-0.0f,    1e-45f, 3.4028235e38f, -1.17549435e-38f, 0.1f,  16777217.0f,
            1.0f / 3, -2,     -1e-40f,       8388608.5f,       1e10f, std::nextafter(1.0f, 2.0f)};
  f.anchorX = 2;
  f.anchorY = 0;
  f.orientation = -0.0;
  f.scale = 1e-300;
  Filter g = makeFilter("g", 1, 1, {});
  g.channels = 2;
  g.taps = {1, 2};
  const FilterBank bank({.name = "x.json",
                         .title = "quote \" slash \\ line\n tab\t \xc3\xa4 \x01",
                         .parameters = {{"k/e~y", "v"}, {"", ""}},
                         .mode = FilterMode::Convolution},
                        {f, g});
  const FilterBank again = parseBankJson(writeBankJson(bank), "x.json");
  expectSame(again, bank);
  EXPECT_TRUE(std::signbit(again[0].taps[0]));
}

TEST(BankJson, RandomTapsOfEveryMagnitudeReadBackBitForBit) {
  std::uint64_t state = 1;
  std::vector<float> taps;
  while (taps.size() < 127 * 127) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const auto bits = static_cast<std::uint32_t>(state >> 32);
    float tap;
    std::memcpy(&tap, &bits, sizeof tap);
    if (std::isfinite(tap)) taps.push_back(tap);
  }
  const FilterBank bank({.name = "r"}, {makeFilter("r", 127, 127, taps)});
  EXPECT_EQ(parseBankJson(writeBankJson(bank), "r").contentHash(), bank.contentHash());
}

TEST(BankJson, FieldsThatMayBeLeftOutHaveDefaults) {
  const FilterBank bank = parseBankJson(small, "bank.json");
  EXPECT_EQ(bank.info(), BankInfo{.name = "bank.json"});
  Filter expected = makeFilter("a", 1, 2, {1, 2.5});
  EXPECT_EQ(bank[0], expected);
  EXPECT_EQ(bank[0].anchorX, 1);
}

TEST(BankJson, ReadsFromAFileAndLoadBankDoesToo) {
  const TemporaryFolder folder;
  const auto path = folder / "made.json";
  std::ofstream(path) << writeBankJson(makeBank("kirsch"));
  EXPECT_EQ(loadBank(path.string()).filters(), makeBank("kirsch").filters());
  EXPECT_EQ(loadBank(path.string()).info().name, path.string());
  try {
    loadBank(folder.path().string());
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Io);
  }
  EXPECT_THROW(loadBank((folder / "absent.json").string()), Error);
}

TEST(BankJson, WrongTypesSayWhereFoundAndExpected) {
  EXPECT_EQ(refusalOf("2.5", "\"x\""), "bank.json: /filters/0/taps/1: found \"x\", expected a number");
  EXPECT_EQ(refusalOf("2.5", "null"), "bank.json: /filters/0/taps/1: found null, expected a number");
  EXPECT_EQ(
      refusalOf("[1, 2.5]", "[1]"),
      "bank.json: /filters/0/taps: found an array of 1, expected an array of 2 numbers (1 x 1 x 2 taps)");
  EXPECT_THAT(refusalOf("[1, 2.5]", "[[1, 2.5]]"), HasSubstr("/filters/0/taps: found an array of 1"));
  EXPECT_THAT(refusalOf("[1, 2.5]", "{}"), HasSubstr("/filters/0/taps: found an object"));
  EXPECT_EQ(refusalOf("\"width\": 2", "\"width\": 2.5"),
            "bank.json: /filters/0/width: found 2.5, expected a whole number from 1 to 127");
  EXPECT_THAT(refusalOf("\"width\": 2", "\"width\": 128"), HasSubstr("/filters/0/width: found 128"));
  EXPECT_THAT(refusalOf("\"width\": 2", "\"width\": \"2\""), HasSubstr("/filters/0/width: found \"2\""));
  EXPECT_THAT(refusalOf("\"width\": 2", "\"width\": 1e300"), HasSubstr("/filters/0/width: found 1e+300"));
  EXPECT_THAT(refusalOf("\"label\": \"a\"", "\"label\": 5"),
              HasSubstr("/filters/0/label: found 5, expected a text"));
  EXPECT_THAT(refusalOf("\"label\": \"a\"", "\"label\": \"a/b\""),
              HasSubstr("/filters/0: filter \"a/b\" needs a label"));
  EXPECT_THAT(refusalOf("\"height\": 1,", "\"height\": 1, \"anchor\": {\"x\": 2, \"y\": 0},"),
              HasSubstr("/filters/0/anchor/x: found 2, expected a whole number from 0 to 1"));
  EXPECT_THAT(refusalOf("\"height\": 1,", "\"height\": 1, \"anchor\": {\"x\": 1},"),
              HasSubstr("/filters/0/anchor: found no \"y\""));
  EXPECT_THAT(refusalOf("\"height\": 1,", "\"height\": 1, \"anchor\": [0, 0],"),
              HasSubstr("/filters/0/anchor: found an array of 2, expected an object"));
  EXPECT_THAT(refusalOf("\"height\": 1,", "\"height\": 1, \"orientation\": \"n\","),
              HasSubstr("/filters/0/orientation"));
  EXPECT_THAT(refusalOf("\"height\": 1,", "\"height\": 1, \"channels\": 0,"),
              HasSubstr("/filters/0/channels: found 0"));
  EXPECT_THAT(refusalOf("\"height\": 1,", "\"height\": 1, \"channels\": 4097,"),
              HasSubstr("/filters/0/channels: found 4097, expected a whole number from 1 to 4096"));
}

TEST(BankJson, WrongRootsAndVersions) {
  EXPECT_EQ(refusal("[]"), "bank.json: /: found an array of 0, expected an object");
  EXPECT_EQ(refusal("{}"), "bank.json: /: found no \"schemaVersion\", expected one");
  EXPECT_THAT(refusalOf("\"schemaVersion\": 1", "\"schemaVersion\": 2"),
              HasSubstr("/schemaVersion: found 2, expected 1"));
  EXPECT_THAT(refusalOf("\"schemaVersion\": 1", "\"schemaVersion\": \"1\""),
              HasSubstr("/schemaVersion: found \"1\""));
  EXPECT_EQ(refusal("{\"schemaVersion\": 1}"), "bank.json: /: found no \"filters\", expected one");
  EXPECT_THAT(refusal("{\"schemaVersion\": 1, \"filters\": []}"),
              HasSubstr("/filters: found an array of 0, expected an array of 1 to 4096 filters"));
  EXPECT_THAT(refusal("{\"schemaVersion\": 1, \"filters\": [7]}"),
              HasSubstr("/filters/0: found 7, expected an object"));
}

TEST(BankJson, UnknownFieldsAreNamed) {
  EXPECT_THAT(refusalOf("\"schemaVersion\": 1,", "\"schemaVersion\": 1, \"tittle\": \"\","),
              HasSubstr("/tittle: found a field that is not known here, expected one of $schema"));
  EXPECT_THAT(refusalOf("\"height\": 1", "\"rows\": 1"),
              HasSubstr("/filters/0/rows: found a field that is not known"));
}

TEST(BankJson, InfoOfTheWrongKind) {
  const auto with = [](const std::string& field) {
    return refusalOf("\"schemaVersion\": 1,", "\"schemaVersion\": 1, " + field + ",");
  };
  EXPECT_THAT(with("\"title\": 3"), HasSubstr("/title: found 3, expected a text"));
  EXPECT_THAT(with("\"mode\": \"conv\""), HasSubstr("/mode: found \"conv\", expected \"correlation\" or"));
  EXPECT_THAT(with("\"mode\": 1"), HasSubstr("/mode: found 1"));
  EXPECT_THAT(with("\"parameters\": []"),
              HasSubstr("/parameters: found an array of 0, expected an object of texts"));
  EXPECT_THAT(with("\"parameters\": {\"sig/ma\": 2}"),
              HasSubstr("/parameters/sig~1ma: found 2, expected a text"));
  EXPECT_THAT(with("\"contentHash\": \"0123456789abcdef\""),
              HasSubstr("/contentHash: found \"0123456789abcdef\""));
  EXPECT_THAT(with("\"contentHash\": 5"), HasSubstr("/contentHash: found 5, expected a text of 16"));
}

TEST(BankJson, AChangedTapFailsTheHash) {
  const std::string text = writeBankJson(makeBank("sobel"));
  EXPECT_THAT(refusal(replaced(text, "-2", "-3")), HasSubstr("/contentHash: found"));
}

TEST(BankJson, FiltersThatDoNotGoTogether) {
  const std::string second = R"(, {"label": "a", "height": 1, "width": 1, "taps": [1]}])";
  EXPECT_THAT(refusal(replaced(small, "\n  ]", second)),
              HasSubstr("/filters/1/label: found \"a\", expected a label that filter 0 does not have"));
  const std::string third = R"(, {"label": "b", "channels": 2, "height": 1, "width": 1, "taps": [1, 2]}])";
  EXPECT_THAT(refusal(replaced(small, "\n  ]", third)),
              HasSubstr("/filters/1: found 2 channels, expected 1"));
}

TEST(BankJson, NumbersThatAreNoTaps) {
  EXPECT_THAT(refusalOf("2.5", "NaN"), HasSubstr("line 4, column 57"));
  EXPECT_THAT(refusalOf("2.5", "Infinity"), HasSubstr("line 4, column 57"));
  EXPECT_THAT(refusalOf("2.5", "-Infinity"), HasSubstr("line 4"));
  EXPECT_THAT(refusalOf("2.5", "1e39"),
              HasSubstr("/filters/0/taps/1: found 1e+39, expected a number that fits"));
  EXPECT_THAT(refusalOf("2.5", "-3.4028236e38"), HasSubstr("/filters/0/taps/1: found -3.4028236e+38"));
  EXPECT_THAT(refusalOf("2.5", "1e999"),
              HasSubstr("/filters/0/taps/0 or the value after it: number overflow"));
}

TEST(BankJson, TextThatIsNoJson) {
  EXPECT_THAT(refusal(""), HasSubstr("line 1, column 1"));
  EXPECT_THAT(refusal("{\n  \"schemaVersion\": 1,\n  \"fil"), HasSubstr("line 3, column 7: syntax error"));
  EXPECT_THAT(refusal(small.substr(0, small.size() - 1)), HasSubstr("unexpected end of input"));
  EXPECT_THAT(refusal(small + "x"), HasSubstr("line 6, column 2"));
  EXPECT_THAT(refusalOf("2.5]", "2.5,]"), HasSubstr("line 4, column 61"));
  EXPECT_THAT(refusalOf("\"a\"", "\"\xff\""), HasSubstr("ill-formed UTF-8"));
  EXPECT_THAT(refusalOf("\"a\"", "\"\xc0\xaf\""), HasSubstr("ill-formed UTF-8"));
  EXPECT_THAT(refusal(std::string("\x89PNG\r\n\x1a\n\0\0", 10)), HasSubstr("line 1, column 1"));
  EXPECT_LT(refusal("\"" + std::string(1'000'000, 'y')).size(), 500u);
}

TEST(BankJson, EveryTruncationIsRefused) {
  const std::string text = writeBankJson(makeBank("roberts"));
  for (std::size_t size = 0; size + 1 < text.size(); ++size) {
    EXPECT_THROW(parseBankJson(text.substr(0, size), "t"), Error) << size;
    if (text.substr(size).find_first_not_of(" \n}") == std::string::npos) break;
  }
}

TEST(BankJson, DoubledKeysAreRefused) {
  EXPECT_EQ(refusalOf("\"width\": 2", "\"width\": 2, \"width\": 3"),
            "bank.json: /filters/0/width: found this key twice, expected it once");
}

TEST(BankJson, DeepAndLargeTextsAreRefused) {
  EXPECT_THAT(refusal(std::string(1'000'000, '[')), HasSubstr("more than 8 levels"));
  std::string deep;
  for (int i = 0; i < 100; ++i) deep += "{\"a\":";
  EXPECT_THAT(refusal(deep), HasSubstr("/a/a/a/a/a/a/a/a: found more than 8 levels"));
  EXPECT_THAT(refusal(std::string(maxBankFileBytes + 1, ' '), ErrorCode::Limit), HasSubstr("64 MiB"));
}

TEST(BankJson, TextThatIsNotUtf8CannotBeWritten) {
  const FilterBank bank({.name = "b", .title = "\xff"}, {makeFilter("a", 1, 1, {1})});
  EXPECT_THROW(writeBankJson(bank), Error);
}

}  // namespace
}  // namespace bankside
