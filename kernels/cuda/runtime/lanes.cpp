#include "kernels/cuda/runtime/lanes.h"

#include <algorithm>
#include <future>
#include <utility>

#include "core/log.h"
#include "kernels/cuda/runtime/current_device.h"
#include "kernels/cuda/runtime/device_probe.h"
#include "kernels/cuda/runtime/devices_in_use.h"

namespace bankside::cuda {

Lanes::Lanes(const ConvolutionProblem& problem, std::vector<int> devices, LoadBank load)
    : problem_(problem), load_(std::move(load)), closed_(std::move(devices)) {
  while (true) {
    const int device = closed_.front();
    closed_.erase(closed_.begin());
    try {
      open_.push_back(make(device));
      return;
    } catch (const Error& error) {
      const bool ofDevice = error.code() == ErrorCode::Device || error.code() == ErrorCode::Limit;
      if (!ofDevice || closed_.empty()) throw;
      note(device, error.what());
    }
  }
}

std::unique_ptr<Lane> Lanes::make(int device) const {
  if (const Support state = deviceState(device); !state) throw Error(ErrorCode::Device, state.reason);
  const CurrentDevice here(device);
  return std::make_unique<Lane>(problem_, load_());
}

Lanes::Place Lanes::leastBusy() {
  const auto lane = std::min_element(open_.begin(), open_.end(),
                                     [](const auto& a, const auto& b) { return a->busy() < b->busy(); });
  return {lane->get(), (*lane)->idleSlot()};
}

Lanes::Place Lanes::idle(bool worthIt) {
  const Place place = leastBusy();
  if (place.slot != nullptr || closed_.empty()) return place;
  if (!worthIt && !std::all_of(closed_.begin(), closed_.end(), deviceIsUp)) return place;
  openOthers();
  return leastBusy();
}

/// Setting one up takes long, all of them at the same time not longer.
void Lanes::openOthers() {
  std::vector<std::pair<int, std::future<std::unique_ptr<Lane>>>> made;
  for (const int device : std::exchange(closed_, {}))
    made.emplace_back(device, std::async(std::launch::async, [this, device] { return make(device); }));
  for (auto& [device, lane] : made) {
    try {
      open_.push_back(lane.get());
    } catch (const Error& error) {
      note(device, error.what());
    }
  }
}

void Lanes::leaveOut(const LaneFailed& failed) {
  const int device = failed.lane.device();
  std::erase_if(open_, [&](const auto& lane) { return lane.get() == &failed.lane; });
  note(device, failed.what());
  if (open_.empty() && !closed_.empty()) openOthers();
  if (open_.empty()) throw Error(failed.code(), failed.what());
}

void Lanes::leaveOutLost() {
  std::string last;
  for (auto lane = open_.begin(); lane != open_.end();) {
    const int device = (*lane)->device();
    last = lostDevice(device);
    if (last.empty()) {
      ++lane;
      continue;
    }
    lane = open_.erase(lane);
    if (most() > 0) note(device, last);
  }
  if (open_.empty() && !closed_.empty()) openOthers();
  if (open_.empty()) throw Error(ErrorCode::Device, last.empty() ? "no GPU is left to this plan" : last);
}

void Lanes::stop() {
  for (const auto& lane : open_) lane->stop();
}

void Lanes::note(int device, const std::string& why) {
  failures_ += (failures_.empty() ? "" : "; ") + nameOf(device) + " failed: " + why;
  log(LogLevel::Warning, nameOf(device) + " is left out, other devices go on: " + why);
}

}  // namespace bankside::cuda
