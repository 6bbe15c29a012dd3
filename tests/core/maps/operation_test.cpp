/// Every operation against its judge, and the judge against results that are wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <set>
#include <sstream>

#include "core/error.h"
#include "core/maps/exact_operation.h"
#include "tests/core/maps/made_maps.h"
#include "tests/support/refusals.h"
#include "tests/support/test_names.h"

namespace bankside {
namespace {

using testing::disc;
using testing::madeMaps;
using testing::operationOf;

struct Case {
  std::string name;
  std::map<std::string, std::vector<double>> arguments;
  int taken = 1;
  int maps = 2;
  float least = -2;
};
void PrintTo(const Case& c, std::ostream* out) {
  *out << c.name;
  for (const auto& [name, values] : c.arguments) {
    *out << " " << name << "=";
    for (const double value : values) *out << (value == values.front() ? "" : ",") << value;
  }
}

/// At least one of every operation: a test below counts them.
const std::vector<Case>& cases() {
  static const std::vector<Case> list = {
      {"unit", {}},
      {"linear", {{"times", {-0.7}}, {"plus", {1.3}}}},
      {"log", {{"plus", {0.05}}}, 1, 2, 0},
      {"exp", {}},
      {"abs", {}},
      {"relu", {}},
      {"square", {}},
      {"root", {}, 1, 2, 0},
      {"power", {{"exponent", {1.7}}}, 1, 2, 0},
      {"threshold", {{"at", {0.4}}}},
      {"product", {}, 3},
      {"quotient", {{"floor", {0.1}}}, 2},
      {"sum", {}, 2},
      {"sum", {{"weights", {1, -0.5, 2}}}, 3},
      {"min", {}, 2},
      {"max", {}, 3},
      {"gather", {}, 3},
      {"eigenvalues", {}, 1, 3},
      {"local-mean", {{"sigma", {1}}}},
      {"local-mean", {{"sigma", {3.3}}}},
      {"local-rms", {{"sigma", {30}}}},  // wider than the frame
      {"dilate", {{"sigma", {0.4, 1.5}}}, 1, 2, 0},
      {"shift", {{"right", {3}}, {"down", {-2}}}},
      {"percentile", {{"percent", {99.5}}}},
      {"percentile", {}},
      {"standardize", {}},
      {"standardize", {{"robust", {1}}}},
      {"stretch", {}},
      {"equalize", {}, 1, 2, -0.1f},
      {"equalize", {{"tiles", {3}}, {"clip", {0.2}}}, 1, 2, -0.1f},
      {"equalize", {{"tiles", {64}}, {"clip", {1}}}, 1, 2, -0.1f},
      {"field", {}, 1, 1},
      {"fill", {{"sigma", {2}}, {"erode", {1.5}}}},
      {"mask", {{"value", {-7}}}},
      {"resample", {{"scale", {4}}}},
      {"resample", {{"scale", {10}}}},
      {"resample", {{"scale", {17.3}}}},
      {"restore", {}},
  };
  return list;
}

struct Made {
  std::vector<Maps> taken;
  std::vector<const Maps*> pointers;
};

Made takenFor(const Case& c, const Extent& extent) {
  Made made;
  for (int i = 0; i < c.taken; ++i)
    made.taken.push_back(madeMaps(c.maps, extent, static_cast<unsigned>(i + 1), c.least));
  for (const Maps& maps : made.taken) made.pointers.push_back(&maps);
  return made;
}

std::vector<int> allRows(const Extent& extent) {
  std::vector<int> rows(static_cast<std::size_t>(extent.height));
  for (int y = 0; y < extent.height; ++y) rows[static_cast<std::size_t>(y)] = y;
  return rows;
}

class Operations : public ::testing::TestWithParam<Case> {
 protected:
  Extent extent{37, 45, 10};
  ThreadTeam team{2};
  FieldOfView everything;
  FieldOfView inDisc{disc(37, 45, 15)};
  OperationContext whole{team, {}, everything, {50, 61, 10}, ElementType::U8};
  OperationContext part{team, {}, inDisc, {50, 61, 10}, ElementType::U16};
};

TEST_P(Operations, AreWhatTheirJudgeSays) {
  const Operation op = operationOf(GetParam().name, GetParam().arguments);
  const Made made = takenFor(GetParam(), extent);
  for (OperationContext* context : {&whole, &part}) {
    const Maps result = op.entry->apply(op, made.pointers, *context);
    const Verification v = verifyOperation(op, made.pointers, *context, result, allRows(result.extent));
    EXPECT_TRUE(v.passed) << format(op) << ": " << v.place() << ", " << v.failed << " failed";
    EXPECT_EQ(v.checked,
              static_cast<std::int64_t>(result.size()) * result.extent.height * result.extent.width);
  }
}

TEST_P(Operations, OfOnePixelMadeWrongAreFoundOut) {
  const Operation op = operationOf(GetParam().name, GetParam().arguments);
  const Made made = takenFor(GetParam(), extent);
  Maps result = op.entry->apply(op, made.pointers, whole);
  const int x = result.extent.width / 2;
  const int y = result.extent.height / 2;
  result.view(result.size() - 1).at(x, y) += 0.01f;
  const Verification v = verifyOperation(op, made.pointers, whole, result, allRows(result.extent));
  EXPECT_FALSE(v.passed) << format(op);
  EXPECT_EQ(v.failed, 1);
  EXPECT_EQ(v.x, x);
  EXPECT_EQ(v.y, y);
}

TEST_P(Operations, GiveTheSameBytesOnAnyNumberOfThreads) {
  const Operation op = operationOf(GetParam().name, GetParam().arguments);
  const Made made = takenFor(GetParam(), extent);
  const Maps two = op.entry->apply(op, made.pointers, part);
  const ThreadTeam alone(1);
  FieldOfView field(disc(37, 45, 15));
  OperationContext context{alone, {}, field, part.image, part.type};
  const Maps one = op.entry->apply(op, made.pointers, context);
  ASSERT_EQ(one.names, two.names);
  for (std::size_t m = 0; m < one.size(); ++m) EXPECT_TRUE(samePixels(one.planes[m], two.planes[m])) << m;
}

TEST_P(Operations, KeepWhatIsNotFiniteFromSpreading) {
  const Operation op = operationOf(GetParam().name, GetParam().arguments);
  Made made = takenFor(GetParam(), extent);
  made.taken[0].view(0).at(20, 18) = std::numeric_limits<float>::quiet_NaN();
  made.taken[0].view(0).at(3, 30) = std::numeric_limits<float>::infinity();
  const Maps result = op.entry->apply(op, made.pointers, whole);
  std::int64_t notFinite = 0;
  for (std::size_t m = 0; m < result.size(); ++m) {
    for (int y = 0; y < result.extent.height; ++y) {
      for (int x = 0; x < result.extent.width; ++x)
        notFinite += std::isfinite(result.view(m).at(x, y)) ? 0 : 1;
    }
  }
  // A maximum takes them as far as its window reaches, the rest nowhere.
  EXPECT_LE(notFinite, GetParam().name == "dilate" ? 2 * 15 * 15 : 40) << format(op);
}

INSTANTIATE_TEST_SUITE_P(, Operations, ::testing::ValuesIn(cases()), [](const auto& one) {
  return std::to_string(one.index) + "_" + testing::asTestName(one.param.name);
});

TEST(OperationList, HasNoneThatIsNotTested) {
  std::set<std::string> tested, listed;
  for (const Case& c : cases()) tested.insert(c.name);
  for (const OperationEntry& entry : operations()) {
    EXPECT_TRUE(listed.insert(entry.name).second) << entry.name;
    EXPECT_FALSE(entry.description.empty()) << entry.name;
  }
  EXPECT_EQ(tested, listed);
}

TEST(OperationList, IsTheOneOfTheDocs) {
  std::ifstream file(BANKSIDE_SOURCE_DIR "/docs/formats.md");
  std::stringstream text;
  text << file.rdbuf();
  for (const OperationEntry& entry : operations()) {
    EXPECT_NE(text.str().find("\n| `" + entry.name + "` | " + entry.description), std::string::npos)
        << entry.name;
    for (const OperationParameter& p : entry.parameters)
      EXPECT_NE(text.str().find(p.description), std::string::npos) << entry.name << " " << p.name;
  }
}

/// Of 1e20, which squared is no float, 1e-30, NaN beside a border, and one value throughout.
TEST_P(Operations, AreRightOverHostileMaps) {
  const Operation op = operationOf(GetParam().name, GetParam().arguments);
  for (const int kind : {0, 1, 2, 3}) {
    Made made = takenFor(GetParam(), extent);
    for (Maps& maps : made.taken) {
      for (std::size_t m = 0; m < maps.size(); ++m) {
        for (int y = 0; y < extent.height; ++y) {
          for (int x = 0; x < extent.width; ++x) {
            float& pixel = maps.view(m).at(x, y);
            if (kind == 0) pixel = 0.1f;
            if (kind == 1) pixel *= 1e-30f;
            if (kind == 2 && x == 1) pixel = std::numeric_limits<float>::quiet_NaN();
            if (kind == 3 && x == 20 && y == 9) pixel = 1e20f;
          }
        }
      }
    }
    if (kind == 3 && (GetParam().name == "product" || GetParam().name == "exp")) continue;  // past f32
    const Maps result = op.entry->apply(op, made.pointers, whole);
    const Verification v = verifyOperation(op, made.pointers, whole, result, allRows(result.extent));
    EXPECT_TRUE(v.passed) << format(op) << " of kind " << kind << ": " << v.place() << ", " << v.failed
                          << " failed";
  }
}

TEST_P(Operations, OfOnePixelAreRight) {
  const Operation op = operationOf(GetParam().name, GetParam().arguments);
  const Made made = takenFor(GetParam(), {1, 1, 10});
  OperationContext context{team, {}, everything, {1, 1, 10}, ElementType::U8};
  const Maps result = op.entry->apply(op, made.pointers, context);
  const Verification v = verifyOperation(op, made.pointers, context, result, allRows(result.extent));
  EXPECT_TRUE(v.passed) << format(op) << ": " << v.place();
}

std::string refusal(const std::string& name, const std::map<std::string, std::vector<double>>& given) {
  return testing::sentenceOf([&] { operationOf(name, given); });
}

TEST(OperationArguments, AreCheckedAndNamed) {
  EXPECT_EQ(refusal("local-rms", {}),
            "local-rms: sigma (the standard deviation of its window in pixels) must be given");
  EXPECT_EQ(refusal("local-rms", {{"sigma", {0}}}), "local-rms: sigma is 0 and must lie from 1 to 200");
  EXPECT_EQ(refusal("local-rms", {{"sigma", {std::nan("")}}}),
            "local-rms: sigma is nan and must lie from 1 to 200");
  EXPECT_EQ(refusal("local-rms", {{"sigma", {2, 3}}}), "local-rms: sigma takes one number");
  EXPECT_EQ(refusal("shift", {{"right", {0.5}}}), "shift: right takes whole numbers");
  EXPECT_EQ(refusal("exp", {{"base", {2}}}), "exp: there is no \"base\"; it takes nothing");
  EXPECT_EQ(refusal("dilate", {{"sigma", {1, 2}}}), "");
}

TEST(Gather, KeepsNamesApart) {
  const ThreadTeam team(1);
  FieldOfView field;
  OperationContext context{team, {}, field, {8, 8}, ElementType::F32};
  const Maps two = madeMaps(2, {8, 8});
  const Maps one = madeMaps(1, {8, 8});
  const Operation op = operationOf("gather");
  const Maps all = op.entry->apply(op, {&two, &one, &one}, context);
  std::vector<std::string> labels;
  for (const MapName& name : all.names) labels.push_back(name.label);
  EXPECT_THAT(labels, ::testing::ElementsAre("map0", "map1", "map0-2", "map0-3"));
  EXPECT_EQ(all.names[1].orientation, two.names[1].orientation);
}

TEST(Dilate, NamesItsSigmasWhereThereAreSeveral) {
  const ThreadTeam team(1);
  FieldOfView field;
  OperationContext context{team, {}, field, {8, 8}, ElementType::F32};
  const Maps two = madeMaps(2, {8, 8});
  const auto labels = [&](const std::vector<double>& sigmas) {
    const Operation op = operationOf("dilate", {{"sigma", sigmas}});
    std::vector<std::string> all;
    for (const MapName& name : op.entry->apply(op, {&two}, context).names) all.push_back(name.label);
    return all;
  };
  EXPECT_THAT(labels({1}), ::testing::ElementsAre("map0", "map1"));
  EXPECT_THAT(labels({1, 2.5}),
              ::testing::ElementsAre("map0-within1", "map0-within2.5", "map1-within1", "map1-within2.5"));
}

TEST(OperationArguments, OfNumbersOfMapsAreRefused) {
  const ThreadTeam team(1);
  FieldOfView field;
  OperationContext context{team, {}, field, {8, 8}, ElementType::F32};
  const Maps two = madeMaps(2, {8, 8});
  const Maps three = madeMaps(3, {8, 8});
  const Maps other = madeMaps(2, {8, 9});
  const auto refusalOf = [&](const std::string& name, const std::vector<const Maps*>& taken) -> std::string {
    const Operation op = operationOf(name);
    try {
      op.entry->apply(op, taken, context);
      return "";
    } catch (const Error& e) {
      return e.what();
    }
  };
  EXPECT_EQ(refusalOf("product", {&two, &three}),
            "product: takes steps of equally many maps, or of one, not 3 and 2");
  EXPECT_EQ(refusalOf("product", {&two, &other}), "product: takes maps of one size; one is resampled");
  EXPECT_EQ(refusalOf("gather", {&two, &other}), "gather: takes maps of one size; one is resampled");
  EXPECT_EQ(refusalOf("eigenvalues", {&two}), "eigenvalues: takes the three maps xx, xy and yy, not 2");
  EXPECT_THAT(refusalOf("restore", {&two}), "");
}

TEST(Percentile, IsNumpys) {
  const ThreadTeam team(1);
  FieldOfView field;
  OperationContext context{team, {}, field, {1, 5}, ElementType::F32};
  Maps maps = madeMaps(1, {1, 5});
  const float values[] = {3, 1, 10, 2, 7};
  std::copy_n(values, 5, maps.view(0).row(0));
  // numpy.percentile([3, 1, 10, 2, 7], [0, 30, 50, 90, 100])
  for (const auto& [percent, expected] :
       std::map<double, float>{{0, 1}, {30, 2.2f}, {50, 3}, {90, 8.8f}, {100, 10}}) {
    const Operation op = operationOf("percentile", {{"percent", {percent}}});
    EXPECT_FLOAT_EQ(op.entry->apply(op, {&maps}, context).view(0).at(2, 0), expected) << percent;
  }
}

TEST(CombineOver, KeepsTheOtherAttributeApart) {
  const ThreadTeam team(2);
  FieldOfView field;
  OperationContext context{team, {}, field, {19, 23}, ElementType::F32};
  const Maps maps = madeMaps(6, {19, 23});  // three orientations at two scales
  const CombineOver byOrientation = *parseCombineOver("max:orientation");
  const Maps scales = combineOver(byOrientation, maps, context);
  ASSERT_EQ(scales.size(), 2u);
  EXPECT_EQ(scales.names[0], (MapName{"sigma1-max", std::nullopt, 1.0}));
  EXPECT_EQ(scales.names[1], (MapName{"sigma2-max", std::nullopt, 2.0}));
  EXPECT_TRUE(verifyCombine(byOrientation, maps, context, scales, allRows(maps.extent)).passed);
  const CombineOver byScale = *parseCombineOver("mean:scale");
  const Maps mean = combineOver(byScale, scales, context);
  ASSERT_EQ(mean.size(), 1u);
  EXPECT_TRUE(verifyCombine(byScale, scales, context, mean, allRows(maps.extent)).passed);
  float expected = 0;
  for (const int first : {0, 3}) {
    float most = maps.view(static_cast<std::size_t>(first)).at(7, 11);
    for (int i = 1; i < 3; ++i)
      most = std::max(most, maps.view(static_cast<std::size_t>(first + i)).at(7, 11));
    expected += 0.5f * most;
  }
  EXPECT_FLOAT_EQ(mean.view(0).at(7, 11), expected);
  Maps nameless = madeMaps(2, {19, 23});
  nameless.names[1].scale = std::nullopt;
  EXPECT_THROW(combineOver(byScale, nameless, context), Error);
  for (const char* word : {"argmax", "none", "max:", "max:colour", "largest", ""})
    EXPECT_FALSE(parseCombineOver(word)) << word;
  for (const char* word : {"max", "mean:scale", "absmax:orientation", "magnitude", "sum"})
    EXPECT_EQ(format(*parseCombineOver(word)), word);
}

}  // namespace
}  // namespace bankside
