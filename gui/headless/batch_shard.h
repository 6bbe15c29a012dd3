/// One shard of a batch, from its manifest to its journal.
#pragma once

#include <cstdint>
#include <stop_token>

#include "core/batch/manifest.h"
#include "gui/headless/batch_options.h"

namespace bankside::headless {

/// The command that a manifest freezes; what is of this machine alone comes from `run`.
FilterCommand filterCommand(const ManifestHead& head, const FilterCommand& run);

/// For looking at a recipe: one that is written for a scale wants to know the images', and here each may have
/// its own.
FilterCommand withAnyScale(FilterCommand command);

/// Runs what is not done of the shard that was asked for. A stop request lets images under way be finished,
/// for some seconds. An exit code; `exitPermanent` where no other try could help. Errors  Cancelled; Error
int runShard(const BatchCommand& command, std::stop_token stop);

}  // namespace bankside::headless
