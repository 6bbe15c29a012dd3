#include "kernels/planner/cuda_choice.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/cuda/fft/fft_layout.h"
#include "kernels/cuda/multichannel/fma/choose_summed.h"
#include "kernels/cuda/multichannel/fma/few_channels.h"
#include "kernels/cuda/multichannel/tensor/tensor_parts.h"
#include "kernels/cuda/tensor/packed_taps.h"
#include "kernels/cuda/tensor/tensor_choice.h"

namespace bankside::planner {
namespace {

constexpr int mostTileSide = 15;  // of the single-channel kernels that are compiled for a size: odd squares

double pixelsOf(const ConvolutionProblem& p) {
  return static_cast<double>(p.height) * p.width * p.responseGroups();
}

double tapsOf(const ConvolutionProblem& p) {
  return static_cast<double>(p.filterHeight) * p.filterWidth * p.tapChannels();
}

double bytesAPixel(const ConvolutionProblem& p) {
  double bytes = static_cast<double>(sizeOf(p.srcType)) * p.tapChannels();
  if (p.combine == Combine::None) return bytes + static_cast<double>(sizeOf(p.dstType)) * p.filterCount;
  return bytes + static_cast<double>(sizeOf(p.dstType)) + (p.combine == Combine::ArgMax ? 2 : 0);
}

double microseconds(const ConvolutionProblem& p, double picoseconds, const CudaCosts& costs, double start) {
  return start + pixelsOf(p) * std::max(picoseconds, bytesAPixel(p) * costs.byte) * 1e-6;
}

/// What reading and writing takes.
double memory(const ConvolutionProblem& p, const CudaCosts& c) { return microseconds(p, 0, c, c.launch); }

/// Responses that are rounded to integers cost their conversion, picoseconds a pixel.
double rounding(const ConvolutionProblem& p, double cost) {
  const bool integers = p.dstType == ElementType::U8 || p.dstType == ElementType::U16;
  return integers && p.combine == Combine::None ? cost * p.filterCount : 0;
}

/// How much longer sums take where blocks hang over the image's edge, or are too few for all multiprocessors:
/// a warp that has few pixels takes as long as a full one. One filter has shapes for small images.
double emptyPlaces(const ConvolutionProblem& p, int blockWidth, double blocksThatFill) {
  if (p.filterCount == 1) return 1;
  constexpr int blockHeight = 32;
  const double across = std::ceil(static_cast<double>(p.width) / blockWidth);
  const double down = std::ceil(static_cast<double>(p.height) / blockHeight);
  const double blocks = across * down * p.responseGroups() * (p.combine == Combine::None ? p.filterCount : 1);
  const double inside = static_cast<double>(p.width) * p.height / (across * down * blockWidth * blockHeight);
  return std::max(1.0, blocksThatFill / blocks) / inside;
}

double singleChannel(const ConvolutionProblem& p, const CudaCosts& c) {
  const bool compiled =
      p.filterHeight == p.filterWidth && p.filterWidth % 2 == 1 && p.filterWidth <= mostTileSide;
  const double tap = compiled ? c.tap : c.largeTap;
  const double response = compiled ? c.response : c.largeResponse;
  const double sums = p.filterCount * (tapsOf(p) * tap + response) *
                      emptyPlaces(p, compiled ? 256 : 128, c.scale.multiprocessors);
  return microseconds(p, sums + c.pixel + rounding(p, c.rounded), c, c.launch);
}

double tensor(const ConvolutionProblem& p, const CudaCosts& c, cuda::PartialProducts products) {
  const double doubt = c.tensorUnits.form == cuda::TensorForm::Warps ? c.tensorByWarps : 1;
  const double cycles = cuda::tensorCost(p, products, c.tensorUnits);
  return doubt * microseconds(p, c.tensorCycle * cycles + rounding(p, c.tensorRounded), c,
                              p.srcType == ElementType::F32 ? c.tensorF32Start : c.tensorStart);
}

/// One forward transform of every tile, an inverse one for every filter, and what stands around them, which
/// is worth two more.
double transforms(const ConvolutionProblem& p, const CudaCosts& c) {
  const double points = cuda::chooseFftLayout(p).points() * p.responseGroups();
  if (c.fftPoint == 0 || points == 0) return 0;
  return microseconds(p, points / pixelsOf(p) * (p.filterCount + 3) * c.fftPoint, c, c.fftStart);
}

/// In the direct order channels are not split.
double summed(const ConvolutionProblem& p, const CudaCosts& c, Precision precision) {
  const cuda::SummedChoice choice = cuda::chooseSummed(p, 1, precision == Precision::Exact ? 1 : 0);
  const double seconds = cuda::predictedSeconds(choice, p);
  const double least = cuda::takesFewChannels(p, seconds) ? cuda::fewChannelsSeconds(p) : seconds;
  return std::max(memory(p, c), 1e6 * least * c.scale.sums);
}

double summedProducts(const ConvolutionProblem& p, const CudaCosts& c, cuda::TensorMode mode) {
  return std::max(memory(p, c), c.summedStart + c.summedCycle * cuda::tensorKilocycles(mode, p));
}

/// Whether halves that are scaled for the bank's largest tap hold every filter's larger taps to 22 bits.
bool alikeInSize(const ConvolutionProblem& p, const CorrelationTaps& taps) {
  const auto largestOf = [](auto first, auto last) {
    return std::accumulate(first, last, 0.0f, [](float most, float tap) {
      return std::isfinite(tap) ? std::max(most, std::fabs(tap)) : most;
    });
  };
  const float largest = largestOf(taps.taps.begin(), taps.taps.end());
  const auto each = static_cast<std::ptrdiff_t>(tapsOf(p));
  for (auto filter = taps.taps.begin(); filter != taps.taps.end(); filter += each) {
    const float own = largestOf(filter, filter + each);
    if (own > 0 && own < 0x1p-10f * largest) return false;
  }
  return true;
}

}  // namespace

bool splitHalvesMayDo(const ConvolutionProblem& p, const CorrelationTaps& taps) {
  return tapsOf(p) >= leastSplitTaps && cuda::sumsInF32(cuda::TensorMode::Fp16x3, p) >= leastSplitSums &&
         alikeInSize(p, taps);
}

namespace {

/// Why a path may not be taken; empty if it may.
std::string refusalOf(CudaPath path, const ConvolutionProblem& p, const CorrelationTaps& taps,
                      Precision precision, const CudaCosts& costs) {
  const bool sums = p.channels > 1 && p.channelMode == ChannelMode::Summed;
  switch (path) {
    case CudaPath::SingleChannel: return sums ? "one channel" : "";
    case CudaPath::Tensor:
    case CudaPath::TensorFp16:
      if (sums) return "one channel";
      if (path == CudaPath::TensorFp16 && precision != Precision::Fp16) return "precision fp16 alone";
      if (std::max(p.filterHeight, p.filterWidth) > cuda::mostTensorSide) return "filter larger than 31x31";
      if (p.filterWidth == 1) return "one column: most products would be by zero";
      if (precision == Precision::Exact && !staysExactInAnyOrder(p, taps)) return "not exact here";
      if (precision == Precision::Fp32 &&
          std::min(p.filterHeight, p.filterWidth) < leastTensorSide(p.srcType, costs.tensorUnits.form) &&
          !staysExactInAnyOrder(p, taps))
        return "few taps: FP32 sums err less";
      return "";
    case CudaPath::Fft: return sums ? "one channel" : precision == Precision::Exact ? "not exact" : "";
    case CudaPath::Multichannel:
    case CudaPath::Fp16x3:
    case CudaPath::Fp16:
      if (!sums) return "several channels";
      if (std::max(p.filterHeight, p.filterWidth) > cuda::mostFilterHeight) return "filter larger than 15x15";
      if (path == CudaPath::Multichannel || precision == Precision::Fp16) return "";
      if (path == CudaPath::Fp16) return "precision fp16 alone";
      if (precision == Precision::Exact) return "not exact";
      return splitHalvesMayDo(p, taps) ? "" : "few taps: FP32 sums err less";
  }
  return "";
}

double predict(CudaPath path, const ConvolutionProblem& p, const CorrelationTaps& taps, Precision precision,
               const CudaCosts& c) {
  switch (path) {
    case CudaPath::SingleChannel: return singleChannel(p, c);
    case CudaPath::Tensor: return tensor(p, c, cuda::productsFor(p, taps.taps));
    case CudaPath::TensorFp16: return tensor(p, c, cuda::PartialProducts::Rounded);
    case CudaPath::Multichannel: return summed(p, c, precision);
    case CudaPath::Fft: return transforms(p, c);
    case CudaPath::Fp16x3: return summedProducts(p, c, cuda::TensorMode::Fp16x3);
    case CudaPath::Fp16: return summedProducts(p, c, cuda::TensorMode::Fp16);
  }
  return 0;
}

bool plainSums(CudaPath path) { return path == CudaPath::SingleChannel || path == CudaPath::Multichannel; }

/// What paths are ranked by.
double rankOf(const CudaOption& option) {
  if (option.microseconds == 0) return HUGE_VAL;
  return plainSums(option.path) ? option.microseconds : option.microseconds * worthLeavingMultiplyAdds;
}

}  // namespace

const char* engineName(CudaPath path) {
  switch (path) {
    case CudaPath::SingleChannel: return "cuda:single-channel";
    case CudaPath::Tensor: return "cuda:tensor";
    case CudaPath::TensorFp16: return "cuda:tensor-fp16";
    case CudaPath::Multichannel: return "cuda:multichannel";
    case CudaPath::Fft: return "cuda:fft";
    case CudaPath::Fp16x3: return "cuda:multichannel-fp16x3";
    case CudaPath::Fp16: break;
  }
  return "cuda:multichannel-fp16";
}

/// NVIDIA H200, N = 4096 (several channels: N = 32 to 256), hot, graph replay. To refresh:
/// `bankside bench device` on the problems of cuda_planner_test.cpp with every engine, the times into that
/// table, and the constants here until the test passes. `tap` and `response` from 7x7x32, 9x9x8, 11x11x12,
/// 15x15x1, 15x15x12 and 15x15x32, `largeTap` and `largeResponse` from `any-size.json`, `tensorCycle` from
/// all rows of the tensor cores, `tensorStart` from N = 512 and 1024. `cuda:fft` is out while a point costs
/// 0.
CudaCosts cudaCosts(const CudaScale& scale) {
  return {.launch = 4.5,
          .byte = 0.25 * scale.copy,
          .tap = 0.0339 * scale.sums,
          .largeTap = 0.053 * scale.sums,
          .response = 0.15 * scale.sums,
          .largeResponse = 1.05 * scale.sums,
          .rounded = 0.27 * scale.sums,
          .pixel = 2.2 * scale.sums,
          .tensorCycle = 3.7 * scale.sums,
          .tensorRounded = 0.48 * scale.sums,
          .tensorStart = 7.5,
          .tensorF32Start = 10.5,
          .tensorByWarps = 2.2,
          .summedCycle = 0.565 * scale.sums,
          .summedStart = 0.6,
          .fftPoint = 9 * scale.copy,
          .fftStart = 20,
          .scale = scale};
}

int leastTensorSide(ElementType type, cuda::TensorForm form) {
  switch (type) {
    case ElementType::U8: return 1;
    case ElementType::U16: return form == cuda::TensorForm::Warps ? 9 : 5;
    case ElementType::F16: return 6;
    case ElementType::F32: break;
  }
  return 7;
}

std::vector<CudaOption> rankCudaPaths(const ConvolutionProblem& problem, const CorrelationTaps& taps,
                                      Precision precision, const CudaCosts& costs) {
  std::vector<CudaOption> options;
  for (const CudaPath path : allCudaPaths) {
    CudaOption option{path};
    option.why = refusalOf(path, problem, taps, precision, costs);
    if (option.why.empty()) {
      option.microseconds = predict(path, problem, taps, precision, costs);
      if (option.microseconds == 0) option.why = "not measured";
    }
    options.push_back(std::move(option));
  }
  std::stable_sort(options.begin(), options.end(),
                   [](const CudaOption& a, const CudaOption& b) { return rankOf(a) < rankOf(b); });
  return options;
}

bool staysExactInAnyOrder(const ConvolutionProblem& p, const CorrelationTaps& taps) {
  const bool keeps = p.combine == Combine::None || p.combine == Combine::Max ||
                     p.combine == Combine::AbsMax || p.combine == Combine::ArgMax;
  return keeps && cuda::sumsAreExact(p, taps.taps);
}

}  // namespace bankside::planner
