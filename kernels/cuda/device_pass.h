/// A problem prepared to be started on buffers that lie on the device already: what device benchmarks time.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "core/engine.h"

namespace bankside {

/// The source is [C,H,W], rows without gaps; where the planes of the result lie is the pass's to say.
class DevicePass {
 public:
  struct Plane {
    std::size_t offset = 0;  ///< bytes from the start of the result
    std::size_t rowBytes = 0;
  };

  virtual ~DevicePass() = default;
  virtual std::string variant() const = 0;
  virtual ErrorBound errorBound() const = 0;
  virtual std::size_t resultBytes() const = 0;
  /// Plane `i` of `outputPlanes(problem)`.
  virtual Plane plane(int i) const = 0;

  /// Starts the pass; it may be captured into a graph. `stream` is a cudaStream_t. Errors  Error{Device}
  virtual void start(const void* src, void* dst, void* stream) = 0;
};

/// An engine whose passes can be timed on the device.
class DeviceEngine : public Engine {
 public:
  /// Errors  as `prepare`
  virtual std::unique_ptr<DevicePass> preparePass(const ConvolutionProblem& problem,
                                                  const FilterBank& bank) const = 0;
};

}  // namespace bankside
