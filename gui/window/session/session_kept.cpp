/// What was kept to compare with, and the way back to what was.
#include <QFileInfo>
#include <algorithm>

#include "gui/window/compute/layer_title.h"
#include "gui/window/session/session.h"

namespace bankside::window {

Setup Session::setup() const { return {state_, bank_, bankEdited_, then_, stepBanks_}; }

void Session::takeUp(const Setup& setup, const PicturePtr& picture, const std::vector<PlaneResult>& inputs) {
  keepShown();
  const Setup before = this->setup();
  const bool samePicture = picture == picture_;
  const bool same = samePicture && sameResults(before, setup);
  if (!samePicture || before.state.region != setup.state.region) forgetRegion();
  state_ = setup.state;
  state_.view = before.state.view;
  state_.pixel = before.state.pixel;
  state_.swipe = before.state.swipe;
  state_.recent = before.state.recent;
  bank_ = setup.bank;
  bankEdited_ = setup.bankEdited;
  then_ = setup.then;
  stepBanks_ = setup.stepBanks;
  leaveGone();
  holdBranches();
  if (!samePicture) takePicture(picture);
  if (!same) {
    const bool scale = before.state.pixelsPerDegree != setup.state.pixelsPerDegree;
    clearPlanes([&](const PlaneKey& key) {
      return scale || followsPicture(key.branch) || followsRecipe(key.branch);
    });
  }
  list_ = {};
  // The panes of the setup count in its own lists.
  for (auto& [number, entry] : branches_.all()) {
    if (followsPicture(number) || followsRecipe(number)) entry.list = {};
  }
  updatePlanes();
  listBranches(true, true);
  for (const PlaneResult& input : inputs) hold(input);
  if (!samePicture) Q_EMIT pictureChanged();
  if (before.bank != bank_ || before.stepBanks != stepBanks_) Q_EMIT bankChanged();
  if (!same) Q_EMIT recipeChanged();
  Q_EMIT planesChanged();
  Q_EMIT levelsChanged();
  tellOfAll();
}

Setup Session::setupOf(const PlaneKey& key) const {
  const KeptResult* kept = key.layer == Layer::Kept ? keptResults_.find(key.index) : nullptr;
  if (kept != nullptr) return kept->from;
  Setup setup = this->setup();
  const Branches::Entry* own = branch(key.branch);
  if (own == nullptr) return setup;
  const RunSettings settings = runSettings(key.branch);
  setup.state.recipe = settings.recipe;
  setup.bank = settings.bank;
  setup.then = settings.then;
  setup.stepBanks = settings.stepBanks;
  setup.bankEdited = setup.bankEdited && !own->branch.recipe;
  if (settings.picture)
    setup.state.setImage(QString::fromStdString(settings.picture->path.string()), settings.picture->page);
  return setup;
}

int Session::keepResult(int pane) {
  if (pane < 0 || pane >= static_cast<int>(state_.panes.size()) || !picture_) return 0;
  const PlaneKey key = keyOf(state_.panes[static_cast<std::size_t>(pane)]);
  const PlaneResult* held = result(key);
  if (held == nullptr || !held->plane || !fresh(key) || key.layer == Layer::Kept) return 0;
  KeptResult kept{
      0, {}, planeTitle(key), {}, *held, setupOf(key), state_.panes[static_cast<std::size_t>(pane)].index};
  kept.result.key.branch = 0;
  const Setup& from = kept.from;
  const QString name =
      key.layer == Layer::Input ? QFileInfo(from.state.imagePath).fileName() : recipeTitle(from);
  kept.title = QStringLiteral("%1 · %2").arg(keptResults_.nextNumber()).arg(name);
  if (key.layer != Layer::Input) kept.title += QStringLiteral(" · ") + kept.plane;
  if (key.layer == Layer::OpenCv) kept.title += tr(" · OpenCV");
  if (key.layer == Layer::Difference) kept.title += tr(" · difference");
  kept.whole = QStringLiteral("%1\n%2, %3").arg(kept.title, layerTitle(key.layer), from.state.imagePath);
  return addKept(std::move(kept));
}

int Session::addKept(KeptResult kept) {
  const int number = keptResults_.nextNumber();
  const std::vector<KeptResult> gone = keptResults_.add(std::move(kept));
  store_.setTaken(keptResults_.bytes());
  leaveGone();
  Q_EMIT keptChanged();
  for (const KeptResult& each : gone) Q_EMIT keptDropped(each.title);
  if (!gone.empty()) Q_EMIT panesChanged();
  return number;
}

void Session::forgetKept(int number) {
  keptResults_.remove(number);
  store_.setTaken(keptResults_.bytes());
  leaveGone();
  Q_EMIT keptChanged();
  Q_EMIT panesChanged();
}

void Session::leaveGone() {
  for (PaneSpec& pane : state_.panes) {
    if (pane.layer == Layer::Kept && keptResults_.find(pane.index) == nullptr) pane = {Layer::Output};
  }
}

const PlaneResult* Session::result(const PlaneKey& key) const {
  if (key.layer != Layer::Kept) return store_.find(key);
  const KeptResult* kept = keptResults_.find(key.index);
  return kept != nullptr ? &kept->result : nullptr;
}

QString Session::titleOf(const PlaneKey& key) const {
  const KeptResult* kept = key.layer == Layer::Kept ? keptResults_.find(key.index) : nullptr;
  if (kept != nullptr) return kept->title;
  const Branches::Entry* own = branch(key.branch);
  const QString title = layerTitle(key.layer);
  return own == nullptr ? title : QStringLiteral("%1 · %2").arg(title, branchTitle(own->branch));
}

QString Session::shortTitleOf(const PlaneKey& key) const {
  if (key.layer == Layer::Kept) return tr("Kept %1").arg(key.index);
  return branch(key.branch) == nullptr ? shortLayerTitle(key.layer) : titleOf(key);
}

}  // namespace bankside::window
