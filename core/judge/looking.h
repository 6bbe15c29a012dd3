/// Rows of a source for who only looks: HostPlan's bands and borders without a result.
#pragma once

#include <functional>

#include "core/host_plan.h"

namespace bankside {

/// Sees one band: the source rows that `region`, a part of the rows asked for, reads.
using Look = std::function<void(const SourceBand& in, const Region& region, const ThreadTeam& team)>;

/// Calls `look` for the bands of `region`, from top to bottom; for all of it at once where the image lies in
/// memory. `blockRows`: rows of the image, counted from its top, whose source rows a band has together.
/// Throws as `Plan::run`
void lookAt(const ConvolutionProblem& problem, const FilterBank& bank, Source& source, const Region& region,
            int blockRows, int threads, const Look& look, std::stop_token stop);

}  // namespace bankside
