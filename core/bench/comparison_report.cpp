#include "core/bench/comparison_report.h"

namespace bankside {

const char* toString(Disposition disposition) {
  switch (disposition) {
    case Disposition::Passed: return "PASSED";
    case Disposition::Incorrect: return "INCORRECT";
    case Disposition::Unsupported: return "UNSUPPORTED";
    case Disposition::Skipped: return "SKIPPED";
    case Disposition::Failed: return "FAILED";
    case Disposition::NotVerified: return "NOT VERIFIED";
  }
  return "?";
}

double ComparisonReport::megapixelFilters() const {
  double sum = 0;
  for (const ConvolutionProblem& p : problems) {
    sum += static_cast<double>(p.height) * p.width * p.filterCount * p.responseGroups() / 1e6;
  }
  return sum;
}

}  // namespace bankside
