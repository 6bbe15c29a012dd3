#include "gui/window/session/session.h"

#include <algorithm>
#include <utility>

namespace bankside::window {
namespace {
/// Instead of a number: the first combined plane, or the last of all.
constexpr int combinedPlane = -1;
}  // namespace

Session::Session(QObject* parent, std::int64_t budget)
    : QObject(parent), keptResults_(budget / 2), store_(budget) {
  pause_.setSingleShot(true);
  pause_.setInterval(pauseOfTurning);
  connect(&pause_, &QTimer::timeout, this, [this] {
    if (std::exchange(turning_, false)) Q_EMIT rested();
  });
}

void Session::noteTurn() {
  const bool again = pause_.isActive();
  pause_.start();
  if (std::exchange(noted_, true)) return;  // all changes of one event are one
  turning_ = again;
  QMetaObject::invokeMethod(
      this, [this] { noted_ = false; }, Qt::QueuedConnection);
}

void Session::restore(const SessionState& state) {
  keepShown();
  state_ = state;
  then_.reset();  // whoever restores makes all banks again
  stepBanks_.reset();
  list_ = {};
  store_.clear();
  holdBranches();
  forgetRegion();
  updatePlanes();
  Q_EMIT recentChanged();
  Q_EMIT recipeChanged();
  Q_EMIT planesChanged();
  Q_EMIT levelsChanged();
  Q_EMIT panesChanged();
  Q_EMIT viewChanged();
  Q_EMIT pixelChanged();
  Q_EMIT regionChanged();
  Q_EMIT truthChanged();
}

bool Session::takePicture(PicturePtr picture) {
  const bool sameSize = picture_ && picture && picture_->info.width == picture->info.width &&
                        picture_->info.height == picture->info.height;
  const bool another = picture_ != nullptr && !sameSize;
  picture_ = std::move(picture);
  clearPlanes([this](const PlaneKey& key) { return followsPicture(key.branch); });
  keptOverlay_ = {};
  photograph_.reset();
  forgetRegion();
  bool other = false;
  if (picture_) {
    other = state_.endAlone(QString::fromStdString(picture_->path.string()));
    state_.setImage(QString::fromStdString(picture_->path.string()), picture_->page);
    addRecent(state_.imagePath);
    const bool inside =
        state_.pixel && state_.pixel->x() < picture_->info.width && state_.pixel->y() < picture_->info.height;
    if (!inside) state_.pixel.reset();
  }
  if (another) state_.view.fit = true;
  if (other) clearPlanes([](const PlaneKey&) { return true; });
  return other;
}

void Session::tellOfAll() {
  Q_EMIT viewChanged();
  Q_EMIT pixelChanged();
  Q_EMIT resultsChanged();
  Q_EMIT panesChanged();
  Q_EMIT regionChanged();
  Q_EMIT truthChanged();
}

RunSettings Session::settingsWith(const QString& imagePath) const {
  SessionState then = state_;
  then.endAlone(imagePath);
  RunSettings settings = runSettings();
  settings.recipe = then.recipe;
  settings.visible = {};
  settings.known.clear();
  return settings;
}

void Session::setPicture(PicturePtr picture, const std::vector<PlaneResult>& inputs) {
  keepShown();
  const bool other = takePicture(std::move(picture));
  updatePlanes();
  listBranches(true, other);
  for (const PlaneResult& input : inputs) hold(input);
  Q_EMIT pictureChanged();
  if (other) Q_EMIT recipeChanged();
  Q_EMIT planesChanged();
  tellOfAll();
}

void Session::forgetThresholds() {
  state_.recipe.threshold.reset();
  if (!state_.truth.threshold) return;
  state_.truth.threshold.reset();
  Q_EMIT truthChanged();
}

void Session::setBank(FilterBank bank, const QString& spec, bool edited) {
  keepShown();
  // With another parameter, or another tap, it is the same bank.
  const auto name = [](const std::string& text) { return text.substr(0, text.find(':')); };
  const bool another = name(spec.toStdString()) != name(state_.recipe.stages.front().bank);
  if (state_.recipe.ofMaps() || (another && !edited)) forgetThresholds();
  if (state_.recipe.ofMaps()) {
    state_.recipe.stages.front().combine = combineBefore_;
    state_.recipe.steps.clear();
    state_.recipe.title.clear();
    state_.recipe.citation.clear();
    state_.recipe.responses = true;
    stepBanks_.reset();
  }
  bank_ = std::make_shared<const FilterBank>(std::move(bank));
  bankEdited_ = edited;
  state_.recipe.stages.front().bank = spec.toStdString();
  Q_EMIT bankChanged();
  settingsChanged(true);
}

void Session::setBankComing(bool coming) {
  if (coming == bankComing_) return;
  bankComing_ = coming;
  if (list_.planes.empty()) Q_EMIT resultsChanged();  // else there is something to be seen
}

void Session::setSecondBank(FilterBank bank, const QString& spec) {
  keepShown();
  then_ = std::make_shared<const FilterBank>(std::move(bank));
  auto& stages = state_.recipe.stages;
  stages.resize(2);
  stages[1].bank = spec.toStdString();
  if (stages[0].combine == Combine::ArgMax) stages[0].combine = Combine::None;  // an index cannot be filtered
  settingsChanged(true);
}

void Session::clearSecondBank() {
  keepShown();
  then_.reset();
  if (state_.recipe.stages.size() < 2) return;
  state_.recipe.stages.resize(1);
  state_.recipe.stages[0].activation = Activation::None;
  settingsChanged(true);
}

void Session::setRecipe(const Recipe& recipe) {
  Recipe next = recipe;
  const auto& held = state_.recipe.stages;
  next.steps = state_.recipe.steps;
  next.stages.resize(held.size());
  for (std::size_t i = 0; i < held.size(); ++i) next.stages[i].bank = held[i].bank;
  if (held.size() < 2) next.stages[0].activation = Activation::None;  // it stands between two banks
  if (next == state_.recipe) return;
  keepShown();
  if (next.channel != state_.recipe.channel) state_.alone.channel.reset();  // chosen for all
  bool moved = next.channel != state_.recipe.channel;
  for (std::size_t i = 0; i < held.size(); ++i) moved |= next.stages[i].combine != held[i].combine;
  const bool another = next.stages.back().combine != held.back().combine;
  state_.recipe = next;
  // Whoever chooses a combine wants to see it.
  if (another) state_.selectedPlane = next.stages.back().combine == Combine::None ? 0 : combinedPlane;
  settingsChanged(moved);
}

void Session::setThreads(int threads) {
  if (threads == state_.threads) return;
  state_.threads = threads;
  Q_EMIT recipeChanged();
}

void Session::settingsChanged(bool planesMoved) {
  noteTurn();
  const PlaneList before = list_;
  updatePlanes();
  // What is filtered stays where no other channels of it are.
  const bool sameInput = list_.channels == before.channels && list_.note == before.note;
  const auto follows = [&](const PlaneKey& key) {
    const bool stays = sameInput && key.layer == Layer::Input && key.branch == 0;
    return !stays && followsRecipe(key.branch);
  };
  // Indices that now mean other planes must not show old pixels; everything else may until it is replaced.
  if (planesMoved) {
    clearPlanes(follows);
  } else {
    std::erase_if(patches_, [&](const auto& entry) { return follows(entry.first); });
    store_.outdate(follows);
  }
  listBranches(false, true);
  Q_EMIT recipeChanged();
  Q_EMIT planesChanged();
  Q_EMIT resultsChanged();
  Q_EMIT panesChanged();
}

void Session::updatePlanes() {
  const PlaneList before = std::move(list_);
  list_ = listPlanes(runSettings());
  selectAgain(before);
}

void Session::selectAgain(const PlaneList& before) {
  if (list_.planes.empty()) return;
  int& selected = state_.selectedPlane;
  if (selected == combinedPlane) {
    selected = std::min(list_.responses, list_.size() - 1);
  } else if (before.planes.empty()) {
    selected = std::clamp(selected, 0, list_.size() - 1);
  } else {
    // Without a plane of that name the one that stands for all of them.
    selected = list_.find(before, selected, list_.combined());
  }
  selectAgain({}, before, list_);
}

void Session::selectAgain(const Branch& branch, const PlaneList& before, const PlaneList& now) {
  if (before.planes.empty() || now.planes.empty()) return;
  for (PaneSpec& pane : state_.panes) {
    if (pane.index >= 0 && pane.layer != Layer::Kept && pane.branch == branch)
      pane.index = now.find(before, pane.index, -1);
  }
}

void Session::setPanes(std::vector<PaneSpec> panes) {
  if (panes.empty() || panes == state_.panes) return;
  if (panes.size() > mostPanes) panes.resize(mostPanes);
  keepShown();
  state_.panes = std::move(panes);
  if (state_.panes.size() < 2) state_.mode = CanvasMode::Grid;
  holdBranches();
  Q_EMIT panesChanged();
}

void Session::setPane(int pane, PaneSpec spec) {
  auto panes = state_.panes;
  if (pane < 0 || pane >= static_cast<int>(panes.size())) return;
  panes[static_cast<std::size_t>(pane)] = spec;
  setPanes(std::move(panes));
}

void Session::setMode(CanvasMode mode) {
  if (mode == state_.mode) return;
  if (mode == CanvasMode::Swipe && state_.panes.size() < 2) state_.panes.push_back({Layer::OpenCv});
  state_.mode = mode;
  Q_EMIT panesChanged();
}

void Session::setSwipe(double fraction) {
  state_.swipe = std::clamp(fraction, 0.0, 1.0);
  Q_EMIT viewChanged();
}

void Session::setCompared(int first, int second) {
  const std::array<int, 2> pair = {first, second};
  if (pair == state_.compared) return;
  state_.compared = pair;
  Q_EMIT panesChanged();
}

std::array<int, 2> Session::comparedPanes() const {
  const int last = static_cast<int>(state_.panes.size()) - 1;
  return {std::clamp(state_.compared[0], 0, last), std::clamp(state_.compared[1], 0, last)};
}

void Session::setView(const View& view) {
  if (view == state_.view) return;
  state_.view = view;
  Q_EMIT viewChanged();
}

void Session::setLevels(LevelGroup group, const LevelSetting& setting) {
  auto& held = state_.levels[static_cast<std::size_t>(group)];
  if (held == setting) return;
  held = setting;
  Q_EMIT levelsChanged();
}

void Session::setPixel(std::optional<QPoint> pixel) {
  if (pixel == state_.pixel) return;
  state_.pixel = pixel;
  Q_EMIT pixelChanged();
}

void Session::selectPlane(int index) {
  if (index < 0 || index >= list_.size() || index == state_.selectedPlane) return;
  keepShown();
  state_.selectedPlane = index;
  Q_EMIT planesChanged();
  Q_EMIT panesChanged();
}

void Session::addRecent(const QString& path) {
  state_.recent.removeAll(path);
  state_.recent.prepend(path);
  while (state_.recent.size() > mostRecent) state_.recent.removeLast();
  Q_EMIT recentChanged();
}

void Session::clearRecent() {
  state_.recent.clear();
  Q_EMIT recentChanged();
}

int Session::filterOf(int plane) const {
  return bank_ && !then_ && plane >= 0 && plane < list_.responses ? plane % bank_->size() : -1;
}

PlaneKey Session::keyOf(const PaneSpec& pane) const {
  if (pane.layer == Layer::Kept) return {Layer::Kept, pane.index};
  const int branch = branches_.numberOf(pane.branch);
  const PlaneList& list = this->list(branch);
  // What is selected is followed by its name into a list of other planes.
  const int plane = pane.index >= 0 ? pane.index
                    : branch == 0   ? state_.selectedPlane
                                    : list.find(list_, state_.selectedPlane, list.combined());
  const int index = std::min(plane, std::max(0, list.size() - 1));
  if (pane.layer != Layer::Input) return {pane.layer, index, branch};
  const bool perPlane = list.perGroup && recipeOf(branch).stages.size() < 2 && index < list.size();
  return {Layer::Input, perPlane ? list.planes[static_cast<std::size_t>(index)].channel : 0, branch};
}

std::vector<PlaneKey> Session::missingPlanes() const {
  std::vector<PlaneKey> missing;
  if (!picture_) return missing;
  for (const PaneSpec& pane : state_.panes) {
    const PlaneKey key = keyOf(pane);
    const Branches::Entry* own = branches_.find(key.branch);
    if (own != nullptr && own->ready && !own->content.problem.isEmpty()) continue;
    const PlaneList& list = this->list(key.branch);
    const bool cannotBe = list.planes.empty() || !list.error.isEmpty();
    if (key.layer != Layer::Input && cannotBe && branchReady(key.branch)) continue;
    if (!fresh(key) && std::find(missing.begin(), missing.end(), key) == missing.end())
      missing.push_back(key);
  }
  const PlaneKey over = keyOf({Layer::Output});
  // Manual vessels are held against it whether a pane shows it or not.
  const bool asked = (state_.overlay > 0 && showsInput()) || !state_.truth.file.isEmpty();
  const bool wanted = asked && !list_.planes.empty() && list_.error.isEmpty();
  if (wanted && !fresh(over) && std::find(missing.begin(), missing.end(), over) == missing.end())
    missing.push_back(over);
  return missing;
}

std::map<PlaneKey, PlaneResult> Session::freshPlanes(int branch) const {
  std::map<PlaneKey, PlaneResult> planes;
  for (const PaneSpec& pane : state_.panes) {
    for (const Layer layer : {Layer::Output, Layer::OpenCv}) {
      PlaneKey key = keyOf({layer, pane.index, pane.branch});
      if (key.branch != branch || !store_.fresh(key)) continue;
      const PlaneResult* held = store_.find(key);
      if (held == nullptr || !held->plane) continue;
      key.branch = 0;
      planes[key] = *held;
      planes[key].key = key;
    }
  }
  return planes;
}

RunSettings Session::runSettings(int branch) const {
  RunSettings settings{picture_,       bank_,         then_,
                       stepBanks_,     state_.recipe, state_.pixelsPerDegree,
                       state_.threads, visible_,      freshPlanes(branch)};
  const Branches::Entry* own = branches_.find(branch);
  if (own == nullptr) return settings;
  if (own->branch.recipe) {
    settings.recipe = *own->branch.recipe;
    settings.bank = own->content.bank;
    settings.then = own->content.then;
    settings.stepBanks = own->content.stepBanks;
  }
  if (!own->branch.imagePath.isEmpty()) {
    settings.picture = own->content.picture;
    settings.visible = {};
  }
  return settings;
}

}  // namespace bankside::window
