/// The steps of a program of maps with what it takes to run them.
#pragma once

#include <string>
#include <vector>

#include "core/bank_pass.h"
#include "core/error.h"
#include "core/maps/map_program.h"

namespace bankside {

struct PreparedStep {
  MapStep step;
  int lastUse = 0;  ///< the number of the last step that takes its maps
  /// A bank's filters, in the groups that its first combine makes of them; all, where there is none.
  std::vector<BankPass> passes;
  std::vector<CombinedMaps> groups;
};

/// Passes and groups of a step that has a bank. Errors  Error{BadInput}
void addPasses(PreparedStep& step, const Border& border, const PlanOptions& options,
               const ChooseEngine& choose);

/// What a step's bank gives over those maps, after its first combine. Errors  Error{BadInput}, Error{Limit}
std::vector<MapName> bankNames(const PreparedStep& step, const std::vector<MapName>& seen);

/// Of an image's channels: "channel0", "channel1" ...
std::vector<MapName> channelNames(int channels);

/// A single map has its step's name, several have it before their own; those of the last step, whose names
/// are their files', keep theirs.
void nameAfter(const MapStep& step, bool last, std::vector<MapName>& names);

/// "third step", or its name.
std::string nameOf(const MapStep& step, int number);

/// What `body` throws, with the step's name before it.
template <class Body>
decltype(auto) inStep(const MapStep& step, int number, const Body& body) {
  try {
    return body();
  } catch (const Error& e) {
    throw Error(e.code(), nameOf(step, number) + ": " + e.what());
  }
}

}  // namespace bankside
