/// What a run computes: a list of stages, each of which makes maps of what the one before it made.
#pragma once

#include <utility>
#include <vector>

#include "core/activation.h"
#include "core/border.h"
#include "core/filter_bank.h"
#include "core/problem.h"

namespace bankside {

/// A bank, the combine of its responses, and the activation of what comes out. The first stage sees the
/// image, every other one the maps of the stage before as f32 channels: filters [F][C][kh][kw] with C maps
/// sum over them, [F][1][kh][kw] are applied to each.
struct BankStage {
  FilterBank bank;
  Combine combine = Combine::None;           ///< not ArgMax where another stage follows
  Activation activation = Activation::None;  ///< None in the last stage
};

struct Pipeline {
  Pipeline() = default;
  /// One stage.
  Pipeline(FilterBank bank, Combine combine = Combine::None, bool responseToo = true)
      : responses(responseToo) {
    stages.push_back({std::move(bank), combine});
  }

  std::vector<BankStage> stages;
  Border border;          ///< of the image and of the maps
  bool responses = true;  ///< give the responses of the last stage's filters beside its combined maps
};

}  // namespace bankside
