/// Calls of the public header as most tests make them.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "core/image.h"
#include "library/include/bankside/bankside.h"

namespace bankside::testing {

struct FreeHandle {
  void operator()(bk_context* context) const { bk_context_free(context); }
  void operator()(bk_bank* bank) const { bk_bank_free(bank); }
  void operator()(bk_plan* plan) const { bk_plan_free(plan); }
  void operator()(bk_stop* stop) const { bk_stop_free(stop); }
  void operator()(bk_recipe* recipe) const { bk_recipe_free(recipe); }
  void operator()(bk_maps* maps) const { bk_maps_free(maps); }
};
using ContextHandle = std::unique_ptr<bk_context, FreeHandle>;
using BankHandle = std::unique_ptr<bk_bank, FreeHandle>;
using PlanHandle = std::unique_ptr<bk_plan, FreeHandle>;
using StopHandle = std::unique_ptr<bk_stop, FreeHandle>;
using RecipeHandle = std::unique_ptr<bk_recipe, FreeHandle>;
using MapsHandle = std::unique_ptr<bk_maps, FreeHandle>;

inline ContextHandle makeContext(int threads) {
  bk_context_options options = {};
  options.size = sizeof options;
  options.threads = threads;
  bk_context* context = nullptr;
  EXPECT_EQ(bk_context_create(&options, &context), BK_OK) << bk_last_error();
  return ContextHandle(context);
}

inline BankHandle makeBankHandle(const std::string& specification) {
  bk_bank* bank = nullptr;
  EXPECT_EQ(bk_bank_load(specification.c_str(), &bank), BK_OK) << bk_last_error();
  return BankHandle(bank);
}

inline bk_plan_options planFor(std::int64_t channels, std::int64_t height, std::int64_t width, bk_type type) {
  bk_plan_options options = {};
  options.size = sizeof options;
  options.channels = channels;
  options.height = height;
  options.width = width;
  options.type = type;
  return options;
}

inline PlanHandle makePlan(const bk_context* context, const bk_bank* bank, const bk_plan_options& options) {
  bk_plan* plan = nullptr;
  EXPECT_EQ(bk_plan_create(context, bank, &options, &plan), BK_OK) << bk_last_error();
  return PlanHandle(plan);
}

inline bk_type typeOf(ElementType type) {
  switch (type) {
    case ElementType::U8: return BK_U8;
    case ElementType::U16: return BK_U16;
    case ElementType::F16: return BK_F16;
    case ElementType::F32: break;
  }
  return BK_F32;
}

/// Of an image whose planes lie one after another.
inline bk_view viewOf(Image& image) {
  bk_view view = bk_dense_view(image.plane(0).data, typeOf(image.type()), image.channels(), image.height(),
                               image.width());
  view.row_stride = image.strideBytes();
  view.channel_stride = view.row_stride * view.height;
  return view;
}

}  // namespace bankside::testing
