#include "kernels/cuda/runtime/devices_in_use.h"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <set>

#include "core/error.h"
#include "core/log.h"
#include "core/text.h"
#include "kernels/cuda/runtime/cuda_error.h"
#include "kernels/cuda/runtime/device_probe.h"

namespace bankside::cuda {
namespace {

std::mutex mutex;
std::vector<int> named;
std::set<int> told;  ///< that they are left out

/// Named, or all.
std::vector<int> wanted() {
  const std::lock_guard lock(mutex);
  if (!named.empty()) return named;
  std::vector<int> all(static_cast<std::size_t>(visibleDevices()));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::string thoseThere(int count) {
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) names.push_back(nameOf(i));
  return joinWords(names);
}

}  // namespace

std::string nameOf(int device) { return "cuda:" + std::to_string(device); }

int visibleDevices() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) {
    cudaGetLastError();
    return 0;
  }
  return count;
}

void useDevices(const std::vector<int>& devices) {
  const int count = visibleDevices();
  for (auto device = devices.begin(); device != devices.end(); ++device) {
    if (count == 0) throw Error(ErrorCode::Unsupported, nameOf(*device) + ": " + deviceState(*device).reason);
    if (*device < 0 || *device >= count) {
      throw Error(ErrorCode::BadInput,
                  "there is no device " + nameOf(*device) + "; this process sees " + thoseThere(count));
    }
    if (std::find(devices.begin(), device, *device) != device)
      throw Error(ErrorCode::BadInput, "the device " + nameOf(*device) + " is named twice");
  }
  const std::lock_guard lock(mutex);
  if (named == devices) return;
  named = devices;
  told.clear();
}

void requireNamedDevices() {
  if (!devicesNamed()) return;
  for (const int device : wanted()) {
    if (!lostDevice(device).empty()) continue;  // it was ready, and others have its work
    if (const Support state = deviceState(device); !state)
      throw Error(ErrorCode::Unsupported, nameOf(device) + " cannot be used: " + state.reason);
  }
  tellDevicesLeftOut();
}

bool lostDevices() {
  const std::vector<int> devices = wanted();
  return std::any_of(devices.begin(), devices.end(), [](int device) { return !lostDevice(device).empty(); });
}

bool devicesNamed() {
  const std::lock_guard lock(mutex);
  return !named.empty();
}

int leadDevice() {
  const std::vector<int> devices = wanted();
  for (const int device : devices)
    if (deviceState(device)) return device;
  return devices.empty() ? 0 : devices.front();
}

std::vector<int> devicesInUse() {
  const int lead = leadDevice();
  std::vector<int> devices{lead};
  for (const int device : wanted())
    if (device != lead && lostDevice(device).empty() && kindOf(device) == kindOf(lead))
      devices.push_back(device);
  return devices;
}

std::vector<LeftOut> devicesLeftOut() {
  std::vector<LeftOut> out;
  const int lead = leadDevice();
  for (const int device : wanted()) {
    if (kindOf(device) == kindOf(lead)) continue;
    out.push_back({device, nameOf(device) + " (" + kindOf(device).name +
                               ") is left out: only GPUs of one kind give " + "the same bytes, and " +
                               nameOf(lead) + " is " + kindOf(lead).name});
  }
  return out;
}

void tellDevicesLeftOut() {
  for (const LeftOut& out : devicesLeftOut()) {
    {
      const std::lock_guard lock(mutex);
      if (!told.insert(out.device).second) continue;
    }
    log(LogLevel::Info, out.why);
  }
}

}  // namespace bankside::cuda
