#include "gui/window/session/branches.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <algorithm>

#include "core/error.h"
#include "filters/catalog.h"
#include "gui/window/compute/core_sentence.h"
#include "gui/window/session/travelling_recipe.h"

namespace bankside::window {
namespace {

void makeBanks(const Recipe& recipe, BranchContent& content) {
  const auto make = [](const std::string& spec) {
    return std::make_shared<const FilterBank>(loadBank(spec));
  };
  if (!recipe.ofMaps()) {
    content.bank = make(recipe.stages.front().bank);
    if (recipe.stages.size() > 1) content.then = make(recipe.stages[1].bank);
    return;
  }
  auto banks = std::make_shared<std::vector<FilterBank>>();
  for (const RecipeStep& step : recipe.steps) {
    if (!step.bank.empty()) banks->push_back(loadBank(step.bank));
  }
  content.stepBanks = std::move(banks);
}

}  // namespace

BranchContent readBranch(const Branch& branch, bool stacked, std::int64_t memory) {
  BranchContent content;
  content.stacked = stacked;
  try {
    if (!branch.imagePath.isEmpty())
      content.picture = openPicture(branch.imagePath.toStdString(), branch.page, stacked, memory);
    if (branch.recipe) makeBanks(*branch.recipe, content);
  } catch (const Error& error) {
    content.problem = sentenceOf(error);
  }
  return content;
}

QString recipeTitle(const Recipe& recipe) {
  if (recipe.ofMaps() && !recipe.title.empty()) return QString::fromStdString(recipe.title);
  QString title = bankTitle(recipe.stages.front().bank);
  if (recipe.stages.size() > 1)
    title += QCoreApplication::translate("RecipeTitle", ", then %1").arg(bankTitle(recipe.stages[1].bank));
  return title;
}

QString recipeTitle(const Setup& setup) {
  Recipe recipe = setup.state.recipe;
  if (setup.bankEdited) recipe.stages.front().bank.clear();
  return recipeTitle(recipe);
}

QString branchTitle(const Branch& branch) {
  const QString picture = QFileInfo(branch.imagePath).fileName();
  if (!branch.recipe) return picture;
  const QString recipe = recipeTitle(*branch.recipe);
  return picture.isEmpty() ? recipe : QStringLiteral("%1 · %2").arg(recipe, picture);
}

int Branches::numberOf(const Branch& branch) const {
  if (branch.follows()) return 0;
  const auto at = std::find_if(entries_.begin(), entries_.end(),
                               [&](const auto& entry) { return entry.second.branch == branch; });
  return at == entries_.end() ? -1 : at->first;
}

std::vector<int> Branches::hold(const std::vector<PaneSpec>& panes) {
  std::vector<int> gone;
  for (const auto& [number, entry] : entries_) {
    const bool held = std::any_of(panes.begin(), panes.end(),
                                  [&](const PaneSpec& pane) { return pane.branch == entry.branch; });
    if (!held) gone.push_back(number);
  }
  for (const int number : gone) entries_.erase(number);
  for (const PaneSpec& pane : panes) {
    if (numberOf(pane.branch) < 0) entries_[++last_].branch = pane.branch;
  }
  return gone;
}

const Branches::Entry* Branches::find(int number) const {
  const auto at = entries_.find(number);
  return at == entries_.end() ? nullptr : &at->second;
}

Branches::Entry* Branches::find(int number) {
  const auto at = entries_.find(number);
  return at == entries_.end() ? nullptr : &at->second;
}

}  // namespace bankside::window
