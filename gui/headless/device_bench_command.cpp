#include <algorithm>
#include <filesystem>
#include <iostream>

#include "core/bench/paper_grid.h"
#include "core/error.h"
#include "core/imageio/atomic_file.h"
#include "core/log.h"
#include "core/made_input.h"
#include "core/text.h"
#include "core/text_file.h"
#include "filters/catalog.h"
#include "gui/headless/commands.h"
#include "gui/headless/destinations.h"
#include "gui/headless/exit_code.h"
#include "gui/headless/progress.h"
#include "kernels/cuda/paper/bank_width.h"
#include "kernels/cuda/paper/paper_claims.h"
#include "kernels/cuda/tuning/tune_device.h"
#include "kernels/engines.h"

namespace bankside::headless {
namespace {

using Action = DeviceBenchCommand::Action;
/// What a file has.
using NamedReport = std::pair<std::string, BenchReport>;

DeviceCell cellOf(const ConvolutionProblem& p) {
  return {p, withMode(withAnchor(randomBank(p.filterCount, p.tapChannels(), p.filterHeight, p.filterWidth, 5),
                                 p.anchorX, p.anchorY),
                      p.mode)};
}

ConvolutionProblem problemOf(int n, int k, int f) {
  ConvolutionProblem p;
  p.height = p.width = n;
  p.filterCount = f;
  p.filterHeight = p.filterWidth = k;
  p.anchorX = p.anchorY = k / 2;
  return p;
}

std::vector<DeviceCell> figure7Cells(const DeviceBenchCommand& command) {
  std::vector<DeviceCell> cells;
  for (const int n : command.sizes)
    for (const int k : command.filterSizes)
      for (const int f : command.filterCounts) cells.push_back(cellOf(problemOf(n, k, f)));
  return cells;
}

/// Several channels. With --channels the lists of the options, else a grid's cells of the filter sizes asked
/// for.
std::vector<DeviceCell> figure8Cells(const DeviceBenchCommand& command) {
  std::vector<DeviceCell> cells;
  const auto grid = !command.channels.empty() ? generalCells(command.sizes, command.filterSizes,
                                                             command.channels, command.filterCounts)
                    : command.grid == "full"  ? generalGrid()
                                              : generalTable();
  const auto& sides = command.filterSizes;
  for (const GeneralCell& cell : grid) {
    if (std::find(sides.begin(), sides.end(), cell.filterSize) != sides.end())
      cells.push_back(cellOf(bankside::problemOf(cell)));
  }
  return cells;
}

std::vector<DeviceCell> tuningCells(const DeviceBenchCommand& command) {
  if (command.figure == 8) return figure8Cells(command);
  std::vector<DeviceCell> cells;
  for (const std::string& kind : command.kinds) {
    for (DeviceCell cell : figure7Cells(command)) {
      ConvolutionProblem& p = cell.problem;
      if (kind != "f32") p.srcType = kind == "u16" ? ElementType::U16 : ElementType::U8;
      if (kind == "u8u8") p.dstType = ElementType::U8;
      if (kind == "max") p.combine = Combine::Max;
      if (kind == "argmax") p.combine = Combine::ArgMax;
      if (p.combine == Combine::None || p.filterCount > 1) cells.push_back(std::move(cell));
    }
  }
  return cells;
}

std::vector<DeviceCell> typedCells(const DeviceBenchCommand& command) {
  std::vector<DeviceCell> cells;
  for (const ElementType type : command.types) {
    for (const Combine combine : command.combines) {
      for (DeviceCell& cell : figure7Cells(command)) {
        cell.problem.srcType = type;
        cell.problem.combine = combine;
        if (combine == Combine::None || cell.problem.filterCount > 1) cells.push_back(std::move(cell));
      }
    }
  }
  return cells;
}

/// Every cell with every number of images and all values that its pixels hold.
std::vector<DeviceCell> inBatches(const std::vector<DeviceCell>& cells, const DeviceBenchCommand& command) {
  std::vector<DeviceCell> all;
  for (const DeviceCell& cell : cells) {
    for (const int count : command.images) {
      for (const std::string& values : command.values) {
        if (!holdsValues(cell.problem.srcType, values)) continue;
        if (cell.problem.channels > 1 && values != "uniform")
          throw Error(ErrorCode::BadInput, "several channels are measured with uniform pixels");
        all.push_back(cell);
        all.back().images = count;
        all.back().values = values;
      }
    }
  }
  return all;
}

/// What is measured, and what it is called.
std::vector<DeviceCell> cellsOf(const DeviceBenchCommand& command, std::string& what) {
  switch (command.action) {
    case Action::Paper:
      what = "figure" + std::to_string(command.figure);
      return command.figure == 8 ? figure8Cells(command) : figure7Cells(command);
    case Action::Device: {
      what = "device";
      if (command.problems.empty()) return inBatches(typedCells(command), command);
      std::vector<DeviceCell> cells;
      for (const std::string& text : command.problems) {
        cells.push_back(cellOf(parseProblem(text)));
        if (command.bank.empty()) continue;
        cells.back().bank = loadBank(command.bank);
        cells.back().bankName = cells.back().bank.info().name;
        requireFits(cells.back().problem, cells.back().bank);
      }
      return inBatches(cells, command);
    }
    default: what = command.action == Action::Tune ? "tune" : "limits"; return {};
  }
}

std::vector<const Engine*> enginesFor(const DeviceBenchCommand& command) {
  std::vector<const Engine*> found;
  for (const std::string& name : command.engines) found.push_back(&namedEngine(name));
  if (!found.empty()) return found;
  for (const auto& engine : engines()) {
    // A planner's rows would be those of the engine that it picks.
    if (engine->kind().role == EngineKind::Role::Planner) continue;
    if (!runsOnDevice(*engine) || !engine->available()) continue;
    const bool sums = static_cast<bool>(engine->supports(bankside::problemOf(GeneralCell{64, 3, 8, 8})));
    if (command.figure != 8 || sums) found.push_back(engine.get());
  }
  return found;
}

std::string paperPeer() {
  for (const auto& engine : engines()) {
    if (engine->kind().paperPeer) return engine->name();
  }
  return {};
}

void writeFiles(const BenchReport& report, const DeviceBenchCommand& command) {
  if (!command.json.empty()) writeFileAtomically(command.json, toJson(report));
  if (!command.csv.empty()) writeFileAtomically(command.csv, toCsv(report));
  if (!command.markdown.empty()) writeFileAtomically(command.markdown, toMarkdown(report));
}

void addPaperNotes(BenchReport& report, int figure) {
  for (const PeerRatio& r : peerRatios(report.rows)) {
    const double published = paperRatio(r.filterSize, figure == 8);
    if (r.engine != report.paperPeer || published <= 0) continue;
    report.notes.push_back("K = " + std::to_string(r.filterSize) + ": " + formatFixed(r.arithmeticMean, 2) +
                           " times faster than " + r.engine + " here, " +
                           formatFixed(published, figure == 8 ? 3 : 2) +
                           " in the paper (cuDNN of 2017, Kepler K40m, its own grid)");
  }
  report.notes.emplace_back(
      "the paper's figure is not published as numbers: the grid is ours; each peer runs on the border it "
      "has");
}

/// Rows of other runs, with what is to be known of those; incomplete with them.
void addRows(const std::vector<NamedReport>& others, BenchReport& report) {
  for (const auto& [file, other] : others) {
    report.rows.insert(report.rows.end(), other.rows.begin(), other.rows.end());
    report.complete = report.complete && other.complete;
    report.notes.push_back(std::to_string(other.rows.size()) + " rows are of another run, " + file + ": " +
                           other.command);
    for (const std::string& note : other.notes) report.notes.push_back(file + ": " + note);
  }
}

/// Of what was measured in this run.
int exitCodeOf(const BenchReport& report) {
  if (anyOwn(report.rows, Disposition::Incorrect)) return exitMismatch;
  return anyOwn(report.rows, Disposition::Failed) ? exitSomeFailed : exitOk;
}

int finish(const BenchReport& report, const DeviceBenchCommand& command) {
  std::cout << toTable(report) << "\n";
  for (const auto& [name, value] : report.environment) std::cout << name << ": " << value << "\n";
  writeFiles(report, command);
  return exitCodeOf(report);
}

/// Rows that others measured, on what the first of them was measured on.
int showRows(const DeviceBenchCommand& command, const std::string& commandText,
             const std::vector<NamedReport>& others) {
  const BenchReport& first = others.front().second;
  BenchReport report{.kind = ReportKind::Device,
                     .what = "device",
                     .command = commandText,
                     .environment = first.environment,
                     .complete = true,
                     .limits = first.limits,
                     .paperPeer = paperPeer()};
  addRows(others, report);
  return finish(report, command);
}

int runBanks(const DeviceBenchCommand& command, const std::string& commandText, const std::stop_token& stop) {
  BenchReport report{
      .kind = ReportKind::BankWidth, .command = commandText, .environment = currentEnvironment()};
  runBankWidth(report, stop);
  report.complete = true;
  finish(report, command);
  const bool wrong = std::any_of(report.widths.begin(), report.widths.end(), [](const BankWidthRow& row) {
    return row.disposition != Disposition::Passed;
  });
  return wrong ? exitMismatch : exitOk;
}

std::filesystem::path tablesOf(const DeviceBenchCommand& command) {
  return command.tables.empty() ? "assets/tuning" : command.tables;
}

int runTune(BenchReport& report, const DeviceBenchCommand& command, const std::stop_token& stop) {
  Progress progress(command.progress, 1000);
  DeviceBenchOptions options;
  if (!command.engines.empty()) options.engines = enginesFor(command);
  options.progress = [&](const BenchRow& row, double share) {
    progress.show(static_cast<int>(1000 * share), format(row.problem) + " " + toString(row.plans));
  };
  const std::filesystem::path folder = tablesOf(command);
  std::optional<TuningFile> table;
  try {
    table = tuneDevice(report, tuningCells(command), folder, options, stop);
  } catch (const Cancelled&) {
    if (!command.json.empty()) writeFileAtomically(command.json, toJson(report));
    throw;
  }
  report.complete = !stop.stop_requested();
  if (table) writeFileAtomically(folder / table->name, table->json);
  if (!command.json.empty()) writeFileAtomically(command.json, toJson(report));
  std::cout << (table ? table->json : toTable(report) + "\n");
  if (table)
    log(LogLevel::Info, (folder / table->name).string() + ": the best of " +
                            std::to_string(report.rows.size()) + " measurements");
  if (stop.stop_requested()) {
    log(LogLevel::Warning, "stopped before its last cell: those that were complete are kept");
    throw Cancelled();
  }
  return exitCodeOf(report);
}

/// Judges and times the cells. A run that is stopped, or that loses its device, keeps its rows.
void measureCells(BenchReport& report, const std::vector<DeviceCell>& cells,
                  const DeviceBenchCommand& command, const std::vector<NamedReport>& others,
                  const std::stop_token& stop) {
  DeviceBenchOptions options;
  options.engines = enginesFor(command);
  options.sustained = command.sustained;
  for (const Engine* engine : options.engines)
    report.environment.emplace_back(engine->name(), engine->description());
  Progress progress(command.progress, 1000);
  options.progress = [&](const BenchRow& row, double share) {
    progress.show(static_cast<int>(1000 * share), format(row.problem) + " " + row.engine);
    writeReportSoFar(command.json, [&] { return toJson(report); });
  };
  try {
    bankside::runDeviceBench(report, cells, options, stop);
    if (command.claims) runPaperClaims(report, command.figure == 8, command.counters, stop);
  } catch (...) {
    const std::string count = std::to_string(report.rows.size());
    if (!report.rows.empty()) {
      report.notes.emplace_back("stopped before its last cell: the rows are complete");
      addRows(others, report);
      writeFiles(report, command);
      log(LogLevel::Warning, count + " rows were complete and are kept");
    }
    throw;
  }
}

}  // namespace

int runDeviceBench(const DeviceBenchCommand& command, const std::string& commandText, std::stop_token stop) {
  RunFiles files;
  for (const std::string& file : command.withRows) files.read(file, "an input");
  files.read(command.bank, "a bank");
  const ReportKind kind = command.action == Action::BankWidth ? ReportKind::BankWidth : ReportKind::Device;
  requireReportFiles(command, beginningsOf(kind), Foreign::Stays, files);
  std::vector<NamedReport> others;
  for (const std::string& file : command.withRows) {
    const std::string name = std::filesystem::path(file).filename();
    others.emplace_back(name, readBenchReport(readTextFile(file), name, ReportKind::Device));
  }
  if (command.onlyRows) return showRows(command, commandText, others);
  if (const Support state = deviceBenchAvailable(); !state) throw Error(ErrorCode::Unsupported, state.reason);
  if (command.action == Action::BankWidth) return runBanks(command, commandText, stop);
  BenchReport report{.kind = ReportKind::Device,
                     .command = commandText,
                     .environment = currentEnvironment(),
                     .paperPeer = paperPeer()};
  const std::vector<DeviceCell> cells = cellsOf(command, report.what);
  std::optional<ResultFolder> tables;
  if (command.action == Action::Tune) {
    tables.emplace(tablesOf(command).string(), std::vector<std::string>());
    const std::filesystem::path table = requireTuningFile(tablesOf(command));
    if (!command.json.empty() &&
        std::filesystem::weakly_canonical(command.json) == std::filesystem::weakly_canonical(table))
      throw Error(ErrorCode::BadInput,
                  command.json + ": is the tuning table; the JSON report would replace it");
  }
  measureDevice(report);
  if (command.action == Action::Tune) return runTune(report, command, stop);
  if (!cells.empty()) measureCells(report, cells, command, others, stop);
  report.complete = true;
  addRows(others, report);
  if (command.action == Action::Paper && !report.rows.empty()) addPaperNotes(report, command.figure);
  return finish(report, command);
}

}  // namespace bankside::headless
