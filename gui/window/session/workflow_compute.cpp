/// The planes that the panes want, of all that they keep to.
#include <utility>

#include "gui/window/session/workflow.h"

namespace bankside::window {

std::map<int, Workflow::Run> Workflow::runsOf(std::vector<PlaneKey> keys) const {
  std::map<int, Run> runs;
  for (PlaneKey& key : keys) {
    const int branch = std::exchange(key.branch, 0);
    runs[branch].wanted.push_back(key);
  }
  for (auto& [branch, run] : runs) run.settings = session_.runSettings(branch);
  return runs;
}

void Workflow::computeMissing() {
  session_.setStopped(false);
  const PicturePtr inColor = session_.photographMissing() ? session_.picture() : nullptr;
  const std::vector<Session::Unread> unread = session_.unreadBranches();
  std::map<int, Run> runs = runsOf(session_.missingPlanes());
  for (const Session::Unread& each : unread) runs.erase(each.number);
  // Nobody waits for what is under way.
  if (runs.empty() && unread.empty() && !inColor) return controller_.cancel(Work::Compute);
  const auto& bank = session_.bank();
  const QString what = session_.recipe().ofMaps() ? tr("Running the recipe")
                       : bank ? tr("Filtering with %1").arg(QString::fromStdString(bank->info().name))
                              : tr("Drawing the picture");
  controller_.start(
      Work::Compute, what,
      [this, runs = std::move(runs), unread, inColor, memory = memory_](RunController::Context& context) {
        if (inColor) {
          const Photograph made = makePhotograph(*inColor);
          context.deliver([this, inColor, made] { session_.setPhotograph(inColor, made); });
        }
        for (const auto& [number, run] : runs) {
          computePlanes(
              run.settings, run.wanted, select_,
              [&context, this, branch = number](PlaneResult result) {
                result.key.branch = branch;
                context.deliver([this, result] {
                  session_.addResult(result);
                  if (result.parts) soonParts_.start();
                });
              },
              context.stop,
              [&context, this, branch = number](PlanePatch patch) {
                patch.key.branch = branch;
                context.deliver([this, patch] { session_.addPatch(patch); });
              });
        }
        std::map<int, BranchContent> contents;
        for (const Session::Unread& each : unread) {
          if (context.stop.stop_requested()) throw Cancelled();
          contents[each.number] = readBranch(each.branch, each.stacked, memory);
        }
        if (!contents.empty()) context.deliver([this, contents] { session_.setBranches(contents); });
      });
}

void Workflow::computeMissingParts() {
  std::map<int, Run> runs = runsOf(session_.missingParts());
  if (runs.empty()) return;
  nearby_.start(Work::Compute, {}, [this, runs = std::move(runs)](RunController::Context& context) {
    for (const auto& [number, run] : runs) {
      computeParts(run.settings, run.wanted, select_, context.stop, [&, branch = number](PlanePatch patch) {
        patch.key.branch = branch;
        context.deliver([this, patch] { session_.addPatch(patch); });
      });
    }
  });
}

}  // namespace bankside::window
