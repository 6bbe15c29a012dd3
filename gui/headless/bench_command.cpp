#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>

#include "core/bench/bench.h"
#include "core/error.h"
#include "core/imageio/atomic_file.h"
#include "core/log.h"
#include "core/parallel.h"
#include "core/text.h"
#include "core/text_file.h"
#include "filters/catalog.h"
#include "gui/headless/commands.h"
#include "gui/headless/destinations.h"
#include "gui/headless/engine_trial.h"
#include "gui/headless/exit_code.h"
#include "gui/headless/progress.h"
#include "gui/headless/thread_count.h"
#include "kernels/engines.h"
#include "kernels/highway/limits.h"

namespace bankside::headless {
namespace {

/// Long enough to compile and run whatever it comes back from. Where it hangs a run waits that long, once a
/// shape.
double trialSeconds(const ConvolutionProblem& problem) {
  return std::min(60.0, 10 + std::ceil(problem.flops() / 2e9));
}

/// GCC's OpenMP threads, which oneDNN's build uses, spin for milliseconds after their work and would steal
/// that time from the engine whose turn is next. They read the limit once, before main: hence the second
/// start.
void limitSpinning() {
  if (std::getenv("GOMP_SPINCOUNT") != nullptr || std::getenv("OMP_WAIT_POLICY") != nullptr) return;
  std::ifstream in("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(in, word, '\0');) words.push_back(word);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  if (words.empty() || setenv("GOMP_SPINCOUNT", "10000", 1) != 0) return;
  execv("/proc/self/exe", argv.data());  // comes back only if it fails: then on with it as it is
}

std::vector<const Engine*> findEngines(const BenchCommand& command) {
  std::vector<const Engine*> found;
  for (const std::string& name : command.engines) {
    const Engine* const engine = &namedEngine(name);
    if (std::find(found.begin(), found.end(), engine) == found.end()) found.push_back(engine);
  }
  if (!found.empty()) return found;
  for (const auto& engine : engines()) {
    const bool onCpu = engine->device() == "CPU" && engine->kind().role != EngineKind::Role::Judge;
    if (onCpu && engine->available()) found.push_back(engine.get());
  }
  return found;
}

/// The words that run one cell again with these engines.
std::vector<std::string> wordsFor(const BenchCell& cell, Precision precision, const std::string& engines) {
  std::vector<std::string> words = {"bench", "cpu", "--sizes", std::to_string(cell.size)};
  if (cell.bank != BankKind::Named) {
    words.insert(words.end(), {"--filter-sizes", std::to_string(cell.filterSize), "--filters",
                               std::to_string(cell.filterCount)});
  }
  words.insert(words.end(),
               {"--types", toString(cell.type), "--threads", std::to_string(cell.threads), "--combine",
                toString(cell.combine), "--bank-kind", toString(cell.bank), "--engines", engines});
  if (cell.values != "uniform") words.insert(words.end(), {"--values", cell.values});
  if (precision != Precision::Fp32) words.insert(words.end(), {"--precision", toString(precision)});
  return words;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text = "bankside";
  for (const std::string& word : words) text += " " + word;
  return text;
}

void writeFiles(const BenchReport& report, const BenchCommand& command) {
  if (!command.json.empty()) writeFileAtomically(command.json, toJson(report));
  if (!command.csv.empty()) writeFileAtomically(command.csv, toCsv(report));
  if (!command.markdown.empty()) writeFileAtomically(command.markdown, toMarkdown(report));
}

}  // namespace

int runBench(const BenchCommand& command, const std::string& commandText, std::stop_token stop) {
  RunFiles files;
  for (const std::string& file : command.withRows) files.read(file, "an input");
  requireReportFiles(command, beginningsOf(ReportKind::Bench), Foreign::Stays, files);
  limitSpinning();
  BenchReport report{.kind = ReportKind::Bench, .command = commandText, .environment = currentEnvironment()};
  std::vector<BenchRow> others;
  for (const std::string& file : command.withRows) {
    const std::string name = std::filesystem::path(file).filename();
    for (BenchRow& row : readBenchReport(readTextFile(file), name, ReportKind::Bench).rows)
      others.push_back(std::move(row));
  }

  BenchOptions options;
  options.grid = command.grid;
  options.grid.threads = usedThreads(command.grid.threads);
  const auto& kinds = options.grid.banks;
  if (std::find(kinds.begin(), kinds.end(), BankKind::Named) != kinds.end())
    options.grid.named = loadBank("vessel-matched");
  options.engines = findEngines(command);
  options.precision = command.precision;
  options.measure = command.measure;
  options.verify = command.verify;
  if (command.limits) {
    options.limits = [&](int threads) { return measureLimits({.threads = threads}); };
  }
  if (command.engines.empty()) {
    options.takesPart = [](const BenchCell& cell, const Engine& engine) {
      return cell.bank == BankKind::Separable || cell.bank == BankKind::Small || !engine.kind().rankOneOnly;
    };
  }
  std::map<std::array<int, 4>, std::string> trials;
  if (!command.trial) {
    options.trial = [&](const BenchCell& cell, const Engine& engine) -> std::string {
      const ConvolutionProblem problem = problemOf(cell, bankOf(cell, options.grid));
      if (!engine.kind().mayHang || !engine.supports(problem)) return {};
      // What it compiles knows nothing of pixels, taps and combines: one trial a shape.
      const auto [tried, fresh] =
          trials.try_emplace({cell.size, cell.filterSize, cell.filterCount, cell.threads});
      if (fresh) {
        std::vector<std::string> words = wordsFor(cell, command.precision, engine.name());
        words.emplace_back("--trial");
        tried->second = tryInProcess(words, command.timeout.value_or(trialSeconds(problem)), stop);
      }
      return tried->second;
    };
  }
  options.baseline = baselineEngine().name();
  options.command = [&](const BenchCell& cell, const std::string& engine) {
    const bool alone = engine == options.baseline;
    return joined(wordsFor(cell, command.precision, alone ? engine : engine + "," + options.baseline));
  };
  for (const Engine* engine : options.engines)
    report.environment.emplace_back(engine->name(), engine->description());

  try {
    Progress progress(command.progress, 1000);
    options.progress = [&](double share, const std::string& what) {
      progress.show(static_cast<int>(1000 * share), what);
    };
    options.cellDone = [&] { writeReportSoFar(command.json, [&] { return toJson(report); }); };
    bankside::runBench(report, options, stop);
  } catch (const Cancelled&) {
    if (!report.rows.empty()) writeFiles(report, command);
    std::cout << toTable(report);
    log(LogLevel::Warning, std::to_string(report.rows.size()) + " rows were complete and are kept");
    throw;
  }
  std::move(others.begin(), others.end(), std::back_inserter(report.rows));
  std::cout << toTable(report) << "\n";
  for (const auto& [name, value] : report.environment) std::cout << name << ": " << value << "\n";
  writeFiles(report, command);

  if (anyOwn(report.rows, Disposition::Incorrect)) return exitMismatch;
  // A peer that hangs at some shapes has a row that says so, and failed only for those who asked for it.
  const bool failed = std::any_of(report.rows.begin(), report.rows.end(), [&](const BenchRow& row) {
    return row.source.empty() && row.disposition == Disposition::Failed &&
           (!command.engines.empty() || !findEngine(row.engine)->kind().mayHang);
  });
  return failed ? exitSomeFailed : exitOk;
}

}  // namespace bankside::headless
