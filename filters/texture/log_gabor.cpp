/// Log-Gabor filters: Gaussian over the logarithm of frequency, and over direction, so that wide ones have no
/// response to a flat field and a long tail towards high frequencies.
///   G(f, a) = exp(-ln(f / f0)^2 / (2 ln(bandwidth)^2)) exp(-d(a, a0)^2 / (2 spread^2)) in the half plane
///   around the direction a0 across the filter, 0 elsewhere; f0 = 1 / wavelength cycles per pixel taps = the
///   inverse transform over 127 x 127 frequencies: its real part is even, its imaginary part odd; cut to
///   `size`, of the even one as much taken away of its own envelope that they add up to 0, unit norm
/// Source  D. J. Field, 1987; the product with a Gaussian over direction as P. Kovesi, 1999. Deviations: taps
///         of a finite size, unit norm, and the sign turned so that a dark bar answers positively.
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "core/text.h"
#include "filters/taps/banks.h"
#include "filters/taps/orientation.h"

namespace bankside {
namespace {

constexpr int grid = maxFilterSide;

struct Shape {
  double frequency;  ///< cycles per pixel
  double bandwidth;
  double spread;  ///< radians
};

/// Spectrum at (fx, fy), in cycles per pixel.
double spectrumAt(const Shape& shape, double across, double fx, double fy) {
  const double f = std::hypot(fx, fy);
  if (f == 0) return 0;
  double turn = std::fabs(std::atan2(fy, fx) - across);
  turn = std::min(turn, 2 * std::numbers::pi - turn);
  if (turn > std::numbers::pi / 2) return 0;
  const double octaves = std::log(f / shape.frequency) / std::log(shape.bandwidth);
  return std::exp(-0.5 * (octaves * octaves + turn * turn / (shape.spread * shape.spread)));
}

/// Its inverse transform at [-radius, radius] squared, row by row.
std::vector<std::complex<double>> inverse(const Shape& shape, double across, int radius) {
  const int side = 2 * radius + 1;
  constexpr int half = grid / 2;
  std::vector<std::complex<double>> turns;
  for (int k = 0; k < grid; ++k) turns.push_back(std::polar(1.0, 2 * std::numbers::pi * k / grid));
  const auto turnAt = [&](int frequency, int place) {
    return turns[static_cast<std::size_t>(((frequency * place) % grid + grid) % grid)];
  };
  const auto at = [side](int row, int column) {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(side) + static_cast<std::size_t>(column);
  };
  std::vector<std::complex<double>> taps(static_cast<std::size_t>(side) * static_cast<std::size_t>(side));
  std::vector<std::complex<double>> row(static_cast<std::size_t>(side));
  for (int fy = -half; fy <= half; ++fy) {
    std::fill(row.begin(), row.end(), 0.0);
    for (int fx = -half; fx <= half; ++fx) {
      const double value =
          spectrumAt(shape, across, static_cast<double>(fx) / grid, static_cast<double>(fy) / grid);
      if (value == 0) continue;
      for (int x = 0; x < side; ++x) row[static_cast<std::size_t>(x)] += value * turnAt(fx, x - radius);
    }
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x)
        taps[at(y, x)] += row[static_cast<std::size_t>(x)] * turnAt(fy, y - radius);
    }
  }
  return taps;
}

Filter filterOf(const std::vector<std::complex<double>>& spatial, int side, bool even, std::string label) {
  TapGrid taps(side, side);
  TapGrid envelope(side, side);
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      const std::complex<double> value =
          spatial[static_cast<std::size_t>(y) * static_cast<std::size_t>(side) + static_cast<std::size_t>(x)];
      taps.at(y, x) = even ? -value.real() : value.imag();
      envelope.at(y, x) = std::abs(value);
    }
  }
  if (even) taps.add(-taps.sum() / envelope.sum(), envelope);
  taps *= 1 / taps.norm();
  return taps.toFilter(std::move(label));
}

std::vector<Filter> generate(const BankArguments& arguments) {
  const std::string& parts = arguments.text("parts");
  const std::vector<double> wavelengths = arguments.numbers("wavelength");
  const double widest = *std::max_element(wavelengths.begin(), wavelengths.end());
  const int count = arguments.integer("orientations");
  const int side = arguments.integerOr("size", std::min(oddSideFor(1.5 * widest), grid));
  std::vector<Filter> evenOnes, oddOnes;
  for (const double wavelength : wavelengths) {
    const Shape shape{1 / wavelength, arguments.number("bandwidth"),
                      arguments.number("spread") * std::numbers::pi / 180};
    for (const Direction& direction : halfTurn(count)) {
      // The wave runs across the bar: a quarter of a turn on.
      const double across = (direction.degrees + 90) * std::numbers::pi / 180;
      const auto spatial =
          inverse(shape, across > std::numbers::pi ? across - 2 * std::numbers::pi : across, side / 2);
      const std::string label = (wavelengths.size() > 1 ? "wave" + formatNumber(wavelength) + "-" : "") +
                                orientationLabel(direction.degrees);
      for (const bool even : {true, false}) {
        if (parts == (even ? "odd" : "even")) continue;
        std::vector<Filter>& filters = even ? evenOnes : oddOnes;
        const char* part = parts != "both" ? "" : even ? "even-" : "odd-";
        filters.push_back(filterOf(spatial, side, even, part + label));
        filters.back().orientation = direction.degrees;
        filters.back().scale = wavelength;
      }
    }
  }
  evenOnes.insert(evenOnes.end(), oddOnes.begin(), oddOnes.end());
  return evenOnes;
}

}  // namespace

CatalogEntry logGaborBank() {
  return {
      .name = "log-gabor",
      .family = "texture",
      .title = "Log-Gabor filters: even and odd, at one or several wavelengths, unit norm",
      .citation =
          "D. J. Field. Relations between the statistics of natural images and the response properties of "
          "cortical cells. Journal of the Optical Society of America A 4(12):2379-2394, 1987; over "
          "directions as P. Kovesi, Videre 1(3), 1999",
      .parameters = {{.name = "wavelength",
                      .description = "of the strongest frequency in pixels",
                      .defaultValue = "8",
                      .kind = ParameterKind::NumberList,
                      .min = 3,
                      .max = 40},
                     {.name = "bandwidth",
                      .description = "the frequency at one standard deviation over the strongest one",
                      .defaultValue = "0.65",
                      .min = 0.3,
                      .max = 0.9},
                     {.name = "spread",
                      .description = "standard deviation over directions in degrees",
                      .defaultValue = "20",
                      .min = 5,
                      .max = 60},
                     {.name = "orientations",
                      .description = "directions, evenly over half a turn from 0 degrees",
                      .defaultValue = "6",
                      .kind = ParameterKind::Integer,
                      .min = 1,
                      .max = 36},
                     {.name = "parts",
                      .description = "which of the two",
                      .defaultValue = "both",
                      .kind = ParameterKind::Choice,
                      .choices = {"both", "even", "odd"}},
                     {.name = "size",
                      .description = "side in pixels; auto is 2 ceil(1.5 wavelength) + 1, 127 at most",
                      .defaultValue = "auto",
                      .kind = ParameterKind::OddInteger,
                      .min = 5,
                      .max = maxFilterSide,
                      .takesAuto = true}},
      .generate = generate};
}

}  // namespace bankside
