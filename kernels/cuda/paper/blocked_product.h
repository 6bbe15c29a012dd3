/// A blocked product of matrices by units that match the banks of shared memory and by units that do not,
/// with cuBLAS's beside it.
///
/// Source  Chen et al., DAC 2017, section 2.1 and Fig. 2
#pragma once

#include <string>

#include "core/element_type.h"

namespace bankside::cuda {

/// `wrong` says what differs from a product on the host, or why there is none.
struct BlockedProduct {
  double seconds = 0;
  std::string wrong;
};

/// Square matrices of 2048 of f16 or f32, f32 sums; threads read shared memory `unitElements` (1, 2 or 4) at
/// a time. Errors  Error{Device}
BlockedProduct timeBlockedProduct(ElementType type, int unitElements);

/// cuBLAS's f32 product of matrices as large, by launches instead of a graph. Errors  Error{Device}
BlockedProduct timeLibraryProduct();

}  // namespace bankside::cuda
