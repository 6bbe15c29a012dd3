/// The script that runs the shards of a manifest on an engine that labs have, ready to be handed in.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bankside {

enum class BatchEngine { Slurm, Kubernetes, Snakemake, Nextflow, Parallel, Dask, Ray };
const char* toString(BatchEngine engine);  ///< "slurm", ...
std::optional<BatchEngine> parseBatchEngine(std::string_view text);

struct EmitOptions {
  BatchEngine engine = BatchEngine::Slurm;
  std::string program;   ///< the bankside to call
  std::string manifest;  ///< an absolute path, where the shards see it
  int shards = 1;
  int atOnce = 0;  ///< shards at a time; 0: as the engine likes
  int threads = 1;
  int memoryGigabytes = 2;     ///< of a shard
  int minutes = 120;           ///< after which a shard is ended, and goes on in another try
  std::string image = {};      ///< Kubernetes: the container image
  std::string volume = {};     ///< Kubernetes: the persistent volume claim that holds all files
  std::string mountPath = {};  ///< Kubernetes: where it is mounted
};

/// What a shard that failed for a while (exit codes 75 and of signals) is given: another try, three times.
/// Images that failed (3) are no reason for one.
std::string emitScript(const EmitOptions& options);

}  // namespace bankside
