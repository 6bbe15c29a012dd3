/// Recipes in the C++20 face of libbankside, with owners instead of handles. Header-only.
///
///   auto recipe = bankside::Recipe::load("vessels", 31).value();
///   auto maps = recipe.run(bankside::view(pixels, {3, h, w})).value();
#pragma once

#include "bankside/bankside.hpp"

namespace bankside {
inline namespace face0 {

/// What a recipe made of an image; texts and values stay as long as it.
class Maps {
 public:
  explicit Maps(bk_maps* handle) : handle_(handle) {}
  bk_maps_info info() const {
    bk_maps_info info = {};
    info.size = sizeof info;
    bk_maps_describe(handle_.get(), &info);
    return info;
  }
  Result<bk_map_info> map(std::int64_t index) const {
    bk_map_info info = {};
    info.size = sizeof info;
    const Status status(bk_maps_map(handle_.get(), index, &info));
    if (!status) return status;
    return info;
  }

 private:
  inside::Handle<bk_maps, bk_maps_free> handle_;
};

/// Banks and operations in steps, by name or from a file.
class Recipe {
 public:
  /// `pixelsPerDegree`: of the images, for recipes that are written for a scale; 0: nobody says.
  static Result<Recipe> load(const std::string& nameOrFile, double pixelsPerDegree = 0) {
    return load(nullptr, nameOrFile, pixelsPerDegree, 0);
  }
  static Result<Recipe> load(const Context& context, const std::string& nameOrFile,
                             double pixelsPerDegree = 0, std::int64_t memory = 0) {
    return load(context.handle(), nameOrFile, pixelsPerDegree, memory);
  }
  bk_recipe_info info() const {
    bk_recipe_info info = {};
    info.size = sizeof info;
    bk_recipe_describe(handle_.get(), &info);
    return info;
  }
  const bk_recipe* handle() const { return handle_.get(); }

  template <class Pixel>
  Result<Maps> run(View<Pixel> image, const Stop* stop = nullptr) const {
    return run(image.raw(), nullptr, stop);
  }
  /// With the field of view, not 0 inside.
  template <class Pixel, class Inside>
  Result<Maps> run(View<Pixel> image, View<Inside> field, const Stop* stop = nullptr) const {
    return run(image.raw(), &field.raw(), stop);
  }
  Result<Maps> run(const bk_view& image, const bk_view* field, const Stop* stop) const {
    bk_run_options options = {};
    options.size = sizeof options;
    options.stop = stop == nullptr ? nullptr : stop->handle();
    bk_maps* maps = nullptr;
    const Status status(bk_recipe_run(handle_.get(), &image, field, &options, &maps));
    if (!status) return status;
    return Maps(maps);
  }

 private:
  explicit Recipe(bk_recipe* handle) : handle_(handle) {}
  static Result<Recipe> load(const bk_context* context, const std::string& nameOrFile, double pixelsPerDegree,
                             std::int64_t memory) {
    bk_recipe_options options = {};
    options.size = sizeof options;
    options.pixels_per_degree = pixelsPerDegree;
    options.memory = memory;
    bk_recipe* handle = nullptr;
    const Status status(bk_recipe_load(context, nameOrFile.c_str(), &options, &handle));
    if (!status) return status;
    return Recipe(handle);
  }
  inside::Handle<bk_recipe, bk_recipe_free> handle_;
};

}  // namespace face0
}  // namespace bankside
