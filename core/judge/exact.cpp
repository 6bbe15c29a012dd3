#include "core/judge/exact.h"

#include <algorithm>
#include <cmath>

namespace bankside {

namespace {

/// A tap that is not zero, and where the pixels lie that it meets.
struct Term {
  double tap;
  const double* pixels;
};

/// sums[x] += term after term, `count` of them at a time so that a sum is loaded and stored once. Sanitizers
/// leave it alone: it is most of what judging costs, and a term's pixels are as many as the sums
/// (`FilterRow`).
template <std::size_t count>
__attribute__((no_sanitize("address", "undefined"))) void addTogether(const Term* terms,
                                                                      std::vector<double>& sums) {
  double tap[count];
  const double* pixels[count];
  for (std::size_t i = 0; i < count; ++i) {
    tap[i] = terms[i].tap;
    pixels[i] = terms[i].pixels;
  }
  double* const all = sums.data();
  const std::size_t width = sums.size();
  for (std::size_t x = 0; x < width; ++x) {
    double sum = all[x];
    for (std::size_t i = 0; i < count; ++i) sum += tap[i] * pixels[i][x];
    all[x] = sum;
  }
}

void addTerms(const std::vector<Term>& terms, std::vector<double>& sums) {
  std::size_t i = 0;
  for (; i + 4 <= terms.size(); i += 4) addTogether<4>(&terms[i], sums);
  switch (terms.size() - i) {
    case 3: addTogether<3>(&terms[i], sums); break;
    case 2: addTogether<2>(&terms[i], sums); break;
    case 1: addTogether<1>(&terms[i], sums); break;
    default: break;
  }
}

/// One filter row over the pixels below it, with their border.
struct FilterRow {
  const float* taps;
  std::vector<double> pixels;
  std::vector<Term> terms;

  void addTo(std::vector<double>& sums) {
    terms.clear();
    for (std::size_t kx = 0; kx + sums.size() <= pixels.size(); ++kx)
      if (taps[kx] != 0) terms.push_back({taps[kx], pixels.data() + kx});
    addTerms(terms, sums);
  }

  /// Leaves magnitudes of pixels behind: |tap x pixel| = |tap| x |pixel|, rounded alike.
  void addMagnitudesTo(std::vector<double>& sums) {
    for (double& pixel : pixels) pixel = std::fabs(pixel);
    terms.clear();
    for (std::size_t kx = 0; kx + sums.size() <= pixels.size(); ++kx)
      if (taps[kx] != 0) terms.push_back({std::fabs(taps[kx]), pixels.data() + kx});
    addTerms(terms, sums);
  }

  /// Marks where a zero tap lies on a pixel that is not finite. After `addTo`.
  void markTouched(std::size_t count, std::vector<char>& touched) const {
    if (terms.size() + count == pixels.size() + 1) return;  // no tap is zero
    const auto finite = [](double pixel) { return std::isfinite(pixel); };
    if (std::all_of(pixels.begin(), pixels.end(), finite)) return;
    for (std::size_t kx = 0; kx + count <= pixels.size(); ++kx) {
      for (std::size_t x = 0; taps[kx] == 0 && x < count; ++x) {
        if (finite(pixels[x + kx])) continue;
        touched.resize(count);
        touched[x] = 1;
      }
    }
  }
};

/// Calls `take` for every row of a filter, channel after channel.
template <class Take>
void walkRows(const ConvolutionProblem& p, const CorrelationTaps& taps, const SourceBand& in, int group,
              int filter, int y, int x0, int count, const Take& take) {
  FilterRow row;
  row.pixels.resize(static_cast<std::size_t>(count) + p.filterWidth - 1);
  row.taps = taps.taps.data() +
             static_cast<std::ptrdiff_t>(filter) * p.tapChannels() * p.filterHeight * p.filterWidth;
  for (int c = 0; c < p.tapChannels(); ++c) {
    const int channel = p.channelMode == ChannelMode::Summed ? c : group;
    for (int ky = 0; ky < p.filterHeight; ++ky, row.taps += p.filterWidth) {
      gatherRow(in.row(channel, y + ky - taps.anchorY), p.srcType, p.width, p.border, x0 - taps.anchorX,
                static_cast<int>(row.pixels.size()), row.pixels.data());
      take(row);
    }
  }
}

}  // namespace

double smallSums(const ConvolutionProblem& p, const CorrelationTaps& taps, int filter) {
  const auto count = static_cast<std::size_t>(p.tapChannels()) * static_cast<std::size_t>(p.filterHeight) *
                     static_cast<std::size_t>(p.filterWidth);
  const float* const tap = taps.taps.data() + static_cast<std::size_t>(filter) * count;
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += std::fabs(static_cast<double>(tap[i]));
  // 2^-126 for each pixel and each sum on the way; twice that and more where sums are regrouped.
  return 0x1p-125 * static_cast<double>(count) * (1 + sum);
}

void exactResponse(const ConvolutionProblem& p, const CorrelationTaps& taps, const SourceBand& in, int group,
                   int filter, int y, int x0, int count, ExactRow& exact) {
  const auto width = static_cast<std::size_t>(count);
  exact.value.assign(width, 0.0);
  exact.magnitude.assign(width, 0.0);
  exact.touched.clear();
  exact.small = smallSums(p, taps, filter);
  const bool integers = p.srcType == ElementType::U8 || p.srcType == ElementType::U16;
  walkRows(p, taps, in, group, filter, y, x0, count, [&](FilterRow& row) {
    row.addTo(exact.value);
    if (!integers) row.markTouched(width, exact.touched);
    row.addMagnitudesTo(exact.magnitude);
  });
}

void exactMagnitude(const ConvolutionProblem& p, const CorrelationTaps& taps, const SourceBand& in, int group,
                    int filter, int y, int x0, int count, std::vector<double>& magnitude) {
  magnitude.assign(static_cast<std::size_t>(count), 0.0);
  walkRows(p, taps, in, group, filter, y, x0, count, [&](FilterRow& row) { row.addMagnitudesTo(magnitude); });
}

double elementAt(ConstPlane plane, int x, int y) {
  return visit(plane.type,
               [&](auto element) -> double { return asFloat(plane.as<decltype(element)>().at(x, y)); });
}

double largestGain(const FilterBank& bank) {
  double largest = 0;
  for (const Filter& f : bank.filters()) {
    double sum = 0;
    for (const float tap : f.taps) sum += std::fabs(tap);
    largest = std::max(largest, sum);
  }
  return largest;
}

double largestMagnitude(const ConvolutionProblem& p, const FilterBank& bank, Source& source) {
  double pixel = std::fabs(p.border.value);
  Image row(1, 1, source.width(), source.type());
  for (int c = 0; c < source.channels(); ++c) {
    for (int y = 0; y < source.height(); ++y) {
      source.readRows(c, y, row.plane(0));
      for (int x = 0; x < source.width(); ++x) {
        const double value = std::fabs(elementAt(row.plane(0), x, 0));
        if (std::isfinite(value)) pixel = std::max(pixel, value);
      }
    }
  }
  return largestGain(bank) * pixel;
}

}  // namespace bankside
