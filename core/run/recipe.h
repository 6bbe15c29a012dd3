/// A whole run as JSON: the window saves it, the headless program runs it, a bug report attaches it.
///
///   { "bankside": "recipe", "version": 2,
///     "input":  { "channel": "green" },
///     "stages": [ { "bank": "vessel-matched:sigma=2", "mode": "correlation", "combine": [], "activation":
///     "relu" },
///                 { "bank": "lateral.json", "combine": ["max"] } ],
///     "border": "reflect101", "engine": "auto", "precision": "fp32", "verify": "off",
///     "output": { "format": "tiff", "map": "none", "responses": true } }
///
/// Every field but "bankside", "version" and "stages" may be left out. Unknown fields are errors: a misspelt
/// one must not change a study in silence. Version 1 has one stage, no activation and no channel of
/// pages, version 2 at most two stages; a recipe is written as the oldest version that can say it, so that
/// older programs read it, and for the same reason "precision" only where it is not "fp32", and "compression"
/// ("none", "deflate", "zstd") and "threshold" of the output only where they were given.
///
/// Version 4 has steps instead of stages (core/run/recipe_steps.h), each over any earlier ones, and may have
/// a title and a citation.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/activation.h"
#include "core/border.h"
#include "core/imageio/image_io.h"
#include "core/precision.h"
#include "core/problem.h"
#include "core/run/channel.h"
#include "core/run/output_map.h"
#include "core/run/recipe_steps.h"

namespace bankside {

enum class VerifyLevel { Off, Reference, OpenCv, All };
const char* toString(VerifyLevel level);  ///< "off", "reference", "opencv", "all"
std::optional<VerifyLevel> parseVerifyLevel(std::string_view text);

/// A bank by name or file (resolving it is the front end's), and what becomes of its responses: the combine,
/// then the activation, then the next stage, whose bank sees the maps as f32 channels: [F2][F][kh][kw] sums
/// over them, [F2][1][kh][kw] is applied to each.
struct Stage {
  std::string bank;
  std::optional<FilterMode> mode = {};       ///< instead of the bank's own convention
  Combine combine = Combine::None;           ///< not ArgMax where another stage follows
  Activation activation = Activation::None;  ///< of what the next stage sees; None in the last one
  bool operator==(const Stage&) const = default;
};

struct Recipe {
  static constexpr int version = 4;  ///< the newest; older ones are read too
  std::string title = {};
  std::string citation = {};
  ChannelChoice channel = ChannelChoice::Auto;
  std::vector<Stage> stages = {{}};    ///< at least one
  std::vector<RecipeStep> steps = {};  ///< instead of stages, where there are any
  Border border;                       ///< of the image and of the maps
  std::string engine = "auto";
  Precision precision = Precision::Fp32;  ///< what a planner may choose from
  VerifyLevel verify = VerifyLevel::Off;
  FileFormat format = FileFormat::Tiff;
  std::optional<Compression> compression = {};  ///< nothing: the format's usual one
  OutputMap map = OutputMap::None;
  std::optional<double> threshold = {};  ///< of its results: what is as high or higher is what it looks for
  bool responses = true;                 ///< write every filter's response, not the combined planes alone
  bool ofMaps() const { return !steps.empty(); }
  bool operator==(const Recipe&) const = default;
};

/// Larger than any recipe: what is larger is none.
inline constexpr std::size_t largestRecipe = std::size_t{1} << 20;

/// Throws Error{BadInput} "FILE: /json/pointer: found X, expected Y", Error{Limit} for more than
/// `largestRecipe` bytes, Error{Io}.
Recipe readRecipe(const std::filesystem::path& file);
/// Whether the file calls itself a recipe, a right one or not.
bool isRecipe(const std::filesystem::path& file);
Recipe parseRecipe(const std::string& json, const std::string& name);
std::string writeRecipe(const Recipe& recipe);

/// The banks of its stages or steps, in their order.
std::vector<std::string> bankNames(const Recipe& recipe);

/// That of the recipe, 0 where its map needs none. Errors  Error{BadInput} for the map Binary without one
float mapThreshold(const Recipe& recipe);

}  // namespace bankside
