/// What the panes paint, and with which levels.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "gui/window/session/session.h"

namespace bankside::window {

Session::Shown Session::earlierOf(const Shown& now, const PicturePtr& picture) {
  return {now.plane, now.style, Shown::Age::Earlier, nameOf(picture), fileOf(picture)};
}

void Session::keepShown() {
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    const Shown now = shown(static_cast<int>(i));
    if (now.plane && now.age == Shown::Age::Present)
      kept_[i] = earlierOf(now, pictureOf(keyOf(state_.panes[i]).branch));
    if (i >= state_.panes.size()) kept_[i] = {};
  }
  keptOverlay_ = overlay();
}

bool Session::showsInput() const {
  return std::any_of(state_.panes.begin(), state_.panes.end(), [](const PaneSpec& pane) {
    return pane.layer == Layer::Input && pane.branch.follows();
  });
}

Session::Overlay Session::overlay() const {
  if (!picture_ || state_.overlay <= 0) return {};
  const PlaneKey key = keyOf({Layer::Output});
  const PlaneResult* held = result(key);
  if (held == nullptr && !list_.error.isEmpty()) return {};  // nothing is to come
  if (held == nullptr) {
    Overlay before = keptOverlay_;
    before.cover.opacity = state_.overlay;
    return before;
  }
  const bool fits = held->plane && held->plane->width() == picture_->info.width &&
                    held->plane->height() == picture_->info.height;
  if (!fits) return {};
  // Numbers of filters have no strength.
  const bool numbers = groupOf(key, *held->plane) == LevelGroup::Index;
  return {held->plane, styleFor(key), {state_.overlay, numbers}, planeTitle(key)};
}

void Session::setColors(bool on) {
  if (on == state_.colors) return;
  state_.colors = on;
  Q_EMIT panesChanged();
}

void Session::setOverlay(double opacity) {
  opacity = std::clamp(opacity, 0.0, 1.0);
  if (opacity == state_.overlay) return;
  const bool another = opacity == 0 || state_.overlay == 0;
  state_.overlay = opacity;
  if (another) {
    Q_EMIT panesChanged();
  } else {
    Q_EMIT levelsChanged();
  }
}

bool Session::photographMissing() const {
  return state_.colors && picture_ && !photograph_ && showsInput() && isColored(*picture_);
}

void Session::setPhotograph(const PicturePtr& of, Photograph photograph) {
  if (of != picture_) return;
  photograph_ = std::move(photograph);
  Q_EMIT resultsChanged();
}

Session::Shown Session::shown(int pane) const {
  using Age = Shown::Age;
  const auto index = static_cast<std::size_t>(pane);
  if (!picture_ || index >= state_.panes.size()) return {};
  const PlaneKey key = keyOf(state_.panes[index]);
  const bool present = fresh(key);
  const PlaneResult* held = result(key);
  if (held != nullptr && held->plane)
    return {held->plane, styleFor(key), present ? Age::Present : Age::Earlier, {}};
  if (held != nullptr && present) return {};  // its sentence stands there
  const Shown& before = kept_[index];
  const PicturePtr& picture = pictureOf(key.branch);
  if (before.plane && picture && before.plane->width() == picture->info.width &&
      before.plane->height() == picture->info.height) {
    Shown earlier = before;
    if (before.file == fileOf(picture)) {
      earlier.of.clear();
    } else if (earlier.of == nameOf(picture)) {
      const std::filesystem::path& file = before.file.first;
      earlier.of = QString::fromStdString((file.parent_path().filename() / file.filename()).string());
    }
    return earlier;
  }
  PlaneKey input = keyOf({Layer::Input, state_.panes[index].index, state_.panes[index].branch});
  const PlaneResult* instead = store_.find(input);
  if (instead == nullptr && picture == picture_) {  // as the panels have it
    input = keyOf({Layer::Input, -1, {}});
    instead = store_.find(input);
  }
  if (instead == nullptr || !instead->plane) return {};
  return {instead->plane, styleFor(input), Age::Instead, {}};
}

std::pair<std::filesystem::path, int> Session::fileOf(const PicturePtr& picture) {
  if (!picture) return {};
  return {picture->path, picture->page};
}

QString Session::nameOf(const PicturePtr& picture) {
  if (!picture) return {};
  const QString name = QString::fromStdString(picture->path.filename().string());
  return picture->page == 0 ? name : tr("page %1 of %2").arg(picture->page + 1).arg(name);
}

const PlanePatch* Session::patch(const PlaneKey& key) const {
  const auto at = patches_.find(key);
  if (at == patches_.end()) return nullptr;
  const PlaneResult* whole = store_.fresh(key) ? store_.find(key) : nullptr;
  return whole == nullptr || (whole->plane && !whole->plane->whole()) ? &at->second : nullptr;
}

