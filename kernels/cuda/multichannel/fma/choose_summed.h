/// Which compiled shape computes a problem, and over how many thread blocks the channels are spread. The
/// split is a pure function of the problem, so that a result's bytes depend on no band, region, load or
/// device.
#pragma once

#include <limits>

#include "kernels/cuda/multichannel/fma/summed_variant.h"

namespace bankside::cuda {

struct SummedChoice {
  int variant = -1;         ///< position in `summedVariants()`
  int parts = 1;            ///< blocks of a cluster that share the channels: 1, 2, 4 or 8
  bool sumsShared = false;  ///< results pass through shared memory even if `parts` is 1

  bool operator==(const SummedChoice&) const = default;
};

/// The shortest predicted time of a launch over `images` images. With `parts` only among the choices of that
/// split: the order of a result's sums, and so its bytes, depend on the split and on nothing else. Always
/// finds one for a problem that the engine takes, with `parts` if some choice for it had them. A device whose
/// blocks have less than what that shape needs of shared memory gets another shape with the same split.
SummedChoice chooseSummed(const ConvolutionProblem& problem, int images = 1, int parts = 0,
                          std::size_t mostShared = std::numeric_limits<std::size_t>::max());

/// What is launched over as many images as fill the device, with the split of `choice`, which is one image's.
SummedChoice chooseTogether(const SummedChoice& choice, const ConvolutionProblem& problem,
                            std::size_t mostShared = std::numeric_limits<std::size_t>::max());

/// Images of the problem's size that fill an H200 several times over; 1 where one does.
int imagesToFill(const SummedChoice& choice, const ConvolutionProblem& problem);

/// The same for `blocks` thread blocks an image, of which a multiprocessor holds `resident`; of a grid,
/// `depth` of its third dimension are an image's.
int imagesToFill(double blocks, int resident, int depth);

/// What a tuner measures: every variant that fits, with every split that its channels and blocks allow.
std::vector<SummedChoice> fittingSummedChoices(const ConvolutionProblem& problem);

/// Table 1's configuration for the filter size, unsplit; the shape for any size where Table 1 has none.
SummedChoice paperChoice(const ConvolutionProblem& problem);

/// Seconds that a launch over `images` images should take on an H200; fitted to what a tuner measured of
/// single ones.
double predictedSeconds(const SummedChoice& choice, const ConvolutionProblem& problem, int images = 1);

/// Channels of one part; every part has at least one.
int channelsOfPart(int channels, int parts);

/// "wide3, channels over 2 blocks".
std::string describe(const SummedChoice& choice);

}  // namespace bankside::cuda
