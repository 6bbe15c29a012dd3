/// The judge of operations: both sides of every tolerance, and operations against it where fields, sizes and
/// windows are small, narrow or at a border.
#include "core/maps/exact_operation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/maps/equalize.h"
#include "core/maps/exact_window.h"
#include "core/maps/window.h"
#include "tests/core/maps/made_maps.h"
#include "tests/support/refusals.h"

namespace bankside {
namespace {

using testing::madeMaps;
using testing::operationOf;

constexpr double u = 0x1p-24;

Maps constantMaps(int count, const Extent& extent, double value) {
  Maps maps = madeMaps(count, extent);
  for (std::size_t m = 0; m < maps.size(); ++m) {
    for (int y = 0; y < extent.height; ++y)
      std::fill_n(maps.view(m).row(y), extent.width, static_cast<float>(value));
  }
  return maps;
}

std::vector<int> allRows(int height) {
  std::vector<int> rows;
  for (int y = 0; y < height; ++y) rows.push_back(y);
  return rows;
}

/// Constant maps in, one constant out; as many units of 2^-24 below it are right, and that many wrong.
struct Tolerance {
  std::string name;
  std::map<std::string, std::vector<double>> arguments;
  std::vector<double> taken;
  double expected;
  double right;
  double wrong;
};

class Judge : public ::testing::Test {
 protected:
  ThreadTeam team{2};
  FieldOfView everything;
  Extent extent{8, 8, 10};
  OperationContext context{team, {}, everything, {8, 8, 10}, ElementType::U8};
};

TEST_F(Judge, AllowsWhatRoundingMayDoAndNoMore) {
  const std::vector<Tolerance> tolerances = {
      {"unit", {}, {255}, 1, 1, 2},
      {"linear", {{"times", {1}}, {"plus", {1}}}, {1}, 2, 4, 6},
      {"log", {{"plus", {0}}}, {1}, 0, 2, 2.5},
      {"log", {{"plus", {1}}}, {std::exp(1.0) - 1}, 1, 5, 7},
      {"exp", {}, {0}, 1, 4, 5},
      {"square", {}, {-1}, 1, 1, 2},
      {"root", {}, {1}, 1, 1, 2},
      {"power", {{"exponent", {1.5}}}, {1}, 1, 4, 5},
      {"abs", {}, {-1}, 1, 0, 1},
      {"relu", {}, {1}, 1, 0, 1},
      {"relu", {}, {-1}, 0, 0, 1},
      {"threshold", {{"at", {1}}}, {1}, 1, 0, 1},
      {"threshold", {{"at", {1}}}, {0.5}, 0, 0, 1},
      {"product", {}, {1, 1}, 1, 2, 3},
      {"product", {}, {1, 1, 1}, 1, 4, 5},
      {"quotient", {{"floor", {0.5}}}, {1, 1}, 1, 2, 3},
      {"quotient", {{"floor", {0.5}}}, {1, 0.25}, 2, 4, 6},
      {"sum", {}, {1, 1}, 2, 6, 8},
      {"sum", {{"weights", {1, -0.5}}}, {1, 1}, 0.5, 4.5, 5},
      {"min", {}, {1, 0.5}, 0.5, 0, 0.5},
      {"max", {}, {0.5, 1}, 1, 0, 1},
      {"gather", {}, {1}, 1, 0, 1},
      {"local-mean", {{"sigma", {1}}}, {1}, 1, 8, 9},
      {"local-rms", {{"sigma", {1}}}, {1}, 1, 5, 6},
      {"dilate", {{"sigma", {1}}}, {1}, 1, 6, 7},
      {"shift", {{"right", {2}}}, {1}, 1, 0, 1},
      {"percentile", {}, {1}, 1, 1, 2},
      {"stretch", {}, {1}, 0, 0, 0.5},
      {"standardize", {}, {1}, 0, 0, 0.5},
      {"equalize", {{"tiles", {2}}, {"clip", {1}}}, {0.5}, 1, 2, 3},
      {"mask", {}, {1}, 1, 0, 1},
      {"resample", {{"scale", {5}}}, {1}, 1, 8, 9},
      {"resample", {{"scale", {10}}}, {1}, 1, 0, 1},
      {"restore", {}, {1}, 1, 0, 1},
  };
  for (const Tolerance& t : tolerances) {
    const Operation op = operationOf(t.name, t.arguments);
    std::vector<Maps> taken;
    for (const double value : t.taken) taken.push_back(constantMaps(1, extent, value));
    std::vector<const Maps*> pointers;
    for (const Maps& maps : taken) pointers.push_back(&maps);
    const Extent after = extentAfter(op, extent, context.image);
    const auto verdict = [&](double off) {
      Maps made = constantMaps(1, after, t.expected);
      const auto wrong = static_cast<float>(t.expected - off * u);
      made.view(0).at(2, 1) = wrong;
      return verifyOperation(op, pointers, context, made, allRows(after.height));
    };
    EXPECT_TRUE(verdict(t.right).passed) << format(op) << " " << verdict(t.right).place();
    EXPECT_FALSE(verdict(t.wrong).passed) << format(op);
    EXPECT_EQ(verdict(t.wrong).failed, 1) << format(op) << " " << verdict(t.wrong).place();
    if (t.right >= 1) {
      EXPECT_NEAR(verdict(t.right).maxBoundRatio, 1, 0.4) << format(op);
    }
  }
}

TEST_F(Judge, OfEigenvaluesAndCombinesToo) {
  Maps hessian = constantMaps(3, extent, 0);
  for (int y = 0; y < 8; ++y) {
    std::fill_n(hessian.view(0).row(y), 8, 1.0f);
    std::fill_n(hessian.view(2).row(y), 8, 0.5f);
  }
  const Operation op = operationOf("eigenvalues");
  const auto eigenvalues = [&](double off) {
    Maps made = constantMaps(2, extent, 1);
    for (int y = 0; y < 8; ++y) std::fill_n(made.view(0).row(y), 8, 0.5f);
    made.view(1).at(3, 4) = static_cast<float>(1 - off * u);
    return verifyOperation(op, {&hessian}, context, made, allRows(8)).failed;
  };
  EXPECT_EQ(eigenvalues(12), 0);
  EXPECT_EQ(eigenvalues(13), 1);

  for (const auto& [word, expected, right, wrong] : {std::tuple{"sum", 4.0, 16, 20},
                                                     {"mean", 1.0, 6, 7},
                                                     {"magnitude", 2.0, 10, 12},
                                                     {"max", 1.0, 0, 1},
                                                     {"absmax", 1.0, 0, 1}}) {
    const CombineOver combine = *parseCombineOver(word);
    const Maps ones = constantMaps(4, extent, 1);
    const auto failed = [&](double off) {
      Maps made = combineOver(combine, ones, context);
      EXPECT_EQ(made.view(0).at(3, 4), static_cast<float>(expected)) << word;
      made.view(0).at(3, 4) = static_cast<float>(expected - off * u);
      return verifyCombine(combine, ones, context, made, allRows(8)).failed;
    };
    EXPECT_EQ(failed(right), 0) << word;
    EXPECT_EQ(failed(wrong), 1) << word;
  }
}

/// Where maps are smaller than the mask, a pixel is inside where its middle is.
TEST_F(Judge, AndOperationsKnowTheFieldAtOtherSizes) {
  std::mt19937 random(3);
  for (const auto& [height, width] : {std::pair{5, 7}, {12, 16}, {24, 9}, {1, 1}}) {
    Image bits(1, 12, 16, ElementType::U8);
    for (int y = 0; y < 12; ++y)
      for (int x = 0; x < 16; ++x) bits.view<std::uint8_t>(0).at(x, y) = random() % 2 == 0 ? 1 : 0;
    bits.view<std::uint8_t>(0).at(8, 6) = 1;
    const Image seen = bits.clone();
    FieldOfView field(std::move(bits));
    OperationContext inside{team, {}, field, {12, 16, 10}, ElementType::U8};
    const Maps maps = madeMaps(2, {height, width, 10});
    const Operation mask = operationOf("mask", {{"value", {-9}}});
    const Maps made = mask.entry->apply(mask, {&maps}, inside);
    EXPECT_TRUE(verifyOperation(mask, {&maps}, inside, made, allRows(height)).passed);
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        const bool in = seen.view<std::uint8_t>(0).at((2 * x + 1) * 16 / (2 * width),
                                                      (2 * y + 1) * 12 / (2 * height)) != 0;
        EXPECT_EQ(made.view(1).at(x, y), in ? maps.view(1).at(x, y) : -9) << x << " " << y;
        EXPECT_EQ(exact::inField(inside, maps, x, y), in);
      }
    }
    for (const char* name : {"percentile", "stretch", "standardize"}) {
      const Operation op = operationOf(name);
      const Maps result = op.entry->apply(op, {&maps}, inside);
      EXPECT_TRUE(verifyOperation(op, {&maps}, inside, result, allRows(height)).passed) << name;
    }
  }
}

