/// Runs a program of maps over an image, whole maps at a time.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/run/map_run.h"

namespace bankside {

class MapRunner {
 public:
  /// Throws Error{BadInput} where a step takes what it cannot.
  MapRunner(MapProgram program, RunOptions options, ChooseEngine choose);

  /// Of the results, for an image of so many channels. Errors  Error{BadInput} where steps do not go
  /// together
  std::vector<MapName> names(int channels) const;

  /// Channels that the first bank over the image itself sums over, or 1.
  int imageChannels() const;

  /// Whether several threads may run images of that shape at the same time. Errors  as `names`
  bool sharesPlans(const Source& image) const;

  /// What maps take at most, results included. Units  bytes
  std::int64_t bytes(int channels, int height, int width) const;

  /// The maps of the last step; as many threads at the same time as there are images that share plans.
  /// Where engines compute on a device maps stay there; one that fails leaves the image to host memory, from
  /// its first step on, and those that follow; where its memory ended, those alone that need as much.
  /// `field`: [H,W] u8, not 0 inside; empty: a step finds it, or all is. `run` is filled with what the steps
  /// did. Errors  what engines throw; Cancelled; Error{BadInput}; Error{Limit} where `bytes` is more than the
  /// options allow
  Maps run(Source& image, const Image& field, BankRun& run, const std::stop_token& stop);

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
                     const std::vector<Extent>& sizes) const;
  MapsOnDevice* deviceFor(const std::vector<Tried>& tried, const std::vector<Extent>& sizes,
                          std::int64_t needed);
  void leaveDevice(const Error& error, std::int64_t needed);

  RunOptions options_;
  std::vector<PreparedStep> steps_;
  MapsOnDevice device_;       ///< of the images that were run on one
  std::string deviceFailed_;  ///< why it is not tried any more
  /// By images whose maps take so many bytes.
  std::int64_t tooMuchForDevice_ = std::numeric_limits<std::int64_t>::max();
};

}  // namespace bankside
