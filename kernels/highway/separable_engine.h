/// `cpu:separable`: each filter as a few products of a column and a row, f32, by Highway.
#pragma once

#include <memory>

#include "core/engine.h"

namespace bankside {

std::unique_ptr<Engine> makeSeparableEngine();

}  // namespace bankside
