/// How tests over products of taps and pixels are listed.
#pragma once

#include <ostream>

#include "kernels/cuda/tensor/tensor_layout.h"

namespace bankside::cuda {

inline void PrintTo(PartialProducts products, std::ostream* out) {
  constexpr const char* words[] = {"rounded", "exact", "most", "every"};
  *out << words[static_cast<int>(products)];
}

}  // namespace bankside::cuda
