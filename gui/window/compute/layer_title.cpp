#include "gui/window/compute/layer_title.h"

#include <QObject>

namespace bankside::window {

QString layerTitle(Layer layer) {
  switch (layer) {
    case Layer::Input: return QObject::tr("Input");
    case Layer::Output: return QObject::tr("Our output");
    case Layer::OpenCv: return QObject::tr("OpenCV filter2D");
    case Layer::Difference: return QObject::tr("Difference");
    case Layer::Kept: return QObject::tr("Kept result");
  }
  return {};
}

QString shortLayerTitle(Layer layer) {
  switch (layer) {
    case Layer::Input: return QObject::tr("Input");
    case Layer::Output: return QObject::tr("Output");
    case Layer::OpenCv: return QObject::tr("OpenCV");
    case Layer::Difference: return QObject::tr("Difference");
    case Layer::Kept: return QObject::tr("Kept");
  }
  return {};
}

}  // namespace bankside::window
