/// The device that the runtime of these tests has.
#pragma once

#include <cstdint>

namespace bankside::on_host {

/// What kernels are split by; 132 where nothing else was said.
void setMultiprocessors(int count);

/// In which order the threads of the launches from now on run, and how late asynchronous copies arrive. 0: in
/// their order.
void setSeed(std::uint64_t seed);

/// How its tensor cores add.
void setCutSums(bool cut);

/// Makes a kernel known: how it is called with a launch's list of arguments.
using Caller = void (*)(const void* kernel, void** arguments);
void rememberKernel(const void* kernel, Caller caller);

/// How many grids were run.
std::uint64_t launches();

}  // namespace bankside::on_host
