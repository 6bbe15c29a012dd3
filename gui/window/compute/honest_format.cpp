#include "gui/window/compute/honest_format.h"

#include "core/error.h"

namespace bankside::window {

void requireHonestFormat(const Recipe& recipe) {
  mapThreshold(recipe);
  if (recipe.format == FileFormat::Png && recipe.map == OutputMap::None) {
    throw Error(ErrorCode::BadInput,
                "PNG cannot hold float responses: choose to clip or to stretch them, or another format");
  }
}

}  // namespace bankside::window
