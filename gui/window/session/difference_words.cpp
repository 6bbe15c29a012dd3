#include "gui/window/session/difference_words.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <algorithm>

#include "gui/window/compute/value_text.h"

namespace bankside::window {
namespace {

QString differenceText(const char* text) { return QCoreApplication::translate("DifferenceWords", text); }

QString pictureOf(const SessionState& state) {
  const QString name = QFileInfo(state.imagePath).fileName();
  return state.page == 0 ? name : differenceText("%1, page %2").arg(name).arg(state.page + 1);
}

bool samePicture(const SessionState& a, const SessionState& b) {
  return a.imagePath == b.imagePath && a.page == b.page;
}

bool sameTaps(const std::shared_ptr<const FilterBank>& a, const std::shared_ptr<const FilterBank>& b) {
  return a == b || (a && b && a->contentHash() == b->contentHash());
}

bool sameFilters(const Setup& a, const Setup& b) {
  const bool ofMaps = a.state.recipe.ofMaps();
  if (ofMaps != b.state.recipe.ofMaps()) return false;
  if (ofMaps) {
    const auto banksOf = [](const Setup& setup) {
      return setup.stepBanks ? *setup.stepBanks : std::vector<FilterBank>();
    };
    const std::vector<FilterBank> ours = banksOf(a);
    const std::vector<FilterBank> theirs = banksOf(b);
    return a.state.recipe.steps == b.state.recipe.steps &&
           std::equal(ours.begin(), ours.end(), theirs.begin(), theirs.end(),
                      [](const FilterBank& one, const FilterBank& other) {
                        return one.contentHash() == other.contentHash();
                      });
  }
  return sameTaps(a.bank, b.bank) && sameTaps(a.then, b.then);
}

/// But for what computes it and what is written.
bool sameSettings(const SessionState& a, const SessionState& b) {
  const Recipe& from = a.recipe;
  const Recipe& to = b.recipe;
  const auto same = [](const Stage& one, Stage other) {
    other.bank = one.bank;  // names of the same filters
    return one == other;
  };
  return from.channel == to.channel && from.border == to.border && a.pixelsPerDegree == b.pixelsPerDegree &&
         std::equal(from.stages.begin(), from.stages.end(), to.stages.begin(), to.stages.end(), same);
}

QString whatDiffers(const Made& a, const Made& b) {
  const SessionState& from = a.setup.state;
  const SessionState& to = b.setup.state;
  const bool oneFile = samePicture(from, to);
  if (a.layer == Layer::Input && b.layer == Layer::Input)
    return oneFile ? differenceText("The same picture.")
                   : differenceText("Different pictures: %1 and %2.").arg(pictureOf(from), pictureOf(to));
  if (a.layer == Layer::Input || b.layer == Layer::Input)
    return differenceText("One is the picture itself, the other what filters make of it.");
  if ((a.layer == Layer::Difference) != (b.layer == Layer::Difference))
    return differenceText("One is a result, the other how far two results are apart.");
  const QString on =
      oneFile ? QString()
              : differenceText(" On different pictures: %1 and %2.").arg(pictureOf(from), pictureOf(to));
  if (!sameFilters(a.setup, b.setup)) {
    const QString first = recipeTitle(a.setup);
    const QString second = recipeTitle(b.setup);
    return (first == second ? differenceText("Different filters.")
                            : differenceText("Different filters: %1 and %2.").arg(first, second)) +
           on;
  }
  if (a.plane != b.plane)
    return differenceText("Different results of the same filters: %1 and %2.").arg(a.plane, b.plane) + on;
  if (!sameSettings(from, to)) return differenceText("The same filters under other settings.") + on;
  if (!oneFile)
    return differenceText("The same filters on different pictures: %1 and %2.")
        .arg(pictureOf(from), pictureOf(to));
  const bool engines = a.layer != b.layer || from.recipe.engine != to.recipe.engine ||
                       from.recipe.precision != to.recipe.precision;
  return engines ? differenceText("The same filters, computed by different engines.")
                 : differenceText("The same result.");
}

QString howFar(const PlaneMetrics& metrics) {
  if (metrics.equal == metrics.pixels) return {};
  if (!metrics.share) return differenceText(" A is zero everywhere, B is not.");
  const double share = *metrics.share;
  const QString verdict = share < 1e-4   ? differenceText("nothing that one could see")
                          : share < 0.01 ? differenceText("hardly a difference")
                          : share < 0.1  ? differenceText("a small difference")
                          : share < 0.5  ? differenceText("a clear difference")
                                         : differenceText("a large difference");
  QString text = differenceText(" Typically B is off A by %1 % of A's size: %2")
                     .arg(share < 0.1 ? shortValueText(static_cast<float>(100 * share), 2)
                                      : QString::number(100 * share, 'f', 0),
                          verdict);
  if (metrics.ssim && share >= 0.01)
    text += *metrics.ssim >= 0.9   ? differenceText("; their structure is much the same")
            : *metrics.ssim >= 0.5 ? differenceText("; their structure is alike in part")
                                   : differenceText("; their structure is another");
  return text + QLatin1Char('.');
}

}  // namespace

Made madeOf(const Session& session, const PlaneKey& key) {
  const KeptResult* kept = key.layer == Layer::Kept ? session.kept().find(key.index) : nullptr;
  if (kept != nullptr) return {kept->result.key.layer, kept->plane, kept->from};
  return {key.layer, session.planeTitle(key), session.setupOf(key)};
}

QString differenceInWords(const Made& a, const Made& b, const PlaneMetrics& metrics) {
  return whatDiffers(a, b) + howFar(metrics);
}

}  // namespace bankside::window
