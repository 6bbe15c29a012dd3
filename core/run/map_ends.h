/// The ends of a program of maps, where maps have the image's size: in parts, where the whole would not fit.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/maps/part.h"
#include "core/run/bank_run.h"
#include "core/run/map_steps.h"

namespace bankside {

/// Up to the step that resamples there are but functions of one pixel; from the one that restores on, what
/// gives parts. Between them all maps have one size. Numbers of those steps.
struct MapEnds {
  int resample = 0;
  int restore = 0;
};

/// none: the program has no such ends. `sizes`: of every step's maps
std::optional<MapEnds> endsOf(const std::vector<PreparedStep>& steps, const std::vector<Extent>& sizes,
                              const Extent& image);

/// Bytes of such maps that are held at once, where a run may hold `budget`.
std::int64_t partBytes(std::int64_t budget);

/// What the first of such steps make of an image that comes in bands of rows.
struct BegunMaps {
  Maps maps;          ///< of the step that resamples
  Maps under;         ///< the image's pixels under the middles of those
  bool flat = false;  ///< the image has one value, but for rounding (`isFlat`)
};

/// `run` is told of the steps. Errors  Cancelled; what reading throws
BegunMaps beginInBands(Source& image, const std::vector<PreparedStep>& steps, const MapEnds& ends,
                       const Extent& size, std::int64_t budget, OperationContext& context, BankRun& run);

/// The last of such steps, over what they take. Any thread may ask for parts, several at the same time.
class LastMaps {
 public:
  /// `taken`: by the step that restores; `names`: of what the last step gives. Steps are copied, and `run` is
  /// told of them.
  LastMaps(Maps taken, FieldOfView field, const std::vector<PreparedStep>& steps, const MapEnds& ends,
           std::vector<MapName> names, const OperationContext& context, BankRun& run);

  const Extent& extent() const { return image_; }
  std::size_t size() const { return names_.size(); }
  std::int64_t bytes() const;
  /// Planes of `area` with the bytes that they have in the whole. `run`: whose steps take that long; null:
  /// nobody asks. Errors  Cancelled
  std::vector<Image> part(const Region& area, int threads, const std::stop_token& stop,
                          BankRun* run = nullptr) const;

  /// The same in bands of rows, top to bottom, each of which takes about `bytes`: `receive` gets its first
  /// row in `area`, and `planes`, where the last one stays. `run` is told of the bands.
  using Receive = std::function<void(int firstRow, const std::vector<Image>& planes)>;
  void give(const Region& area, std::int64_t bytes, int threads, const std::stop_token& stop,
            std::vector<Image>& planes, const Receive& receive, BankRun& run) const;

 private:
  Maps taken_;
  mutable FieldOfView field_;  ///< which is looked at alone
  std::vector<Operation> operations_;
  std::vector<MapName> names_;
  Extent image_;
  ElementType type_;
  std::size_t noted_ = 0;  ///< where the first of them stands in the report
};

}  // namespace bankside
