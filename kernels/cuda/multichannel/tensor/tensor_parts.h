/// How the tensor cores' kernel splits channels, and what it costs: no CUDA; the planner asks with or without
/// nvcc.
#pragma once

#include "core/engine.h"
#include "kernels/cuda/multichannel/tensor/tensor_layout.h"

namespace bankside::cuda {

inline constexpr float largestHalf = 65504.0f;

/// Whether nothing is lost when the border's value, or the pixels as well, become halves.
bool borderIsHalf(const ConvolutionProblem& problem);
bool pixelsAreHalves(const ConvolutionProblem& problem);

/// The same without products of parts that would be zero: Fp16x2 for Fp16x3 where pixels are halves.
TensorMode withoutEmptyParts(TensorMode mode, const ConvolutionProblem& problem);

/// The tile of a block, and how many blocks of a cluster share the channels where `images` images have too
/// few tiles to fill the device: parts of whole instructions' channels, the last one maybe of fewer.
struct TensorSplit {
  TensorTile tile;
  int parts = 1;
};
TensorSplit tensorSplit(TensorMode mode, const ConvolutionProblem& problem, int images = 1);
int tensorChannelsOfPart(int channels, int parts);

/// Sums of the tensor cores that are added up in f32 for a response: one for every step of `tapsPerStep`
/// taps.
int sumsInF32(TensorMode mode, const ConvolutionProblem& problem);

/// Thousands of cycles of one image with these parts, fitted to 55 times (N = 32 to 256, K = 3 to 7; none of
/// Fp16x2, which lies between its neighbours) and to what of them each part of the kernel takes.
double tensorKilocycles(TensorMode mode, const ConvolutionProblem& problem);

}  // namespace bankside::cuda
