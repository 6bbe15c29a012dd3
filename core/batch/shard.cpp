#include "core/batch/shard.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "core/batch/manifest.h"
#include "core/error.h"
#include "core/hash.h"
#include "core/text.h"

namespace bankside {
namespace {

/// FNV's low bits follow the low bits of the last letters; this spreads them.
/// Source  S. Vigna, splitmix64, https://prng.di.unimi.it/splitmix64.c
std::uint64_t mixed(std::uint64_t bits) {
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9ull;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebull;
  return bits ^ (bits >> 31);
}

std::uint64_t hashOf(std::string_view id, std::string_view use) {
  Hash hash;
  hash.add(use);
  hash.add(id);
  return mixed(hash.value());
}

std::optional<int> numberIn(const Environ& value, const char* name) {
  const auto text = value(name);
  if (!text) return std::nullopt;
  const auto number = parseInteger(*text);
  if (!number || *number < 0 || *number > mostShards)
    throw Error(ErrorCode::BadInput, std::string(name) + " is \"" + *text + "\", expected a whole number");
  return static_cast<int>(*number);
}

Shard checked(int index, int count, const std::string& from) {
  if (index >= count)
    throw Error(ErrorCode::BadInput, from + " is " + std::to_string(index) + ", and " +
                                         std::to_string(count) + " shards are counted from 0 to " +
                                         std::to_string(count - 1));
  return {index, count};
}

}  // namespace

bool Shard::has(std::string_view id) const {
  return hashOf(id, "shard") % static_cast<std::uint64_t>(count) == static_cast<std::uint64_t>(index);
}

double spread(std::string_view id, std::string_view use) {
  return static_cast<double>(hashOf(id, use) >> 11) * 0x1p-53;
}

std::optional<Shard> parseShard(std::string_view text) {
  const auto parts = split(text, '/');
  if (parts.size() != 2) return std::nullopt;
  const auto index = parseInteger(parts[0]);
  const auto count = parseInteger(parts[1]);
  if (!index || !count || *count < 1 || *count > mostShards || *index < 0 || *index >= *count)
    return std::nullopt;
  return Shard{static_cast<int>(*index), static_cast<int>(*count)};
}

std::optional<std::string> environ(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr || *value == '\0' ? std::nullopt : std::optional<std::string>(value);
}

Shard chooseShard(const std::optional<Shard>& asked, const std::optional<int>& count, const Environ& value) {
  if (asked) return *asked;
  if (const auto task = numberIn(value, "SLURM_ARRAY_TASK_ID")) {
    if (count) return checked(*task, *count, "SLURM_ARRAY_TASK_ID");
    const auto tasks = numberIn(value, "SLURM_ARRAY_TASK_COUNT");
    const int first = numberIn(value, "SLURM_ARRAY_TASK_MIN").value_or(0);
    const auto last = numberIn(value, "SLURM_ARRAY_TASK_MAX");
    if (!tasks || (last && *last - first + 1 != *tasks))
      throw Error(ErrorCode::BadInput,
                  "this task is of a part of a Slurm array; say with --shards how many there are in all");
    return checked(*task - first, *tasks, "the task's place in the array");
  }
  if (const auto index = numberIn(value, "JOB_COMPLETION_INDEX")) {
    if (!count)
      throw Error(ErrorCode::BadInput,
                  "JOB_COMPLETION_INDEX says which shard this is; say with --shards of how many");
    return checked(*index, *count, "JOB_COMPLETION_INDEX");
  }
  if (count && *count > 1)
    throw Error(ErrorCode::BadInput,
                "--shards says how many shards there are; say which with --shard I/N, or run it as an array");
  return {};
}

double verifiedSpread(const Manifest& manifest) {
  const ManifestHead& head = manifest.head();
  if (head.recipe.verify == VerifyLevel::Off || head.sample == 0) return 0;
  constexpr double surely = 30;  // images
  if (head.sample * static_cast<double>(manifest.images()) > surely) return head.sample;
  double least = 1;
  manifest.forEach([&](std::int64_t, const ManifestEntry& planned) {
    least = std::min(least, spread(planned.id, verifySalt));
    return true;
  });
  return std::max(head.sample, std::nextafter(least, 2.0));
}

}  // namespace bankside
