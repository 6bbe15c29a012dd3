/// What an evaluation found, as texts for tables.
#pragma once

#include <QStringList>
#include <cstdint>
#include <vector>

#include "gui/window/compute/evaluation_work.h"

namespace bankside::window {

/// The figures that need no threshold, with their intervals.
QString headOf(const Evaluation& evaluation);

struct PointRow {
  QString name;
  QString hint;
  std::uint32_t color = 0;  ///< 0xRRGGBB, which tells it from the others in a picture
  QString words;            ///< what it finds, in a sentence
  Confusion at;
  QStringList pooled;  ///< a cell each of `pointColumns`
  QStringList mean;    ///< of the pictures' own figures
};
QStringList pointColumns();
std::vector<PointRow> pointRows(const Evaluation& evaluation);

struct PictureRow {
  QStringList cells;  ///< one each of `pictureColumns`
  QString file;
};
QStringList pictureColumns();
/// One each of the report's images, at the threshold of the overlays.
std::vector<PictureRow> pictureRows(const headless::StudyOutcome& outcome);

}  // namespace bankside::window
