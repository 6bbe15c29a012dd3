/// Which of the GPU's engines for a problem: a model of what each costs, as a pure function.
///
/// The choice depends on problem, bank, precision, and how fast the device copies and multiplies
/// (kernels/cuda/runtime/device_rates.h) alone. Costs are picoseconds a pixel, measured on one kind of GPU
/// and scaled by those rates; what a device or a library does not have is for its engine to say.
#pragma once

#include <string>
#include <vector>

#include "core/precision.h"
#include "core/problem.h"
#include "kernels/cuda/tensor/tensor_choice.h"

namespace bankside::planner {

enum class CudaPath { SingleChannel, Tensor, TensorFp16, Multichannel, Fft, Fp16x3, Fp16 };
inline constexpr CudaPath allCudaPaths[] = {CudaPath::SingleChannel, CudaPath::Multichannel, CudaPath::Tensor,
                                            CudaPath::TensorFp16,    CudaPath::Fft,          CudaPath::Fp16x3,
                                            CudaPath::Fp16};

/// "cuda:single-channel", "cuda:tensor", "cuda:tensor-fp16", "cuda:multichannel", "cuda:fft",
/// "cuda:multichannel-fp16x3", "cuda:multichannel-fp16".
const char* engineName(CudaPath path);

/// How many times longer a device takes than an H200.
struct CudaScale {
  double copy = 1;
  double sums = 1;  ///< f32 multiply-adds
  int multiprocessors = 132;
};

/// Picoseconds a pixel of one response group; microseconds where it says so.
struct CudaCosts {
  double launch = 0;                   ///< us, of any engine
  double byte = 0;                     ///< read or written
  double tap = 0;                      ///< single channel: one multiply-add, filters up to 15 x 15
  double largeTap = 0;                 ///< of the kernel of any size: all but odd squares up to 15 x 15
  double response = 0;                 ///< single channel: the rest of a filter
  double largeResponse = 0;            ///< the same of the kernel of any size
  double rounded = 0;                  ///< single channel: rounding one response to an integer
  double pixel = 0;                    ///< single channel: staging one source pixel
  double tensorCycle = 0;              ///< tensor: one cycle of a multiprocessor, see tensorCost
  double tensorRounded = 0;            ///< tensor: rounding one response to an integer
  double tensorStart = 0;              ///< us, tensor
  double tensorF32Start = 0;           ///< us, of f32 pixels, whose blocks look for their largest first
  double tensorByWarps = 1;            ///< tensor by `mma.sync`: what is predicted times this
  cuda::TensorUnits tensorUnits = {};  ///< of the device
  double summedCycle = 0;  ///< several channels on tensor cores: us a thousand cycles, see tensorKilocycles
  double summedStart = 0;  ///< us, of those
  double fftPoint = 0;     ///< fft: one point of a tile's plane through a transform
  double fftStart = 0;     ///< us, fft
  CudaScale scale = {};    ///< what is predicted elsewhere is times `sums`
};
CudaCosts cudaCosts(const CudaScale& scale = {});

/// Another engine must be predicted to be so much faster than one of plain f32 multiply-adds.
inline constexpr double worthLeavingMultiplyAdds = 1.05;

/// The shorter side of filters below which serial f32 sums err less than those of tensor cores, whose taps
/// have 22 bits (measured: tests/kernels/cuda/tensor/tensor_accuracy_test.cpp). Smaller ones stay with them,
/// unless sums are exact or precision is fp16.
/// `mma.sync` as the host models it, since no device before Hopper was measured.
int leastTensorSide(ElementType type, cuda::TensorForm form = cuda::TensorForm::Warpgroups);

/// Taps of a filter, over all channels, and sums of the tensor cores that make up a response (`sumsInF32`),
/// below which serial f32 sums may err less than those of `cuda:multichannel-fp16x3`, whose numbers have 22
/// bits and whose sums are cut off. Measured on an H200 (multichannel_accuracy_test.cpp;
/// tests/bench/results/h200/multichannel-accuracy.json).
inline constexpr int leastSplitTaps = 320;
inline constexpr int leastSplitSums = 6;

/// Whether split halves err no more than serial f32 sums: enough of both, and no filter whose taps are far
/// below the bank's largest.
bool splitHalvesMayDo(const ConvolutionProblem& problem, const CorrelationTaps& taps);

/// A path and what is known of it.
struct CudaOption {
  CudaPath path = CudaPath::SingleChannel;
  double microseconds = 0;  ///< predicted; 0 where it is out
  std::string why = {};     ///< where it is out: a few words
};

/// Every path, allowed ones first, the best of them at the front.
std::vector<CudaOption> rankCudaPaths(const ConvolutionProblem& problem, const CorrelationTaps& taps,
                                      Precision precision, const CudaCosts& costs);

/// Whether sums are exact (see cuda::sumsAreExact), and the combine adds nothing up.
bool staysExactInAnyOrder(const ConvolutionProblem& problem, const CorrelationTaps& taps);

}  // namespace bankside::planner
