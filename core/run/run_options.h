/// How a run computes, whatever it computes.
#pragma once

#include <cstdint>
#include <optional>

#include "core/engine.h"
#include "core/maps/map_maker.h"

namespace bankside {

class ExactRows;  // core/judge/exact_rows.h

struct RunOptions {
  PlanOptions plan;              ///< threads, and what planners may choose from
  bool verifyReference = false;  ///< judge the results of the whole pipeline
  int verifyRows = 0;            ///< judge a sample of that many rows of each band (`sampleRows`); 0: all
  std::optional<int> judgeThreads = {};  ///< of the judge, whose time nobody measures; none: `plan.threads`
  ExactRows* exact = nullptr;  ///< what judges of the same image under the same bank share (one stage alone)
  const Engine* baseline = nullptr;  ///< compare with this engine's result too, where it takes the problem
  bool writeBehind =
      false;  ///< give bands of results away on another thread, while the next ones are computed
  const MapDevices* mapDevices = nullptr;  ///< of recipes of maps: where maps stay while the engines of
                                           ///< their banks compute there; null: in host memory
  double pixelsPerDegree = 0;              ///< of the images, for recipes of maps that ask; 0: nobody said
  std::int64_t memoryBudget = std::int64_t{1} << 30;  ///< bytes of results and maps held at once, shared
                                                      ///< equally by the stages: more comes in bands
};

}  // namespace bankside
