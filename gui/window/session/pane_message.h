/// What a pane says where it cannot show what it is asked for, and what would help.
#pragma once

#include <QString>
#include <vector>

#include "gui/window/session/session.h"

namespace bankside::window {

/// A button's worth of help.
struct Offer {
  enum class Kind {
    OpenImage,
    OpenFolder,
    ShowRecipe,
    TakeChannel,
    TakeAngle,
    TakeScale,
    TakeEngine,
    Compute
  };
  Kind kind = Kind::Compute;
  QString title;
  ChannelChoice channel = ChannelChoice::Auto;  ///< TakeChannel
  double degrees = 0;                           ///< TakeAngle: of the field of view; TakeScale: pixels in one
  QString file = {};                            ///< ShowRecipe: on the sample
};

struct PaneMessage {
  QString text;  ///< empty: there is nothing to be said
  std::vector<Offer> offers;
  bool pending = false;  ///< it is being computed
  bool stopped = false;  ///< it would be, had nobody stopped it
};

/// Of the plane that a pane asks for; empty where it is there.
PaneMessage messageFor(const Session& session, const PlaneKey& key);

/// Of a part that is shown before the whole is there.
QString partCaption(const Session& session, const PlanePatch& part);

}  // namespace bankside::window
