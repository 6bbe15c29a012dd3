/// Times a pass whose pixels lie on the device, and judges what it wrote: what figures and the tuner are made
/// of.
#pragma once

#include "core/device_report.h"
#include "core/filter_bank.h"
#include "kernels/cuda/device_pass.h"

namespace bankside::cuda {

/// How long to look: rounds of a graph of about two milliseconds, hot and cold.
struct PassTiming {
  int minRounds = 11;
  int maxRounds = 51;
  double seconds = 0.03;  ///< of every loop, once `minRounds` are done
  bool graph = true;      ///< false: every call starts its launches itself
};

/// Random pixels. Times are of a start, whatever the number of its images. Errors  Error{Device},
/// Error{Limit}
DeviceTimes timePass(DevicePass& pass, const ConvolutionProblem& problem, const PassTiming& timing = {});

/// Runs the pass once on the pixels that `timePass` uses and judges a sample of rows against the exact
/// responses. Empty if right, else what is wrong.
std::string judgePass(DevicePass& pass, const ConvolutionProblem& problem, const FilterBank& bank);

}  // namespace bankside::cuda
