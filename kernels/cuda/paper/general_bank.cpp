#include "kernels/cuda/paper/general_bank.h"

#include <span>

#include "core/error.h"
#include "kernels/cuda/multichannel/fma/cluster_launch.h"
#include "kernels/cuda/paper/general_table.h"
#include "kernels/cuda/runtime/launch.h"

namespace bankside::cuda {

GeneralBank::GeneralBank(const ConvolutionProblem& problem, const CorrelationTaps& taps, int variant)
    : ChannelBank(problem, taps, 1, std::as_bytes(std::span(taps.taps))), variant_(variant) {}

std::string GeneralBank::describe() const {
  return generalVariants()[static_cast<std::size_t>(variant_)].name;
}

NumericTraits GeneralBank::traits() const { return {.errorBound = {gammaBound(products())}}; }

void GeneralBank::launch(SummedArguments& s, cudaStream_t stream) {
  const GeneralShape& shape = generalVariants()[static_cast<std::size_t>(variant_)].shape;
  const KernelArguments& a = s.base;
  if (ceilDiv(a.height, shape.tileHeight) > mostBlockRows)
    throw Error(ErrorCode::Limit, "Algorithm 2 makes at most " +
                                      std::to_string(mostBlockRows * shape.tileHeight) +
                                      " rows at a time; use smaller bands");
  const dim3 grid(static_cast<unsigned>(ceilDiv(a.width, shape.tileWidth)),
                  static_cast<unsigned>(ceilDiv(a.height, shape.tileHeight)),
                  gridDepth(s.batch.images, ceilDiv(a.filterCount, shape.filtersPerBlock)));
  void* arguments[] = {&s};
  launchKernel({generalKernels()[static_cast<std::size_t>(variant_)], grid,
                dim3(static_cast<unsigned>(shape.threads())), arguments},
               stream);
}

}  // namespace bankside::cuda
