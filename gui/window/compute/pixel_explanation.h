/// Why an output pixel has its value: every tap, the pixel it lies on, and the sum as it grows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gui/window/compute/work.h"

namespace bankside::window {

struct TapTerm {
  int channel = 0;
  int column = 0;  ///< of the tap, as the engines slide it (correlation)
  int row = 0;
  int x = 0;  ///< the pixel that is read, after the border rule; -1 where a constant is
  int y = 0;
  bool border = false;  ///< the tap lies outside the image
  float tap = 0;
  float pixel = 0;
  double product = 0;
  float sum = 0;  ///< so far, in f32, one fused multiply-add a tap: what the engines hold
};

struct PixelExplanation {
  std::string label;
  int width = 0;  ///< of the filter
  int height = 0;
  int channels = 1;
  std::vector<TapTerm> terms;  ///< channel, row, column: the order of summation
  float value = 0;             ///< the last running sum
  double exact = 0;            ///< the same terms summed in double
  double magnitude = 0;        ///< sum of |tap x pixel|
  double bound = 0;            ///< what the f32 sum may be off by
  int borderTaps = 0;
  bool maps = false;  ///< the pixels are maps of a first bank
};

/// Explains filter `filter` of the last bank at (x, y); `group` is the channel, or the map of the first bank,
/// where each gets the whole bank. With two banks the pixels are the first one's maps, after combine and
/// activation, as the engines that `select` picks compute them. Throws Error.
PixelExplanation explainPixel(const RunSettings& settings, const SelectEngine& select, int filter, int group,
                              int x, int y);

struct FilterAnswer {
  std::string label;
  std::optional<double> degrees;
  double value = 0;
};

/// What every filter of the first bank answers at (x, y), by its direction: `answersAt` with the border and
/// the mode of the recipe, over the channel `group` where each gets the whole bank. Errors  Error · Cancelled
std::vector<FilterAnswer> bankAnswers(const RunSettings& settings, int group, int x, int y,
                                      const std::stop_token& stop = {});

}  // namespace bankside::window
