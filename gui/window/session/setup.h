/// Everything that decides what the panes show, as a value: enough to go back to it.
#pragma once

#include <memory>

#include "gui/window/session/session_state.h"

namespace bankside::window {

struct Setup {
  SessionState state;
  std::shared_ptr<const FilterBank> bank;
  bool bankEdited = false;
  std::shared_ptr<const FilterBank> then;
  std::shared_ptr<const std::vector<FilterBank>> stepBanks;
};

/// Whether both give the same results: picture, recipe, banks, scale and threads.
bool sameResults(const Setup& a, const Setup& b);
/// Whether nothing that can be undone differs: all but zoom, the pixel, where the swipe's line is, and the
/// recent files.
bool sameSetup(const Setup& a, const Setup& b);

}  // namespace bankside::window
