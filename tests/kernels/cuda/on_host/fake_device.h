/// The device that the runtime of these tests has.
#pragma once

#include <cstdint>
#include <functional>

namespace bankside::on_host {

/// What kernels are split by; 132 where nothing else was said.
void setMultiprocessors(int count);

/// In which order the threads of the launches from now on run, and how late asynchronous copies arrive. 0: in
/// their order.
void setSeed(std::uint64_t seed);

/// How its tensor cores add.
void setCutSums(bool cut);

/// Whether streams do their work late, in an order drawn from the seed; at once where nothing was said.
void setLateStreams(bool late, std::uint64_t seed = 0);

/// What went through the streams since then.
struct Traffic {
  std::uint64_t mostBusyStreams = 0;  ///< at a time
};
Traffic streamTraffic();

/// Makes a kernel known: how a launch's list of arguments is copied for the calls of its threads.
using Caller = std::function<void()> (*)(const void* kernel, void** arguments);
void rememberKernel(const void* kernel, Caller caller);

/// How many grids were run.
std::uint64_t launches();

}  // namespace bankside::on_host