/// One outside pixel at a time, in every place that is a border's or not, and all but one.
TEST_F(Judge, AndFillAgreeWhereverTheRimIs) {
  for (const auto& [height, width] : {std::pair{9, 7}, {1, 11}, {6, 1}}) {
    const Maps maps = madeMaps(1, {height, width, 10}, 5);
    for (int place = 0; place < height * width; ++place) {
      for (const bool alone : {false, true}) {
        for (const double erode : {0.0, 1.0, 1.5, 2.3}) {
          if (alone && erode > 0) continue;
          Image bits(1, height, width, ElementType::U8);
          const auto view = bits.view<std::uint8_t>(0);
          for (int y = 0; y < height; ++y) std::fill_n(view.row(y), width, alone ? 0 : 1);
          const int px = place % width;
          const int py = place / width;
          view.at(px, py) = alone ? 1 : 0;
          FieldOfView field(std::move(bits));
          OperationContext inside{team, {}, field, {height, width, 10}, ElementType::U8};
          const Operation fill = operationOf("fill", {{"sigma", {1}}, {"erode", {erode}}});
          const Maps made = fill.entry->apply(fill, {&maps}, inside);
          const Verification v = verifyOperation(fill, {&maps}, inside, made, allRows(height));
          EXPECT_TRUE(v.passed) << v.place() << " erode " << erode << " at " << px << " " << py;
          for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x) {
              const bool kept = alone ? place == y * width + x : std::hypot(x - px, y - py) > erode;
              EXPECT_EQ(made.view(0).at(x, y) == maps.view(0).at(x, y), kept) << x << " " << y;
            }
          }
        }
      }
    }
  }
  const Maps maps = madeMaps(1, {3, 3, 10});
  Image bits(1, 3, 3, ElementType::U8);
  for (int y = 0; y < 3; ++y) std::fill_n(bits.view<std::uint8_t>(0).row(y), 3, 1);
  bits.view<std::uint8_t>(0).at(1, 1) = 0;
  FieldOfView field(std::move(bits));
  OperationContext inside{team, {}, field, {3, 3, 10}, ElementType::U8};
  const Operation fill = operationOf("fill", {{"sigma", {1}}, {"erode", {2}}});
  EXPECT_EQ(testing::sentenceOf([&] { fill.entry->apply(fill, {&maps}, inside); }),
            "fill: nothing of the field of view is left after erode");
}

