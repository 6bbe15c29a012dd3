#include "core/evaluate/evaluation_report.h"

#include <cmath>
#include <limits>

#include "core/bench/columns.h"
#include "core/error.h"
#include "core/evaluate/score_figures.h"
#include "core/printable.h"
#include "core/run/report_values.h"
#include "core/text.h"

namespace bankside {
namespace {

/// A point on one image, on all of them together, or on the mean of them.
struct ScoreRow {
  std::string point;
  std::string image;
  std::optional<float> threshold;
  std::optional<Confusion> confusion;  ///< none of a mean
  ScoreFigures figures;
  Bootstrap::Interval mccInterval = {NAN, NAN};
};

std::string fixed(double value) { return std::isfinite(value) ? formatFixed(value, 4) : "-"; }

std::string fixed(const Bootstrap::Interval& interval) {
  return std::isfinite(interval.low) ? fixed(interval.low) + " to " + fixed(interval.high) : "-";
}

Column<ScoreRow> measure(const char* name, const char* header, double ScoreFigures::*field) {
  return {name, header, [=](const ScoreRow& r) { return number(r.figures.*field); },
          [=](const ScoreRow& r) { return fixed(r.figures.*field); }};
}

Column<ScoreRow> count(const char* name, std::int64_t Confusion::*field) {
  return {name, "", [=](const ScoreRow& r) { return r.confusion ? Json((*r.confusion).*field) : Json(); }};
}

/// For a terminal and Markdown those with a header; `image` only where there are several.
Columns<ScoreRow> scoreColumns(bool withImage) {
  using R = ScoreRow;
  using F = ScoreFigures;
  return {
      {"point", "point", [](const R& r) { return Json(r.point); }},
      {"image", withImage ? "image" : "", [](const R& r) { return Json(r.image); }},
      {"threshold", "threshold",
       [](const R& r) { return r.threshold ? number(static_cast<double>(*r.threshold)) : Json(); },
       [](const R& r) { return r.threshold ? formatNumber(*r.threshold) : std::string("-"); }},
      measure("sensitivity", "sensitivity", &F::sensitivity),
      measure("specificity", "specificity", &F::specificity),
      measure("precision", "precision", &F::precision),
      measure("accuracy", "accuracy", &F::accuracy),
      measure("f1", "", &F::dice),
      measure("dice", "Dice (F1)", &F::dice),
      measure("mcc", "MCC", &F::mcc),
      {"mcc_low", withImage ? "" : "95 % interval", [](const R& r) { return number(r.mccInterval.low); },
       [](const R& r) { return fixed(r.mccInterval); }},
      {"mcc_high", "", [](const R& r) { return number(r.mccInterval.high); }},
      measure("cldice", "clDice", &F::clDice),
      count("true_positives", &Confusion::truePositives),
      count("false_positives", &Confusion::falsePositives),
      count("false_negatives", &Confusion::falseNegatives),
      count("true_negatives", &Confusion::trueNegatives),
  };
}

ScoreRow rowOf(const OperatingPoint& point, const std::string& image, const OperatingPoint::Score& score) {
  return {.point = point.name,
          .image = image,
          .threshold = score.threshold,
          .confusion = score.confusion,
          .figures = figuresOf(score)};
}

std::vector<ScoreRow> pooledRows(const Evaluation& evaluation) {
  std::vector<ScoreRow> rows;
  for (const OperatingPoint& point : evaluation.points) {
    rows.push_back(rowOf(point, "pooled", point.pooled));
    rows.back().mccInterval = point.mcc;
  }
  return rows;
}

std::vector<ScoreRow> allRows(const Evaluation& evaluation) {
  std::vector<ScoreRow> rows = pooledRows(evaluation);
  for (const OperatingPoint& point : evaluation.points) {
    rows.push_back({.point = point.name,
                    .image = "mean",
                    .threshold = {},
                    .confusion = {},
                    .figures = meanOf(point.images)});
    for (std::size_t i = 0; i < point.images.size(); ++i)
      rows.push_back(rowOf(point, evaluation.images[i].name, point.images[i]));
  }
  return rows;
}

Json figureJson(const Evaluation::Figure& figure) {
  return {{"value", number(figure.value)},
          {"low", number(figure.interval.low)},
          {"high", number(figure.interval.high)}};
}

Json imageJson(const EvaluationReport::Image& image, const Evaluation& evaluation) {
  Json json = {{"name", image.name},
               {"input", image.input},
               {"truth", textOrNull(image.truth)},
               {"fov", textOrNull(image.fieldOfView)},
               {"observer2", textOrNull(image.observer)},
               {"pixels_per_degree", positive(image.pixelsPerDegree)},
               {"ok", image.error.empty()},
               {"error", image.error},
               {"notes", image.notes}};
  for (const Evaluation::ImageScore& score : evaluation.images) {
    if (!image.error.empty() || score.name != image.name) continue;
    json["pixels"] = score.pixels;
    json["vessel_pixels"] = score.vessel;
    json["auc"] = number(score.area);
    json["average_precision"] = number(score.averagePrecision);
  }
  return json;
}

Json curveJson(const RocCurve& curve) {
  Json points = Json::array();
  for (const RocCurve::Point& p : curve.points)
    points.push_back({p.threshold, p.falsePositiveRate, p.recall, p.precision});
  return {{"columns", {"threshold", "false_positive_rate", "recall", "precision"}}, {"points", points}};
}

/// The figures that need no threshold, a line each.
std::vector<std::string> headLines(const EvaluationReport& report) {
  const Evaluation& e = report.evaluation;
  const auto interval = [](const Evaluation::Figure& figure) {
    return std::isfinite(figure.interval.low) ? " (95 % interval " + fixed(figure.interval) + ")" : "";
  };
  return {std::to_string(e.images.size()) + (e.images.size() == 1 ? " image, " : " images, ") +
              std::to_string(e.pooled.best.pixels()) + " pixels inside the field of view, " +
              fixed(quotient(static_cast<double>(e.pooled.best.positives()),
                             static_cast<double>(e.pooled.best.pixels()))) +
              " of them vessel",
          "AUC " + fixed(e.pooledArea.value) + interval(e.pooledArea) + " pooled, " +
              fixed(e.meanArea.value) + interval(e.meanArea) + " mean of images",
          "average precision " + fixed(e.pooled.averagePrecision) + " pooled, " +
              fixed(e.meanAveragePrecision.value) + interval(e.meanAveragePrecision) + " mean of images"};
}

}  // namespace

ReportBeginnings evaluationBeginnings() {
  return beginningsOf(EvaluationReport::fileKind, csvBeginning(scoreColumns(true)));
}

std::string toJson(const EvaluationReport& report) {
  const Evaluation& e = report.evaluation;
  Json images = Json::array();
  for (const EvaluationReport::Image& image : report.images) images.push_back(imageJson(image, e));
  Json json = fileHead(EvaluationReport::fileKind, EvaluationReport::schemaVersion);
  json["command"] = report.command;
  json["environment"] = toJsonValue(report.environment);
  json["recipe"] = report.recipe.empty() ? Json(nullptr) : Json::parse(report.recipe);
  json["notes"] = report.notes;
  json["bootstrap"] = {
      {"resamples", Bootstrap::resamples}, {"seed", Bootstrap::seed}, {"level", Bootstrap::level}};
  json["auc"] = {{"pooled", figureJson(e.pooledArea)}, {"mean", figureJson(e.meanArea)}};
  json["average_precision"] = {
      {"pooled", {{"value", e.images.empty() ? Json() : number(e.pooled.averagePrecision)}}},
      {"mean", figureJson(e.meanAveragePrecision)}};
  json["scores"] = toJson(allRows(e), scoreColumns(true));
  json["images"] = images;
  json["curve"] = curveJson(e.pooled);
  return finish(json);
}

std::string toCsv(const EvaluationReport& report) {
  std::string where = report.command;
  for (const auto& [name, value] : report.environment) where += "; " + name + ": " + value;
  return toCsv(allRows(report.evaluation), scoreColumns(true), where);
}

std::vector<std::pair<std::string, std::string>> scoreCells(const OperatingPoint& point,
                                                            const OperatingPoint::Score& score) {
  const ScoreRow row = rowOf(point, "", score);
  std::vector<std::pair<std::string, std::string>> cells;
  for (const Column<ScoreRow>& column : scoreColumns(true)) {
    const bool ofAll = column.name == "image" || column.name == "mcc_low" || column.name == "mcc_high";
    if (!ofAll) cells.emplace_back(column.name, plainText(column.value(row)));
  }
  return cells;
}

std::string toMarkdown(const EvaluationReport& report) {
  std::string text = evaluationBeginnings().markdown;
  for (const std::string& line : headLines(report)) text += "- " + markdownText(line) + "\n";
  return text + "\n" + tableOf(pooledRows(report.evaluation), scoreColumns(false)).markdown() + "\n" +
         tableOf(allRows(report.evaluation), scoreColumns(true)).markdown() + "\n`" + report.command + "`\n";
}

std::string toText(const EvaluationReport& report) {
  std::string text;
  for (const std::string& line : headLines(report)) text += line + "\n";
  return text + "\n" + tableOf(pooledRows(report.evaluation), scoreColumns(false)).aligned();
}

CarriedThreshold carriedThreshold(const std::string& json, const std::string& file) {
  try {
    const Json report =
        asKind(file, "no report of bankside evaluate", [&] { return parseJsonText(json, file); });
    requireFileHead(report, EvaluationReport::fileKind, EvaluationReport::schemaVersion);
    if (!report.is_object()) throw Error(ErrorCode::BadInput, "it is no object");
    for (const Json& score : report.at("scores")) {
      if (score.at("point") != pointBestMcc || score.at("image") != "pooled") continue;
      const auto threshold = score.at("threshold").get<double>();
      if (std::fabs(threshold) > static_cast<double>(std::numeric_limits<float>::max()))
        throw Error(ErrorCode::BadInput, "its threshold is more than an f32 holds");
      const Json& recipe = report.at("recipe");
      if (!recipe.is_null() && !recipe.is_object()) throw Error(ErrorCode::BadInput, "its recipe is none");
      return {static_cast<float>(threshold), recipe.is_null() ? "" : recipe.dump()};
    }
    throw Error(ErrorCode::BadInput, "it has no point " + std::string(pointBestMcc));
  } catch (const Json::exception&) {
    throw Error(ErrorCode::BadInput,
                file + ": is no report of bankside evaluate: something is missing in it, or of another type");
  } catch (const Error& error) {
    const std::string sentence = error.what();
    throw Error(error.code(), sentence.rfind(file, 0) == 0
                                  ? sentence
                                  : file + ": is no report of bankside evaluate: " + sentence);
  }
}

bool sameResponses(const std::string& recipe, const std::string& other) {
  const Json a = Json::parse(recipe);
  const Json b = Json::parse(other);
  for (const char* field : {"input", "stages", "steps", "border"})
    if (a.value(field, Json()) != b.value(field, Json())) return false;
  return true;
}

}  // namespace bankside
