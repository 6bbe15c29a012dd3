/// What the layers are called.
#pragma once

#include <QString>

#include "gui/window/compute/work.h"

namespace bankside::window {

/// "Input", "Our output" ...
QString layerTitle(Layer layer);
/// Where that has no room: "Ours" ...
QString shortLayerTitle(Layer layer);

}  // namespace bankside::window
