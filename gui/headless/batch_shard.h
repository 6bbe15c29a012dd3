/// One shard of a batch, from its manifest to its journal.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>

#include "core/batch/manifest.h"
#include "gui/headless/batch_options.h"

namespace bankside::headless {

/// The command that a manifest freezes; what is of this machine alone comes from `run`.
FilterCommand filterCommand(const ManifestHead& head, const FilterCommand& run);

/// For looking at a recipe: one that is written for a scale wants to know the images', and here each may have
/// its own.
FilterCommand withAnyScale(FilterCommand command);

struct ShardOutcome {
  int code = 0;        ///< an exit code; `exitPermanent` where no other try could help
  std::string reason;  ///< why it ended before its end; empty if it did not
};

/// Runs what is not done of the shard that was asked for. A stop request lets images be finished whose
/// filtering has begun, for a moment. Errors  Cancelled; Error
ShardOutcome runShard(const BatchCommand& command, std::stop_token stop);

}  // namespace bankside::headless
