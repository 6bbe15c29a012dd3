/// The devices on which a runner's maps stay, each for one image at a time.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/maps/map_maker.h"

namespace bankside {

/// A device that is open, and the banks that are prepared there.
struct MapsOnDevice {
  int device = 0;
  std::unique_ptr<MapMaker> maker;
  std::map<std::string, std::shared_ptr<DeviceBank>> banks;
};

/// Thread-safe. A device is opened where all that are open have an image. One that fails is not tried again;
/// where memory ends, images whose maps take as much are not.
class MapPlaces {
 public:
  /// `devices`: null where maps stay in host memory.
  explicit MapPlaces(const MapDevices* devices) : devices_(devices) {}

  /// A device for one image; none: its maps stay in host memory.
  class Place {
   public:
    Place(MapPlaces& places, MapsOnDevice* there) : places_(&places), there_(there) {}
    Place(Place&& other) noexcept : places_(other.places_), there_(std::exchange(other.there_, nullptr)) {}
    ~Place() {
      if (there_ != nullptr) places_->giveBack(*there_);
    }
    explicit operator bool() const { return there_ != nullptr; }
    /// Errors  Error{Device}, Error{Limit}
    MapsOnDevice& opened() {
      if (!there_->maker) there_->maker = places_->devices_->open(there_->device);
      return *there_;
    }

   private:
    friend class MapPlaces;
    MapPlaces* places_;
    MapsOnDevice* there_;
  };

  /// How many there are for that engine; 0: it computes in host memory.
  std::size_t devicesOf(const Engine& engine) const {
    return devices_ == nullptr ? 0 : devices_->of(engine).size();
  }

  /// For an image whose maps take so many bytes; waits where all are in use. Errors  Cancelled
  Place take(const Engine& engine, std::int64_t bytes, const std::stop_token& stop = {});

  /// What the place holds is let go, and the log says why. Whether the image may be tried on another device.
  bool failed(Place& place, const Engine& engine, const Error& error, std::int64_t bytes);

  /// Why images of so many bytes stay in host memory; empty where nothing has failed.
  std::string whyNot(std::int64_t bytes) const;

 private:
  void giveBack(MapsOnDevice& there);
  /// Without those that have failed.
  std::vector<int> usable(const Engine& engine) const;
  bool isOpen(int device) const;

  const MapDevices* devices_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::uint64_t changes_ = 0;
  std::list<MapsOnDevice> open_;
  std::vector<MapsOnDevice*> idle_;
  std::vector<int> lost_;
  std::string why_;
  std::int64_t tooMuch_ = std::numeric_limits<std::int64_t>::max();  ///< for a device's memory
};

}  // namespace bankside
