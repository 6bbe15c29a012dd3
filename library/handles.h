/// What stands behind the public header's handles.
#pragma once

#include <mutex>
#include <stop_token>
#include <string>

#include "core/filter_bank.h"
#include "library/include/bankside/bankside.h"
#include "library/prepared_plan.h"
#include "library/prepared_recipe.h"

struct bk_context {
  bk_context_options options;
};

struct bk_bank {
  bankside::FilterBank bank;
  /// Written when somebody asks.
  mutable std::once_flag written = {};
  mutable std::string text = {};
};

struct bk_plan {
  std::unique_ptr<const bankside::library::PreparedPlan> plan;
  /// Made when somebody asks.
  mutable std::once_flag described = {};
  mutable std::string engine = {};
  mutable std::string choice = {};
};

struct bk_recipe {
  bankside::library::PreparedRecipe recipe;
};

struct bk_maps {
  bankside::library::RecipeMaps maps;
};

struct bk_stop {
  std::stop_source source;
};
