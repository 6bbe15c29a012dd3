#include "core/run/map_places.h"

#include <algorithm>

#include "core/log.h"

namespace bankside {

std::vector<int> MapPlaces::usable(const Engine& engine) const {
  if (devices_ == nullptr) return {};
  std::vector<int> devices = devices_->of(engine);
  std::erase_if(devices,
                [&](int device) { return std::find(lost_.begin(), lost_.end(), device) != lost_.end(); });
  return devices;
}

bool MapPlaces::isOpen(int device) const {
  return std::any_of(open_.begin(), open_.end(),
                     [&](const MapsOnDevice& there) { return there.device == device; });
}

MapPlaces::Place MapPlaces::take(const Engine& engine, std::int64_t bytes, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (bytes < tooMuch_) {
    if (stop.stop_requested()) throw Cancelled();
    if (!idle_.empty()) {
      MapsOnDevice* const there = idle_.back();
      idle_.pop_back();
      return {*this, there};
    }
    const std::vector<int> devices = usable(engine);
    const auto closed = std::find_if(devices.begin(), devices.end(), [&](int d) { return !isOpen(d); });
    if (closed != devices.end()) {
      open_.push_back({.device = *closed, .maker = nullptr, .banks = {}});
      return {*this, &open_.back()};
    }
    if (open_.empty()) break;
    changed_.wait(lock, stop, [this, seen = changes_] { return changes_ != seen; });
  }
  return {*this, nullptr};
}

void MapPlaces::giveBack(MapsOnDevice& there) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(&there);
  ++changes_;
  changed_.notify_all();
}

bool MapPlaces::failed(Place& place, const Engine& engine, const Error& error, std::int64_t bytes) {
  MapsOnDevice* const there = std::exchange(place.there_, nullptr);
  const std::string name = there->maker ? there->maker->name() : "the device";
  std::list<MapsOnDevice> gone;  // whose memory is given back without the lock
  const std::lock_guard lock(mutex_);
  gone.splice(gone.begin(), open_, std::find_if(open_.begin(), open_.end(), [&](const MapsOnDevice& one) {
                return &one == there;
              }));
  if (error.code() == ErrorCode::Limit) {
    tooMuch_ = std::min(tooMuch_, bytes);
  } else {
    lost_.push_back(there->device);
    if (usable(engine).empty()) tooMuch_ = 0;
  }
  ++changes_;
  changed_.notify_all();
  if (bytes < tooMuch_) {
    log(LogLevel::Warning,
        "the recipe's maps go on on another device, instead of " + name + ", which failed: " + error.what());
    return true;
  }
  why_ = "the maps of " + name + ", which failed: " + error.what();
  log(LogLevel::Warning, "the recipe's maps go on in host memory, instead of " + why_);
  return false;
}

std::string MapPlaces::whyNot(std::int64_t bytes) const {
  const std::lock_guard lock(mutex_);
  return bytes >= tooMuch_ ? why_ : "";
}

}  // namespace bankside
