#include "core/maps/part.h"

#include "core/maps/pixel_function.h"
#include "core/maps/resample.h"

namespace bankside {

bool isOfOnePixel(const Operation& operation) {
  return pixelFunctionOf(operation, ElementType::F32).has_value();
}

bool givesParts(const Operation& operation) {
  const std::string& name = operation.entry->name;
  return name == "restore" || name == "mask" || isOfOnePixel(operation);
}

Maps partOf(const Operation& operation, const Maps& taken, const Region& area, OperationContext& context) {
  const Extent& image = context.image;
  const std::string& name = operation.entry->name;
  if (name == "restore") return resampledPart(taken, image, area, context);
  if (name != "mask") return operation.entry->apply(operation, {&taken}, context);
  if (context.field.everything()) return taken.clone();
  return masked(operation, taken, context.field.part(image.height, image.width, area), context);
}

}  // namespace bankside
