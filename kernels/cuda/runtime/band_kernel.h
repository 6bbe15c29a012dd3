/// What a plan that works in bands asks of a bank on the device.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "core/engine.h"
#include "kernels/cuda/pixels/image_batch.h"

namespace bankside::cuda {

/// What a bank is loaded for.
struct BankUse {
  Precision precision = Precision::Fp32;
  /// It runs beside others: it uses nothing that plans share (see LoadedBank), and its own runs follow each
  /// other on the device.
  bool besideOthers = false;
};

class BandKernel {
 public:
  virtual ~BandKernel() = default;
  /// The shape that was chosen, for reports.
  virtual std::string describe() const = 0;
  virtual NumericTraits traits() const = 0;
  ErrorBound errorBound() const { return traits().errorBound; }
  /// Bytes of device memory, beside source and result, that a row of a band needs; bands are cut to fit.
  virtual std::size_t workBytesPerRow(int /*width*/) const { return 0; }

  /// Rows of results that the bank makes together, counted from where a launch begins: bands are cut between
  /// them, so that results do not depend on the cut.
  virtual int rowsTogether() const { return 1; }

  /// Pixels that the way from one row of the source to the next must be a whole number of.
  virtual int rowUnit() const { return 4; }

  /// Starts everything that computes one response group of a band. Of `a`, the bank's part is filled in here.
  /// The channels of the group are `channelStride` elements apart and have `sourceRows` rows.
  virtual void start(KernelArguments a, std::ptrdiff_t channelStride, int sourceRows,
                     cudaStream_t stream) = 0;

  /// Images that fill the device together where one does not; 1: each does, or starts on its own. The bytes
  /// of an image's results do not depend on the others.
  virtual int imagesTogether() const { return 1; }

  /// `start` for every image of a batch; `a` is the first one's. Here one after another.
  virtual void startBatch(KernelArguments a, const ImageBatch& batch, std::ptrdiff_t channelStride,
                          int sourceRows, cudaStream_t stream) {
    for (int i = 0; i < batch.images; ++i) {
      start(a, channelStride, sourceRows, stream);
      a.src.pixels = static_cast<const std::byte*>(a.src.pixels) + batch.sourceBytes;
      a.dst = resultsAfter(a.dst, batch.resultBytes);
    }
  }
};

}  // namespace bankside::cuda
