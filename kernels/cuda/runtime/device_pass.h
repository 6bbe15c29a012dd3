/// A problem prepared to be started on buffers that lie on the device already: what device benchmarks time.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "core/engine.h"
#include "core/error.h"

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
  /// Plane `i` of `outputPlanes(problem)`, of the first image.
  virtual Plane plane(int i) const = 0;
  /// Images of the problem's size that one start computes. Sources follow each other without gaps, results
  /// are `resultBytes() / images()` apart.
  virtual int images() const { return 1; }

  /// Starts the pass; it may be captured into a graph. `stream` is a cudaStream_t. Errors  Error{Device}
  virtual void start(const void* src, void* dst, void* stream) = 0;

  /// Where pixels or results lie otherwise than a problem has them, as those of a library's own users do: a
  /// source in place to what `start` reads, its result in place to planes of the problem. In no time.
  virtual void layOut(void* /*src*/, void* /*stream*/) {}
  virtual void bringBack(void* /*dst*/, void* /*stream*/) {}
};

/// An engine whose passes can be timed on the device.
class DeviceEngine : public Engine {
 public:
  /// Errors  as `prepare`
  virtual std::unique_ptr<DevicePass> preparePass(const ConvolutionProblem& problem,
                                                  const FilterBank& bank) const = 0;

  /// A pass over several images at once. Errors  as `prepare`; Error{Unsupported} where the engine has none,
  /// which is the default
  virtual std::unique_ptr<DevicePass> prepareBatch(const ConvolutionProblem& problem, const FilterBank& bank,
                                                   int images) const {
    if (images == 1) return preparePass(problem, bank);
    throw Error(ErrorCode::Unsupported, "engine " + name() + ": it starts every image on its own");
  }
};

}  // namespace bankside
