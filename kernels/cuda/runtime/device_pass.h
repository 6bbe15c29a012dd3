/// A problem prepared to be started on buffers that lie on the device already: a plan over anybody's planes,
/// which the library runs, and a pass over planes of its own choice, which device benchmarks time.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "core/engine.h"
#include "core/error.h"
#include "kernels/cuda/runtime/device_planes.h"

namespace bankside {

struct DevicePlanOptions {
  Precision precision = Precision::Fp32;
  /// Takes planes of any steps. Kernels take rows of pixels side by side that begin at whole vectors; memory
  /// for copies of others is there from the beginning.
  bool anySteps = false;
};

/// Runs beside other plans, each on a stream of its own; starts of one plan follow each other on the device.
class DevicePlan {
 public:
  virtual ~DevicePlan() = default;
  virtual PlanInfo info() const = 0;
  virtual NumericTraits traits() const = 0;

  /// Starts everything on `stream`, a cudaStream_t. Nothing is waited for or allocated, and all of it may be
  /// captured into a graph. `indices` are ArgMax's, else null. Several threads may call.
  /// Errors  Error{BadInput} for memory that is not the device's, a stream that is not; Error{Unsupported}
  /// for steps that no memory was reserved for; Error{Device}
  virtual void start(const DevicePlanes& image, const DevicePlanes& results, const DevicePlanes* indices,
                     void* stream) = 0;
};

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
};

/// An engine that works on device memory.
class DeviceEngine : public Engine {
 public:
  /// Errors  as `prepare`; Error{Unsupported} where the engine has no such plans, which is the default
  virtual std::unique_ptr<DevicePlan> prepareDevice(const ConvolutionProblem& /*problem*/,
                                                    const FilterBank& /*bank*/,
                                                    const DevicePlanOptions& /*options*/) const {
    throw Error(ErrorCode::Unsupported, "engine " + name() + ": it has no plans over device memory");
  }

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
