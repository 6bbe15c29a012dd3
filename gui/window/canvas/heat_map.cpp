#include "gui/window/canvas/heat_map.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <QPainter>

namespace bankside::window {
namespace {

QRgb mix(QRgb a, QRgb b, double share) {
  const auto channel = [&](int from, int to) {
    return static_cast<int>(std::lround(from + (to - from) * share));
  };
  return qRgb(channel(qRed(a), qRed(b)), channel(qGreen(a), qGreen(b)), channel(qBlue(a), qBlue(b)));
}

}  // namespace

QRgb signedColor(double value) {
  // White, half way, full: the middle stops keep lightness falling evenly on both sides.
  constexpr std::array<QRgb, 3> blue = {0xffffffff, 0xff6fa8d6, 0xff0b3c7d};
  constexpr std::array<QRgb, 3> red = {0xffffffff, 0xffea8a6d, 0xff8c0d25};
  const auto& stops = value < 0 ? blue : red;
  const double place = 2 * std::min(1.0, std::abs(value));
  return place <= 1 ? mix(stops[0], stops[1], place) : mix(stops[1], stops[2], place - 1);
}

QRgb greyColor(double value) {
  const int level = static_cast<int>(std::lround(255 * std::clamp(value, 0.0, 1.0)));
  return qRgb(level, level, level);
}

QRgb HeatScale::color(double tap) const {
  const double share = largest > 0 ? tap / largest : 0;
  return isSigned ? signedColor(share) : greyColor(share);
}

HeatScale heatScale(const Filter& filter) {
  const auto [low, high] = std::minmax_element(filter.taps.begin(), filter.taps.end());
  return {.isSigned = *low < 0, .largest = std::max(std::abs(*low), std::abs(*high))};
}

QImage heatMapImage(const Filter& filter, int channel) {
  QImage image(filter.width, filter.height, QImage::Format_RGB32);
  const HeatScale scale = heatScale(filter);
  for (int y = 0; y < filter.height; ++y) {
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
    for (int x = 0; x < filter.width; ++x) line[x] = scale.color(filter.tap(channel, y, x));
  }
  return image;
}

QRect paintHeatMap(QPainter& painter, const QRect& area, const Filter& filter, int channel) {
  const double ratio = painter.device()->devicePixelRatioF();
  const double room = std::min(static_cast<double>(area.width()) / filter.width,
                               static_cast<double>(area.height()) / filter.height);
  double side = room;
  if (room * ratio >= 1) side = std::floor(room * ratio) / ratio;
  const QSizeF size(filter.width * side, filter.height * side);
  const QPointF corner(area.x() + std::round((area.width() - size.width()) / 2 * ratio) / ratio,
                       area.y() + std::round((area.height() - size.height()) / 2 * ratio) / ratio);
  const QRectF target(corner, size);
  painter.save();
  painter.setRenderHint(QPainter::SmoothPixmapTransform, room * ratio < 1);
  painter.drawImage(target, heatMapImage(filter, channel));
  painter.setPen(QPen(QColor(128, 128, 128), 0));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(target);
  painter.restore();
  return target.toAlignedRect();
}

QImage responseImage(const std::vector<double>& gains, int side, double decibels) {
  QImage image(side, side, QImage::Format_RGB32);
  const double largest = *std::max_element(gains.begin(), gains.end());
  for (int y = 0; y < side; ++y) {
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
    for (int x = 0; x < side; ++x) {
      const double gain = gains[static_cast<std::size_t>(y) * side + x];
      const bool nothing = largest <= 0 || gain <= 0;
      line[x] = greyColor(nothing ? 0 : 1 + 20 * std::log10(gain / largest) / decibels);
    }
  }
  return image;
}

}  // namespace bankside::window
