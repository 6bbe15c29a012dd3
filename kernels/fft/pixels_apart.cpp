#include "kernels/fft/pixels_apart.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace bankside::fft {
namespace {

bool isZero(float tap) { return tap == 0; }

}  // namespace

PixelsApart::PixelsApart(const ConvolutionProblem& problem, const CorrelationTaps& taps)
    : problem_(problem), taps_(taps), denseFilters_(static_cast<std::size_t>(problem.filterCount)) {
  const std::size_t each = taps.taps.size() / denseFilters_.size();
  for (std::size_t f = 0; f < denseFilters_.size(); ++f) {
    const float* const first = taps.taps.data() + f * each;
    denseFilters_[f] = std::none_of(first, first + each, isZero);
    dense_ = dense_ && denseFilters_[f];
  }
}

void PixelsApart::begin(int width, int height, float most) {
  width_ = width;
  height_ = height;
  most_ = most;
  pixels_.clear();
  nanRuns_.clear();
  nanResults_ = 0;
  words_ = (width + problem_.filterWidth - 1 + wordBits - 1) / wordBits;
  nanRows_.assign(rows() + static_cast<std::size_t>(problem_.filterHeight) - 1, 0);
  windows_.resize(nanRows_.size() * static_cast<std::size_t>(words_));
  anyNan_ = false;
}

void PixelsApart::addRow(int channel, int y, const float* pixels) {
  const int count = width_ + problem_.filterWidth - 1;
  nans_.assign(static_cast<std::size_t>(words_), 0);
  Word any = 0;
  bool others = false;
  for (int x = 0; x < count; ++x) {
    const bool nan = std::isnan(pixels[x]);
    nans_[static_cast<std::size_t>(x / wordBits)] |= Word{nan} << (x % wordBits);
    any |= Word{nan};
    others |= std::fabs(pixels[x]) > most_;
  }
  if (any != 0) markWindows(y);
  // A filter without zero taps makes NaN of every window that has one: no need to add them up.
  if (!others && (dense_ || any == 0)) return;
  for (int x = 0; x < count; ++x)
    if (!(std::fabs(pixels[x]) <= most_) && !(dense_ && std::isnan(pixels[x])))
      pixels_.push_back({channel, x, y, pixels[x]});
}

/// The windows that see a NaN of this row, beside those that see one of another channel's.
void PixelsApart::markWindows(int y) {
  const auto words = static_cast<std::size_t>(words_);
  // Window x sees pixels x to x + kw - 1: bits move down, twice as many at a time.
  const auto mergeFrom = [&](int apart) {
    const auto whole = static_cast<std::size_t>(apart / wordBits);
    const int bits = apart % wordBits;
    for (std::size_t i = 0; i + whole < words; ++i) {
      Word from = nans_[i + whole] >> bits;
      if (bits > 0 && i + whole + 1 < words) from |= nans_[i + whole + 1] << (wordBits - bits);
      nans_[i] |= from;
    }
  };
  int seen = 1;
  for (; 2 * seen <= problem_.filterWidth; seen *= 2) mergeFrom(seen);
  if (seen < problem_.filterWidth) mergeFrom(problem_.filterWidth - seen);
  Word* const windows = windows_.data() + static_cast<std::size_t>(y) * words;
  for (std::size_t i = 0; i < words; ++i)
    windows[i] = nanRows_[static_cast<std::size_t>(y)] != 0 ? windows[i] | nans_[i] : nans_[i];
  nanRows_[static_cast<std::size_t>(y)] = 1;
  anyNan_ = true;
}

void PixelsApart::end() {
  if (!anyNan_) return;
  const auto words = static_cast<std::size_t>(words_);
  for (int y = 0; y < height_; ++y) {
    std::fill(nans_.begin(), nans_.end(), 0);
    for (int row = y; row < y + problem_.filterHeight; ++row) {
      if (nanRows_[static_cast<std::size_t>(row)] == 0) continue;
      const Word* const windows = windows_.data() + static_cast<std::size_t>(row) * words;
      for (std::size_t i = 0; i < words; ++i) nans_[i] |= windows[i];
    }
    addRuns(y);
  }
}

/// Runs of results from the bits of a row.
void PixelsApart::addRuns(int y) {
  const auto nextOf = [&](int x, bool set) {
    while (x < width_) {
      const Word word = nans_[static_cast<std::size_t>(x / wordBits)];
      const int skipped = std::countr_zero((set ? word : ~word) >> (x % wordBits));
      if (x % wordBits + skipped < wordBits) return std::min(x + skipped, width_);
      x = (x / wordBits + 1) * wordBits;
    }
    return width_;
  };
  for (int x = nextOf(0, true); x < width_;) {
    const int last = nextOf(x, false);
    nanRuns_.push_back({y, x, last});
    nanResults_ += static_cast<std::size_t>(last - x);
    x = nextOf(last, true);
  }
}

/// A row of taps for one pixel takes some ten cycles, a vector of direct sums one.
bool PixelsApart::tooMany() const {
  const std::size_t all = static_cast<std::size_t>(width_ + problem_.filterWidth - 1) *
                          static_cast<std::size_t>(height_ + problem_.filterHeight - 1) *
                          static_cast<std::size_t>(problem_.tapChannels());
  return 32 * pixels_.size() > all;
}

void PixelsApart::addPixel(const Pixel& pixel, const float* taps, float* responses,
                           std::size_t stride) const {
  const int first = std::max(0, pixel.x - problem_.filterWidth + 1);
  const int last = std::min(pixel.x, width_ - 1);
  for (int row = std::max(0, pixel.y - problem_.filterHeight + 1); row <= std::min(pixel.y, height_ - 1);
       ++row) {
    const float* const tap = taps + (pixel.y - row) * problem_.filterWidth + pixel.x;  // of column 0
    float* const to = responses + static_cast<std::size_t>(row) * stride;
    for (int x = first; x <= last; ++x) to[x] += isZero(tap[-x]) ? 0.0f : tap[-x] * pixel.value;
  }
}

void PixelsApart::addTo(int filter, bool nan, float* responses, std::size_t stride) const {
  const std::ptrdiff_t each = static_cast<std::ptrdiff_t>(problem_.filterHeight) * problem_.filterWidth;
  const float* const taps = taps_.taps.data() + filter * problem_.tapChannels() * each;
  const bool dense = denseFilters_[static_cast<std::size_t>(filter)];
  for (const Pixel& pixel : pixels_)
    if (!dense || !std::isnan(pixel.value)) addPixel(pixel, taps + pixel.channel * each, responses, stride);
  if (dense && nan) fillNan(std::numeric_limits<float>::quiet_NaN(), responses, stride);
}

}  // namespace bankside::fft
