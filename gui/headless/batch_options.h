/// What `bankside batch` is asked for.
#pragma once

#include <cstdint>
#include <functional>
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

/// How far a run is.
struct BatchProgress {
  std::int64_t total = 0;   ///< images of the shard
  std::int64_t before = 0;  ///< of them done by earlier runs
  std::int64_t done = 0;    ///< by this one
  std::int64_t failed = 0;
  std::string id;     ///< of the image that just ended; empty: none has yet
  std::string error;  ///< why it failed; empty: it did not
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
  std::string sheet;
  EmitOptions script;
  /// Is told how far the run is, one call at a time, instead of terminal and standard output; the program
  /// then goes on where the run is stopped.
  std::function<void(const BatchProgress&)> watched = {};
};

void addBatch(CLI::App& root, BatchCommand& command);
/// After the line was read: the sentence of a usage error, or "".
std::string endBatch(CLI::App& batch, BatchCommand& command);

}  // namespace bankside::headless
