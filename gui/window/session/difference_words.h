/// What tells two results apart and how far they are, in plain words.
#pragma once

#include "gui/window/compute/plane_metrics.h"
#include "gui/window/session/session.h"

namespace bankside::window {

/// A result with how it is made.
struct Made {
  Layer layer = Layer::Input;
  QString plane;  ///< which of the results it is
  Setup setup;
};

Made madeOf(const Session& session, const PlaneKey& key);

/// "Different filters: sobel and kirsch. Typically B is off A by 12 % of A's size: a clear difference."
QString differenceInWords(const Made& a, const Made& b, const PlaneMetrics& metrics);

}  // namespace bankside::window
