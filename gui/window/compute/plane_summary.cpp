#include "gui/window/compute/plane_summary.h"

#include <QObject>
#include <algorithm>
#include <cmath>

#include "gui/window/compute/difference.h"
#include "gui/window/compute/value_text.h"

namespace bankside::window {

QString planeSummary(const PlaneResult& result, bool brief) {
  if (!result.plane) return {};
  const ValueRange& range = result.plane->range;
  if (range.low > range.high) return QObject::tr("no finite value");
  switch (result.key.layer) {
    case Layer::Difference: {
      const double most = largestOf(range);
      if (most == 0) return QObject::tr("identical");
      if (result.verdict && result.verdict->share <= 1) {
        constexpr double up = 1.06;  // two digits are then no fewer
        const double percent = 100 * result.verdict->share;
        return result.verdict->most
                   ? QObject::tr("rounding only: at most %1 % of what is allowed")
                         .arg(shortValueText(std::min(100.0, up * percent), 2))
                   : QObject::tr("rounding only: %1 % of what is allowed").arg(shortValueText(percent, 2));
      }
      if (result.verdict) {
        return QObject::tr("more than rounding: %1 times what is allowed, up to %2")
            .arg(shortValueText(result.verdict->share, 3), shortValueText(most, 3));
      }
      if (result.reach > 0)
        return QObject::tr("differs by up to %1, where results reach %2")
            .arg(shortValueText(most, 3), shortValueText(result.reach, 3));
      return QObject::tr("differs by up to %1").arg(shortValueText(most, 3));
    }
    case Layer::Output:
      return QStringLiteral("%1%2 · %3")
          .arg(QString::fromStdString(result.engine),
               result.filters < 2 ? QString()
               : brief            ? QStringLiteral(" ×%1").arg(result.filters)
                                  : QObject::tr(", %1 filters in one run").arg(result.filters),
               timeText(result.times.total()));
    case Layer::OpenCv:
      return QStringLiteral("%1 · %2").arg(QString::fromStdString(result.variant),
                                           timeText(result.times.total()));
    case Layer::Input:
    case Layer::Kept: break;
  }
  return QStringLiteral("%1, %2 … %3")
      .arg(QLatin1String(toString(result.plane->type())), valueText(range.low, result.plane->type()),
           valueText(range.high, result.plane->type()));
}

QString shortestSummary(const PlaneResult& result) {
  if (!result.plane) return {};
  const ValueRange& range = result.plane->range;
  if (range.low > range.high) return QObject::tr("no finite value");
  switch (result.key.layer) {
    case Layer::Difference:  // what it means stands in the pane
      return QObject::tr("up to %1").arg(shortValueText(largestOf(range), 2));
    case Layer::Output:
    case Layer::OpenCv: return timeText(result.times.total());
    case Layer::Input:
    case Layer::Kept: break;
  }
  return QLatin1String(toString(result.plane->type()));
}

}  // namespace bankside::window
