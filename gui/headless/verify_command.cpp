#include <iostream>

#include "core/error.h"
#include "core/judge/conformance.h"
#include "core/log.h"
#include "core/table.h"
#include "gui/headless/commands.h"
#include "gui/headless/exit_code.h"
#include "gui/headless/progress.h"
#include "kernels/engines.h"

namespace bankside::headless {
namespace {

std::vector<const Engine*> chosenEngines(const VerifyCommand& command) {
  std::vector<const Engine*> chosen;
  for (const std::string& name : command.engines) {
    const Engine& engine = namedEngine(name);
    if (const Support support = engine.available(); !support) {
      throw Error(ErrorCode::Unsupported, "engine " + engine.name() + ": " + support.reason);
    }
    chosen.push_back(&engine);
  }
  if (!chosen.empty()) return chosen;
  for (const auto& engine : engines()) {
    if (engine->available()) chosen.push_back(engine.get());
  }
  return chosen;
}

struct Count {
  int passed = 0;
  int bitExact = 0;
  int refused = 0;
  int failed = 0;
};

}  // namespace

int runVerify(const VerifyCommand& command, std::stop_token stop) {
  const std::vector<std::string>& problems =
      command.problems.empty() ? conformanceProblems() : command.problems;
  const std::vector<const Engine*> chosen = chosenEngines(command);
  Progress progress(true, static_cast<int>(problems.size() * chosen.size()));
  Table table({"engine", "checks passed", "of them bit-exact", "problems refused", "checks failed"});
  bool mismatch = false;
  int done = 0;
  for (const Engine* engine : chosen) {
    Count count;
    for (const std::string& text : problems) {
      if (stop.stop_requested()) throw Cancelled();
      progress.show(done++, engine->name() + "  " + text);
      const ConvolutionProblem problem = parseProblem(text);
      if (const Support support = engine->supports(problem); !support) {
        ++count.refused;
        if (!command.problems.empty()) log(LogLevel::Info, engine->name() + " refuses: " + support.reason);
        continue;
      }
      for (const MadePixels pixels : {MadePixels::Integers, MadePixels::Random, MadePixels::NonFinite}) {
        if (!applies(pixels, problem)) continue;
        const ConformanceResult result = checkConformance(*engine, *findEngine("reference"), problem, pixels);
        ++(result.passed ? count.passed : count.failed);
        count.bitExact += result.passed && result.bitExact ? 1 : 0;
        if (result.passed) continue;
        progress.clear();
        log(LogLevel::Error, result.sentence);
      }
    }
    mismatch = mismatch || count.failed > 0;
    table.add({engine->name(), std::to_string(count.passed), std::to_string(count.bitExact),
               std::to_string(count.refused), std::to_string(count.failed)});
  }
  progress.clear();
  std::cout << table.aligned();
  return mismatch ? exitMismatch : exitOk;
}

}  // namespace bankside::headless