void Session::addPatch(PlanePatch patch) {
  if (patch.key.branch != 0 && branch(patch.key.branch) == nullptr) return;  // nobody shows it any more
  if (picture_ && !picture_->image) {
    // No whole plane comes to replace them: parts that are not on show must not be kept alive from here.
    std::erase_if(patches_, [&](const auto& entry) {
      return std::none_of(state_.panes.begin(), state_.panes.end(),
                          [&](const PaneSpec& pane) { return keyOf(pane) == entry.first; });
    });
  }
  patches_[patch.key] = std::move(patch);
  Q_EMIT resultsChanged();
}

void Session::addResult(PlaneResult result) {
  if (result.key.branch != 0 && branch(result.key.branch) == nullptr) return;  // nobody shows it any more
  hold(std::move(result));
  Q_EMIT resultsChanged();
}

void Session::hold(PlaneResult result) {
  if (!result.plane || result.plane->whole()) patches_.erase(result.key);
  for (std::size_t i = 0; i < state_.panes.size(); ++i) {
    if (keyOf(state_.panes[i]) == result.key) kept_[i] = {};
  }
  store_.add(std::move(result));
}

void Session::setVisible(const Region& area, int level) {
  if (area == visible_ && level == visibleLevel_) return;
  visible_ = area;
  visibleLevel_ = level;
  if (picture_ && !picture_->image) Q_EMIT visibleChanged();
}

std::vector<PlaneKey> Session::missingParts() const {
  std::vector<PlaneKey> missing;
  if (!picture_ || picture_->image || visibleLevel_ >= picture_->finest || visible_ == Region())
    return missing;
  for (const PaneSpec& pane : state_.panes) {
    const PlaneKey key = keyOf(pane);
    if (key.layer == Layer::Kept || pictureOf(key.branch) != picture_ || !branchReady(key.branch)) continue;
    if (key.layer != Layer::Input && (list(key.branch).planes.empty() || !list(key.branch).error.isEmpty()))
      continue;
    const auto held = patches_.find(key);
    const bool seen = held != patches_.end() && held->second.area == visible_;
    if (!seen && std::find(missing.begin(), missing.end(), key) == missing.end()) missing.push_back(key);
  }
  return missing;
}

std::optional<float> Session::valueAt(const PlaneKey& key, int x, int y) const {
  const PlaneResult* held = result(key);
  if (held != nullptr && held->plane && held->plane->whole()) {
    const bool inside = x >= 0 && y >= 0 && x < held->plane->width() && y < held->plane->height();
    return inside ? std::optional(held->plane->value(x, y)) : std::nullopt;
  }
  const PlanePatch* part = patch(key);
  if (part == nullptr) return std::nullopt;
  const Region& area = part->area;
  const bool inside = x >= area.x && y >= area.y && x < area.x + area.width && y < area.y + area.height;
  return inside ? std::optional(part->plane->value(x - area.x, y - area.y)) : std::nullopt;
}

void Session::setStopped(bool stopped) {
  if (stopped == stopped_) return;
  stopped_ = stopped;
  Q_EMIT resultsChanged();
}

void Session::setSteps(const Recipe& recipe, std::vector<FilterBank> banks) {
  keepShown();
  if (recipe != state_.recipe) {  // else it is that of the session that goes on
    forgetThresholds();
    state_.alone.channel.reset();  // the recipe's is for all
  }
  if (!state_.recipe.ofMaps()) combineBefore_ = state_.recipe.stages.back().combine;
  bank_.reset();
  then_.reset();
  bankEdited_ = false;
  stepBanks_ = std::make_shared<const std::vector<FilterBank>>(std::move(banks));
  state_.recipe = recipe;
  Q_EMIT bankChanged();
  settingsChanged(true);
}

double Session::recipeScale(int branch) const {
  for (const RecipeStep& step : recipeOf(branch).steps) {
    if (step.operation && step.operation->arguments.contains("scale")) return step.operation->number("scale");
  }
  return 0;
}

void Session::setScale(double pixelsPerDegree) {
  if (pixelsPerDegree == state_.pixelsPerDegree) return;
  keepShown();
  state_.pixelsPerDegree = pixelsPerDegree;
  store_.outdate([this](const PlaneKey& key) {
    return key.layer != Layer::Input && recipeOf(key.branch).ofMaps();  // what is filtered has no scale
  });
  listBranches(true, true);
  if (state_.recipe.ofMaps()) return settingsChanged(false);
  const bool ofBranch = std::any_of(branches_.all().begin(), branches_.all().end(),
                                    [this](const auto& entry) { return recipeOf(entry.first).ofMaps(); });
  if (ofBranch) Q_EMIT recipeChanged();  // what is under way has the old scale
  Q_EMIT panesChanged();
}

