#include "core/batch/emit.h"

#include <vector>

#include "core/text.h"

namespace bankside {
namespace {

constexpr BatchEngine allEngines[] = {BatchEngine::Slurm, BatchEngine::Kubernetes, BatchEngine::Snakemake,
                                      BatchEngine::Nextflow, BatchEngine::Parallel};

/// Text with every {word} replaced by its value; other braces stay.
std::string filled(std::string text, const std::vector<std::pair<std::string, std::string>>& values) {
  for (const auto& [name, value] : values) {
    const std::string word = "{" + name + "}";
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + value.size()))
      text.replace(at, word.size(), value);
  }
  return text;
}

/// A text of Python, Groovy, JSON or YAML in double quotes.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\' || letter == '$') out += '\\';
    out += letter;
  }
  return out + "\"";
}

/// In YAML and Python a dollar is a dollar.
std::string plainQuoted(const std::string& text) {
  std::string out = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') out += '\\';
    out += letter;
  }
  return out + "\"";
}

constexpr const char* slurm = R"(#!/bin/bash
# {shards} shards of a batch of bankside as a Slurm array. Hand it in with
#   sbatch FILE              and, for shards that were lost, again with    sbatch --array=3,7 FILE
# What is done is not done again. When the array has ended:
#   {program} batch merge --manifest {manifest} && {program} batch audit --manifest {manifest}
#SBATCH --job-name=bankside
#SBATCH --array=0-{last}{at_once}
#SBATCH --ntasks=1
#SBATCH --cpus-per-task={threads}
#SBATCH --mem={memory}G
#SBATCH --time={minutes}
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=TERM@30
# srun hands the signal on that comes before the end of the time; bankside then finishes what it has in hand.
srun --ntasks=1 {program} batch run --manifest {manifest} --shards {shards} --threads {threads} --memory {half}G --no-progress
code=$?
# 75: try again later. 130, 143: stopped before the end, and the rest is to be done.
case $code in
  75|130|143) if [ "${SLURM_RESTART_COUNT:-0}" -lt 3 ]; then scontrol requeue "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}"; fi ;;
esac
exit $code
)";

constexpr const char* kubernetes =
    R"(# {shards} shards of a batch of bankside as an indexed job (Kubernetes 1.33 or newer): kubectl apply -f FILE
# The volume holds manifest, images and results under the paths that the manifest names.
apiVersion: batch/v1
kind: Job
metadata:
  name: bankside-batch
spec:
  completionMode: Indexed
  completions: {shards}
  parallelism: {parallelism}
  backoffLimitPerIndex: 3
  maxFailedIndexes: {shards}
  podFailurePolicy:
    rules:
      # Another try helps nobody: wrong usage, images that failed, a wrong result, a bad manifest.
      - action: FailIndex
        onExitCodes: {operator: In, values: [2, 3, 4, 42]}
      - action: Ignore
        onPodConditions: [{type: DisruptionTarget}]
  template:
    spec:
      restartPolicy: Never
      terminationGracePeriodSeconds: 30
      containers:
        - name: bankside
          image: {image}
          command: [{program}, batch, run, --manifest, {manifest}, --shards, "{shards}", --threads, "{threads}", --memory, {half}G, --no-progress]
          resources:
            requests: {cpu: "{threads}", memory: {memory}Gi}
            limits: {memory: {memory}Gi}
          volumeMounts: [{name: study, mountPath: {mount}}]
      volumes:
        - name: study
          persistentVolumeClaim: {claimName: {volume}}
)";

constexpr const char* snakemake =
    R"(# {shards} shards of a batch of bankside: snakemake --snakefile FILE --cores N
# Only shards are jobs; images are bankside's own.
MANIFEST = {manifest}
BANKSIDE = {program}
SHARDS = {shards}


rule all:
    input:
        MANIFEST + ".report.json",


rule shard:
    output:
        touch(MANIFEST + ".journals/ended.{index}-of-" + str(SHARDS)),
    params:
        manifest=MANIFEST,
        bankside=BANKSIDE,
        shards=SHARDS,
    threads: {threads}
    resources:
        mem_mb={memory_mb},
        runtime={minutes},
    retries: 3
    log:
        MANIFEST + ".journals/{index}-of-" + str(SHARDS) + ".log",
    shell:
        # 3: some images failed, which the report says.
        "{params.bankside:q} batch run --manifest {params.manifest:q} --shard {wildcards.index}/{params.shards}"
        " --threads {threads} --memory {half}G --no-progress 2> {log:q} || [ $? -eq 3 ]"


