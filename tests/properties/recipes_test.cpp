/// Random recipes over random images, in random parts, bands and threads, against a judge of their own.
///
/// BANKSIDE_CASES=1000000 BANKSIDE_SEED=7 properties-tests: so many cases, those from a million times the
/// seed on. A case that fails names the line that repeats it.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <map>
#include <sstream>

#include "core/error.h"
#include "core/run/recipe_runner.h"
#include "kernels/engines.h"
#include "tests/properties/plain_judge.h"
#include "tests/properties/random_case.h"

namespace bankside::properties {
namespace {

constexpr std::uint64_t usualCases = 2000;
constexpr std::uint64_t casesOfASeed = 1000000;
/// Beside the largest sum of magnitudes on the way, which serial sums keep with a hundredfold to spare.
constexpr double looseness = 2e-5;
/// Beside the widest. Transforms and regrouped sums mix all pixels of a tile: an error is as large as the
/// largest of them wants it, also where taps of zero meet it.
constexpr double loosenessOfMixed = 2e-6;

std::uint64_t wish(const char* name, std::uint64_t usual) {
  const char* text = std::getenv(name);
  return text == nullptr ? usual : std::strtoull(text, nullptr, 10);
}

/// The recipe's engine where it takes the problem, else the direct one.
const Engine& engineFor(const Recipe& recipe, const ConvolutionProblem& problem) {
  try {
    return selectEngine(recipe.engine, problem);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::Unsupported) throw;
    return selectEngine("cpu:direct", problem);
  }
}

/// Planes of the case, put together from its bands. `bands`: how many there were.
std::vector<Image> planesOf(const RandomCase& made, const Recipe& recipe, int& bands) {
  RunOptions options;
  options.plan.threads = made.threads;
  options.memoryBudget = made.memory;
  options.writeBehind = made.behind;
  Runner runner = makeRunner(recipe, made.banks, options, [&](const ConvolutionProblem& p) -> const Engine& {
    return engineFor(recipe, p);
  });
  std::vector<Image> planes;
  const int height = made.part ? made.part->height : made.image.height();
  ImageSource source(made.image);
  const auto take = [&](int firstRow, const std::vector<Image>& band) {
    for (std::size_t i = 0; i < band.size(); ++i) {
      if (planes.size() <= i) planes.emplace_back(1, height, band[i].width(), band[i].type());
      MutablePlane rows = planes[i].plane(0);
      rows.data = rows.row(firstRow);
      rows.height = band[i].height();
      ImageSource(band[i]).readRows(0, 0, rows);
    }
  };
  bands = runner.run(source, take, {}, made.part).bands;
  return planes;
}

double pixel(const Image& plane, int y, int x) {
  return plane.type() == ElementType::U16 ? plane.view<std::uint16_t>(0).row(y)[x]
                                          : plane.view<float>(0).row(y)[x];
}

bool sumsExactly(const std::string& engine, Precision precision) {
  return engine == "cpu:direct" || engine == "reference" ||
         (engine == "cpu" && precision == Precision::Exact);
}

/// How far a value may lie from the judge's: not at all where f32 holds everything on the way, as in all
/// steps that are judged.
double allowed(const RandomCase& made, const PlainResult& right) {
  if (made.recipe.ofMaps()) return 0;
  if (!sumsExactly(made.recipe.engine, made.recipe.precision)) return loosenessOfMixed * right.widest;
  return right.integers && right.largest < (1 << 24) ? 0 : looseness * right.largest;
}

/// Empty, or where the first wrong value is.
std::string offence(const RandomCase& made, const PlainResult& right, const std::vector<Image>& planes) {
  if (planes.size() != right.maps.size())
    return std::to_string(planes.size()) + " planes, expected " + std::to_string(right.maps.size());
  const double most = allowed(made, right);
  const Region part = made.part.value_or(Region{.width = made.image.width(), .height = made.image.height()});
  for (std::size_t k = 0; k < planes.size(); ++k) {
    // Which filter is the largest is open where they are about equal.
    if (planes[k].type() == ElementType::U16 && most > 0) continue;
    const bool eitherSign = most > 0 && made.recipe.stages.back().combine == Combine::AbsMax;
    if (planes[k].width() != part.width || planes[k].height() != part.height)
      return "a plane of another size";
    for (int y = 0; y < part.height; ++y) {
      for (int x = 0; x < part.width; ++x) {
        const auto at = static_cast<std::size_t>((part.y + y) * made.image.width() + part.x + x);
        const double got = pixel(planes[k], y, x);
        const double want = right.maps[k].values[at];
        if (std::abs(got - want) <= most || (eitherSign && std::abs(got + want) <= most)) continue;
        std::ostringstream text;
        text.precision(17);
        text << "plane " << k << " at " << x << ", " << y << " of the part: " << got << ", expected " << want
             << " within " << most;
        return text.str();
      }
    }
  }
  return {};
}

/// An absolute maximum before the last stage has a sign that rounding decides: no case for a tolerance.
bool isDecided(const RandomCase& made, const PlainResult& right) {
  if (allowed(made, right) == 0) return true;
  for (std::size_t i = 0; i + 1 < made.recipe.stages.size(); ++i)
    if (made.recipe.stages[i].combine == Combine::AbsMax) return false;
  return true;
}

TEST(Properties, RandomRecipesGiveWhatTheUserGuideSays) {
  const std::uint64_t cases = wish("BANKSIDE_CASES", usualCases);
  const std::uint64_t first = wish("BANKSIDE_SEED", 1) * casesOfASeed;
  const std::uint64_t start = wish("BANKSIDE_CASE", first);
  std::map<std::string, int> counts;
  for (std::uint64_t number = start; number < start + cases; ++number) {
    const RandomCase made = randomCase(number);
    const std::string repeat =
        "BANKSIDE_CASE=" + std::to_string(number) + " BANKSIDE_CASES=1 properties-tests\n" + describe(made);
    const PlainResult right = plainResult(made.recipe, made.banks, made.image);
    if (!isDecided(made, right)) {
      ++counts["undecided"];
      continue;
    }
    int bands = 0;
    try {
      const Recipe read = parseRecipe(writeRecipe(made.recipe), "random.json");
      ASSERT_EQ(read, made.recipe) << repeat;
      const std::string wrong = offence(made, right, planesOf(made, read, bands));
      ASSERT_EQ(wrong, "") << repeat;
    } catch (const std::exception& error) {
      FAIL() << error.what() << "\n" << repeat;
    }
    ++counts[allowed(made, right) == 0 ? "exact" : "within the tolerance"];
    if (bands > 1) ++counts["in bands"];
    if (made.part) ++counts["of a part"];
  }
  std::cout << "cases from " << start << ":";
  for (const auto& [word, count] : counts) std::cout << " " << count << " " << word;
  std::cout << "\n";
  if (cases < usualCases) return;
  for (const char* word : {"exact", "within the tolerance", "in bands", "of a part"})
    EXPECT_GT(counts[word], static_cast<int>(cases / 10)) << word;
  // A little less than a tenth of all; of a few thousand it may be more by chance.
  const auto drawn = static_cast<double>(cases);
  EXPECT_LT(counts["undecided"], 0.1 * drawn + 4 * std::sqrt(0.09 * drawn));
}

constexpr std::uint64_t usualSteps = 1000;

TEST(Properties, RandomStepsGiveWhatTheUserGuideSays) {
  const std::uint64_t cases = wish("BANKSIDE_CASES", usualSteps);
  const std::uint64_t start = wish("BANKSIDE_CASE", wish("BANKSIDE_SEED", 1) * casesOfASeed);
  std::uint64_t judged = 0;
  for (std::uint64_t number = start; number < start + cases; ++number) {
    const RandomCase made = randomSteps(number);
    const std::string repeat = "BANKSIDE_CASE=" + std::to_string(number) +
                               " BANKSIDE_CASES=1 properties-tests --gtest_filter=*Steps*\n" + describe(made);
    const PlainResult right = plainSteps(made.recipe, made.banks, made.image);
    ASSERT_TRUE(right.integers) << repeat;
    if (right.largest >= (1 << 24)) continue;
    ++judged;
    try {
      const Recipe read = parseRecipe(writeRecipe(made.recipe), "random.json");
      ASSERT_EQ(read, made.recipe) << repeat;
      int bands = 0;
      ASSERT_EQ(offence(made, right, planesOf(made, read, bands)), "") << repeat;
    } catch (const std::exception& error) {
      FAIL() << error.what() << "\n" << repeat;
    }
  }
  std::cout << "cases from " << start << ": " << judged << " judged, the others too large\n";
  if (cases < usualSteps) return;
  EXPECT_GT(judged, cases / 2);
}

}  // namespace
}  // namespace bankside::properties
