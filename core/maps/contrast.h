/// Whether there is anything in an image. Rounding is no contrast: a standard deviation of rounding that is
/// divided by itself would be as large as any.
#pragma once

#include <limits>
#include <vector>

#include "core/filter_bank.h"
#include "core/maps/field_of_view.h"
#include "core/maps/maps.h"

namespace bankside {

/// The values that one value may be, up to what rounding makes of it.
class OneValue {
 public:
  /// False for a value that is another one, or not finite.
  bool take(float value);

 private:
  float least_ = std::numeric_limits<float>::infinity();
  float most_ = -std::numeric_limits<float>::infinity();
};

/// Whether every map has one value, up to what rounding makes of one. Looks no further than the first pixel
/// that says no; what is not finite says so too.
bool isFlat(const Maps& maps);
/// The same of maps that come in bands. `values`: one a map, that of the bands before
bool isFlat(const Maps& rows, std::vector<OneValue>& values);

/// False where a pixel inside the field, `erode` or more from its rim, has another value than the first such:
/// a look at the image before it is worth looking at what became of it. `field`: not everything. Shapes
/// `extent`: of the maps that the field is asked for
bool mayBeFlat(const Maps& image, FieldOfView& field, const Extent& extent, double erode);

/// Whether every filter's taps sum to nothing in every channel, up to rounding: what it gives of maps of one
/// value each is 0.
bool sumsToNothing(const FilterBank& bank);

}  // namespace bankside