void Session::setScaleOf(const QString& imagePath, double pixelsPerDegree) {
  state_.endAlone(imagePath);
  state_.alone.imagePath = imagePath;
  if (!state_.alone.pixelsPerDegree) state_.alone.pixelsPerDegree = state_.pixelsPerDegree;
  setScale(pixelsPerDegree);
}

void Session::setChannelHere(ChannelChoice channel) {
  const ChannelChoice before = state_.alone.channel.value_or(state_.recipe.channel);
  Recipe recipe = state_.recipe;
  recipe.channel = channel;
  setRecipe(recipe);
  state_.alone.imagePath = state_.imagePath;
  state_.alone.channel = before;
}

LevelGroup Session::groupOf(const PlaneKey& key, const Plane& plane) const {
  switch (key.layer) {
    case Layer::Kept:
      if (const KeptResult* kept = keptResults_.find(key.index)) return groupOf(kept->result.key, plane);
      break;
    case Layer::Input: return LevelGroup::Input;
    case Layer::Difference: return LevelGroup::Difference;
    case Layer::Output:
    case Layer::OpenCv: break;
  }
  return plane.type() == ElementType::U16 ? LevelGroup::Index : LevelGroup::Response;
}

PlaneKey Session::levelsFrom(const PlaneKey& key) const {
  // Our output and OpenCV's of one filter are looked at with the same eyes: ours sets the levels.
  if (key.layer != Layer::OpenCv || key.branch != 0) return key;
  const PlaneKey ours{Layer::Output, key.index};
  const PlaneResult* held = result(ours);
  const bool there = held != nullptr ? held->plane != nullptr : patch(ours) != nullptr;
  return there ? ours : key;
}

Levels Session::responseLevels(const PlaneKey& key, const Plane& own) const {
  std::optional<Levels> all;
  const auto add = [&](const PlaneKey& of) {
    const PlaneResult* held = result(of);
    const PlanePatch* part = held == nullptr ? patch(of) : nullptr;
    const Plane* plane = part != nullptr ? part->plane.get() : held != nullptr ? held->plane.get() : nullptr;
    if (plane == nullptr || groupOf(of, *plane) != LevelGroup::Response) return;
    const Histogram& histogram = histogramOf(of, *plane);
    const Levels each{histogram.percentile(0.002), histogram.percentile(0.998)};
    all = all ? Levels{std::min(all->low, each.low), std::max(all->high, each.high)} : each;
  };
  if (!levels(LevelGroup::Response).own) {
    add(levelsFrom(key));
    for (const PaneSpec& pane : state_.panes) {
      if (const PlaneKey other = levelsFrom(keyOf(pane)); other != levelsFrom(key)) add(other);
    }
  }
  if (all) return *all;
  const Histogram& histogram = histogramOf(key, own);
  return {histogram.percentile(0.002), histogram.percentile(0.998)};
}

RenderStyle Session::styleFor(const PlaneKey& key) const {
  const PlaneResult* held = result(key);
  RenderStyle style;
  const PlanePatch* part = held == nullptr ? patch(key) : nullptr;
  if (part == nullptr && (held == nullptr || held->plane == nullptr)) return style;
  const Plane* const plane = part != nullptr ? part->plane.get() : held->plane.get();
  const LevelGroup group = groupOf(key, *plane);
  const LevelSetting& setting = levels(group);
  style.map = setting.map;
  style.tolerance = group == LevelGroup::Difference ? setting.tolerance : 0;
  // What is mere rounding has no colour, unless somebody wants to see it.
  if (setting.automatic && held != nullptr && held->verdict)
    style.tolerance = std::max(style.tolerance, held->verdict->tolerance);
  style.levels = setting.manual;
  if (!setting.automatic) return style;
  const Histogram& histogram = histogramOf(key, *plane);
  const Branches::Entry* other = branch(key.branch);
  const auto& bank = other != nullptr && other->branch.recipe ? other->content.bank : bank_;
  switch (group) {
    case LevelGroup::Input:
      style.levels = plane->type() == ElementType::U8
                         ? Levels{0, 255}
                         : Levels{histogram.percentile(0.001), histogram.percentile(0.999)};
      break;
    case LevelGroup::Response: style.levels = responseLevels(key, *plane); break;
    case LevelGroup::Index:
      style.levels = {0, static_cast<float>(std::max(1, (bank ? bank->size() : 1) - 1))};
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

}  // namespace bankside::window
