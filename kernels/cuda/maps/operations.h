/// The operations that there are kernels for.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "kernels/cuda/maps/map_work.h"

namespace bankside::cuda {

/// As MapMaker::operate.
using Operate = std::optional<DeviceMaps> (*)(MapWork& work, const Operation& operation,
                                              const std::vector<DeviceMaps>& taken, OperationContext& context,
                                              const Extent& after);

/// null: it has none.
Operate operationOnDevice(const Operation& operation);

// Of a file of their own.
std::optional<DeviceMaps> findFieldOnDevice(MapWork& work, const Operation& operation,
                                            const std::vector<DeviceMaps>& taken, OperationContext& context,
                                            const Extent& after);
std::optional<DeviceMaps> fillOnDevice(MapWork& work, const Operation& operation,
                                       const std::vector<DeviceMaps>& taken, OperationContext& context,
                                       const Extent& after);

}  // namespace bankside::cuda
