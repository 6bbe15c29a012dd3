/// A recipe as Python's class holds it.
#pragma once

#include <cstring>
#include <string>

#include "bankside/recipe.hpp"
#include "python/arrays.h"
#include "python/names.h"
#include "python/result_array.h"

namespace bankside_python {

class PyRecipe {
 public:
  PyRecipe(nanobind::handle nameOrFile, double pixelsPerDegree, int threads, std::int64_t memory)
      : recipe_(bankside::Recipe::load(bankside::Context::make(threads).value(), bytesOfName(nameOrFile),
                                       pixelsPerDegree, memory)
                    .value()) {}

  bk_recipe_info info() const { return recipe_.info(); }

  nanobind::tuple labels() const {
    nanobind::list labels;
    for (std::int64_t i = 0; i < info().maps; ++i) {
      bk_plane_info plane = {};
      plane.size = sizeof plane;
      bankside::Status(bk_recipe_plane(recipe_.handle(), i, &plane)).orThrow();
      labels.append(plane.label);
    }
    return nanobind::tuple(labels);
  }

  /// The maps as an array of the image's library: [H,W] where there is one, else [M,H,W].
  nanobind::object run(nanobind::handle image, nanobind::handle field, std::optional<int> channelAxis) const {
    const HeldArray from(image, HeldArray::For::Reading, "the image");
    const bk_view pixels =
        viewOf(from.data, from.type, from.axes, from.shape, from.strides,
               channelAxisOf(channelAxis, from.axes, from.shape, "the image"), "the image");
    if (field.is_none()) return arrayOf(maps(pixels, nullptr), image);
    const HeldArray mask(field, HeldArray::For::Reading, "the field of view");
    if (mask.type != BK_U8) {
      throw nanobind::type_error(
          (std::string("the field of view holds ") + typeOf(mask) + ", expected bool or uint8").c_str());
    }
    const bk_view inside =
        viewOf(mask.data, mask.type, mask.axes, mask.shape, mask.strides, 0, "the field of view");
    return arrayOf(maps(pixels, &inside), image);
  }

 private:
  bankside::Maps maps(const bk_view& pixels, const bk_view* field) const {
    const nanobind::gil_scoped_release release;
    return recipe_.run(pixels, field, nullptr).value();
  }

  static nanobind::object arrayOf(const bankside::Maps& maps, nanobind::handle image) {
    const bk_maps_info info = maps.info();
    const std::size_t shape[] = {static_cast<std::size_t>(info.maps), static_cast<std::size_t>(info.height),
                                 static_cast<std::size_t>(info.width)};
    const std::size_t without = info.maps == 1 ? 1 : 0;
    void* data = nullptr;
    const nanobind::object values = newArray(BK_F32, shape + without, 3 - without, image, data);
    auto* row = static_cast<float*>(data);
    for (std::int64_t i = 0; i < info.maps; ++i) {
      const bk_map_info map = maps.map(i).value();
      const auto* from = static_cast<const std::byte*>(map.data);
      for (std::int64_t y = 0; y < info.height; ++y, from += map.row_stride, row += info.width)
        copyRow(map, from, row, shape[2]);
    }
    return values;
  }

  /// Filter numbers of an argmax become f32, which holds them.
  static void copyRow(const bk_map_info& map, const std::byte* from, float* to, std::size_t width) {
    if (map.type == BK_F32) {
      std::memcpy(to, from, width * sizeof(float));
      return;
    }
    const auto* numbers = reinterpret_cast<const std::uint16_t*>(from);
    for (std::size_t x = 0; x < width; ++x) to[x] = numbers[x];
  }

  bankside::Recipe recipe_;
};

}  // namespace bankside_python
