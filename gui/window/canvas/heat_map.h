/// A filter as a picture: one square a tap.
///
/// Filters with a negative tap are drawn blue - white - red, symmetric around zero, so that white is always
/// zero; filters without one are drawn from black (zero) to white (the largest tap).
#pragma once

#include <vector>

#include <QImage>
#include <QRect>
#include <QRgb>

#include "core/filter_bank.h"

class QPainter;

namespace bankside::window {

/// -1 deep blue, 0 white, +1 deep red; values outside are clamped. Told apart by colour-blind readers too.
QRgb signedColor(double value);

/// 0 black to 1 white.
QRgb greyColor(double value);

/// What colours stand for: the largest |tap| of the filter (over all its channels, so that they compare).
struct HeatScale {
  bool isSigned = false;
  double largest = 0;

  QRgb color(double tap) const;
};
HeatScale heatScale(const Filter& filter);

/// One pixel a tap.
QImage heatMapImage(const Filter& filter, int channel);

/// The largest picture of the filter that fits into `area` with whole device pixels a tap, centred, with a
/// thin frame; filters with more taps than device pixels are scaled down smoothly.
/// Returns the rectangle it covers.
QRect paintHeatMap(QPainter& painter, const QRect& area, const Filter& filter, int channel);

/// Gains (row-major, side x side) as grey: log magnitude, black at `decibels` below the largest.
QImage responseImage(const std::vector<double>& gains, int side, double decibels);

}  // namespace bankside::window
