/// What the window remembers from one start to the next, and what decides what it shows. A plain value.
#pragma once

#include <QJsonObject>
#include <QPoint>
#include <QString>
#include <QStringList>
#include <array>
#include <optional>
#include <vector>

#include "core/run/recipe.h"
#include "gui/window/compute/plane_renderer.h"
#include "gui/window/compute/region.h"
#include "gui/window/compute/work.h"

namespace bankside::window {

/// What a pane keeps to whatever the panels are set to: a recipe, a picture, or both. What it does not keep
/// to follows them.
struct Branch {
  std::optional<Recipe> recipe;  ///< with edited filters inside
  QString imagePath;
  int page = 0;
  bool follows() const { return !recipe && imagePath.isEmpty(); }
  bool operator==(const Branch&) const = default;
};

/// What one pane shows. `index` -1 follows the selected plane; of a kept result it is the number.
struct PaneSpec {
  Layer layer = Layer::Input;
  int index = -1;
  Branch branch = {};
  bool operator==(const PaneSpec&) const = default;
};

/// Panes side by side; or the two that are compared in one pane, parted by a line that can be dragged.
enum class CanvasMode { Grid, Swipe };

/// Planes whose values are of one kind share levels, so that what looks alike is alike.
enum class LevelGroup { Input, Response, Index, Difference };
inline constexpr int levelGroups = 4;

struct LevelSetting {
  bool automatic = true;
  Levels manual;
  ColorMap map = ColorMap::Grey;
  float tolerance = 0;  ///< differences only
  bool own = false;     ///< automatic levels of each plane's own values, not one for all that are alike
  bool operator==(const LevelSetting&) const = default;
};

/// The visible part, common to all panes.
struct View {
  bool fit = true;
  double zoom = 1;  ///< device-independent pixels an image pixel
  double centerX = 0;
  double centerY = 0;
  bool operator==(const View&) const = default;
};

/// Manual vessels that our output is held against.
struct TruthSpec {
  QString file;                    ///< empty: none
  std::optional<float> threshold;  ///< nothing: the one with the best MCC, whatever that is
  bool shown = true;               ///< found, missed and false, over the panes
  double opacity = 1;              ///< of them, 0..1
  bool operator==(const TruthSpec&) const = default;
};

/// What was set for one picture alone, and what others have again.
struct OnePicture {
  QString imagePath;  ///< that picture; empty: there is no such thing
  std::optional<ChannelChoice> channel;
  std::optional<double> pixelsPerDegree;
  bool operator==(const OnePicture&) const = default;
};

struct SessionState {
  QString imagePath;
  int page = 0;
  Recipe recipe;
  double pixelsPerDegree = 0;  ///< of the pictures, for recipes that are written for a scale; 0: nobody said
  OnePicture alone;
  int threads = 0;
  int selectedPlane = 0;
  std::vector<PaneSpec> panes = {{Layer::Input}, {Layer::Output}};
  std::array<int, 2> compared = {0, 1};  ///< the panes that are measured, swiped and blinked between
  CanvasMode mode = CanvasMode::Grid;
  double swipe = 0.5;
  View view;
  std::array<LevelSetting, levelGroups> levels;
  bool colors = false;  ///< the input as the photograph that it is of, where that has colours
  double overlay = 0;   ///< opacity of the selected plane of our output over the input, 0..1
  std::optional<QPoint> pixel;
  RegionSpec region;
  TruthSpec truth;
  QStringList recent;

  SessionState();
  /// Manual vessels are one picture's: with another they go.
  void setImage(const QString& path, int ofPage);
  /// Another picture comes: what was set for one alone ends. Whether the settings are others now.
  bool endAlone(const QString& path);
};

inline constexpr int mostPanes = 4;
inline constexpr int mostRecent = 10;

QJsonObject toJson(const SessionState& state);
/// What cannot be read keeps its default: a session is a convenience, never a reason not to start.
SessionState sessionFromJson(const QJsonObject& json);

}  // namespace bankside::window
