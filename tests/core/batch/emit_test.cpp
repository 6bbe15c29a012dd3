/// Names that a script's language would read as its own.
#include "core/batch/emit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <vector>

namespace bankside {
namespace {

TEST(Emit, QuotesInNamesStayInThem) {
  for (const BatchEngine engine :
       {BatchEngine::Kubernetes, BatchEngine::Snakemake, BatchEngine::Dask, BatchEngine::Ray}) {
    const std::string script =
        emitScript({.engine = engine, .program = "bankside", .manifest = R"(/data/a"b\c.jsonl)"});
    EXPECT_THAT(script, ::testing::HasSubstr(R"("/data/a\"b\\c.jsonl")")) << toString(engine);
  }
}

/// What a site was asked to give a shard is what its script asks for.
TEST(Emit, ScriptsHaveTheNumbersThatWereGiven) {
  using ::testing::HasSubstr;
  const std::map<BatchEngine, std::vector<const char*>> limited = {
      {BatchEngine::Slurm,
       {"--array=0-6%3\n", "--cpus-per-task=4\n", "--mem=9G\n", "--time=77\n",
        "--shards 7 --threads 4 --memory 5G"}},
      {BatchEngine::Kubernetes,
       {"completions: 7\n", "parallelism: 3\n", "\"4\", --memory, 5G", "memory: 9Gi", "image: \"i\"",
        "claimName: \"v\"", "mountPath: \"/m\""}},
      {BatchEngine::Snakemake,
       {"SHARDS = 7\n", "threads: 4\n", "mem_mb=9000,", "runtime=77,", "--memory 5G"}},
      {BatchEngine::Nextflow,
       {"params.shards = 7\n", "cpus 4\n", "memory '9 GB'", "time '77 m'", "--memory 5G"}},
      {BatchEngine::Parallel, {"seq 0 6 |", "--jobs 3 ", "--shard {}/7 --threads 4 --memory 5G"}},
      {BatchEngine::Dask, {"SHARDS = 7\n", "AT_ONCE = 3 or", "// 4)", "\"4\", \"--memory\", \"5G\""}},
      {BatchEngine::Ray, {"SHARDS = 7\n", "AT_ONCE = 3 or", "num_cpus=4,", "AT_ONCE * 4"}}};
  const std::map<BatchEngine, const char*> unlimited = {{BatchEngine::Slurm, "--array=0-6\n"},
                                                        {BatchEngine::Kubernetes, "parallelism: 7\n"},
                                                        {BatchEngine::Parallel, "--jobs 100% "},
                                                        {BatchEngine::Dask, "AT_ONCE = 0 or"},
                                                        {BatchEngine::Ray, "AT_ONCE = 0 or"}};
  EmitOptions options{.program = "/opt/bankside",
                      .manifest = "/data/m.jsonl",
                      .shards = 7,
                      .threads = 4,
                      .memoryGigabytes = 9,
                      .minutes = 77,
                      .image = "i",
                      .volume = "v",
                      .mountPath = "/m"};
  for (const auto& [engine, words] : limited) {
    options.engine = engine;
    options.atOnce = 3;
    const std::string script = emitScript(options);
    for (const char* word : words) EXPECT_THAT(script, HasSubstr(word)) << toString(engine);
    EXPECT_THAT(script, HasSubstr("/opt/bankside")) << toString(engine);
    EXPECT_THAT(script, HasSubstr("/data/m.jsonl")) << toString(engine);
    for (const char* word : {"{shards}", "{threads}", "{half}", "{program}", "{manifest}", "{python_shard}"})
      EXPECT_EQ(script.find(word), std::string::npos) << toString(engine) << " " << word;
    options.atOnce = 0;
    if (unlimited.contains(engine)) {
      EXPECT_THAT(emitScript(options), HasSubstr(unlimited.at(engine)));
    }
    EXPECT_EQ(parseBatchEngine(toString(engine)), engine);
  }
  options.engine = BatchEngine::Slurm;
  options.memoryGigabytes = 2;
  EXPECT_THAT(emitScript(options), HasSubstr("--memory 1G"));
  EXPECT_FALSE(parseBatchEngine("cron"));
}

}  // namespace
}  // namespace bankside
