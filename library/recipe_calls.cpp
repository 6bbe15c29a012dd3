// The entries of the public header about recipes and what they make.
#include <cmath>
#include <limits>

#include "core/run/image_scale.h"
#include "core/run/shipped_recipes.h"
#include "library/handles.h"
#include "library/lists.h"
#include "library/sized.h"

namespace {

using namespace bankside;
using namespace bankside::library;

static_assert(BK_WIDEST_VESSEL_DEGREES == widestVesselDegrees);

const std::vector<std::string>& names() {
  static const std::vector<std::string> list = shippedRecipes();
  return list;
}

PreparedRecipe::Request requestOf(const bk_context* context, const bk_recipe_options& options) {
  if (!std::isfinite(options.pixels_per_degree) || options.pixels_per_degree < 0)
    refuse("bk_recipe_options.pixels_per_degree is no number of 0 or more");
  if (options.memory < 0)
    refuse("bk_recipe_options.memory is " + std::to_string(options.memory) + ", expected 0 or more bytes");
  PreparedRecipe::Request request;
  if (context != nullptr) request.threads = context->options.threads;
  request.pixelsPerDegree = options.pixels_per_degree;
  if (options.memory > 0) request.memory = options.memory;
  return request;
}

}  // namespace

bk_status bk_recipe_load(const bk_context* context, const char* nameOrFile, const bk_recipe_options* options,
                         bk_recipe** recipe) noexcept {
  return guarded([&] {
    require(recipe, "the place for the recipe") = nullptr;
    bk_recipe_options read = {};
    if (options != nullptr) read = readSized(*options, "bk_recipe_options");
    *recipe = new bk_recipe{{&require(nameOrFile, "the recipe's name or file"), requestOf(context, read)}};
  });
}

void bk_recipe_free(bk_recipe* recipe) noexcept { delete recipe; }

bk_status bk_recipe_describe(const bk_recipe* recipe, bk_recipe_info* info) noexcept {
  return guarded([&] {
    const PreparedRecipe& prepared = require(recipe, "the recipe").recipe;
    const Recipe& r = prepared.recipe();
    writeSized<bk_recipe_info>({.title = r.title.c_str(),
                                .citation = r.citation.c_str(),
                                .channel = toString(r.channel),
                                .threshold = r.threshold.value_or(std::numeric_limits<double>::quiet_NaN()),
                                .maps = static_cast<std::int64_t>(prepared.planes().size())},
                               info, "bk_recipe_info");
  });
}

bk_status bk_recipe_plane(const bk_recipe* recipe, int64_t map, bk_plane_info* info) noexcept {
  return guarded([&] {
    const std::vector<PlaneName>& planes = require(recipe, "the recipe").recipe.planes();
    if (map < 0 || map >= static_cast<std::int64_t>(planes.size()))
      refuse("there is no map " + std::to_string(map) + " in " + std::to_string(planes.size()));
    const PlaneName& name = planes[static_cast<std::size_t>(map)];
    writeSized<bk_plane_info>({.label = name.label.c_str(), .channel = name.channel}, info, "bk_plane_info");
  });
}

int32_t bk_recipe_catalogue_size(void) noexcept { return countOf(names); }

const char* bk_recipe_catalogue_name(int32_t index) noexcept { return nameAt(names, index); }

bk_status bk_recipe_run(const bk_recipe* recipe, const bk_view* image, const bk_view* field,
                        const bk_run_options* options, bk_maps** maps) noexcept {
  return guarded([&] {
    require(maps, "the place for the maps") = nullptr;
    const PreparedRecipe& prepared = require(recipe, "the recipe").recipe;
    const bk_view from = readSized(require(image, "the image's view"), "bk_view");
    bk_view inside = {};
    if (field != nullptr) inside = readSized(*field, "bk_view");
    const bk_run_options run = options == nullptr ? bk_run_options{} : readSized(*options, "bk_run_options");
    if (run.stream != nullptr) refuse("a stream is given, which plans for a device alone have");
    *maps = new bk_maps{prepared.run(from, field == nullptr ? nullptr : &inside,
                                     run.stop == nullptr ? std::stop_token() : run.stop->source.get_token())};
  });
}

void bk_maps_free(bk_maps* maps) noexcept { delete maps; }

bk_status bk_maps_describe(const bk_maps* maps, bk_maps_info* info) noexcept {
  return guarded([&] {
    const std::vector<Image>& planes = require(maps, "the maps").maps.planes;
    writeSized<bk_maps_info>({.maps = static_cast<std::int64_t>(planes.size()),
                              .height = planes.front().height(),
                              .width = planes.front().width()},
                             info, "bk_maps_info");
  });
}

bk_status bk_maps_map(const bk_maps* maps, int64_t index, bk_map_info* info) noexcept {
  return guarded([&] {
    const RecipeMaps& all = require(maps, "the maps").maps;
    if (index < 0 || index >= static_cast<std::int64_t>(all.planes.size())) {
      refuse("there is no map " + std::to_string(index) + " in " + std::to_string(all.planes.size()));
    }
    const auto at = static_cast<std::size_t>(index);
    const ConstPlane plane = all.planes[at].plane(0);
    writeSized<bk_map_info>({.label = all.names[at].label.c_str(),
                             .channel = all.names[at].channel,
                             .data = plane.row(0),
                             .row_stride = plane.strideBytes,
                             .type = bkType(plane.type)},
                            info, "bk_map_info");
  });
}
