/// What became of a batch: all journals as one report.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/batch/ledger.h"
#include "core/batch/manifest.h"
#include "core/run/report_values.h"

namespace bankside {

struct BatchReport {
  static constexpr const char* fileKind = "batch-report";
  static constexpr int schemaVersion = 1;
  static constexpr std::size_t mostFailures = 10'000;  ///< in full; all of them are counted
  static constexpr std::size_t mostWorst = 10;

  std::int64_t images = 0;
  std::int64_t done = 0;
  std::int64_t failed = 0;
  std::int64_t untried = 0;
  std::int64_t results = 0;
  std::int64_t resultBytes = 0;
  std::int64_t clippedValues = 0;
  std::int64_t nonFiniteValues = 0;
  std::int64_t verified = 0;
  double decodeSeconds = 0;  ///< of all images, over all threads
  double filterSeconds = 0;
  double encodeSeconds = 0;
  std::map<std::string, std::int64_t> engines;  ///< images a name: more than one may mean other last bits
  struct Failure {
    std::string id;
    std::string error;
    std::string errorClass;
    int attempt = 0;
  };
  std::vector<Failure> failures;  ///< in the order of the manifest
  struct Verified {
    std::string id;
    double maxAbsError = 0;
  };
  std::vector<Verified> worst;  ///< of those that were verified, the largest first
  std::int64_t damagedLines = 0;
  std::size_t journals = 0;
  bool verifies = false;                      ///< the recipe does, some of the images at least
  LeftOut leftOut;                            ///< by the plan
  std::map<std::string, std::int64_t> notes;  ///< what was done with images, and with how many
};

ReportBeginnings batchReportBeginnings();

/// One pass over the manifest. `csv`: takes a line an image in the order of the manifest, after one of names.
/// Errors  Error{Io} · Cancelled
BatchReport mergeJournals(const Manifest& manifest, const Ledger& ledger,
                          const std::function<void(const std::string& line)>& csv);

std::string toJson(const BatchReport& report, const Manifest& manifest, const std::string& command);
/// A few lines for a person.
std::string toText(const BatchReport& report);

}  // namespace bankside
