#include "gui/window/session/setup.h"

namespace bankside::window {

bool sameResults(const Setup& a, const Setup& b) {
  return a.state.imagePath == b.state.imagePath && a.state.page == b.state.page &&
         a.state.recipe == b.state.recipe && a.state.pixelsPerDegree == b.state.pixelsPerDegree &&
         a.state.threads == b.state.threads && a.bank == b.bank && a.bankEdited == b.bankEdited &&
         a.then == b.then && a.stepBanks == b.stepBanks;
}

bool sameSetup(const Setup& a, const Setup& b) {
  return sameResults(a, b) && a.state.selectedPlane == b.state.selectedPlane &&
         a.state.panes == b.state.panes && a.state.compared == b.state.compared &&
         a.state.mode == b.state.mode && a.state.levels == b.state.levels &&
         a.state.colors == b.state.colors && a.state.overlay == b.state.overlay &&
         a.state.region == b.state.region && a.state.truth == b.state.truth;
}

}  // namespace bankside::window
