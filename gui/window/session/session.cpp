#include "gui/window/session/session.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace bankside::window {

Session::Session(QObject* parent) : QObject(parent) {}

void Session::restore(const SessionState& state) {
  state_ = state;
  then_.reset();  // whoever restores makes both banks again
  store_.clear();
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
}

void Session::setPicture(PicturePtr picture) {
  const bool sameSize = picture_ && picture && picture_->info.width == picture->info.width &&
                        picture_->info.height == picture->info.height;
  const bool another = picture_ != nullptr && !sameSize;
  picture_ = std::move(picture);
  store_.clear();
  patches_.clear();
  forgetRegion();
  if (picture_) {
    state_.imagePath = QString::fromStdString(picture_->path.string());
    state_.page = picture_->page;
    addRecent(state_.imagePath);
    const bool inside =
        state_.pixel && state_.pixel->x() < picture_->info.width && state_.pixel->y() < picture_->info.height;
    if (!inside) state_.pixel.reset();
  }
  if (another) state_.view.fit = true;
  updatePlanes();
  Q_EMIT pictureChanged();
  Q_EMIT planesChanged();
  Q_EMIT viewChanged();
  Q_EMIT pixelChanged();
  Q_EMIT resultsChanged();
  Q_EMIT panesChanged();
  Q_EMIT regionChanged();
}

void Session::setBank(FilterBank bank, const QString& spec, bool edited) {
  bank_ = std::make_shared<const FilterBank>(std::move(bank));
  bankEdited_ = edited;
  state_.recipe.stages.front().bank = spec.toStdString();
  Q_EMIT bankChanged();
  settingsChanged(true);
}

void Session::setSecondBank(FilterBank bank, const QString& spec) {
  then_ = std::make_shared<const FilterBank>(std::move(bank));
  auto& stages = state_.recipe.stages;
  stages.resize(2);
  stages[1].bank = spec.toStdString();
  if (stages[0].combine == Combine::ArgMax) stages[0].combine = Combine::None;  // an index cannot be filtered
  settingsChanged(true);
}

void Session::clearSecondBank() {
  then_.reset();
  if (state_.recipe.stages.size() < 2) return;
  state_.recipe.stages.resize(1);
  state_.recipe.stages[0].activation = Activation::None;
  settingsChanged(true);
}

void Session::setRecipe(const Recipe& recipe) {
  Recipe next = recipe;
  const auto& held = state_.recipe.stages;
  next.stages.resize(held.size());
  for (std::size_t i = 0; i < held.size(); ++i) next.stages[i].bank = held[i].bank;
  if (held.size() < 2) next.stages[0].activation = Activation::None;  // it stands between two banks
  if (next == state_.recipe) return;
  bool moved = next.channel != state_.recipe.channel;
  for (std::size_t i = 0; i < held.size(); ++i) moved |= next.stages[i].combine != held[i].combine;
  state_.recipe = next;
  settingsChanged(moved);
}

void Session::setThreads(int threads) {
  if (threads == state_.threads) return;
  state_.threads = threads;
  Q_EMIT recipeChanged();
}

void Session::settingsChanged(bool planesMoved) {
  patches_.clear();
  // Indices that now mean other planes must not show old pixels; everything else may until it is replaced.
  if (planesMoved) {
    store_.clear();
  } else {
    store_.outdate();
  }
  updatePlanes();
  Q_EMIT recipeChanged();
  Q_EMIT planesChanged();
  Q_EMIT resultsChanged();
  Q_EMIT panesChanged();
}

void Session::updatePlanes() {
  planes_.clear();
  channels_.clear();
  channelNote_.clear();
  channelError_.clear();
  if (picture_) {
    try {
      ImageSource whole(*picture_->image);
      const ChannelSelection selection = selectChannels(whole, picture_->info.channelNames,
                                                        state_.recipe.channel, bank_ ? bank_->channels() : 1);
      channels_ = selection.names;
      channelNote_ = QString::fromStdString(selection.note);
    } catch (const Error& error) {
      channelError_ = QString::fromUtf8(error.what());
    }
  }
  responses_ = 0;
  groups_ = channels_;
  const bool complete = bank_ && (state_.recipe.stages.size() < 2 || then_);
  if (complete) {
    try {
      const std::vector<std::string> names =
          channels_.empty() ? std::vector<std::string>(static_cast<std::size_t>(bank_->channels()))
                            : channels_;
      ResultPlanes result = resultPlanes(state_.recipe, runSettings().banks(), names);
      planes_ = std::move(result.planes);
      responses_ = result.responses;
      if (!channels_.empty()) groups_ = std::move(result.groups);
    } catch (const Error& error) {
      channelError_ = QString::fromUtf8(error.what());
    }
  }
  const int last = static_cast<int>(planes_.size()) - 1;
  if (last >= 0) state_.selectedPlane = std::clamp(state_.selectedPlane, 0, last);
}

void Session::setPanes(std::vector<PaneSpec> panes) {
  if (panes.empty() || panes == state_.panes) return;
  if (panes.size() > mostPanes) panes.resize(mostPanes);
  state_.panes = std::move(panes);
  if (state_.panes.size() < 2) state_.mode = CanvasMode::Grid;
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
  if (index < 0 || index >= static_cast<int>(planes_.size()) || index == state_.selectedPlane) return;
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
  return bank_ && !then_ && plane >= 0 && plane < responses_ ? plane % bank_->size() : -1;
}

