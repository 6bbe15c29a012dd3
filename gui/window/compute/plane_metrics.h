/// How far two planes are apart, as numbers that the field has names for.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>

#include "gui/window/compute/plane.h"

namespace bankside::window {

/// Over the pixels inside whose values are finite in both planes.
struct PlaneMetrics {
  std::int64_t pixels = 0;
  std::int64_t equal = 0;       ///< of those
  double rootMeanSquare = 0;    ///< RMSE
  std::optional<double> share;  ///< RMSE over the first plane's root mean square; none where that is zero
  float largest = 0;            ///< |difference|
  int x = 0;                    ///< where it is first
  int y = 0;
  double peak = 0;             ///< 255 of u8, else the first plane's range inside
  std::optional<double> psnr;  ///< peak over RMSE. Units  dB; none where all are equal or the peak is zero
  std::optional<double> ssim;  ///< none where no window fits
};

/// `mask` null: all of the plane. SSIM is the mean over the pixels inside whose whole window, 11 x 11
/// Gaussian of 1.5 pixels, lies in the image and is finite. Errors  Error{BadInput} if the sizes differ, or
/// if no pixel is finite in both; Cancelled Source  Wang, Bovik, Sheikh, Simoncelli, IEEE TIP 13(4), 2004
/// (SSIM)
PlaneMetrics comparePlanes(const Plane& a, const Plane& b, const Image* mask, std::stop_token stop = {});

}  // namespace bankside::window
