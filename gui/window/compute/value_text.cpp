#include "gui/window/compute/value_text.h"

#include <QCoreApplication>
#include <cmath>

#include "core/text.h"

namespace bankside::window {

QString valueText(float value, ElementType type) {
  if (type == ElementType::U8 || type == ElementType::U16) return QString::number(static_cast<int>(value));
  return QString::fromStdString(formatNumber(value));
}

QString shortValueText(double value, int digits) {
  if (std::isnan(value)) return QStringLiteral("nan");
  if (std::isinf(value)) return value > 0 ? QStringLiteral("inf") : QStringLiteral("-inf");
  return QString::number(value, 'g', digits);
}

QString threadsText(int count) {
  return count == 1 ? QStringLiteral("1 thread") : QStringLiteral("%1 threads").arg(count);
}

QString doneText(std::int64_t done, std::int64_t all, std::int64_t failed, std::int64_t leftOut) {
  QString text = QCoreApplication::translate("ValueText", "%1 of %2 pictures done").arg(done).arg(all);
  if (failed > 0) text += QCoreApplication::translate("ValueText", ", %1 failed").arg(failed);
  if (leftOut > 0) text += QCoreApplication::translate("ValueText", ", %1 left out").arg(leftOut);
  return text;
}

QString timeText(double seconds) {
  if (seconds >= 1) return QString::number(seconds, 'f', 2) + QStringLiteral(" s");
  if (seconds >= 1e-3)
    return QString::number(seconds * 1e3, 'f',
                           seconds >= 0.1    ? 0
                           : seconds >= 0.01 ? 1
                                             : 2) +
           QStringLiteral(" ms");
  return QString::number(seconds * 1e6, 'f', 0) + QStringLiteral(" µs");
}

}  // namespace bankside::window
