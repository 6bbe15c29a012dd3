/// Runs a program of maps over an image, whole maps at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/run/map_run.h"

namespace bankside {

/// The maps of the last step; or what makes any part of them, where they would not fit.
struct MapResults {
  Maps maps;
  std::unique_ptr<LastMaps> parts;
};

class MapRunner {
 public:
  /// Throws Error{BadInput} where a step takes what it cannot.
  MapRunner(MapProgram program, RunOptions options, ChooseEngine choose);

  /// Of the results, for an image of so many channels. Errors  Error{BadInput} where steps do not go
  /// together
  std::vector<MapName> names(int channels) const;

  /// Channels that the first bank over the image itself sums over, or 1.
  int imageChannels() const;

  /// Whether several threads may run images of that shape at the same time: plans are shared, or maps stay on
  /// several devices. Errors  as `names`
  bool takesSeveral(const Source& image) const;

  /// What maps take at most, results included, where all are held whole. Units  bytes
  std::int64_t bytes(int channels, int height, int width) const;

  /// Several threads may run images that it `takesSeveral` of.
  /// Where engines compute on a device maps stay there; one that fails leaves the image to another or to host
  /// memory, from its first step on, and those that follow; where its memory ended, those alone that need as
  /// much.
  /// `field`: [H,W] u8, not 0 inside; empty: a step finds it, or all is. `run` is filled with what the steps
  /// did. Errors  what engines throw; Cancelled; Error{BadInput}; Error{Limit} where `bytes` is more than the
  /// options allow, and so is what must be held between the program's ends (`MapEnds`), or there are none
  MapResults run(Source& image, const Image& field, BankRun& run, const std::stop_token& stop);

 private:
  /// What a step gives, and how many maps it holds at once at most.
  struct Tried {
    std::vector<MapName> names;
    std::vector<MapName> operationNames;  ///< of its operation, before combines
    std::size_t mostMaps = 0;
  };
  std::vector<Tried> dryRun(int channels) const;
  /// Of every step's maps. Throws Error{BadInput} where sizes do not go together
  std::vector<Extent> extents(const Extent& image) const;
  std::int64_t bytes(int channels, const Extent& image, const std::vector<Tried>& tried,
                     const std::vector<Extent>& sizes, const MapEnds* ends = nullptr) const;
  /// What a step's bank sees of an image.
  static ShapeSource seenBy(const MapStep& step, const std::vector<Tried>& tried,
                            const std::vector<Extent>& sizes, const Source& image);
  /// That of the first bank over maps whose maps stay on a device; null: there is none.
  const Engine* engineOnDevice(const std::vector<Tried>& tried, const std::vector<Extent>& sizes,
                               const Source& image) const;

  RunOptions options_;
  std::vector<PreparedStep> steps_;
  std::unique_ptr<MapPlaces> places_;
  std::unique_ptr<std::mutex> alone_;
};

}  // namespace bankside
