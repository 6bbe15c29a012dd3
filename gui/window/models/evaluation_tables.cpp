#include "gui/window/models/evaluation_tables.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "core/evaluate/score_figures.h"
#include "gui/window/compute/core_sentence.h"
#include "gui/window/compute/value_text.h"

namespace bankside::window {
namespace {

QString evaluationWord(const char* text) { return QCoreApplication::translate("Evaluation", text); }

const QString nothing = QStringLiteral("–");

QString figureText(double value) { return std::isfinite(value) ? QString::number(value, 'f', 4) : nothing; }

QString intervalText(const Bootstrap::Interval& interval) {
  return std::isfinite(interval.low)
             ? evaluationWord("%1 – %2").arg(figureText(interval.low), figureText(interval.high))
             : nothing;
}

QString withInterval(const Evaluation::Figure& figure) {
  return std::isfinite(figure.interval.low)
             ? evaluationWord("%1 (95 % interval %2)")
                   .arg(figureText(figure.value), intervalText(figure.interval))
             : figureText(figure.value);
}

/// Name, hint and colour: those of Okabe and Ito, which colour-blind readers tell apart.
PointRow wordsOf(const std::string& point) {
  if (point == pointBestMcc)
    return {evaluationWord("Best"),
            evaluationWord("The one threshold for all pictures with the largest Matthews correlation. It has "
                           "seen the manual vessels that it is judged by."),
            0xD55E00};
  if (point == pointOtsu)
    return {evaluationWord("Otsu"),
            evaluationWord("Each picture its own threshold, by Otsu's method: manual vessels unseen"),
            0x009E73};
  if (point == pointFixed)
    return {evaluationWord("Fixed"),
            evaluationWord("The fixed threshold that was set or, without one, the recipe's"), 0xE69F00};
  if (point == pointCarried)
    return {evaluationWord("Other set"),
            evaluationWord("The best threshold of the other set: what new pictures can expect"), 0x56B4E9};
  return {evaluationWord("Observer 2"),
          evaluationWord("The second observer's vessels against the manual ones"), 0xCC79A7};
}

QStringList cellsOf(const ScoreFigures& f, const QString& interval) {
  QStringList cells;
  for (const double figure : {f.sensitivity, f.specificity, f.precision, f.accuracy, f.dice, f.mcc})
    cells << figureText(figure);
  return cells << interval << figureText(f.clDice);
}

/// The point whose segmentations the overlays show.
const OperatingPoint& shownPoint(const headless::StudyOutcome& outcome) {
  const char* name = outcome.options.carried     ? pointCarried
                     : outcome.options.threshold ? pointFixed
                                                 : pointBestMcc;
  const auto& points = outcome.report.evaluation.points;
  return *std::find_if(points.begin(), points.end(), [&](const auto& point) { return point.name == name; });
}

}  // namespace

QString headOf(const Evaluation& e) {
  const auto pixels = static_cast<double>(e.pooled.best.pixels());
  return evaluationWord(
             "AUC %1 over all pixels together, %2 on average over %3 pictures. Average precision %4 and %5. "
             "%6 pixels count, %7 % of them vessel.")
      .arg(withInterval(e.pooledArea), withInterval(e.meanArea))
      .arg(e.images.size())
      .arg(figureText(e.pooled.averagePrecision), withInterval(e.meanAveragePrecision))
      .arg(e.pooled.best.pixels())
      .arg(100 * quotient(static_cast<double>(e.pooled.best.positives()), pixels), 0, 'f', 1);
}

QStringList pointColumns() {
  return {evaluationWord("Vessel is"),   evaluationWord("Threshold"), evaluationWord("Sensitivity"),
          evaluationWord("Specificity"), evaluationWord("Precision"), evaluationWord("Accuracy"),
          evaluationWord("F1"),          evaluationWord("MCC"),       evaluationWord("95 % interval"),
          evaluationWord("clDice")};
}

std::vector<PointRow> pointRows(const Evaluation& evaluation) {
  std::vector<PointRow> rows;
  for (const OperatingPoint& point : evaluation.points) {
    PointRow row = wordsOf(point.name);
    const auto& threshold = point.pooled.threshold;
    row.at = point.pooled.confusion;
    row.words = evaluationWord("finds %1 % of the vessels and takes %2 % of the background for vessels")
                    .arg(100 * row.at.sensitivity(), 0, 'f', 1)
                    .arg(100 * (1 - row.at.specificity()), 0, 'f', 2);
    row.pooled = QStringList{row.name, threshold ? shortValueText(*threshold, 5) : nothing} +
                 cellsOf(figuresOf(point.pooled), intervalText(point.mcc));
    row.mean = QStringList{evaluationWord("on average"), nothing} + cellsOf(meanOf(point.images), nothing);
    rows.push_back(std::move(row));
  }
  return rows;
}

QStringList pictureColumns() {
  return {evaluationWord("Picture"),      evaluationWord("AUC"), evaluationWord("Sensitivity"),
          evaluationWord("Precision"),    evaluationWord("MCC"), evaluationWord("clDice"),
          evaluationWord("What happened")};
}

std::vector<PictureRow> pictureRows(const headless::StudyOutcome& outcome) {
  std::vector<PictureRow> rows;
  std::size_t good = 0;
  for (const EvaluationReport::Image& image : outcome.report.images) {
    PictureRow row{{QString::fromStdString(image.name)}, QString::fromStdString(image.input)};
    if (image.error.empty()) {
      const ScoreFigures f = figuresOf(shownPoint(outcome).images[good]);
      for (const double figure :
           {outcome.report.evaluation.images[good].area, f.sensitivity, f.precision, f.mcc, f.clDice})
        row.cells << figureText(figure);
      QStringList notes;
      for (const std::string& note : image.notes) notes << sentenceOf(note);
      row.cells << notes.join(QStringLiteral("; "));
      ++good;
    } else {
      // Sentences begin with the path of the file, which the row names.
      const std::string path = image.input + ": ";
      row.cells << QStringList{{}, {}, {}, {}, {}}
                << sentenceOf(image.error.starts_with(path) ? image.error.substr(path.size()) : image.error);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace bankside::window