QString Session::planeTitle(int plane) const {
  if (plane < 0 || plane >= static_cast<int>(planes_.size())) return {};
  const PlaneName& name = planes_[static_cast<std::size_t>(plane)];
  QString title = QString::fromStdString(name.label);
  if (perGroup() && name.channel < static_cast<int>(groups_.size())) {
    title = QString::fromStdString(groups_[static_cast<std::size_t>(name.channel)]) + " · " + title;
  }
  return title;
}

bool Session::perGroup() const {
  const auto& last = then_ ? then_ : bank_;
  return last && responses_ > last->size();
}

PlaneKey Session::keyOf(const PaneSpec& pane) const {
  const int plane = pane.index < 0 ? state_.selectedPlane : pane.index;
  const int last = std::max(0, static_cast<int>(planes_.size()) - 1);
  const int index = std::min(plane, last);
  if (pane.layer != Layer::Input) return {pane.layer, index};
  const bool perPlane = !then_ && perGroup() && index < static_cast<int>(planes_.size());
  return {Layer::Input, perPlane ? planes_[static_cast<std::size_t>(index)].channel : 0};
}

std::vector<PlaneKey> Session::missingPlanes() const {
  std::vector<PlaneKey> missing;
  if (!picture_ || !channelError_.isEmpty()) return missing;
  for (const PaneSpec& pane : state_.panes) {
    const PlaneKey key = keyOf(pane);
    if (key.layer != Layer::Input && planes_.empty()) continue;
    if (!store_.fresh(key) && std::find(missing.begin(), missing.end(), key) == missing.end())
      missing.push_back(key);
  }
  return missing;
}

std::map<PlaneKey, PlanePtr> Session::freshPlanes() const {
  std::map<PlaneKey, PlanePtr> planes;
  for (const PaneSpec& pane : state_.panes) {
    for (const Layer layer : {Layer::Output, Layer::OpenCv}) {
      const PlaneKey key{layer, keyOf({layer, pane.index}).index};
      if (!store_.fresh(key)) continue;
      if (const PlaneResult* held = store_.find(key); held && held->plane) planes[key] = held->plane;
    }
  }
  return planes;
}

const PlanePatch* Session::patch(const PlaneKey& key) const {
  const auto at = patches_.find(key);
  return at != patches_.end() && !store_.fresh(key) ? &at->second : nullptr;
}

void Session::addPatch(PlanePatch patch) {
  patches_[patch.key] = std::move(patch);
  Q_EMIT resultsChanged();
}

void Session::addResult(PlaneResult result) {
  patches_.erase(result.key);
  store_.add(std::move(result));
  Q_EMIT resultsChanged();
}

LevelGroup Session::groupOf(const PlaneKey& key, const Plane& plane) {
  switch (key.layer) {
    case Layer::Input: return LevelGroup::Input;
    case Layer::Difference: return LevelGroup::Difference;
    case Layer::Output:
    case Layer::OpenCv: break;
  }
  return plane.type() == ElementType::U16 ? LevelGroup::Index : LevelGroup::Response;
}

RenderStyle Session::styleFor(const PlaneKey& key) const {
  const PlaneResult* held = store_.find(key);
  RenderStyle style;
  const PlanePatch* part = held == nullptr ? patch(key) : nullptr;
  if (part == nullptr && (held == nullptr || held->plane == nullptr)) return style;
  const Plane* const own = part != nullptr ? part->plane.get() : held->plane.get();
  const Plane* plane = own;
  const LevelGroup group = groupOf(key, *plane);
  const LevelSetting& setting = levels(group);
  style.map = setting.map;
  style.tolerance = group == LevelGroup::Difference ? setting.tolerance : 0;
  style.levels = setting.manual;
  if (!setting.automatic) return style;
  // Our output and OpenCV's of one filter are looked at with the same eyes: ours sets the levels.
  if (group == LevelGroup::Response) {
    const PlaneKey output{Layer::Output, key.index};
    const PlaneResult* ours = store_.find(output);
    if (ours != nullptr && ours->plane != nullptr) {
      plane = ours->plane.get();
    } else if (const PlanePatch* oursSoFar = ours == nullptr ? patch(output) : nullptr) {
      plane = oursSoFar->plane.get();
    }
  }
  const PlaneKey from = plane != own ? PlaneKey{Layer::Output, key.index} : key;
  const Histogram& histogram = histogramOf(from, *plane);
  switch (group) {
    case LevelGroup::Input:
      style.levels = plane->type() == ElementType::U8
                         ? Levels{0, 255}
                         : Levels{histogram.percentile(0.001), histogram.percentile(0.999)};
      break;
    case LevelGroup::Response:
      style.levels = {histogram.percentile(0.002), histogram.percentile(0.998)};
      break;
    case LevelGroup::Index:
      style.levels = {0, static_cast<float>(std::max(1, bank_ ? bank_->size() - 1 : 1))};
      break;
    case LevelGroup::Difference: {
      const float most = std::max(std::fabs(histogram.low), std::fabs(histogram.high));
      const float limit = histogram.total > 0 && most > 0 ? most : 1.0f;
      style.levels = {-limit, limit};
      break;
    }
  }
  if (style.levels.low == style.levels.high) style.levels.high += 1;
  return style;
}

RunSettings Session::runSettings() const {
  return {picture_, bank_, then_, state_.recipe, state_.threads, visible_, freshPlanes()};
}

}  // namespace bankside::window
