/// Panes that keep to a recipe or a picture of their own, and go on being computed.
#include <algorithm>
#include <optional>
#include <utility>

#include "gui/window/session/session.h"
#include "gui/window/session/travelling_recipe.h"

namespace bankside::window {

bool Session::followsPicture(int branch) const {
  const Branches::Entry* own = branches_.find(branch);
  return own == nullptr || own->branch.imagePath.isEmpty();
}

bool Session::followsRecipe(int branch) const {
  const Branches::Entry* own = branches_.find(branch);
  return own == nullptr || !own->branch.recipe;
}

const PicturePtr& Session::pictureOf(int branch) const {
  return followsPicture(branch) ? picture_ : branches_.find(branch)->content.picture;
}

const Recipe& Session::recipeOf(int branch) const {
  return followsRecipe(branch) ? state_.recipe : *branches_.find(branch)->branch.recipe;
}

const PlaneList& Session::list(int branch) const {
  const Branches::Entry* own = branches_.find(branch);
  return own == nullptr ? list_ : own->list;
}

QString Session::planeTitle(const PlaneKey& key) const {
  if (key.layer == Layer::Input || key.layer == Layer::Kept) return {};
  return list(key.branch).titleOf(key.index);
}

void Session::clearPlanes(const PlaneStore::Which& which) {
  store_.clear(which);
  std::erase_if(patches_, [&](const auto& entry) { return which(entry.first); });
}

void Session::holdBranches() {
  const std::vector<int> gone = branches_.hold(state_.panes);
  if (gone.empty()) return;
  clearPlanes(
      [&](const PlaneKey& key) { return std::find(gone.begin(), gone.end(), key.branch) != gone.end(); });
}

void Session::listBranch(int number) {
  Branches::Entry& entry = *branches_.find(number);
  const PlaneList before = std::exchange(entry.list, listPlanes(runSettings(number)));
  // Without channels it is not the whole list.
  if (!before.channels.empty() && !entry.list.channels.empty()) selectAgain(entry.branch, before, entry.list);
}

void Session::listBranches(bool ofPicture, bool ofRecipe) {
  for (auto& [number, entry] : branches_.all()) {
    const bool moved = (ofPicture && followsPicture(number)) || (ofRecipe && followsRecipe(number));
    if (moved && entry.ready) listBranch(number);
  }
}

bool Session::branchReady(int number) const {
  const Branches::Entry* own = branches_.find(number);
  if (own == nullptr) return true;
  // A stack of pages is another picture of the same file, and may be there where the page is not.
  return own->ready &&
         (own->branch.imagePath.isEmpty() || own->content.stacked == isOfPages(recipeOf(number).channel));
}

std::vector<Session::Unread> Session::unreadBranches() const {
  std::vector<Unread> unread;
  for (const auto& [number, entry] : branches_.all()) {
    if (!branchReady(number)) unread.push_back({number, entry.branch, isOfPages(recipeOf(number).channel)});
  }
  return unread;
}

void Session::setBranches(const std::map<int, BranchContent>& contents) {
  for (const auto& [number, content] : contents) {
    Branches::Entry* own = branches_.find(number);
    if (own == nullptr) continue;
    own->content = content;
    own->ready = true;
    if (content.problem.isEmpty()) listBranch(number);
    clearPlanes([number = number](const PlaneKey& key) { return key.branch == number; });
  }
  Q_EMIT planesChanged();
  Q_EMIT resultsChanged();
  Q_EMIT panesChanged();
}

void Session::keepRecipe(int pane, bool on) {
  if (pane < 0 || pane >= static_cast<int>(state_.panes.size())) return;
  Branch branch = state_.panes[static_cast<std::size_t>(pane)].branch;
  if (on == branch.recipe.has_value() || (on && !runSettings().complete())) return;
  branch.recipe.reset();
  if (on) branch.recipe = travellingRecipe(setup(), false);
  moveTo(pane, branch, on);
}

void Session::keepPicture(int pane, bool on) {
  if (pane < 0 || pane >= static_cast<int>(state_.panes.size()) || !picture_) return;
  Branch branch = state_.panes[static_cast<std::size_t>(pane)].branch;
  if (on != branch.imagePath.isEmpty()) return;
  branch.imagePath = on ? state_.imagePath : QString();
  branch.page = on ? state_.page : 0;
  moveTo(pane, branch, on);
}

void Session::moveTo(int pane, const Branch& branch, bool same) {
  PaneSpec spec = state_.panes[static_cast<std::size_t>(pane)];
  if (spec.layer == Layer::Kept) return;
  const PlaneKey shown = keyOf(spec);
  const RunSettings before = runSettings(shown.branch);
  const bool known = branchReady(shown.branch) && before.picture && before.complete();
  std::optional<PlaneResult> held;
  if (const PlaneResult* there = result(shown); same && known && there != nullptr && fresh(shown))
    held = *there;
  spec.branch = branch;
  if (!same) spec.index = -1;  // a number of another list
  setPane(pane, spec);
  const int number = branches_.numberOf(branch);
  if (!known || branchReady(number)) return;
  BranchContent content;
  if (!branch.imagePath.isEmpty()) {
    content.picture = before.picture;
    content.stacked = before.picture->stacked;
  }
  if (branch.recipe) {
    content.bank = before.bank;
    content.then = before.then;
    content.stepBanks = before.stepBanks;
  }
  setBranches({{number, content}});
  if (!held) return;
  held->key = keyOf(spec);
  addResult(*held);
}

void Session::editBranch(int pane) {
  if (pane < 0 || pane >= static_cast<int>(state_.panes.size())) return;
  const Branch branch = state_.panes[static_cast<std::size_t>(pane)].branch;
  const int number = branches_.numberOf(branch);
  const RunSettings theirs = runSettings(number);
  if (number == 0 || !branchReady(number) || !theirs.picture || !theirs.complete()) return;
  Setup next = setup();
  next.state.selectedPlane = list(number).find(list_, state_.selectedPlane, list(number).combined());
  const Recipe ours = travellingRecipe(next, false);
  const bool complete = runSettings().complete();
  for (PaneSpec& each : next.state.panes) {
    if (each.layer == Layer::Kept) continue;
    Branch& other = each.branch;
    if (other == branch) {
      other = {};
      continue;
    }
    if (branch.recipe && !other.recipe && complete && each.layer != Layer::Input) other.recipe = ours;
    if (!branch.imagePath.isEmpty() && other.imagePath.isEmpty()) {
      other.imagePath = state_.imagePath;
      other.page = state_.page;
    }
  }
  if (branch.recipe) {
    next.state.recipe = theirs.recipe;
    next.bank = theirs.bank;
    next.bankEdited = false;
    next.then = theirs.then;
    next.stepBanks = theirs.stepBanks;
  }
  next.state.setImage(QString::fromStdString(theirs.picture->path.string()), theirs.picture->page);
  takeUp(next, theirs.picture);
}

void Session::addPictures(const std::vector<PicturePtr>& pictures,
                          const std::vector<std::vector<PlaneResult>>& inputs) {
  std::vector<PaneSpec> panes = state_.panes;
  std::vector<std::pair<Branch, PicturePtr>> added;
  for (const PicturePtr& picture : pictures) {
    if (panes.size() >= mostPanes) break;
    const Branch branch{{}, QString::fromStdString(picture->path.string()), picture->page};
    panes.push_back({Layer::Input, -1, branch});
    added.emplace_back(branch, picture);
  }
  setPanes(std::move(panes));
  std::map<int, BranchContent> contents;
  for (const auto& [branch, picture] : added) {
    BranchContent& content = contents[branches_.numberOf(branch)];
    content.picture = picture;
    content.stacked = picture->stacked;
  }
  setBranches(contents);
  for (std::size_t i = 0; i < std::min(added.size(), inputs.size()); ++i) {
    for (PlaneResult input : inputs[i]) {
      input.key.branch = branches_.numberOf(added[i].first);
      hold(std::move(input));
    }
  }
  Q_EMIT resultsChanged();
}

}  // namespace bankside::window
