/// A device on which the maps of a program stay between its steps, seen from the host.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/engine.h"
#include "core/maps/operation.h"

namespace bankside {

/// A map on the device; its memory is the map maker's again once nobody holds it.
class DeviceMap {
 public:
  virtual ~DeviceMap() = default;
};
using DeviceMaps = std::vector<std::shared_ptr<DeviceMap>>;

/// A bank prepared for maps on the device.
class DeviceBank {
 public:
  virtual ~DeviceBank() = default;
  /// Who computes it.
  virtual std::string engine() const = 0;
  virtual PlanInfo info() const = 0;
  virtual NumericTraits traits() const = 0;
};

/// Makes maps of maps there, one thing after another and with the bytes of the host's operations; a NaN is
/// one NaN. What is started is not waited for, but by `bring` and `laps`. One thread at a time. Errors of
/// every call Error{Device}; Error{Limit} where the device's memory ends: all maps may then be gone
class MapMaker {
 public:
  virtual ~MapMaker() = default;
  /// Of the device.
  virtual std::string name() const = 0;
  /// Maps of another image follow.
  virtual void begin() = 0;

  /// By that engine, or by the device's own way with banks that are nearly all zeros where the engine
  /// computes elsewhere. null: neither takes it.
  virtual std::shared_ptr<DeviceBank> prepare(const Engine& engine, const ConvolutionProblem& problem,
                                              const FilterBank& bank, const PlanOptions& options) = 0;
  /// The planes of `outputPlanes(problem)`. Shapes  as many maps as the problem has channels
  virtual DeviceMaps run(DeviceBank& bank, const DeviceMaps& seen) = 0;

  /// By the rule of core/combine.h.
  virtual std::shared_ptr<DeviceMap> combine(Combine combine, const DeviceMaps& maps) = 0;

  /// Whether there is a kernel for it.
  virtual bool has(const Operation& operation) const = 0;
  /// `after`: the size of what it gives. none: of these maps it is the host's, as where an operation has
  /// nothing to say but an error; nothing was done then.
  virtual std::optional<DeviceMaps> operate(const Operation& operation, const std::vector<DeviceMaps>& taken,
                                            OperationContext& context, const Extent& after) = 0;

  /// Copies from and to host memory.
  virtual DeviceMaps put(const Maps& maps) = 0;
  virtual void bring(const DeviceMaps& from, Maps& to) = 0;

  /// A lap is what is started between the two, and may be several things; `laps` says how many seconds each
  /// took since it was asked last.
  virtual void beginLap() = 0;
  virtual void endLap() = 0;
  virtual std::vector<double> laps() = 0;
};

/// The devices on which maps may stay.
class MapDevices {
 public:
  virtual ~MapDevices() = default;
  /// Their numbers, all of one kind; none: that engine computes in host memory.
  virtual std::vector<int> of(const Engine& engine) const = 0;
  /// Errors  Error{Device}, Error{Limit}
  virtual std::unique_ptr<MapMaker> open(int device) const = 0;
};

}  // namespace bankside
