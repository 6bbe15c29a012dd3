#include "gui/window/session/session_state.h"

#include <QJsonArray>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"

namespace bankside::window {
namespace {

QJsonObject toJson(const LevelSetting& setting) {
  return {{"automatic", setting.automatic}, {"low", setting.manual.low},      {"high", setting.manual.high},
          {"map", toString(setting.map)},   {"tolerance", setting.tolerance}, {"own", setting.own}};
}

float finiteOr(const QJsonValue& value, float otherwise) {
  const double number = value.toDouble(otherwise);
  return std::isfinite(number) ? static_cast<float>(number) : otherwise;
}

LevelSetting levelFromJson(const QJsonObject& json, LevelSetting setting) {
  setting.automatic = json["automatic"].toBool(setting.automatic);
  setting.manual.low = finiteOr(json["low"], setting.manual.low);
  setting.manual.high = finiteOr(json["high"], setting.manual.high);
  setting.tolerance = std::max(0.0f, finiteOr(json["tolerance"], setting.tolerance));
  setting.own = json["own"].toBool(setting.own);
  setting.map = parseColorMap(json["map"].toString().toStdString()).value_or(setting.map);
  return setting;
}

/// What was kept and cannot be made again is gone at the next start: in its place stands what no pane shows,
/// the input first.
std::vector<PaneSpec> withoutKept(std::vector<PaneSpec> panes) {
  for (PaneSpec& each : panes) {
    if (each.layer != Layer::Kept) continue;
    const bool input = std::any_of(panes.begin(), panes.end(),
                                   [](const PaneSpec& pane) { return pane.layer == Layer::Input; });
    each = {input ? Layer::Output : Layer::Input};
  }
  return panes;
}

std::optional<Recipe> recipeFromJson(const QJsonValue& json) {
  try {
    Recipe recipe = parseRecipe(json.toString().toStdString(), "session");
    if (recipe.stages.size() <= 2) return recipe;  // the window shows no more
  } catch (const Error&) {
    return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

SessionState::SessionState() {
  recipe.stages.front().bank = "sobel";
  levels[static_cast<std::size_t>(LevelGroup::Index)].map = ColorMap::Viridis;
  levels[static_cast<std::size_t>(LevelGroup::Difference)].map = ColorMap::BlueWhiteRed;
}

void SessionState::setImage(const QString& path, int ofPage) {
  if (path != imagePath) truth.file.clear();
  imagePath = path;
  page = ofPage;
}

bool SessionState::endAlone(const QString& path) {
  if (alone.imagePath.isEmpty() || alone.imagePath == path || imagePath == path) return false;
  const OnePicture ended = std::exchange(alone, {});
  if (ended.channel) recipe.channel = *ended.channel;
  if (ended.pixelsPerDegree) pixelsPerDegree = *ended.pixelsPerDegree;
  return true;
}

QJsonObject toJson(const SessionState& state) {
  QJsonArray panes;
  for (const PaneSpec& pane : withoutKept(state.panes)) {
    QJsonObject json{{"layer", toString(pane.layer)}, {"plane", pane.index}};
    if (pane.branch.recipe) json["recipe"] = QString::fromStdString(writeRecipe(*pane.branch.recipe));
    if (!pane.branch.imagePath.isEmpty()) {
      json["image"] = pane.branch.imagePath;
      json["page"] = pane.branch.page;
    }
    panes.append(json);
  }
  QJsonArray levels;
  for (const LevelSetting& setting : state.levels) levels.append(toJson(setting));
  QJsonObject json{{"version", 1},
                   {"image", state.imagePath},
                   {"page", state.page},
                   {"recipe", QString::fromStdString(writeRecipe(state.recipe))},
                   {"pixelsPerDegree", state.pixelsPerDegree},
                   {"threads", state.threads},
                   {"plane", state.selectedPlane},
                   {"panes", panes},
                   {"compared", QJsonArray{state.compared[0], state.compared[1]}},
                   {"swipeMode", state.mode == CanvasMode::Swipe},
                   {"swipe", state.swipe},
                   {"fit", state.view.fit},
                   {"zoom", state.view.zoom},
                   {"centerX", state.view.centerX},
                   {"centerY", state.view.centerY},
                   {"levels", levels},
                   {"colors", state.colors},
                   {"overlay", state.overlay},
                   {"recent", QJsonArray::fromStringList(state.recent)}};
  const RegionSpec& region = state.region;
  json["region"] = QJsonObject{{"kind", toString(region.kind)},
                               {"bounds", QJsonArray{region.x, region.y, region.width, region.height}},
                               {"file", QString::fromStdString(region.file)}};
  QJsonObject truth{
      {"file", state.truth.file}, {"shown", state.truth.shown}, {"opacity", state.truth.opacity}};
  if (state.truth.threshold) truth["threshold"] = *state.truth.threshold;
  json["truth"] = truth;
  QJsonObject alone{{"image", state.alone.imagePath}};
  if (state.alone.channel) alone["channel"] = toString(*state.alone.channel);
  if (state.alone.pixelsPerDegree) alone["pixelsPerDegree"] = *state.alone.pixelsPerDegree;
  json["alone"] = alone;
  if (state.pixel) json["pixel"] = QJsonArray{state.pixel->x(), state.pixel->y()};
  return json;
}

SessionState sessionFromJson(const QJsonObject& json) {
  SessionState state;
  state.imagePath = json["image"].toString();
  state.page = std::max(0, json["page"].toInt());
  if (const auto recipe = recipeFromJson(json["recipe"])) state.recipe = *recipe;
  state.pixelsPerDegree = std::clamp(json["pixelsPerDegree"].toDouble(), 0.0, 10000.0);
  state.threads = std::max(0, json["threads"].toInt());
  state.selectedPlane = std::max(0, json["plane"].toInt());
  const QJsonArray panes = json["panes"].toArray();
  if (!panes.isEmpty() && panes.size() <= mostPanes) {
    state.panes.clear();
    for (const auto& value : panes) {
      const QJsonObject pane = value.toObject();
      Branch branch{{}, pane["image"].toString(), std::max(0, pane["page"].toInt())};
      if (pane.contains("recipe")) branch.recipe = recipeFromJson(pane["recipe"]);
      state.panes.push_back({parseLayer(pane["layer"].toString().toStdString()).value_or(Layer::Input),
                             std::max(-1, pane["plane"].toInt(-1)), branch});
    }
  }
  const QJsonArray compared = json["compared"].toArray();
  for (int i = 0; i < 2 && compared.size() == 2; ++i) {
    state.compared[static_cast<std::size_t>(i)] = std::clamp(compared[i].toInt(), 0, mostPanes - 1);
  }
  state.mode = json["swipeMode"].toBool() && state.panes.size() > 1 ? CanvasMode::Swipe : CanvasMode::Grid;
  state.swipe = std::clamp(json["swipe"].toDouble(0.5), 0.0, 1.0);
  state.view.fit = json["fit"].toBool(true);
  state.view.zoom = std::clamp(json["zoom"].toDouble(1), 1e-3, 256.0);
  state.view.centerX = finiteOr(json["centerX"], 0);
  state.view.centerY = finiteOr(json["centerY"], 0);
  const QJsonArray levels = json["levels"].toArray();
  for (int i = 0; i < std::min<int>(levelGroups, static_cast<int>(levels.size())); ++i) {
    auto& setting = state.levels[static_cast<std::size_t>(i)];
    setting = levelFromJson(levels[i].toObject(), setting);
  }
  state.colors = json["colors"].toBool();
  state.overlay = std::clamp(finiteOr(json["overlay"], 0), 0.0f, 1.0f);
  const QJsonArray pixel = json["pixel"].toArray();
  if (pixel.size() == 2) state.pixel = QPoint(pixel[0].toInt(), pixel[1].toInt());
  const QJsonObject region = json["region"].toObject();
  state.region.kind = parseRegionKind(region["kind"].toString().toStdString()).value_or(RegionKind::Whole);
  state.region.file = region["file"].toString().toStdString();
  if (const QJsonArray bounds = region["bounds"].toArray(); bounds.size() == 4) {
    int* const into[] = {&state.region.x, &state.region.y, &state.region.width, &state.region.height};
    for (int i = 0; i < 4; ++i) *into[i] = bounds[i].toInt();
  }
  const QJsonObject truth = json["truth"].toObject();
  state.truth.file = truth["file"].toString();
  state.truth.shown = truth["shown"].toBool(true);
  state.truth.opacity = std::clamp(truth["opacity"].toDouble(1), 0.0, 1.0);
  if (truth["threshold"].isDouble()) state.truth.threshold = finiteOr(truth["threshold"], 0);
  const QJsonObject alone = json["alone"].toObject();
  state.alone.imagePath = alone["image"].toString();
  state.alone.channel = parseChannelChoice(alone["channel"].toString().toStdString());
  if (alone["pixelsPerDegree"].isDouble())
    state.alone.pixelsPerDegree = std::clamp(alone["pixelsPerDegree"].toDouble(), 0.0, 10000.0);
  for (const auto& value : json["recent"].toArray()) {
    if (state.recent.size() < mostRecent) state.recent.append(value.toString());
  }
  return state;
}

}  // namespace bankside::window