TEST_F(Judge, AndWindowsAgreeAtEverySizeOfBoth) {
  for (const auto& [height, width] : {std::pair{1, 1}, {1, 40}, {33, 2}, {16, 17}}) {
    const Maps maps = madeMaps(1, {height, width, 10}, 7);
    for (const double sigma : {1.0, 1.3, 1.9, 2.7, 4.0, 7.3, 25.0}) {
      for (const char* name : {"local-mean", "local-rms"}) {
        const Operation op = operationOf(name, {{"sigma", {sigma}}});
        const Maps made = op.entry->apply(op, {&maps}, context);
        const Verification v = verifyOperation(op, {&maps}, context, made, allRows(height));
        EXPECT_TRUE(v.passed) << format(op) << " " << height << " x " << width << " " << v.place();
      }
    }
    for (const double sigma : {0.1, 0.3, 1.0, 2.9}) {
      const Operation op = operationOf("dilate", {{"sigma", {sigma}}});
      const Maps made = op.entry->apply(op, {&maps}, context);
      EXPECT_TRUE(verifyOperation(op, {&maps}, context, made, allRows(height)).passed) << format(op);
    }
    for (const auto& [right, down] : {std::pair{0, 0}, {3, 0}, {-3, 1}, {0, -2}, {50, 50}, {-50, -50}}) {
      const Operation op = operationOf("shift", {{"right", {1.0 * right}}, {"down", {1.0 * down}}});
      const Maps made = op.entry->apply(op, {&maps}, context);
      EXPECT_TRUE(verifyOperation(op, {&maps}, context, made, allRows(height)).passed) << format(op);
      EXPECT_EQ(made.view(0).at(0, 0),
                maps.view(0).at(std::clamp(-right, 0, width - 1), std::clamp(-down, 0, height - 1)));
    }
  }
}

