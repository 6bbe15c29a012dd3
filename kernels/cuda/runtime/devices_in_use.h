/// Which of the devices that a process sees are worked on.
#pragma once

#include <string>
#include <vector>

namespace bankside::cuda {

/// "cuda:1", as the process sees them: CUDA_VISIBLE_DEVICES chooses and numbers.
std::string nameOf(int device);

/// How many the process sees; 0 without a driver.
int visibleDevices();

/// From now on these, in that order; none: all. Sets none of them up. Errors  Error{BadInput} for one that is
/// not there, or is there twice; Error{Unsupported} where there are none, with the sentence of `deviceState`
void useDevices(const std::vector<int>& devices);

/// Sets up those that were named, and tells which of them are left out. Errors  Error{Unsupported} for one
/// that cannot be used, with the sentence of `deviceState`
void requireNamedDevices();

/// Whether one of them was lost.
bool lostDevices();

/// Whether `useDevices` has named some.
bool devicesNamed();

/// The first in use that can be used; 0 where none can be.
int leadDevice();

/// Those that a plan may spread its work over, the lead first: in use, of the lead's kind, and not lost.
/// Whether they run this build's code is found out when work goes there.
std::vector<int> devicesInUse();

/// Those in use that are of another kind than the lead, each with its sentence.
struct LeftOut {
  int device = 0;
  std::string why;
};
std::vector<LeftOut> devicesLeftOut();
/// Says those sentences in the log, each once until others are named.
void tellDevicesLeftOut();

}  // namespace bankside::cuda
