/// Against figures that numpy works out (golden.py).
#include "core/evaluate/evaluation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/error.h"
#include "core/evaluate/evaluation_report.h"
#include "core/evaluate/roc_plot.h"
#include "tests/core/evaluate/drawn_mask.h"

namespace bankside::testing {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

constexpr double near = 1e-9;

const json& golden() {
  static const json kept = json::parse(std::ifstream(BANKSIDE_EVALUATE_GOLDEN));
  return kept;
}

Image maskFrom(const std::string& text) {
  const auto width = golden()["width"].get<std::size_t>();
  std::vector<std::string> rows;
  for (std::size_t at = 0; at < text.size(); at += width) rows.push_back(text.substr(at, width));
  return drawn(rows);
}

std::vector<LabelledImage> goldenImages() {
  std::vector<LabelledImage> images;
  for (const json& kept : golden()["images"]) {
    Image response(1, golden()["height"], golden()["width"], ElementType::F32);
    auto view = response.view<float>(0);
    for (int y = 0; y < view.height; ++y)
      for (int x = 0; x < view.width; ++x)
        view.at(x, y) = kept["quarters"][static_cast<std::size_t>(y * view.width + x)].get<float>() / 4;
    images.push_back(labelled("image" + std::to_string(images.size()), std::move(response),
                              maskFrom(kept["vessel"]), maskFrom(kept["inside"]),
                              maskFrom(kept["observer"])));
  }
  return images;
}

Confusion confusionFrom(const json& counts) { return {counts[0], counts[1], counts[2], counts[3]}; }

void expectLines(const CentreLines& lines, const json& counts) {
  EXPECT_EQ((std::vector<std::int64_t>{lines.ours, lines.oursInside, lines.theirs, lines.theirsFound}),
            counts.get<std::vector<std::int64_t>>());
}

void expectInterval(const Bootstrap::Interval& interval, const json& kept) {
  EXPECT_NEAR(interval.low, kept[0], near);
  EXPECT_NEAR(interval.high, kept[1], near);
}

const OperatingPoint& point(const Evaluation& evaluation, const std::string& name) {
  for (const OperatingPoint& point : evaluation.points)
    if (point.name == name) return point;
  throw std::runtime_error("no point " + name);
}

TEST(Evaluation, IsWhatNumpyWorksOut) {
  const Evaluation evaluation = evaluate(goldenImages(), {});
  const json& kept = golden();
  EXPECT_NEAR(evaluation.pooledArea.value, kept["auc"], near);
  EXPECT_NEAR(evaluation.meanArea.value, kept["mean_auc"], near);
  EXPECT_NEAR(evaluation.pooled.averagePrecision, kept["average_precision"], near);
  EXPECT_EQ(evaluation.pooled.bestThreshold, kept["best_threshold"].get<float>());
  EXPECT_NEAR(evaluation.pooled.best.mcc(), kept["best_mcc"], near);
  expectInterval(evaluation.pooledArea.interval, kept["auc_interval"]);
  expectInterval(evaluation.meanArea.interval, kept["mean_auc_interval"]);
  expectInterval(point(evaluation, pointBestMcc).mcc, kept["best_mcc_interval"]);
  for (std::size_t i = 0; i < evaluation.images.size(); ++i) {
    const json& image = kept["images"][i];
    EXPECT_NEAR(evaluation.images[i].area, image["auc"], near);
    EXPECT_NEAR(evaluation.images[i].averagePrecision, image["average_precision"], near);
    const auto& best = point(evaluation, pointBestMcc).images[i];
    EXPECT_EQ(best.confusion, confusionFrom(image["best"]));
    expectLines(best.centreLines, image["best_lines"]);
    const auto& otsu = point(evaluation, pointOtsu).images[i];
    EXPECT_EQ(otsu.threshold, image["otsu"].get<float>());
    EXPECT_EQ(otsu.confusion, confusionFrom(image["otsu_counts"]));
    const auto& observer = point(evaluation, pointObserver).images[i];
    EXPECT_EQ(observer.confusion, confusionFrom(image["observer_counts"]));
    expectLines(observer.centreLines, image["observer_lines"]);
  }
  Confusion pooled;
  for (const auto& image : point(evaluation, pointBestMcc).images) pooled += image.confusion;
  EXPECT_EQ(pooled, evaluation.pooled.best) << "curve and pixels agree";
}

TEST(Evaluation, ThresholdsThatWereAskedForAreJudgedToo) {
  const Evaluation evaluation =
      evaluate(goldenImages(), {.threshold = 1.5F, .carried = 100.0F, .threads = 1});
  EXPECT_EQ(point(evaluation, pointFixed).pooled.confusion, evaluation.pooled.best);
  EXPECT_EQ(point(evaluation, pointCarried).pooled.confusion.truePositives, 0);
  EXPECT_EQ(evaluation.points.back().name, pointObserver);
  EXPECT_THROW(evaluate({}, {}), Error);
}

TEST(Evaluation, OneImageHasNoInterval) {
  std::vector<LabelledImage> one;
  one.push_back(std::move(goldenImages().front()));
  const Evaluation evaluation = evaluate(one, {});
  EXPECT_TRUE(std::isnan(evaluation.pooledArea.interval.low));
  EXPECT_NEAR(evaluation.pooledArea.value, evaluation.meanArea.value, 1e-15);
  EXPECT_THAT(
      toText({.environment = {}, .command = {}, .recipe = {}, .images = {}, .evaluation = evaluation}),
      Not(HasSubstr("nan")));
}

TEST(Evaluation, ThePooledAreaOfVeryManyImagesHasNoInterval) {
  std::vector<LabelledImage> images;
  for (int i = 0; i < 4097; ++i) {
    Image response(1, 1, 2, ElementType::F32);
    response.view<float>(0).at(0, 0) = static_cast<float>(i % 3);
    response.view<float>(0).at(1, 0) = 1;
    images.push_back(labelled(std::to_string(i), std::move(response), drawn({"#."}), {}, {}));
  }
  const Evaluation evaluation = evaluate(images, {});
  EXPECT_NEAR(evaluation.pooledArea.value, 0.5, 1e-3);
  EXPECT_TRUE(std::isnan(evaluation.pooledArea.interval.low));
  EXPECT_LT(evaluation.meanArea.interval.low, evaluation.meanArea.interval.high);
}

TEST(Bootstrap, DrawsAsManyImagesAsThereAre) {
  const Bootstrap bootstrap(5);
  int resamples = 0;
  const auto interval = bootstrap.interval([&](const std::vector<int>& draws) {
    int images = 0;
    for (const int times : draws) images += times;
    EXPECT_EQ(images, 5);
    return static_cast<double>(++resamples);
  });
  EXPECT_EQ(resamples, Bootstrap::resamples);
  // Of 1, 2 ... 2000, as numpy.percentile says.
  EXPECT_NEAR(interval.low, 50.975, 1e-9);
  EXPECT_NEAR(interval.high, 1950.025, 1e-9);
}

TEST(Bootstrap, OneValueIsBothEnds) {
  const auto interval = [](int of) {
    int resamples = 0;
    return Bootstrap(2).interval(
        [&](const std::vector<int>&) { return ++resamples == of ? 4.5 : std::nan(""); });
  };
  EXPECT_EQ(interval(7).low, 4.5);
  EXPECT_EQ(interval(7).high, 4.5);
  EXPECT_TRUE(std::isnan(interval(0).low)) << "there is none";
}

EvaluationReport goldenReport(const std::string& recipe) {
  return {.environment = {{"program", "p"}},
          .command = "bankside evaluate",
          .recipe = recipe,
          .images = {{.name = "image0",
                      .input = "image0.png",
                      .truth = "t.png",
                      .fieldOfView = {},
                      .observer = {},
                      .error = {},
                      .notes = {}},
                     {.name = "bad",
                      .input = "bad.png",
                      .truth = "t.png",
                      .fieldOfView = {},
                      .observer = {},
                      .error = "bad.png: is damaged",
                      .notes = {}}},
          .evaluation = evaluate(goldenImages(), {})};
}

TEST(EvaluationReport, TheThresholdOfOneSetIsCarriedToAnother) {
  const std::string text = toJson(goldenReport(R"({"stages": [{"bank": "sobel"}]})"));
  const CarriedThreshold carried = carriedThreshold(text, "r.json");
  EXPECT_EQ(carried.threshold, golden()["best_threshold"].get<float>());
  EXPECT_TRUE(sameResponses(carried.recipe, R"({"stages": [{"bank": "sobel"}], "engine": "cpu"})"));
  EXPECT_FALSE(sameResponses(carried.recipe, R"({"stages": [{"bank": "kirsch"}]})"));
  for (const char* other : {"{}", "[1]", "nonsense", R"({"bankside": "comparison", "schema_version": 2})",
                            R"({"bankside": "evaluation", "schema_version": 1, "scores": []})",
                            R"({"bankside": "evaluation", "schema_version": 1, "recipe": null, "scores":
                              [{"point": "best-mcc", "image": "pooled", "threshold": 1e300}]})",
                            R"({"bankside": "evaluation", "schema_version": 1, "recipe": 7, "scores":
                              [{"point": "best-mcc", "image": "pooled", "threshold": 1}]})"}) {
    try {
      carriedThreshold(other, "r.json");
      ADD_FAILURE() << other;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::BadInput);
      EXPECT_THAT(error.what(), HasSubstr("r.json"));
    }
  }
}

