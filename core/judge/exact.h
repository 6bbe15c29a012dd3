/// The judge: responses in double precision from the f32 taps, four obvious loops, never tuned for a machine.
#pragma once

#include "core/host_plan.h"

namespace bankside {

/// What is known of one response: its value, and how large the terms were that made it.
struct ExactRow {
  std::vector<double> value;      ///< sum of tap x pixel over taps that are not zero
  std::vector<double> magnitude;  ///< sum of |tap x pixel| over the same
  std::vector<char> touched;  ///< a zero tap lies on a non-finite pixel: engines may or may not spread it;
                              ///< empty where that is so nowhere in the row
  double small = 0;           ///< see smallSums()

  bool isTouched(std::size_t x) const { return !touched.empty() && touched[x] != 0; }
};

/// What a filter's sum may lack because f32 has few bits below 2^-126, its smallest normal number, and
/// engines may take what is there for 0: pixels, products and sums on the way.
double smallSums(const ConvolutionProblem& problem, const CorrelationTaps& taps, int filter);

/// One row of responses [x0, x0 + count) of filter `filter` over the channels of group `group`, at image row
/// `y`. `row` is resized. Double adds an error of at most gamma_n(2^-53), which the f32 bounds swallow.
void exactResponse(const ConvolutionProblem& problem, const CorrelationTaps& taps, const SourceBand& in,
                   int group, int filter, int y, int x0, int count, ExactRow& row);

/// The `magnitude` of `exactResponse` alone.
void exactMagnitude(const ConvolutionProblem& problem, const CorrelationTaps& taps, const SourceBand& in,
                    int group, int filter, int y, int x0, int count, std::vector<double>& magnitude);

/// The largest sum of |tap| of a filter.
double largestGain(const FilterBank& bank);
/// The largest sum of |tap x pixel| that any place of the image, which is read once, could have.
double largestMagnitude(const ConvolutionProblem& problem, const FilterBank& bank, Source& source);

/// A pixel of any type.
double elementAt(ConstPlane plane, int x, int y);

}  // namespace bankside
