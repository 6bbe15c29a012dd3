#include "gui/window/session/setup_change.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <algorithm>
#include <cmath>

#include "gui/window/compute/layer_title.h"
#include "gui/window/compute/value_text.h"
#include "gui/window/session/branches.h"
#include "gui/window/session/travelling_recipe.h"

namespace bankside::window {
namespace {

QString changeText(const char* text) { return QCoreApplication::translate("SetupChange", text); }

QString nameOf(const std::string& spec) { return QFileInfo(QString::fromStdString(spec)).fileName(); }

/// "gaussian:sigma=2,size=9" as its name and its parameters.
QStringList parameters(const std::string& spec) {
  QStringList parts = QString::fromStdString(spec).split(QLatin1Char(':'));
  const QStringList list = parts.size() > 1 ? parts[1].split(QLatin1Char(',')) : QStringList();
  return QStringList(parts[0]) + list;
}

/// The bank whose one parameter was turned, with that parameter; empty if it is another bank.
QString turnedParameter(const std::string& before, const std::string& after) {
  QStringList a = parameters(before);
  QStringList b = parameters(after);
  if (a.isEmpty() || b.isEmpty() || a[0] != b[0]) return {};
  const QString bank = a[0];
  const auto names = [&](const QStringList& of, const QStringList& but) {
    QStringList changed;
    for (const QString& each : of) {
      if (!but.contains(each)) changed << each.section(QLatin1Char('='), 0, 0);
    }
    return changed;
  };
  QStringList changed = names(a, b) + names(b, a);
  changed.removeDuplicates();
  return changed.size() == 1 ? bank + QLatin1Char('/') + changed[0] : QString();
}

SetupChange bankChange(const Setup& before, const Setup& after) {
  const auto& from = before.state.recipe;
  const auto& to = after.state.recipe;
  if (to.ofMaps() && (!from.ofMaps() || before.stepBanks != after.stepBanks || from.steps != to.steps)) {
    return {to.title.empty() ? changeText("Recipe")
                             : changeText("Recipe “%1”").arg(QString::fromStdString(to.title)),
            {}};
  }
  const std::string& spec = to.stages.front().bank;
  if (after.bankEdited && before.bank != after.bank) return {changeText("Edited filters"), {}};
  if (before.bank != after.bank || from.stages.front().bank != spec) {
    const QString name = spec.empty() ? changeText("Bank") : changeText("Bank %1").arg(bankTitle(spec));
    return {name,
            from.ofMaps() || before.bankEdited ? QString() : turnedParameter(from.stages.front().bank, spec)};
  }
  if (before.then == after.then) return {};
  if (!after.then) return {changeText("No second bank"), {}};
  const std::string& second = to.stages.back().bank;
  return {changeText("Second bank %1").arg(bankTitle(second)),
          from.stages.size() > 1 ? turnedParameter(from.stages.back().bank, second) : QString()};
}

SetupChange recipeChange(const Setup& before, const Setup& after) {
  const Recipe& a = before.state.recipe;
  const Recipe& b = after.state.recipe;
  const auto named = [](const QString& what, const char* value) {
    return SetupChange{QStringLiteral("%1: %2").arg(what, QLatin1String(value)), {}};
  };
  if (a.channel != b.channel) return named(changeText("Channel"), toString(b.channel));
  for (std::size_t i = 0; i < std::min(a.stages.size(), b.stages.size()); ++i) {
    const Stage& from = a.stages[i];
    const Stage& to = b.stages[i];
    if (from.combine != to.combine) return named(changeText("Combine"), toString(to.combine));
    if (from.mode != to.mode) return {changeText("Mode"), {}};
    if (from.activation != to.activation)
      return named(changeText("Between the banks"), toString(to.activation));
  }
  if (a.border != b.border)
    return {changeText("Border: %1").arg(QString::fromStdString(format(b.border))),
            a.border.kind == b.border.kind ? QStringLiteral("border") : QString()};
  if (a.engine != b.engine) return named(changeText("Engine"), b.engine.c_str());
  if (a.precision != b.precision) return named(changeText("Precision"), toString(b.precision));
  if (a != b) return {changeText("What is exported"), {}};
  if (before.state.pixelsPerDegree != after.state.pixelsPerDegree)
    return {changeText("%1 pixels per degree").arg(shortValueText(after.state.pixelsPerDegree, 5)),
            QStringLiteral("scale")};
  if (before.state.threads != after.state.threads)
    return {after.state.threads == 0 ? changeText("All threads")
                                     : changeText("Threads: %1").arg(after.state.threads),
            QStringLiteral("threads")};
  return {};
}

SetupChange regionChange(const RegionSpec& from, const RegionSpec& to) {
  switch (to.kind) {
    case RegionKind::Whole: return {changeText("No region"), {}};
    case RegionKind::FieldOfView: return {changeText("Region: field of view"), {}};
    case RegionKind::File: return {changeText("Region from %1").arg(nameOf(to.file)), {}};
    case RegionKind::Rectangle: return {changeText("Region: rectangle"), QStringLiteral("region/rectangle")};
    case RegionKind::Ellipse: return {changeText("Region: ellipse"), QStringLiteral("region/ellipse")};
  }
  return {from == to ? QString() : changeText("Region"), {}};
}

SetupChange truthChange(const TruthSpec& from, const TruthSpec& to) {
  if (from.file != to.file)
    return {to.file.isEmpty() ? changeText("No manual vessels")
                              : changeText("Manual vessels %1").arg(nameOf(to.file.toStdString())),
            {}};
  if (from.threshold != to.threshold)
    return {to.threshold ? changeText("Threshold %1").arg(shortValueText(*to.threshold, 4))
                         : changeText("Best threshold"),
            QStringLiteral("truth/threshold")};
  if (from.shown != to.shown)
    return {
        to.shown ? changeText("Found, missed and false shown") : changeText("Found, missed and false hidden"),
        {}};
  return {changeText("Found, missed and false: %1 %").arg(std::lround(100 * to.opacity)),
          QStringLiteral("truth/opacity")};
}

SetupChange branchChange(int pane, const Branch& after) {
  if (after.follows()) return {changeText("Pane %1 follows the panels").arg(pane + 1), {}};
  return {changeText("Pane %1 keeps to %2").arg(pane + 1).arg(branchTitle(after)), {}};
}

SetupChange shownChange(const SessionState& before, const SessionState& after) {
  if (before.mode != after.mode)
    return {after.mode == CanvasMode::Swipe ? changeText("Swipe") : changeText("Panes side by side"), {}};
  if (before.panes.size() != after.panes.size()) return {changeText("Panes: %1").arg(after.panes.size()), {}};
  for (std::size_t i = 0; i < after.panes.size(); ++i) {
    if (before.panes[i].branch != after.panes[i].branch)
      return branchChange(static_cast<int>(i), after.panes[i].branch);
    if (before.panes[i] != after.panes[i])
      return {changeText("Pane %1: %2").arg(i + 1).arg(layerTitle(after.panes[i].layer)), {}};
  }
  if (before.compared != after.compared)
    return {changeText("Compare panes %1 and %2").arg(after.compared[0] + 1).arg(after.compared[1] + 1), {}};
  for (std::size_t i = 0; i < before.levels.size(); ++i) {
    if (before.levels[i] != after.levels[i])
      return {changeText("Contrast"), QStringLiteral("levels/%1").arg(i)};
  }
  if (before.colors != after.colors)
    return {after.colors ? changeText("Input in colour") : changeText("Input as it is filtered"), {}};
  if (before.overlay != after.overlay)
    return {changeText("Response over the input: %1 %").arg(std::lround(100 * after.overlay)),
            QStringLiteral("overlay")};
  return {changeText("Another filter shown"), QStringLiteral("plane")};
}

}  // namespace

SetupChange changeBetween(const Setup& before, const Setup& after) {
  const SessionState& a = before.state;
  const SessionState& b = after.state;
  if (a.imagePath != b.imagePath)
    return {b.imagePath.isEmpty() ? changeText("Start page")
                                  : changeText("Picture %1").arg(nameOf(b.imagePath.toStdString())),
            {}};
  if (a.page != b.page) return {changeText("Page %1").arg(b.page + 1), {}};
  if (const SetupChange bank = bankChange(before, after); !bank.title.isEmpty()) return bank;
  if (const SetupChange recipe = recipeChange(before, after); !recipe.title.isEmpty()) return recipe;
  if (a.region != b.region) return regionChange(a.region, b.region);
  if (a.truth != b.truth) return truthChange(a.truth, b.truth);
  return shownChange(a, b);
}

}  // namespace bankside::window
