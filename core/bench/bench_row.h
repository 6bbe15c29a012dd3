/// One measurement of one engine: who, on what, how it went and how long it took. Every report is rows of it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/bench/machine_limits.h"
#include "core/bench/measure.h"
#include "core/engine.h"
#include "core/judge/verification.h"
#include "core/problem.h"

namespace bankside {

/// Comparison: one input and bank. Bench: a grid on the CPU. Device: problems on an accelerator, pixels
/// there. BankWidth: the paper's model of memory banks.
enum class ReportKind { Comparison, Bench, Device, BankWidth };

/// Passed: right and timed. Incorrect: wrong, shows no speed. Unsupported: the engine refused, with its
/// sentence. Skipped: not asked to run. Failed: an error ended it. NotVerified: timed without being judged.
enum class Disposition { Passed, Incorrect, Unsupported, Skipped, Failed, NotVerified };
const char* toString(Disposition disposition);  ///< "PASSED", ..., "NOT VERIFIED"
std::optional<Disposition> parseDisposition(std::string_view text);

/// What a time is of.
enum class Phase {
  Whole,        ///< from pixels in host memory to results there; of a pass on a device: buffers in turn that
                ///< together hold more than twice the last cache (cold), a replayed graph with rests
  Compute,      ///< without transfers
  Upload,       ///< to the device, or from streams that are not in memory
  Combine,      ///< part of Compute: combines that the engine could not fuse
  Download,     ///< back from the device
  Hot,          ///< one set of buffers on a device again and again, otherwise as Whole
  HotLaunched,  ///< as Hot without a graph
  Sustained     ///< as Hot without rests, which keep a board below its power limit
};

/// Units  seconds
struct Timing {
  Interval interval;
  std::vector<double> samples = {};  ///< every one in order, where they are kept
  int sets = 1;                      ///< of buffers, taken in turn
};
/// Errors  Error{BadInput} for no samples
Timing timingOf(std::vector<double> samples);
using Timings = std::map<Phase, Timing>;

struct BenchRow {
  std::string engine;
  std::string device;
  std::string description;
  std::vector<PlanInfo>
      plans;               ///< of its problems, equal ones once; of a row from a file their text, a shape
  bool directSums = true;  ///< all of them, see NumericTraits; not known of a row from a file
  int threads = 1;
  ConvolutionProblem problem;      ///< of a bank of several filter sizes the first: BenchReport has all
  std::string bank = "dense";      ///< "dense", "separable", or the named bank's name
  std::string values = "uniform";  ///< of the pixels, see pixelValues
  int images = 1;                  ///< that one launch computes; everything else is of one of them
  double megapixelFilters = 0;     ///< output pixels x filters / 1e6, over all problems
  double flops = 0;                ///< on taps that are not zero
  Disposition disposition = Disposition::Skipped;
  std::string reason;  ///< the sentence behind a disposition that is not Passed
  std::optional<Verification> verification;
  std::optional<double> maxAbsError;
  int verifiedRows = 0;       ///< judged on a sample of that many rows; 0: on all, or not judged
  double prepareSeconds = 0;  ///< once, before the first run
  int rounds = 0;
  Timings times;                         ///< none: the row shows no speed
  std::optional<SpeedRatio> toBaseline;  ///< Whole against the baseline's at the same thread count
  bool baseline = false;                 ///< it is what others are compared with
  Floor floor;
  double fmaFraction = 0;    ///< of the multiply-add rate; 0: not known
  double storeFraction = 0;  ///< of the rate at which results can be stored, likewise
  double streamSeconds = 0;  ///< the same bytes without arithmetic on a device; 0: not known
  std::string source;        ///< the file that the row was read from, if any
  std::string command;       ///< repeats the row

  bool timed() const { return times.contains(Phase::Whole); }
  /// Zeros where the phase was not timed.
  Interval time(Phase phase = Phase::Whole) const;
  /// `amount` a second of Whole; 0 without a time.
  double rateOf(double amount) const { return timed() ? amount / time().median : 0; }
};

/// Output pixels x filters / 1e6.
double megapixelFilters(const ConvolutionProblem& problem);

/// A device's row without times yet: what is asked for, and what the limits leave for it.
BenchRow makeDeviceRow(const ConvolutionProblem& problem, double flops, const std::string& engine,
                       const MachineLimits& limits);

/// Whether a row that was measured in this run, not read from a file, went so.
bool anyOwn(const std::vector<BenchRow>& rows, Disposition disposition);

/// How many times longer an engine takes than ours on the same cell, border aside: each peer runs on the
/// border that it has. Over the cells of one filter size, Hot.
struct PeerRatio {
  std::string engine;
  int filterSize = 1;
  int cells = 0;
  double arithmeticMean = 0;
  double geometricMean = 0;
  double smallest = 0;
};

/// By engine, then by filter size; a last one of filter size 0 for all cells of the engine. `ours`: the first
/// row's engine.
std::vector<PeerRatio> peerRatios(const std::vector<BenchRow>& rows);

}  // namespace bankside
