/// A recipe that is ready to run: what bk_recipe is.
#pragma once

#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "core/run/recipe.h"
#include "core/run/runner.h"
#include "library/include/bankside/bankside.h"

namespace bankside::library {

/// Planes of one size, as many as names.
struct RecipeMaps {
  std::vector<PlaneName> names;
  std::vector<Image> planes;  ///< [1,H,W]
};

class PreparedRecipe {
 public:
  struct Request {
    int threads = 0;  ///< 0: all
    double pixelsPerDegree = 0;
    std::int64_t memory = std::int64_t{1} << 30;
  };

  /// Errors  as `openRecipe` and `loadBank`; Error{Unsupported} for what only the command has
  PreparedRecipe(const std::string& nameOrFile, const Request& request);

  const Recipe& recipe() const { return recipe_; }
  /// What it makes of an image of one channel; none where it takes all of several.
  const std::vector<PlaneName>& planes() const { return planes_; }

  /// Thread-safe: runs follow each other. `field` is null, or [1,H,W] u8. Errors  Error{BadInput} for views
  /// that do not fit; Error{Limit}; Cancelled
  RecipeMaps run(const bk_view& image, const bk_view* field, const std::stop_token& stop) const;

 private:
  Recipe recipe_;
  mutable std::mutex running_;
  mutable Runner runner_;
  std::vector<PlaneName> planes_;
};

}  // namespace bankside::library
