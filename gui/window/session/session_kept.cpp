/// What was kept to compare with, and the way back to what was.
#include <QFileInfo>
#include <algorithm>

#include "gui/window/compute/layer_title.h"
#include "gui/window/session/session.h"
#include "gui/window/session/travelling_recipe.h"

namespace bankside::window {

Setup Session::setup() const { return {state_, bank_, bankEdited_, then_, stepBanks_}; }

void Session::takeUp(const Setup& setup, const PicturePtr& picture) {
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
  if (!samePicture) takePicture(picture);
  if (!same) {
    store_.clear();
    patches_.clear();
  }
  leaveGone();
  planes_.clear();
  updatePlanes();
  if (!samePicture) Q_EMIT pictureChanged();
  if (before.bank != bank_ || before.stepBanks != stepBanks_) Q_EMIT bankChanged();
  if (!same) Q_EMIT recipeChanged();
  Q_EMIT planesChanged();
  Q_EMIT levelsChanged();
  Q_EMIT viewChanged();
  Q_EMIT pixelChanged();
  Q_EMIT resultsChanged();
  Q_EMIT panesChanged();
  Q_EMIT regionChanged();
}

int Session::keepResult(int pane) {
  if (pane < 0 || pane >= static_cast<int>(state_.panes.size()) || !picture_) return 0;
  const PlaneKey key = keyOf(state_.panes[static_cast<std::size_t>(pane)]);
  const PlaneResult* held = result(key);
  if (held == nullptr || !held->plane || !fresh(key) || key.layer == Layer::Kept) return 0;
  KeptResult kept{0, {}, {}, *held, setup()};
  const Recipe& recipe = state_.recipe;
  QString what = recipe.ofMaps() && !recipe.title.empty()
                     ? QString::fromStdString(recipe.title)
                     : bankTitle(bankEdited_ ? std::string() : recipe.stages.front().bank);
  if (then_) what += tr(", then %1").arg(bankTitle(recipe.stages[1].bank));
  const QString name = key.layer == Layer::Input ? QFileInfo(state_.imagePath).fileName() : what;
  kept.title = QStringLiteral("%1 · %2").arg(keptResults_.nextNumber()).arg(name);
  if (key.layer != Layer::Input) kept.title += QStringLiteral(" · ") + planeTitle(key.index);
  if (key.layer == Layer::OpenCv) kept.title += tr(" · OpenCV");
  if (key.layer == Layer::Difference) kept.title += tr(" · difference");
  kept.whole = QStringLiteral("%1\n%2, %3").arg(kept.title, layerTitle(key.layer), state_.imagePath);
  return addKept(std::move(kept));
}

void Session::keepPicture(const PicturePtr& picture, PlaneResult input) {
  const QString path = QString::fromStdString(picture->path.string());
  KeptResult kept{0, {}, path, std::move(input), setup()};
  kept.title = QStringLiteral("%1 · %2").arg(keptResults_.nextNumber()).arg(QFileInfo(path).fileName());
  kept.from.state.imagePath = path;
  kept.from.state.page = picture->page;
  const int number = addKept(std::move(kept));
  std::vector<PaneSpec> panes = state_.panes;
  if (panes.size() < mostPanes) panes.push_back({Layer::Kept, number});
  setPanes(std::move(panes));
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
  return kept != nullptr ? kept->title : layerTitle(key.layer);
}

}  // namespace bankside::window
