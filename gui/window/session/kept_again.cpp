#include "gui/window/session/kept_again.h"

#include <algorithm>

#include "gui/window/session/travelling_recipe.h"

namespace bankside::window {

std::optional<PaneSpec> madeAgain(const KeptResult& kept, const SessionState& now) {
  const SessionState& then = kept.from.state;
  const bool scaled = std::any_of(
      then.recipe.steps.begin(), then.recipe.steps.end(),
      [](const RecipeStep& step) { return step.operation && step.operation->arguments.contains("scale"); });
  if (scaled && then.pixelsPerDegree != now.pixelsPerDegree) return std::nullopt;
  return PaneSpec{
      kept.result.key.layer, kept.index, {travellingRecipe(kept.from, false), then.imagePath, then.page}};
}

std::vector<PaneSpec> panesMadeAgain(const Session& session) {
  std::vector<PaneSpec> panes = session.state().panes;
  for (PaneSpec& pane : panes) {
    const KeptResult* kept = pane.layer == Layer::Kept ? session.kept().find(pane.index) : nullptr;
    if (kept == nullptr) continue;
    if (const auto again = madeAgain(*kept, session.state())) pane = *again;
  }
  return panes;
}

}  // namespace bankside::window
