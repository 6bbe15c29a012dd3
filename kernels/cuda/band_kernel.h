/// What a plan that works in bands asks of a bank on the device.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "core/engine.h"
#include "kernels/cuda/kernel_arguments.h"

namespace bankside::cuda {

class BandKernel {
 public:
  virtual ~BandKernel() = default;
  /// The shape that was chosen, for reports.
  virtual std::string describe() const = 0;
  virtual ErrorBound errorBound() const = 0;
  /// Bytes of device memory, beside source and result, that a row of a band needs; bands are cut to fit.
  virtual std::size_t workBytesPerRow(int /*width*/) const { return 0; }

  /// Pixels that a row of the source must be a whole number of, where it is read as it lies.
  virtual int rowUnit() const { return 4; }

  /// Puts in place what later launches rely on. False if launches that were captured once cannot be repeated
  /// as they are.
  virtual bool prepareReplay(cudaStream_t /*stream*/) { return false; }

  /// Starts everything that computes one response group of a band. Of `a`, the bank's part is filled in here.
  /// The channels of the group are `channelStride` elements apart and have `sourceRows` rows.
  virtual void start(KernelArguments a, std::ptrdiff_t channelStride, int sourceRows,
                     cudaStream_t stream) = 0;
};

}  // namespace bankside::cuda
