/// What a tuner found on one device, as a file: which shape makes a problem fastest. Never used for another
/// device.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/environment.h"
#include "kernels/cuda/multichannel/fma/summed_tuning.h"
#include "kernels/cuda/single_channel/choose_variant.h"
#include "kernels/cuda/tensor/tensor_tuning.h"
#include "kernels/cuda/tuning/tuned_cell.h"

namespace bankside::cuda {

/// The fastest shape of the single-channel kernels.
struct TuningEntry : TunedCell {
  std::string variant;
  int filtersPerBlock = 1;
  bool tailOnly = false;
};

struct TuningTable {
  static constexpr int schemaVersion = 2;
  std::string device;  ///< "NVIDIA H200": the table counts for no other
  int multiprocessors = 0;
  Environment environment;
  std::vector<TuningEntry> entries;
  SummedTuning summed;  ///< filters over several channels, measured in a run of their own
  TensorTuning tensor;  ///< one channel on the tensor cores, likewise
};

/// "nvidia-h200.json"
std::string tuningFileName(const std::string& device);

std::string toJson(const TuningTable& table);
/// Errors  Error{BadInput} naming `name` and what cannot be read
TuningTable readTuningTable(std::string_view json, const std::string& name);

/// `measured` with the cells of `known` that were not measured, so that a grid may be tuned in several runs;
/// the environment of each kind is the last run's that measured it. Nothing of
/// another device is taken. `known` may be null.
TuningTable keepUntouched(TuningTable measured, const TuningTable* known);

/// The entry whose filter count and image are nearest, if it is near (a factor of two in filters, of two and
/// a half in the side) and its shape is compiled and fits; else a choice without a variant.
Choice tunedChoice(const TuningTable& table, const ConvolutionProblem& problem, int anchorX, int anchorY);

/// The table for a device: of the file that the environment variable BANKSIDE_TUNING names if it is that
/// device's, else the one shipped with this build, else null.
const TuningTable* tuningTableFor(const std::string& device, int multiprocessors);

}  // namespace bankside::cuda
