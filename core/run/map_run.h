/// One image through the steps of a program of maps.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/maps/exact_operation.h"
#include "core/run/bank_run.h"
#include "core/run/map_ends.h"
#include "core/run/map_places.h"
#include "core/run/map_steps.h"
#include "core/run/placed_maps.h"
#include "core/run/run_options.h"

namespace bankside {

class MapRun {
 public:
  /// `operationNames`: what a step's operation gives, before its combines. `device`: null where maps stay in
  /// host memory. `alone`: of who runs plans that are for one thread at a time. What is referred to outlives
  /// the run. `ends`: of a program whose maps would not fit; null: all are held whole
  MapRun(const RunOptions& options, std::vector<PreparedStep>& steps,
         const std::vector<std::vector<MapName>>& operationNames, MapsOnDevice* device, std::mutex& alone,
         const MapEnds* ends, Source& image, const Image& field, BankRun& run, std::stop_token stop);

  /// The maps of the last step, or those that the step takes that restores them. Errors  as MapRunner::run
  Maps go();
  /// After that: what the ends make of the maps. Once.
  std::unique_ptr<LastMaps> lastMaps(Maps taken, std::vector<MapName> names);

 private:
  /// A bank's problem, prepared for maps on the device.
  struct DeviceStep {
    BankPass::Step step;
    std::shared_ptr<DeviceBank> bank;
  };
  PlacedMaps& takes(int from);
  const Maps& host(PlacedMaps& maps);
  const DeviceMaps& there(PlacedMaps& maps);

  void begin();
  PlacedMaps runBank(PreparedStep& step, int number);
  PlacedMaps bankOnHost(PreparedStep& step, int number, Source& seen, const std::vector<MapName>& names,
                        double pixelsPerDegree);
  std::optional<PlacedMaps> bankOnDevice(PreparedStep& step, int number, PlacedMaps& seen);
  DeviceMaps passOnDevice(const BankPass& pass, const std::vector<DeviceStep>& steps, int number,
                          PlacedMaps& seen);
  std::shared_ptr<DeviceBank> prepared(const BankPass::Step& step, const std::string& place);
  PlacedMaps runOperation(const PreparedStep& step, int number);
  PlacedMaps runCombine(const CombineOver& combine, PlacedMaps& from, int number);

  /// Whether all that the step takes is one value, but for rounding.
  bool takesFlat(const MapStep& step);
  /// Whether what it made is, then or for the first time.
  bool isFlatAfter(const PreparedStep& step, bool taken, PlacedMaps& made);
  /// The longer side of the field.
  double fieldDegrees() const;

  /// Seconds of `body` for `note`: at once on the host, after the run on the device.
  template <class Body>
  auto onHost(const Body& body, const std::function<void(double)>& note) const;
  template <class Body>
  auto onDevice(const Body& body, std::function<void(double)> note);
  std::function<void(double)> noteOperation(int number, std::string does, const std::string& device);

  void judgeBank(const BankPass::Step& step, const ErrorBound& bound, Source& seen, std::vector<Image>& mine,
                 StepReport& report);
  template <class Body>
  void judge(const Body& body);
  std::vector<int> judgedRows(const Extent& extent) const;

  const RunOptions& options_;
  std::vector<PreparedStep>& steps_;
  const std::vector<std::vector<MapName>>& operationNames_;
  MapsOnDevice* device_;
  std::mutex& alone_;
  const MapEnds* ends_;
  Source& image_;
  BankRun& run_;
  std::stop_token stop_;
  Extent extent_;
  std::vector<MapName> channels_;
  ThreadTeam team_;
  FieldOfView field_;
  OperationContext context_;
  std::optional<PlacedMaps>
      imageMaps_;  ///< with ends, only what lies under the middles of the others' pixels
  std::vector<PlacedMaps> made_;
  std::optional<bool> imageIsFlat_;
  std::vector<bool> flat_;                         ///< of the steps
  std::vector<std::function<void(double)>> laps_;  ///< who is told how long each took
};

}  // namespace bankside
