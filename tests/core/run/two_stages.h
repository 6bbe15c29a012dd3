/// What the tests of two-stage runs share.
#pragma once

#include <string>
#include <vector>

#include "core/run/runner.h"
#include "kernels/engines.h"

namespace bankside::testing {

inline ChooseEngine named(const std::string& name) {
  return [name](const ConvolutionProblem& p) -> const Engine& { return selectEngine(name, p); };
}

/// All bands of a run in one piece.
inline std::vector<Image> collect(Runner& runner, Source& source, BankRun* run = nullptr) {
  std::vector<Image> planes;
  const BankRun result = runner.run(source, [&](int firstRow, const std::vector<Image>& band) {
    for (std::size_t i = 0; i < band.size(); ++i) {
      if (planes.size() <= i) planes.emplace_back(1, source.height(), band[i].width(), band[i].type());
      MutablePlane rows = planes[i].plane(0);
      rows.data = rows.row(firstRow);
      rows.height = band[i].height();
      ImageSource(band[i]).readRows(0, 0, rows);
    }
  });
  if (run != nullptr) *run = result;
  return planes;
}

inline std::vector<Image> collect(Runner& runner, const Image& image, BankRun* run = nullptr) {
  ImageSource source(image);
  return collect(runner, source, run);
}

inline RunnerOptions twoStages(FilterBank first, Activation activation) {
  RunnerOptions options;
  options.first = FirstStage{.bank = std::move(first), .mode = {}, .activation = activation};
  return options;
}

}  // namespace bankside::testing
