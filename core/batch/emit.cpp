#include "core/batch/emit.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "core/text.h"

namespace bankside {
namespace {

/// Text with every {word} replaced by its value; other braces stay.
std::string filled(std::string text, const std::vector<std::pair<std::string, std::string>>& values) {
  for (const auto& [name, value] : values) {
    const std::string word = "{" + name + "}";
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + value.size()))
      text.replace(at, word.size(), value);
  }
  return text;
}

/// A text of Groovy in double quotes.
std::string groovyText(const std::string& text) {
  std::string out = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\' || letter == '$') out += '\\';
    out += letter;
  }
  return out + "\"";
}

/// A text of YAML or Python in double quotes, where a dollar is a dollar.
std::string plainText(const std::string& text) {
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

/// What schedulers of Python functions have in common.
constexpr const char* pythonShard = R"(
MANIFEST = {manifest}
BANKSIDE = {program}
SHARDS = {shards}
AT_ONCE = {at_once_or_zero} or max(1, os.cpu_count() // {threads})


def batch(*words):
    return subprocess.run([BANKSIDE, "batch", *words[:1], "--manifest", MANIFEST, *words[1:]]).returncode


def shard(index):
    code = batch("run", "--shard", f"{index}/{SHARDS}", "--threads", "{threads}", "--memory", "{half}G", "--no-progress")
    # Another try may help: stopped, killed, or no room for now. What images failed the report says.
    if code in (75, 130, 143) or code < 0:
        raise RuntimeError(f"shard {index} ended with {code}")
    return code
)";

constexpr const char* dask = R"(#!/usr/bin/env python3
# {shards} shards of a batch of bankside with Dask: python3 FILE [ADDRESS of a scheduler; else workers of this machine]
# What is done is not done again, so that the same line goes on after anything that stopped it.
import os
import subprocess
import sys

from dask.distributed import Client
{python_shard}

if __name__ == "__main__":
    address = sys.argv[1:2]
    with Client(*address) if address else Client(n_workers=AT_ONCE, threads_per_worker=1) as client:
        # One shard a worker at a time, wherever there is room.
        codes = client.gather(client.map(shard, range(SHARDS), retries=3, pure=False))
    merged = batch("merge", "--json", MANIFEST + ".report.json", "--csv", MANIFEST + ".report.csv")
    sys.exit(merged or max(codes))
)";

constexpr const char* ray = R"(#!/usr/bin/env python3
# {shards} shards of a batch of bankside with Ray: python3 FILE [ADDRESS of a cluster, or auto; else this machine]
# What is done is not done again, so that the same line goes on after anything that stopped it.
import os
import subprocess
import sys

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
import ray  # noqa: E402, it reads the line above
{python_shard}

if __name__ == "__main__":
    if sys.argv[1:]:
        ray.init(address=sys.argv[1])
    else:
        ray.init(num_cpus=AT_ONCE * {threads}, include_dashboard=False)
    # A shard has its processors for itself; one that is lost, with its node or alone, is tried again.
    task = ray.remote(num_cpus={threads}, max_retries=3, retry_exceptions=[RuntimeError])(shard)
    codes = ray.get([task.remote(index) for index in range(SHARDS)])
    merged = batch("merge", "--json", MANIFEST + ".report.json", "--csv", MANIFEST + ".report.csv")
    sys.exit(merged or max(codes))
)";

/// How words of the program's are written there.
using Quoting = std::string (*)(const std::string&);

struct Script {
  BatchEngine engine;
  const char* name;
  const char* text;
  Quoting word;
};

constexpr Script scripts[] = {{BatchEngine::Slurm, "slurm", slurm, shellWord},
                              {BatchEngine::Kubernetes, "kubernetes", kubernetes, plainText},
                              {BatchEngine::Snakemake, "snakemake", snakemake, plainText},
                              {BatchEngine::Nextflow, "nextflow", nextflow, groovyText},
                              {BatchEngine::Parallel, "parallel", parallel, shellWord},
                              {BatchEngine::Dask, "dask", dask, plainText},
                              {BatchEngine::Ray, "ray", ray, plainText}};

const Script& scriptFor(BatchEngine engine) {
  return *std::find_if(std::begin(scripts), std::end(scripts),
                       [&](const Script& script) { return script.engine == engine; });
}

}  // namespace

const char* toString(BatchEngine engine) { return scriptFor(engine).name; }

std::optional<BatchEngine> parseBatchEngine(std::string_view text) {
  for (const Script& script : scripts) {
    if (text == script.name) return script.engine;
  }
  return std::nullopt;
}

std::string emitScript(const EmitOptions& options) {
  const Script& script = scriptFor(options.engine);
  const auto number = [](int value) { return std::to_string(value); };
  const int atOnce = options.atOnce;
  return filled(script.text, {{"python_shard", pythonShard},
                              {"shards", number(options.shards)},
                              {"last", number(options.shards - 1)},
                              {"at_once_or_zero", number(atOnce)},
                              {"at_once", atOnce > 0 ? "%" + number(atOnce) : ""},
                              {"parallelism", number(atOnce > 0 ? atOnce : options.shards)},
                              {"jobs", atOnce > 0 ? number(atOnce) : "100%"},
                              {"memory", number(options.memoryGigabytes)},
                              {"memory_mb", number(options.memoryGigabytes * 1000)},
                              {"half", number((options.memoryGigabytes + 1) / 2)},
                              {"minutes", number(options.minutes)},
                              {"image", script.word(options.image)},
                              {"volume", script.word(options.volume)},
                              {"mount", script.word(options.mountPath)},
                              {"program", script.word(options.program)},
                              {"manifest", script.word(options.manifest)},
                              {"threads", number(options.threads)}});
}

}  // namespace bankside
