/// What `bankside batch` is asked for.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/batch/emit.h"
#include "core/batch/shard.h"
#include "gui/headless/filter_options.h"

namespace CLI {
class App;
}

namespace bankside::headless {

/// How many images may fail before a run gives up: a count, or a part of the shard's images.
struct MostFailures {
  std::int64_t count = std::numeric_limits<std::int64_t>::max();
  std::optional<double> part = {};

  std::int64_t of(std::int64_t images) const {
    return part ? static_cast<std::int64_t>(*part * static_cast<double>(images)) : count;
  }
};

struct BatchCommand {
  enum class Action { All, Plan, Run, Merge, Audit, Emit };
  Action action = Action::All;
  FilterCommand filter;  ///< settings of a plan; threads, memory, --force and progress of a run
  std::string input;     ///< of a run or an audit: instead of the manifest's, where it is mounted elsewhere
  std::string output;
  std::string manifest;
  std::vector<std::string> patterns;
  std::string list;
  double sample = 1;
  std::optional<Shard> shard;
  std::optional<int> shards;
  bool anew = false;     ///< a plan of other images or settings is replaced
  bool content = false;  ///< results are hashed, and looked at by their hash
  MostFailures mostFailures;
  std::string json;
  std::string csv;
  EmitOptions emit;
};

void addBatch(CLI::App& root, BatchCommand& command);
/// After the line was read: the sentence of a usage error, or "".
std::string endBatch(CLI::App& batch, BatchCommand& command);

}  // namespace bankside::headless
