/// The rows of a benchmark on an accelerator and their text forms. docs/user-guide.md describes the schema.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/bench/device_limits.h"
#include "core/bench/measure.h"
#include "core/bench/paper_claims.h"
#include "core/environment.h"

namespace bankside {

/// Times of one pass over pixels that lie on the device. `hot`: one set of buffers again and again; `cold`:
/// sets that together hold more than twice the last cache. Both as a replayed graph, with rests, so that a
/// board's power limit does not lower its clock. Units  seconds
struct DeviceTimes {
  Interval hot;
  Interval cold;
  int coldSets = 1;
  std::optional<Interval> hotLaunched = {};  ///< as `hot` without a graph, of images of up to 1024^2 pixels
  std::optional<Interval> sustained = {};    ///< as `hot` without rests, after 0.15 seconds
};

/// One engine on one problem.
struct DeviceRow {
  ConvolutionProblem problem;
  std::string bank = "dense";  ///< "dense", or the named bank's name
  std::string engine;
  std::string variant;
  std::string disposition;  ///< "Passed", "Incorrect", "Unsupported", "Failed"
  std::string reason;       ///< why it shows no times
  int images = 1;           ///< that one launch computes; everything else is of one of them
  std::optional<DeviceTimes> times;
  DeviceFloor floor;
  double streamSeconds = 0;
  double flops = 0;  ///< on taps that are not zero
  std::string command;
  std::string source = {};  ///< the file that it was read from, if any

  double fractionOfFloor() const { return times ? floor.seconds / times->cold.median : 0; }
};

/// A row without times yet: what is asked for, and what the limits leave for it.
DeviceRow makeDeviceRow(const ConvolutionProblem& problem, double flops, const std::string& engine,
                        const DeviceLimits& limits);

struct DeviceReport {
  static constexpr int schemaVersion = 1;
  std::string what;  ///< "figure7", "limits", ...
  std::string command;
  bool complete = false;  ///< every cell was measured
  Environment environment;
  DeviceLimits limits;
  std::vector<DeviceRow> rows;
  std::vector<PaperClaim> claims;  ///< of figure 8, where they were asked for
  std::vector<std::string> notes;
  std::string paperPeer = {};  ///< the engine of the library that the paper's figures are against; in no file
};

/// How many times longer an engine takes than ours on the same cell, border aside: each peer runs on the
/// border that it has. Over the cells of one filter size, hot.
struct PeerRatio {
  std::string engine;
  int filterSize = 1;
  int cells = 0;
  double arithmeticMean = 0;
  double geometricMean = 0;
  double smallest = 0;
};

/// By engine, then by filter size; a last one of filter size 0 for all cells of the engine.
std::vector<PeerRatio> peerRatios(const std::vector<DeviceRow>& rows, const std::string& ours);

/// A report's JSON, all but claims; rows name `name` as their source, or the one they had. Errors
/// Error{BadInput} naming the file and what is wrong with it
DeviceReport readDeviceReport(const std::string& json, const std::string& name);

std::string toJson(const DeviceReport& report);
std::string toCsv(const DeviceReport& report);
std::string toMarkdown(const DeviceReport& report);
/// Columns aligned with spaces, for a terminal.
std::string toTable(const DeviceReport& report);
/// Rates and launches, one a line.
std::string limitsText(const DeviceLimits& limits);

}  // namespace bankside