TEST(EvaluationReport, HoldsEveryImageAndPoint) {
  const EvaluationReport report = goldenReport("");
  const json read = json::parse(toJson(report));
  EXPECT_TRUE(read["recipe"].is_null());
  EXPECT_EQ(read["images"][1]["error"], "bad.png: is damaged");
  EXPECT_FALSE(read["images"][1].contains("auc"));
  EXPECT_NEAR(read["images"][0]["auc"], golden()["images"][0]["auc"], near);
  ASSERT_EQ(read["scores"].size(), 3 * (1 + 1 + 4u)) << "pooled, mean and four images, of three points";
  EXPECT_EQ(read["scores"][0]["image"], "pooled");
  EXPECT_EQ(read["scores"][0]["f1"], read["scores"][0]["dice"]);
  double mean = 0;
  for (const json& score : read["scores"])
    if (score["point"] == pointBestMcc && score["image"].get<std::string>().rfind("image", 0) == 0)
      mean += score["mcc"].get<double>() / 4;
  for (const json& score : read["scores"])
    if (score["point"] == pointBestMcc && score["image"] == "mean") {
      EXPECT_NEAR(score["mcc"], mean, 1e-12);
    }
  EXPECT_GT(read["curve"]["points"].size(), 20u);
  const std::string csv = toCsv(report);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 18);
  EXPECT_THAT(toMarkdown(report), HasSubstr("| observer2 | pooled |"));
  EXPECT_THAT(toText(report), HasSubstr("AUC 0.8617 (95 % interval 0.8448 to 0.8845) pooled"));
}

