/// What somebody did between two setups, in words.
#pragma once

#include <QString>

#include "gui/window/session/setup.h"

namespace bankside::window {

struct SetupChange {
  QString title;
  /// The one value that was turned; empty where it is not the kind that is spun or dragged. Turning it on is
  /// the same action.
  QString turned;
};

/// Of what matters most, where several things changed together.
SetupChange changeBetween(const Setup& before, const Setup& after);

}  // namespace bankside::window
