#include <filesystem>
#include <iostream>

#include "core/batch/audit.h"
#include "core/batch/ledger.h"
#include "core/batch/manifest.h"
#include "core/engine.h"
#include "core/imageio/atomic_file.h"
#include "core/log.h"
#include "core/process.h"
#include "gui/headless/batch_shard.h"
#include "gui/headless/batch_steps.h"
#include "gui/headless/commands.h"
#include "gui/headless/destinations.h"
#include "gui/headless/exit_code.h"
#include "gui/headless/untrusted.h"

namespace bankside::headless {
namespace {

/// To the log and the standard output.
int told(const ShardOutcome& outcome) {
  if (!outcome.reason.empty()) log(LogLevel::Error, outcome.reason);
  return outcome.code;
}

int told(const BatchReport& report) {
  std::cout << toText(report);
  return report.done == report.images ? exitOk : exitSomeFailed;
}

int all(const BatchCommand& command, const std::string& commandText, const std::stop_token& stop) {
  const BatchOutcome outcome = runWholeBatch(command, commandText, stop);
  told(ShardOutcome{outcome.code, outcome.reason});
  const int merged = outcome.report ? told(*outcome.report) : exitOk;
  return outcome.code != exitOk ? outcome.code : merged;
}

int proveAll(const BatchCommand& command) {
  requireNamed(command.manifest);
  const Manifest manifest(command.manifest);
  RunFiles files;
  readPlanned(manifest, files);
  requireReportFile(command.json, "the JSON report", beginningsOf(Audit::fileKind).json, Foreign::Stays,
                    files);
  const ManifestHead& head = manifest.head();
  const Audit found = audit(manifest, Ledger(manifest), command.input.empty() ? head.input : command.input,
                            command.output.empty() ? head.output : command.output, command.content);
  if (!command.json.empty()) writeFileAtomically(command.json, toJson(found, manifest));
  std::cout << toText(found);
  return found.clean() ? exitOk : exitSomeFailed;
}

bool isBelow(const std::string& path, const std::string& folder) {
  const std::filesystem::path way = std::filesystem::path(path).lexically_relative(folder);
  return !way.empty() && *way.begin() != "..";
}

int print(const BatchCommand& command) {
  requireNamed(command.manifest);
  EmitOptions options = command.script;
  options.manifest = absolutePath(command.manifest);
  const Manifest manifest(command.manifest);
  std::cout << emitScript(options);
  const ManifestHead& head = manifest.head();
  for (const std::string& path : {options.manifest, head.input, head.output}) {
    if (options.engine == BatchEngine::Kubernetes && !isBelow(path, options.mountPath))
      log(LogLevel::Warning, path + ": does not lie below --mount " + options.mountPath +
                                 ", so that pods will not find it; plan with the paths that they see");
  }
  if (options.shards > manifest.images())
    log(LogLevel::Warning, "there are more shards than the " + std::to_string(manifest.images()) + " images");
  return exitOk;
}

/// Says what there is to do where it is stopped.
template <class Run>
int toGoOnWith(const Run& run) {
  try {
    return run();
  } catch (const Cancelled&) {
    log(LogLevel::Info, "what is finished is kept, and the same command goes on");
    throw;
  }
}

}  // namespace

int runBatch(const BatchCommand& command, const std::string& commandText, std::stop_token stop) {
  giveBackLargeMemory();
  const std::unique_ptr<Sandbox> sandbox = sandboxIf(command.filter.untrusted, command.filter.memory);
  switch (command.action) {
    case BatchCommand::Action::All: return toGoOnWith([&] { return all(command, commandText, stop); });
    case BatchCommand::Action::Plan: return planBatch(command);
    case BatchCommand::Action::Run: return toGoOnWith([&] { return told(runShard(command, stop)); });
    case BatchCommand::Action::Merge: return told(mergeBatch(command, commandText, stop));
    case BatchCommand::Action::Audit: return proveAll(command);
    case BatchCommand::Action::Emit: return print(command);
  }
  return exitInternal;
}

}  // namespace bankside::headless