TEST(RocPlot, DrawsBothCurvesAndEveryPoint) {
  const std::string svg = rocPlot(evaluate(goldenImages(), {}));
  const auto count = [&](const std::string& word) {
    int found = 0;
    for (std::size_t at = 0; (at = svg.find(word, at)) != std::string::npos; ++at) ++found;
    return found;
  };
  EXPECT_EQ(count("<polyline"), 2);
  EXPECT_EQ(count("<circle"), 3 * 3) << "of each point one on both curves and one in the legend";
  EXPECT_THAT(svg, HasSubstr("AUC 0.8617"));
  EXPECT_EQ(count("nan"), 0);
  // Nothing is cut off: the picture is as wide and as high as what is drawn in it.
  const auto largest = [&](const std::string& attribute) {
    double most = 0;
    for (std::size_t at = 0; (at = svg.find(' ' + attribute + "=\"", at)) != std::string::npos; ++at)
      most = std::max(most, std::strtod(svg.c_str() + at + attribute.size() + 3, nullptr));
    return most;
  };
  EXPECT_GE(largest("width"), largest("x"));
  EXPECT_GE(largest("width"), largest("cx"));
  EXPECT_GE(largest("height"), largest("y"));
}

/// Numbers of an attribute, in the order of the picture.
std::vector<double> numbersOf(const std::string& svg, const std::string& element,
                              const std::string& attribute) {
  std::vector<double> numbers;
  for (std::size_t at = 0; (at = svg.find("<" + element + " ", at)) != std::string::npos; ++at) {
    const std::string tag = svg.substr(at, svg.find('>', at) - at);
    const std::size_t from = tag.find(" " + attribute + "=\"");
    if (from != std::string::npos)
      numbers.push_back(std::strtod(tag.c_str() + from + attribute.size() + 3, nullptr));
  }
  return numbers;
}

