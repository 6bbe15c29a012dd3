/// The CUDA engines of these tests.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/engine.h"

namespace bankside {

const std::vector<std::unique_ptr<Engine>>& enginesOnHost();
/// Null if there is none.
const Engine* engineOnHost(const std::string& name);

}  // namespace bankside