/// No other three boxes come nearer to the variance.
TEST(WindowBoxes, HaveTheVarianceThatWasAskedFor) {
  const auto variance = [](int r) { return r * (r + 1.0) / 3; };
  for (double sigma = 1; sigma <= 200; sigma *= 1.07) {
    const WindowBoxes boxes(sigma);
    const auto [a, b, c] = boxes.radii;
    EXPECT_TRUE(a >= b && b >= c && a - c <= 1) << sigma;
    EXPECT_EQ(boxes.reach(), a + b + c);
    const double off = std::fabs(variance(a) + variance(b) + variance(c) - sigma * sigma);
    for (int r = 0; r < 2 * sigma + 2; ++r) {
      for (int k = 0; k < 3; ++k)
        EXPECT_LE(off, std::fabs(k * variance(r + 1) + (3 - k) * variance(r) - sigma * sigma) + 1e-9)
            << sigma;
    }
  }
  for (const double sigma : {0.1, 1.0, 2.0, 2.1}) {
    const std::vector<float> weights = dilationWeights(sigma);
    EXPECT_EQ(weights.size(), static_cast<std::size_t>(std::ceil(3.5 * sigma)) + 1);
    for (std::size_t k = 0; k < weights.size(); ++k) {
      const auto far = static_cast<double>(k);
      EXPECT_FLOAT_EQ(weights[k], static_cast<float>(std::exp(-far * far / (2 * sigma * sigma))));
    }
  }
}

TEST(EqualizeTiles, CoverTheFrame) {
  for (const auto& [height, width, tiles] :
       {std::tuple{37, 45, 8}, {64, 64, 8}, {1, 9, 4}, {100, 3, 64}, {7, 7, 1}}) {
    const EqualizeTiles t({height, width}, tiles);
    EXPECT_EQ(t.height, (height + tiles - 1) / tiles);
    EXPECT_EQ(t.width, (width + tiles - 1) / tiles);
    EXPECT_GE(t.down * t.height, height);
    EXPECT_LT((t.down - 1) * t.height, height) << "none is empty";
    EXPECT_GE(t.across * t.width, width);
    EXPECT_LT((t.across - 1) * t.width, width);
    EXPECT_EQ(t.number(t.across - 1, t.down - 1) + 1, static_cast<std::size_t>(t.across * t.down));
  }
}

/// A half everywhere: the limit cuts its one bin, and what is cut off is shared among all.
TEST_F(Judge, OfEqualizedMapsKnowsTheLimit) {
  const Maps half = constantMaps(1, extent, 0.5);
  const Operation op = operationOf("equalize", {{"tiles", {1}}, {"clip", {0.01}}});
  const double limit = 0.01 * 64;
  const double expected = (limit + 129.0 / 256 * (64 - limit)) / 64;
  Maps made = op.entry->apply(op, {&half}, context);
  EXPECT_FLOAT_EQ(made.view(0).at(5, 6), static_cast<float>(expected));
  EXPECT_TRUE(verifyOperation(op, {&half}, context, made, allRows(8)).passed);
  made.view(0).at(5, 6) += 4 * 0x1p-24f;
  EXPECT_FALSE(verifyOperation(op, {&half}, context, made, allRows(8)).passed);
}

}  // namespace
}  // namespace bankside