TEST(RocPlot, EverythingLiesWhereItsNumbersSay) {
  const Evaluation evaluation = evaluate(goldenImages(), {});
  const std::string svg = rocPlot(evaluation);
  // Two squares side by side, the frames of 0 to 1; the first rectangle is the paper.
  const auto left = numbersOf(svg, "rect", "x");
  const auto top = numbersOf(svg, "rect", "y");
  const auto side = numbersOf(svg, "rect", "width");
  ASSERT_EQ(left.size(), 2u);
  EXPECT_EQ(side[1], side[2]);
  EXPECT_EQ(numbersOf(svg, "rect", "height").at(1), side[1]);
  EXPECT_EQ(top[0], top[1]);
  EXPECT_GT(left[1], left[0] + side[1] + 50) << "there is room for the second one's numbers";
  EXPECT_GT(left[0], 30);
  const double width = side[1];
  const double bottom = top[0] + width;
  EXPECT_GT(numbersOf(svg, "svg", "width").at(0), left[1] + width);

  // Points of the curves.
  std::size_t at = 0;
  for (std::size_t panel = 0; panel < 2; ++panel) {
    at = svg.find("points=\"", at) + 8;
    std::istringstream points(svg.substr(at, svg.find('"', at) - at));
    const auto expect = [&](double across, double up) {
      double x = 0, y = 0;
      char comma = 0;
      ASSERT_TRUE(points >> x >> comma >> y);
      EXPECT_NEAR(x, left[panel] + across * width, 0.051);
      EXPECT_NEAR(y, bottom - up * width, 0.051);
    };
    if (panel == 0) expect(0, 0);
    for (const RocCurve::Point& p : evaluation.pooled.points)
      panel == 0 ? expect(p.falsePositiveRate, p.recall) : expect(p.recall, p.precision);
    double more = 0;
    EXPECT_FALSE(points >> more);
  }

  // Of each operating point a mark in each frame and one in the legend, in one colour.
  const auto x = numbersOf(svg, "circle", "cx");
  const auto y = numbersOf(svg, "circle", "cy");
  ASSERT_EQ(x.size(), 3 * evaluation.points.size());
  for (std::size_t i = 0; i < evaluation.points.size(); ++i) {
    const Confusion& c = evaluation.points[i].pooled.confusion;
    EXPECT_NEAR(x[3 * i], left[0] + (1 - c.specificity()) * width, 0.051);
    EXPECT_NEAR(y[3 * i], bottom - c.sensitivity() * width, 0.051);
    EXPECT_NEAR(x[3 * i + 1], left[1] + c.sensitivity() * width, 0.051);
    EXPECT_NEAR(y[3 * i + 1], bottom - c.precision() * width, 0.051);
    EXPECT_GT(y[3 * i + 2], bottom + 40) << "below the frames";
    if (i > 0) {
      EXPECT_GE(y[3 * i + 2] - y[3 * i - 1], 14) << "a row of its own";
    }
  }

  // Numbers along both sides, each at its place: text x, then y, of both frames.
  const auto textX = numbersOf(svg, "text", "x");
  const auto textY = numbersOf(svg, "text", "y");
  for (std::size_t panel = 0; panel < 2; ++panel) {
    for (std::size_t tick = 0; tick < 5; ++tick) {
      const std::size_t i = panel * 12 + 2 * tick;
      const double share = 0.25 * static_cast<double>(tick);
      EXPECT_NEAR(textX[i], left[panel] + share * width, 0.051);
      EXPECT_GT(textY[i], bottom + 8);
      EXPECT_LT(textX[i + 1], left[panel]);
      EXPECT_NEAR(textY[i + 1], bottom - share * width, 6) << "beside it";
    }
    EXPECT_NEAR(textX[panel * 12 + 10], left[panel] + width / 2, 0.051) << "what it is, in the middle";
    EXPECT_GT(textY[panel * 12 + 10], textY[panel * 12] + 10);
    EXPECT_LT(textY[panel * 12 + 11], top[0]);
  }
  for (const char* words :
       {">0.00<", ">0.25<", ">0.50<", ">0.75<", ">1.00<", "1 - specificity", "4 image(s), pooled"})
    EXPECT_THAT(svg, HasSubstr(words));
}

}  // namespace
}  // namespace bankside::testing