rule merge:
    input:
        expand(MANIFEST + ".journals/ended.{index}-of-" + str(SHARDS), index=range(SHARDS)),
    output:
        json=MANIFEST + ".report.json",
        csv=MANIFEST + ".report.csv",
    params:
        manifest=MANIFEST,
        bankside=BANKSIDE,
    log:
        MANIFEST + ".journals/merge.log",
    shell:
        "({params.bankside:q} batch merge --manifest {params.manifest:q} --json {output.json:q} --csv {output.csv:q}"
        " || [ $? -eq 3 ]) > {log:q} 2>&1"
)";

constexpr const char* nextflow = R"(// {shards} shards of a batch of bankside: nextflow run FILE
nextflow.enable.dsl = 2
params.manifest = {manifest}
params.bankside = {program}
params.shards = {shards}

process SHARD {
    cpus {threads}
    memory '{memory} GB'
    time '{minutes} m'
    maxRetries 3
    errorStrategy { task.exitStatus in [75, 130, 143] ? 'retry' : 'finish' }

    input:
    val index

    output:
    val index

    // 3: some images failed, which the report says.
    script:
    """
    '${params.bankside}' batch run --manifest '${params.manifest}' --shard ${index}/${params.shards} \
      --threads ${task.cpus} --memory {half}G --no-progress || [ \$? -eq 3 ]
    """
}

process MERGE {
    input:
    val ended

    output:
    path 'report.json'
    path 'report.csv'

    script:
    """
    '${params.bankside}' batch merge --manifest '${params.manifest}' --json report.json --csv report.csv || [ \$? -eq 3 ]
    """
}

workflow {
    MERGE(SHARD(Channel.of(0..<params.shards)).collect())
}
)";

constexpr const char* parallel = R"(#!/bin/bash
# {shards} shards of a batch of bankside with GNU parallel: bash FILE [options of parallel, as --sshloginfile HOSTS]
# What is done is not done again, so that the same line goes on after anything that stopped it.
set -u
seq 0 {last} | parallel --will-cite --quote --jobs {jobs} --halt never --joblog {manifest}.joblog "$@" \
  {program} batch run --manifest {manifest} --shard {}/{shards} --threads {threads} --memory {half}G --no-progress
code=$?
{program} batch merge --manifest {manifest} --json {manifest}.report.json --csv {manifest}.report.csv
merged=$?
[ "$merged" -ne 0 ] && exit "$merged"
exit "$code"
)";

}  // namespace

const char* toString(BatchEngine engine) {
  switch (engine) {
    case BatchEngine::Slurm: return "slurm";
    case BatchEngine::Kubernetes: return "kubernetes";
    case BatchEngine::Snakemake: return "snakemake";
    case BatchEngine::Nextflow: return "nextflow";
    case BatchEngine::Parallel: return "parallel";
  }
  return "?";
}

std::optional<BatchEngine> parseBatchEngine(std::string_view text) {
  for (const BatchEngine engine : allEngines) {
    if (text == toString(engine)) return engine;
  }
  return std::nullopt;
}

std::string emit(const EmitOptions& options) {
  const bool shell = options.engine == BatchEngine::Slurm || options.engine == BatchEngine::Parallel;
  const auto word = [&](const std::string& text) {
    if (shell) return shellWord(text);
    return options.engine == BatchEngine::Nextflow ? quoted(text) : plainQuoted(text);
  };
  const auto number = [](int value) { return std::to_string(value); };
  const char* text = options.engine == BatchEngine::Slurm        ? slurm
                     : options.engine == BatchEngine::Kubernetes ? kubernetes
                     : options.engine == BatchEngine::Snakemake  ? snakemake
                     : options.engine == BatchEngine::Nextflow   ? nextflow
                                                                 : parallel;
  const int atOnce = options.atOnce;
  return filled(text, {{"shards", number(options.shards)},
                       {"last", number(options.shards - 1)},
                       {"at_once", atOnce > 0 ? "%" + number(atOnce) : ""},
                       {"parallelism", number(atOnce > 0 ? atOnce : options.shards)},
                       {"jobs", atOnce > 0 ? number(atOnce) : "100%"},
                       {"memory", number(options.memoryGigabytes)},
                       {"memory_mb", number(options.memoryGigabytes * 1000)},
                       {"half", number((options.memoryGigabytes + 1) / 2)},
                       {"minutes", number(options.minutes)},
                       {"image", word(options.image)},
                       {"volume", word(options.volume)},
                       {"mount", word(options.mountPath)},
                       {"program", word(options.program)},
                       {"manifest", word(options.manifest)},
                       {"threads", number(options.threads)}});
}

}  // namespace bankside
