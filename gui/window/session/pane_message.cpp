#include "gui/window/session/pane_message.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <utility>

#include "core/error.h"
#include "gui/window/compute/assets.h"
#include "gui/window/compute/core_sentence.h"

namespace bankside::window {
namespace {

QString messageText(const char* text) { return QCoreApplication::translate("PaneMessage", text); }

PaneMessage welcome() {
  PaneMessage message{
      messageText("Open a picture (Ctrl+O), or drop a picture, a folder, a bank or a recipe here.\n"
                  "Space blinks, Ctrl+K keeps a result to compare, Ctrl+Z undoes, and Ctrl+Shift+P finds "
                  "everything else."),
      {{Offer::Kind::OpenImage, messageText("Open a picture…")},
       {Offer::Kind::OpenFolder, messageText("Open a folder…")}},
      false};
  // The photograph that comes with the program, as recipes of three kinds see it.
  const std::pair<const char*, QString> shown[] = {{"vessels", messageText("Sample: vessels")},
                                                   {"frangi", messageText("Sample: Frangi's vesselness")},
                                                   {"mr8", messageText("Sample: edges and bars (MR8)")}};
  for (const auto& [name, title] : shown) {
    for (const RecipeFile& file : recipeFiles()) {
      if (QFileInfo(file.path).completeBaseName() == QLatin1String(name))
        message.offers.push_back({Offer::Kind::ShowRecipe, title, ChannelChoice::Auto, 0, file.path});
    }
  }
  return message;
}

/// A choice of channels that this picture has.
std::vector<Offer> otherChannels(const Session& session) {
  const Picture& picture = *session.picture();
  const auto shape = picture.shape();
  for (const ChannelChoice choice : {ChannelChoice::Auto, ChannelChoice::All}) {
    try {
      const auto taken =
          selectChannels(*shape, picture.info.channelNames, choice, imageChannels(session.runSettings()));
      const QString title = taken.names.size() > 1 ? messageText("Use all channels")
                            : taken.names.front() == "luma"
                                ? messageText("Use brightness (luma)")
                                : messageText("Use %1").arg(QString::fromStdString(taken.names.front()));
      return {{Offer::Kind::TakeChannel, title, choice}};
    } catch (const Error&) {
      continue;
    }
  }
  return {};
}

/// Where one that somebody chose does not take the bank.
std::vector<Offer> otherEngine(const Session& session, const PlaneKey& key) {
  const bool chosen = key.layer == Layer::Output && key.branch == 0 && session.recipe().engine != "auto";
  if (!chosen) return {};
  return {{Offer::Kind::TakeEngine, messageText("Let the program choose the engine")}};
}

PaneMessage waiting(const Session& session, const PlaneKey& key) {
  if (session.stopped())
    return {messageText("Stopped."), {{Offer::Kind::Compute, messageText("Compute")}}, false, true};
  return {
      key.layer == Layer::Input ? messageText("Reading the picture…") : messageText("Computing…"), {}, true};
}

}  // namespace

PaneMessage messageFor(const Session& session, const PlaneKey& key) {
  if (!session.picture()) return welcome();
  const PlaneResult* held = session.result(key);
  if (held != nullptr && session.fresh(key))
    return {sentenceOf(held->error), otherEngine(session, key), false};
  const bool result = key.layer != Layer::Input;
  const Branches::Entry* own = session.branch(key.branch);
  if (own != nullptr && !own->content.problem.isEmpty()) return {own->content.problem, {}, false};
  const PlaneList& list = session.list(key.branch);
  if (own != nullptr && !own->ready) return waiting(session, key);
  if (result && list.channels.empty())
    return {list.error, own == nullptr ? otherChannels(session) : std::vector<Offer>(), false};
  if (result && session.scaleMissing(key.branch)) {
    PaneMessage message{
        messageText(
            "The recipe fits its filters to the width of vessels, so it must know how many pixels "
            "a degree of the eye has. What angle does the camera see? Or is the picture to be filtered "
            "as it is?"),
        {},
        false};
    for (const int degrees : {30, 45, 50}) {
      message.offers.push_back({Offer::Kind::TakeAngle,
                                QStringLiteral("%1°").arg(degrees),
                                ChannelChoice::Auto,
                                double(degrees),
                                {}});
    }
    message.offers.push_back({Offer::Kind::TakeScale,
                              messageText("As it is"),
                              ChannelChoice::Auto,
                              session.recipeScale(key.branch),
                              {}});
    return message;
  }
  if (result && !list.error.isEmpty()) return {list.error, {}, false};
  if (result && list.planes.empty() && own == nullptr && session.bankComing())
    return {messageText("Making the filters…"), {}, true};
  if (result && list.planes.empty())
    return {messageText("Choose a bank or a recipe at the left."), {}, false};
  return waiting(session, key);
}

QString partCaption(const Session& session, const PlanePatch& part) {
  if (session.stopped()) return messageText("this part alone");
  return part.final ? messageText("the rest follows…") : messageText("this part alone; the whole follows…");
}

}  // namespace bankside::window
