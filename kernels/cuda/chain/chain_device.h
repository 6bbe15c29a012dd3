/// What a chain of two banks asks of the device that keeps the maps: memory for the image and for the maps,
/// and the banks. A made-up one on the host stands in for it in tests.
#pragma once

#include <string>

#include "core/engine.h"

namespace bankside::cuda {

/// Image and maps are whole planes on the device; rows that were never asked for hold nothing.
class ChainDevice {
 public:
  virtual ~ChainDevice() = default;
  /// "rows5, relu, wide3".
  virtual std::string describe() const = 0;
  virtual ErrorBound firstErrorBound() const = 0;
  virtual ErrorBound errorBound() const = 0;

  /// Rows [firstRow, firstRow + rows.height) of a channel of the image; they may be reused on return.
  virtual void upload(int channel, int firstRow, ConstPlane rows) = 0;

  /// Rows [firstRow, firstRow + rows) of every map, activated, from the image's rows.
  virtual void makeMaps(int firstRow, int rows) = 0;

  /// A band of the second bank's planes from the maps' rows; `fetch` gives them until the next band.
  virtual void makeResults(const Region& band) = 0;

  /// Until everything that was started is done. Errors  Error{Device}
  virtual void wait() = 0;

  /// Plane `i` of the second problem's, as large as the band.
  virtual void fetch(int plane, MutablePlane to) = 0;
};

}  // namespace bankside::cuda
