/// The devices that the runtime of these tests has.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace bankside::on_host {

/// What the device says of itself.
struct FakeDevice {
  int capability = 90;
  int multiprocessors = 132;  ///< what kernels are split by
  std::size_t sharedBytes = 227 * 1024;

  // What goes wrong with it.
  int count = 1;                                 ///< of devices
  bool driver = true;                            ///< whether there is one,
  bool oldDriver = false;                        ///< and it is too old for this runtime
  bool hasCode = true;                           ///< whether kernels were compiled for it
  std::size_t freeBytes = std::size_t{1} << 40;  ///< that can still be allocated, about
  int launchesUntilLost = -1;                    ///< then every call fails; -1: never
};
/// From now on there are `count` of that kind; kernels find out anew.
void setDevice(const FakeDevice& device);
/// Several that differ; the first one says what there is of a driver.
void setDevices(const std::vector<FakeDevice>& devices);
/// Called with a device's number before it says whether kernels run there: a real one is set up then.
void beforeSetUp(const std::function<void(int device)>& call);
/// Whether the current one is.
bool deviceLost();
/// The thread's current device.
int currentFake();

/// An H200, and what else the engines are made for: T4, A100, RTX 3090, RTX 5090.
inline constexpr FakeDevice madeDevices[] = {
    {}, {75, 40, 64 * 1024}, {80, 108, 163 * 1024}, {86, 82, 99 * 1024}, {120, 170, 99 * 1024}};

/// Of the device as it is.
void setMultiprocessors(int count);

/// In which order the threads of the launches from now on run, and how late asynchronous copies arrive. 0: in
/// their order.
void setSeed(std::uint64_t seed);

/// How its tensor cores add.
void setCutSums(bool cut);

/// Whether streams do their work late, in an order drawn from the seed; at once where nothing was said.
void setLateStreams(bool late, std::uint64_t seed = 0);

/// Whether the driver says whose a stream is.
void setStreamsTellTheirDevice(bool tell);

/// What went through the streams since then.
struct Traffic {
  std::uint64_t mostBusyStreams = 0;  ///< at a time
};
Traffic streamTraffic();

/// Makes a kernel known: how a launch's list of arguments is copied for the calls of its threads.
using Caller = std::function<void()> (*)(const void* kernel, void** arguments);
void rememberKernel(const void* kernel, Caller caller);

/// A launch's call with a copy of its arguments; empty for an unknown kernel.
std::function<void()> callOf(const void* kernel, void** arguments);
cudaError_t launchCall(const cudaLaunchConfig_t& config, const void* kernel, std::function<void()> call);

/// How many grids were run, on all devices and on one.
std::uint64_t launches();
std::uint64_t launchesOn(int device);

/// How often device or pinned memory was asked for.
std::uint64_t allocationsSoFar();
/// How often a graph was started.
std::uint64_t graphLaunchesSoFar();
/// How often kernels in graphs were given arguments after those were made.
std::uint64_t graphArgumentsSoFar();

}  // namespace bankside::on_host
