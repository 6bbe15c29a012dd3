#include "gui/headless/filter_pages.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/parallel.h"
#include "gui/headless/exit_code.h"
#include "gui/headless/filter_runner.h"
#include "gui/headless/page_flow.h"
#include "kernels/devices.h"

namespace bankside::headless {
namespace {

/// How much pages that are under way may take: what one alone takes at most, its image and its results, and
/// with several stages less the maps.
std::int64_t pageMemory(const FilterCommand& command) {
  return command.recipe.stages.size() > 1 ? command.memory / 2 : command.memory / 4 * 3;
}

}  // namespace

Tally filterPages(const FilterCommand& command, const std::vector<InputFile>& inputs, Runner& runner,
                  RunFiles& files, FilterReport& report, const std::stop_token& stop,
                  const std::stop_token& enough) {
  const int threads = command.threads > 0 ? command.threads : availableThreads();
  PageMemory memory(pageMemory(command), pinnedBesideImages);
  PageWriter writer(command, static_cast<int>(inputs.size()), report, stop);
  PageReader reader(command, inputs, runner, files, memory);
  PageFlow flow(reader, command, runner, files, memory, writer, threads);
  std::exception_ptr broken;
  bool interrupted = false;
  try {
    flow.run(stop, enough);
  } catch (const Cancelled&) {
    interrupted = true;
  } catch (const CannotFilter&) {
    throw;
  } catch (const std::exception&) {
    broken = std::current_exception();
  }
  if (!broken) broken = writer.untold();
  report.stages = flow.times();
  Tally tally = writer.tally();
  const bool balanced = flow.begun() == tally.done + tally.failed + tally.dropped;
  const bool whole = balanced && flow.ended() && tally.dropped == 0;
  tally.interrupted = tally.interrupted || interrupted || (!whole && balanced && enough.stop_requested());
  if (!whole && !tally.interrupted && !tally.diskFull && !tally.lostDevice) {
    tally.lost = "the run broke off" + (broken ? ": " + sentenceOf(broken) : "") +
                 "; images done: " + std::to_string(tally.done) +
                 ", failed: " + std::to_string(tally.failed) +
                 ", of others nothing is known; the same command goes on";
  }
  return tally;
}

}  // namespace bankside::headless
