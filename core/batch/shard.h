/// Which part of a batch a run takes.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace bankside {

/// Every image is in exactly one of `count` shards, by its id alone: what else is in the batch changes
/// nothing.
struct Shard {
  int index = 0;  ///< from 0
  int count = 1;

  bool has(std::string_view id) const;
  std::string text() const { return std::to_string(index) + "/" + std::to_string(count); }
  bool operator==(const Shard&) const = default;
};

inline constexpr int mostShards = 1'000'000;

/// A number from an id, spread evenly over [0, 1). Another `use` gives other numbers.
double spread(std::string_view id, std::string_view use);

/// "3/10", counted from 0.
std::optional<Shard> parseShard(std::string_view text);

/// The value of an environment variable; nothing where there is none.
using Environ = std::function<std::optional<std::string>(const char* name)>;
std::optional<std::string> environ(const char* name);

/// The shard that was asked for, else the one of a task of a Slurm array (SLURM_ARRAY_TASK_ID) or an indexed
/// Kubernetes job (JOB_COMPLETION_INDEX), of `count` where that is given and else of SLURM_ARRAY_TASK_COUNT,
/// else everything.
/// Errors  Error{BadInput} where that says no shard, as a part of an array without `count`
Shard chooseShard(const std::optional<Shard>& asked, const std::optional<int>& count, const Environ& value);

class Manifest;

/// By what is verified of a plan: images whose spread of this is less than `verifiedSpread`.
inline constexpr const char* verifySalt = "verify";

/// The sample of the plan; of few images, where a sample may be none, so that it is one at least. Nothing
/// where nothing is verified.
double verifiedSpread(const Manifest& manifest);

}  // namespace bankside
