#include "filters/catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

#include "core/error.h"
#include "core/text.h"

namespace bankside {
namespace {

using ::testing::HasSubstr;

bool sameBank(const FilterBank& a, const FilterBank& b) {
  return a.info() == b.info() && a.filters() == b.filters() && a.contentHash() == b.contentHash();
}

std::string refusal(const std::string& specification) {
  try {
    makeBank(specification);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::BadInput) << specification;
    return error.what();
  }
  ADD_FAILURE() << specification << " was not refused";
  return "";
}

TEST(Catalog, EveryEntryBuildsWithItsDefaults) {
  std::set<std::string> names;
  const std::set<std::string> families = {"edge", "smoothing", "sharpening", "texture", "vessel"};
  for (const CatalogEntry& entry : catalog()) {
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    EXPECT_TRUE(families.contains(entry.family)) << entry.name;
    EXPECT_FALSE(entry.title.empty() || entry.citation.empty()) << entry.name;
    const FilterBank bank = makeBank(entry.name);
    EXPECT_TRUE(bank.uniform()) << entry.name;
    EXPECT_EQ(bank.info().name, entry.name);
    EXPECT_EQ(bank.info().generator, entry.name);
    EXPECT_EQ(bank.info().title, entry.title);
    EXPECT_EQ(bank.info().citation, entry.citation);
    EXPECT_EQ(bank.info().mode, FilterMode::CrossCorrelation);
    ASSERT_EQ(bank.info().parameters.size(), entry.parameters.size()) << entry.name;
    for (const BankParameter& p : entry.parameters) {
      EXPECT_EQ(bank.info().parameters.at(p.name), p.defaultValue) << entry.name;
      EXPECT_FALSE(p.description.empty()) << entry.name << " " << p.name;
    }
  }
}

TEST(Catalog, DefaultsAreInTheirOwnRangeAndCanonical) {
  for (const CatalogEntry& entry : catalog()) {
    for (const BankParameter& p : entry.parameters) {
      const FilterBank bank = makeBank(entry.name + ":" + p.name + "=" + p.defaultValue);
      EXPECT_TRUE(sameBank(bank, makeBank(entry.name))) << entry.name << " " << p.name;
    }
  }
}

TEST(Catalog, NameMakesTheSameBankAgain) {
  const std::pair<const char*, const char*> cases[] = {
      {"sobel:size=5", "sobel:size=5"},
      {"sobel:size=3", "sobel"},
      {"sobel:size=+5.0", "sobel:size=5"},
      {"vessel-matched:orientations=24,length=7,sigma=1.50",
       "vessel-matched:sigma=1.5,length=7,orientations=24"},
      {"vessel-bar:sigma=1.7/2.40/3.4,orientations=6", "vessel-bar:sigma=1.7/2.4/3.4,orientations=6"},
      {"gaussian:size=auto,sigma=1e0", "gaussian"},
      {"unsharp:amount=-0", "unsharp:amount=0"},
      {"laplacian:neighbours=8", "laplacian:neighbours=8"},
  };
  for (const auto& [given, canonical] : cases) {
    const FilterBank bank = makeBank(given);
    EXPECT_EQ(bank.info().name, canonical);
    EXPECT_TRUE(sameBank(makeBank(bank.info().name), bank)) << given;
    EXPECT_TRUE(sameBank(loadBank(given), bank)) << given;
  }
}

/// Rows and columns along the rim, and taps anywhere, that cannot matter.
void expectTight(const FilterBank& bank, const std::string& name) {
  int top = maxFilterSide, left = maxFilterSide, bottom = 0, right = 0;
  for (const Filter& f : bank.filters()) {
    float largest = 0;
    for (const float tap : f.taps) largest = std::max(largest, std::fabs(tap));
    for (int c = 0; c < f.channels; ++c) {
      for (int y = 0; y < f.height; ++y) {
        for (int x = 0; x < f.width; ++x) {
          const float tap = f.tap(c, y, x);
          if (tap == 0) continue;
          ASSERT_TRUE(std::isnormal(tap)) << name << " " << f.label;
          ASSERT_GE(std::fabs(tap), std::ldexp(largest, -24)) << name << " " << f.label;
          top = std::min(top, y);
          left = std::min(left, x);
          bottom = std::max(bottom, y);
          right = std::max(right, x);
        }
      }
    }
  }
  const Filter& first = bank[0];
  ASSERT_TRUE(bank.uniform()) << name;
  EXPECT_EQ(std::min(top, first.anchorY), 0) << name;
  EXPECT_EQ(std::min(left, first.anchorX), 0) << name;
  EXPECT_EQ(std::max(bottom, first.anchorY), first.height - 1) << name;
  EXPECT_EQ(std::max(right, first.anchorX), first.width - 1) << name;
}

TEST(Catalog, NoBankHasTapsOrRimsThatCannotMatter) {
  for (const CatalogEntry& entry : catalog()) {
    expectTight(makeBank(entry.name), entry.name);
    for (const BankParameter& p : entry.parameters) {
      for (const double value : {p.min, p.max, 0.5 * (p.min + p.max)}) {
        if (!std::isfinite(value)) continue;
        const bool whole = p.kind == ParameterKind::Integer || p.kind == ParameterKind::OddInteger;
        constexpr double enough = 24;  // directions say nothing more than these
        const double fewer = p.name == "orientations" ? std::min(value, enough) : value;
        const double legal = whole ? std::floor(fewer) : fewer;
        const std::string text = entry.name + ":" + p.name + "=" + formatNumber(legal);
        try {
          expectTight(makeBank(text), text);
        } catch (const Error& error) {  // beyond 127 taps a side, or an even number where it has to be odd
          EXPECT_THAT(error.what(), ::testing::AnyOf(HasSubstr("1 to 127"), HasSubstr("odd"))) << text;
        }
      }
    }
  }
}

TEST(Catalog, WhatCannotMatterIsLeftOut) {
  EXPECT_EQ(makeBank("gaussian:sigma=1,size=31")[0].width, 11);
  EXPECT_EQ(makeBank("unsharp:amount=0")[0].taps, std::vector<float>{1});
  const FilterBank bar = makeBank("vessel-matched:orientations=1");
  EXPECT_EQ(bar[0].height, 13);
  EXPECT_EQ(bar[0].width, 9);
}

TEST(Catalog, ParametersThatBanksShareHaveOneRange) {
  EXPECT_THAT(refusal("vessel-matched:orientations=361"), HasSubstr("a whole number from 1 to 360, not"));
  EXPECT_THAT(refusal("vessel-matched:sigma=21"), HasSubstr("a number from 0.3 to 20, not"));
  for (const char* spec : {"leung-malik:sigma=20.5", "leung-malik:blobs=20.5"})
    EXPECT_THAT(refusal(spec), HasSubstr("each from 0.3 to 20, not")) << spec;
  EXPECT_THAT(refusal("vessel-matched:length=127"), HasSubstr("a number from 1 to 126, not"));
  for (const char* name : {"dog", "log", "unsharp"})
    EXPECT_THAT(refusal(std::string(name) + ":size=1"), HasSubstr("from 3 to 127")) << name;
}

TEST(Catalog, UnknownBankNamesTheNearest) {
  EXPECT_THAT(refusal("vesel-matched"), HasSubstr("no filter bank \"vesel-matched\"; the nearest names are "
                                                  "vessel-matched"));
  EXPECT_THAT(refusal("matched"), HasSubstr("vessel-matched"));
  EXPECT_THAT(refusal("sobol:size=5"), HasSubstr("sobel"));
  EXPECT_THAT(refusal(""), HasSubstr("no filter bank \"\""));
  EXPECT_THAT(refusal("dox"), HasSubstr("the nearest names are dog, box and log"));
  EXPECT_THAT(refusal("og"), HasSubstr("the nearest names are log, dog and box"))
      << "not log-gabor for two letters";
  EXPECT_LT(refusal(std::string(1'000'000, 'x')).size(), 300u);
}

TEST(Catalog, UnknownParameterListsTheKnown) {
  EXPECT_THAT(
      refusal("vessel-matched:sgima=2"),
      HasSubstr(
          "vessel-matched has no parameter \"sgima\"; it takes sigma, length, orientations and integers"));
  EXPECT_THAT(refusal("scharr:size=3"), HasSubstr("scharr has no parameter \"size\"; it takes none"));
  EXPECT_THAT(refusal("sobel:"), HasSubstr("no parameter \"\""));
  EXPECT_THAT(refusal("sobel:size=3,"), HasSubstr("no parameter \"\""));
}

TEST(Catalog, BadValuesSayWhatWouldBeRight) {
  EXPECT_THAT(refusal("sobel:size=4"),
              HasSubstr("size of the bank sobel takes an odd whole number from 3 to 31, not \"4\""));
  EXPECT_THAT(refusal("sobel:size=33"), HasSubstr("from 3 to 31, not \"33\""));
  EXPECT_THAT(refusal("sobel:size"), HasSubstr("has no value; write size=3"));
  EXPECT_THAT(refusal("sobel:size="), HasSubstr("not \"\""));
  EXPECT_THAT(refusal("sobel:size=5,size=7"), HasSubstr("given twice"));
  EXPECT_THAT(refusal("box:size=0"), HasSubstr("a whole number from 1 to 127, not \"0\""));
  EXPECT_THAT(refusal("box:size=128"), HasSubstr("not \"128\""));
  EXPECT_THAT(refusal("box:size=2.5"), HasSubstr("a whole number"));
  EXPECT_THAT(refusal("box:size=auto"), HasSubstr("not \"auto\""));
  for (const char* value : {"nan", "inf", "1e999", "2 ", "0x2", "two", "2=2"}) {
    EXPECT_THAT(refusal(std::string("gaussian:sigma=") + value), HasSubstr("takes a number from 0.1 to 100"));
  }
  EXPECT_THAT(refusal("gaussian:size=x"), HasSubstr("from 1 to 127, or auto"));
  EXPECT_THAT(refusal("laplacian:neighbours=6"), HasSubstr("takes 4 or 8, not \"6\""));
  EXPECT_THAT(refusal("vessel-bar:sigma=2/x"), HasSubstr("numbers between slashes"));
  EXPECT_THAT(refusal("vessel-bar:sigma=2/2.0"), HasSubstr("different numbers"));
  EXPECT_THAT(refusal("vessel-bar:sigma=2/"), HasSubstr("not \"2/\""));
}

TEST(Catalog, FiltersBeyondTheLimitAreRefusedInWords) {
  EXPECT_THAT(refusal("gaussian:sigma=100"),
              HasSubstr("need filters of 601 x 601 taps; each side can be 1 to 127"));
  EXPECT_THAT(refusal("vessel-gabor:tau=40,elongation=20"), HasSubstr("each side can be 1 to 127"));
  EXPECT_EQ(makeBank("gaussian:sigma=100,size=127")[0].width, 127);
}

TEST(Catalog, LoadBankTellsFilesFromNames) {
  for (const char* file : {"no/such/bank", "nobank.json", "./sobel"}) {
    try {
      loadBank(file);
      ADD_FAILURE() << file;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::Io) << file;
      EXPECT_THAT(error.what(), HasSubstr(file));
    }
  }
  EXPECT_EQ(loadBank("vessel-bar:sigma=1/2").size(), 36);
  EXPECT_THROW(loadBank("nobank"), Error);
}

}  // namespace
}  // namespace bankside
