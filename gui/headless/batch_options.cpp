#include "gui/headless/batch_options.h"

#include <CLI/CLI.hpp>

#include "core/text.h"
#include "gui/headless/bank_options.h"
#include "gui/headless/word_option.h"

namespace bankside::headless {
namespace {

/// "1%" as .01.
std::optional<double> parsePercent(std::string_view text) {
  if (!text.ends_with('%')) return std::nullopt;
  const auto percent = parseNumber(text.substr(0, text.size() - 1));
  return percent && *percent >= 0 && *percent <= 100 ? std::optional(*percent / 100) : std::nullopt;
}

std::optional<MostFailures> parseMostFailures(std::string_view text) {
  if (const auto part = parsePercent(text)) return MostFailures{.part = part};
  const auto count = parseInteger(text);
  return count && *count >= 0 ? std::optional(MostFailures{.count = *count}) : std::nullopt;
}

void addManifest(CLI::App& app, BatchCommand& command, bool required) {
  app.add_option("--manifest,-m", command.manifest,
                 required ? "The plan, as bankside batch plan writes it"
                          : "Where the plan is kept (default: manifest.jsonl in the results' folder)")
      ->required(required)
      ->type_name("FILE");
}

void addPlanOptions(CLI::App& app, BatchCommand& command) {
  app.add_option(
         "--glob", command.patterns,
         "Only images whose name matches, in quotes; with a / the path below IN ('*_left.jpg', 'day1/*'); "
         "may be given several times")
      ->type_name("PATTERN")
      ->allow_extra_args(false);
  app.add_option(
         "--list", command.list,
         "Only the images of a CSV file: a column image, file, filename, path or fundus and, if wanted, "
         "one pixels_per_degree or vessel_width, each image's --scale; or of a file with a path a line")
      ->type_name("FILE");
  addSettings(app, command.filter);
  addScale(app, command.filter.pixelsPerDegree);
  wordOption(
      app, "--sample", command.sample, [](const std::string& t) { return parsePercent(t); }, "0% to 100%",
      "With --verify: so many of the images, chosen by their names, but one at least (default 100%)");
}

void addRunOptions(CLI::App& app, BatchCommand& command) {
  addRunMemory(app, command.filter);
  wordOption(
      app, "--max-failures", command.mostFailures, [](const std::string& t) { return parseMostFailures(t); },
      "0, 1, ... or 0% to 100%", "Give up once more images have failed, as 100 or 5% (default: never)");
}

void addContent(CLI::App& app, BatchCommand& command, const std::string& help) {
  wordOption(
      app, "--verify-done", command.content,
      [](const std::string& t) {
        return t == "hash" ? std::optional(true) : t == "size" ? std::optional(false) : std::nullopt;
      },
      "size, hash", help);
}

constexpr const char* hashHelp =
    "Look at results of before by their size (default) or hash; with hash the journal gets one of every "
    "result, so "
    "give it from the first run on";

void addForce(CLI::App& app, BatchCommand& command, const std::string& help) {
  app.add_flag("--force,-f", command.filter.force, help);
}

void addProgress(CLI::App& app, BatchCommand& command) {
  app.add_flag("!--no-progress", command.filter.progress, "No progress, on the terminal or in the log");
}

void addFolders(CLI::App& app, BatchCommand& command) {
  app.add_option("--input", command.input,
                 "Where the images are, if not where the manifest says; copies have other times, so that "
                 "sizes alone count")
      ->type_name("DIR");
  app.add_option("--output", command.output, "Where results go, if not where the manifest says")
      ->type_name("DIR");
}

void addReports(CLI::App& app, BatchCommand& command, bool csv) {
  app.add_option("--json", command.json, "Write the report as JSON")->type_name("FILE");
  if (!csv) return;
  app.add_option("--csv", command.csv, "Write the report as CSV, a line an image")->type_name("FILE");
  app.add_option("--sheet", command.sheet,
                 "Write an HTML page of small inputs and responses, what looks odd first, for a browser")
      ->type_name("FILE");
}

void addPlan(CLI::App& batch, BatchCommand& command) {
  CLI::App* app = batch.add_subcommand("plan", "Scan once: what is filtered, how, and where results go");
  app->add_option("IN", command.input, "Folder of the images, with its subfolders")
      ->required()
      ->type_name("");
  app->add_option("OUT", command.output, "Folder for the results, whose subfolders will be those of IN")
      ->required()
      ->type_name("");
  addManifest(*app, command, true);
  addPlanOptions(*app, command);
  app->add_flag("--force,-f", command.anew, "Replace another plan of that name");
  app->callback([&command] { command.action = BatchCommand::Action::Plan; });
  app->footer(
      "Example:\n"
      "  bankside batch plan scans results --manifest study.jsonl --recipe vessels \\\n"
      "    --list resolution.csv");
}

void addRun(CLI::App& batch, BatchCommand& command) {
  CLI::App* app = batch.add_subcommand("run", "Run a shard of a plan, or go on with it");
  addManifest(*app, command, true);
  wordOption(
      *app, "--shard", command.shard,
      [](const std::string& t) {
        const auto shard = parseShard(t);
        return shard ? std::optional(std::optional(*shard)) : std::nullopt;
      },
      "0/N to N-1/N",
      "Only this part of the images, as 3/10, counted from 0 (default: SLURM_ARRAY_TASK_ID or "
      "JOB_COMPLETION_INDEX, else all of them)");
  app->add_option("--shards", command.shards,
                  "How many parts there are, where the environment says which one this is")
      ->check(CLI::Range(1, mostShards))
      ->type_name("N");
  addFolders(*app, command);
  addRunOptions(*app, command);
  addContent(*app, command, hashHelp);
  addForce(*app, command, "Replace existing results that differ");
  addProgress(*app, command);
  app->callback([&command] { command.action = BatchCommand::Action::Run; });
  app->footer(
      "What is done is not touched; what failed is tried again. The number of shards may change between "
      "runs.\n"
      "Examples:\n"
      "  bankside batch run --manifest study.jsonl\n"
      "  bankside batch run --manifest study.jsonl --shard 3/10 --threads 4");
}

void addMerge(CLI::App& batch, BatchCommand& command) {
  CLI::App* app = batch.add_subcommand("merge", "One report of what became of every image");
  addManifest(*app, command, true);
  app->add_option("--output", command.output, "Where results are, if not where the manifest says")
      ->type_name("DIR");
  addReports(*app, command, true);
  app->callback([&command] { command.action = BatchCommand::Action::Merge; });
  app->footer(
      "Unfinished files of runs that were killed are removed. The exit code is 3 unless every image is "
      "done.\n"
      "Example:\n"
      "  bankside batch merge --manifest study.jsonl --json report.json --csv report.csv");
}

void addAudit(CLI::App& batch, BatchCommand& command) {
  CLI::App* app =
      batch.add_subcommand("audit", "Prove that every image was done once and its results are there");
  addManifest(*app, command, true);
  addFolders(*app, command);
  addContent(*app, command, "Look at results by their size (default) or, where journals have it, their hash");
  addReports(*app, command, false);
  app->callback([&command] { command.action = BatchCommand::Action::Audit; });
  app->footer(
      "Finds what is untried, failed, missing, torn, stale (an image that changed after the plan), "
      "duplicate,\n"
      "unexpected (an image file that no image claims), part (unfinished) or damaged (a journal); with hash "
      "also what "
      "was\nnot verified, as no journal has its hash. The exit code is 3 then.\n"
      "Example:\n"
      "  bankside batch audit --manifest study.jsonl --verify-done hash");
}

void addEmit(CLI::App& batch, BatchCommand& command) {
  CLI::App* app = batch.add_subcommand("emit", "Print the script that runs the shards on a cluster");
  EmitOptions& script = command.script;
  app->add_option_function<std::string>(
         "SCHEDULER", [&script](const std::string& t) { script.engine = *parseBatchEngine(t); },
         "slurm, kubernetes, snakemake, nextflow, parallel, dask or ray")
      ->required()
      ->check(CLI::Validator(
          [](std::string& t) {
            return parseBatchEngine(t)
                       ? std::string()
                       : "\"" + t +
                             "\" is none of slurm, kubernetes, snakemake, nextflow, parallel, dask, ray";
          },
          ""))
      ->type_name("");
  addManifest(*app, command, true);
  const auto number = [&](const std::string& name, int& target, int most, const std::string& help) {
    return app->add_option(name, target, help)->check(CLI::Range(1, most))->type_name("N");
  };
  number("--shards", script.shards, mostShards, "How many parts")->required();
  number("--at-once", script.atOnce, mostShards,
         "How many of them run at a time (default: as the scheduler likes)");
  number("--threads", script.threads, 4096, "Of a shard (default 1)");
  number("--gigabytes", script.memoryGigabytes, 100'000, "Memory of a shard (default 2)");
  number("--minutes", script.minutes, 1'000'000,
         "Time of a shard, after which it goes on in another try (default 120)");
  script.program = "bankside";
  app->add_option("--program", script.program, "The bankside to call (default: bankside)")->type_name("FILE");
  app->add_option("--image", script.image, "kubernetes: the container image")->type_name("NAME");
  app->add_option("--volume", script.volume, "kubernetes: the volume claim with manifest, images and results")
      ->type_name("NAME");
  app->add_option("--mount", script.mountPath, "kubernetes: where it is mounted")->type_name("DIR");
  app->callback([&command] { command.action = BatchCommand::Action::Emit; });
  app->footer(
      "Example:\n  bankside batch emit slurm --manifest study.jsonl --shards 200 --threads 4 > study.sh");
}

}  // namespace

void addBatch(CLI::App& root, BatchCommand& command) {
  CLI::App* app =
      root.add_subcommand("batch", "Filter folders of any size: planned, in shards, to be gone on with");
  app->require_subcommand(0, 1);
  app->add_option("IN", command.input, "Folder of the images, with its subfolders")->type_name("");
  app->add_option("OUT", command.output, "Folder for the results; made if missing")->type_name("");
  addManifest(*app, command, false);
  addPlanOptions(*app, command);
  addRunOptions(*app, command);
  addContent(*app, command, hashHelp);
  addForce(*app, command, "Replace existing results that differ, and whatever is where reports go");
  app->add_flag("--plan-anew", command.anew,
                "Replace the plan where images or settings are others now; results that stay the same stay");
  addProgress(*app, command);
  addReports(*app, command, true);
  addPlan(*app, command);
  addRun(*app, command);
  addMerge(*app, command);
  addAudit(*app, command);
  addEmit(*app, command);
  app->footer(
      "Without a subcommand: plan, run and merge in one; the same line goes on after anything that stopped "
      "it.\n"
      "Results are named as filter names them, below OUT as images are below IN.\n"
      "Examples:\n"
      "  bankside batch scans results --recipe vessels --scale 31\n"
      "  bankside batch plan scans results --manifest study.jsonl --recipe vessels --scale 31\n"
      "  bankside batch run --manifest study.jsonl --shard 3/10\n"
      "  bankside batch emit slurm --manifest study.jsonl --shards 200 > study.sh");
}

std::string endBatch(CLI::App& batch, BatchCommand& command) {
  using Action = BatchCommand::Action;
  const bool all = command.action == Action::All;
  if (all && (command.input.empty() || command.output.empty()))
    return "batch needs IN and OUT, or one of plan, run, merge, audit and emit";
  if (all || command.action == Action::Plan) {
    CLI::App& planned = all ? batch : *batch.get_subcommand("plan");
    if (const std::string wrong = endSettings(planned, command.filter); !wrong.empty()) return wrong;
    if (planned.count("--sample") > 0 && command.filter.recipe.verify == VerifyLevel::Off)
      return "--sample says how many images are verified; say how by --verify, too";
  }
  if (command.shard && command.shards) return "--shard says of how many; --shards goes without it";
  if (command.action == Action::Emit && command.script.engine == BatchEngine::Kubernetes &&
      (command.script.image.empty() || command.script.volume.empty() || command.script.mountPath.empty()))
    return "kubernetes needs --image, --volume and --mount";
  return "";
}

}  // namespace bankside::headless
