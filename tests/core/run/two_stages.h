/// What the tests of two-stage runs share.
#pragma once

#include <string>
#include <vector>

#include "core/run/gathered_planes.h"
#include "core/run/runner.h"
#include "kernels/engines.h"

namespace bankside::testing {

inline ChooseEngine named(const std::string& name) {
  return [name](const ConvolutionProblem& p) -> const Engine& { return selectEngine(name, p); };
}

/// All bands of a run in one piece.
inline std::vector<Image> collect(Runner& runner, Source& source, BankRun* run = nullptr) {
  GatheredPlanes gathered(source.height());
  const BankRun result =
      runner.run(source, [&](int firstRow, const std::vector<Image>& band) { gathered.add(firstRow, band); });
  if (run != nullptr) *run = result;
  return std::move(gathered.images());
}

inline std::vector<Image> collect(Runner& runner, const Image& image, BankRun* run = nullptr) {
  ImageSource source(image);
  return collect(runner, source, run);
}

/// `activation` is what `second` sees of the first one's maps.
inline Pipeline twoStages(FilterBank first, Activation activation, FilterBank second) {
  Pipeline pipeline;
  pipeline.stages.push_back({std::move(first), Combine::None, activation});
  pipeline.stages.push_back({std::move(second)});
  return pipeline;
}

}  // namespace bankside::testing
