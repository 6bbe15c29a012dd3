#include "gui/window/canvas/caption_lines.h"

namespace bankside::window {

QStringList captionLines(const QString& text, const QFontMetricsF& metrics, double room, int most) {
  QStringList lines;
  QString rest = text;
  while (lines.size() + 1 < most && metrics.horizontalAdvance(rest) > room) {
    qsizetype end = -1;
    for (qsizetype blank = rest.indexOf(QLatin1Char(' '));
         blank >= 0 && metrics.horizontalAdvance(rest.left(blank)) <= room;
         blank = rest.indexOf(QLatin1Char(' '), blank + 1))
      end = blank;
    if (end < 0) break;
    lines << rest.left(end);
    rest = rest.mid(end + 1);
  }
  return lines << metrics.elidedText(rest, Qt::ElideMiddle, room);
}

}  // namespace bankside::window
