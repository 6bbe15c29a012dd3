/// What was kept, at the next start: how it is made is in the session, its pixels are not.
#pragma once

#include <optional>

#include "gui/window/session/session.h"

namespace bankside::window {

/// A pane that computes what was kept: it keeps to the recipe and the picture that it is of. Nothing where it
/// would be another result, because the scale of the pictures is another now.
std::optional<PaneSpec> madeAgain(const KeptResult& kept, const SessionState& now);

/// The panes, those of kept results as `madeAgain` has them.
std::vector<PaneSpec> panesMadeAgain(const Session& session);

}  // namespace bankside::window
