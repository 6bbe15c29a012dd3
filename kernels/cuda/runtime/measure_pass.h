/// Times a pass whose pixels lie on the device, and judges what it wrote: what figures and the tuner are made
/// of.
#pragma once

#include "core/bench/bench_row.h"
#include "core/filter_bank.h"
#include "kernels/cuda/runtime/device_pass.h"
#include "kernels/cuda/runtime/pass_timing.h"

namespace bankside::cuda {

/// Phases Whole, Hot, of images of up to 1024^2 pixels HotLaunched, where it is asked for
/// Sustained. Times are of a start, whatever the number of its images. Errors  Error{Device}, Error{Limit}
Timings timePass(DevicePass& pass, const ConvolutionProblem& problem, const PassTiming& timing = {});

/// Several passes of one problem (their borders may differ) in rounds that they share (time_launches.h), each
/// with buffers of its own. Errors  as `timePass`, of any of them, also where there is not memory enough for
/// all
struct TimedPass {
  DevicePass* pass;
  const ConvolutionProblem* problem;
};
std::vector<Timings> timePasses(const std::vector<TimedPass>& contenders, const PassTiming& timing = {});

/// Gives back the buffers that are kept for the next measurement.
void releaseBuffers();

/// Runs the pass once on the pixels that `timePass` uses for these values and judges a sample of rows against
/// the exact responses; each `time` has rows of its own. Empty if right, else what is wrong.
std::string judgePass(DevicePass& pass, const ConvolutionProblem& problem, const FilterBank& bank,
                      const std::string& values = "uniform", int time = 0);

}  // namespace bankside::cuda
