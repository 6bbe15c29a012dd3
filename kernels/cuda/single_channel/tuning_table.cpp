#include "kernels/cuda/single_channel/tuning_table.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "core/error.h"
#include "core/log.h"
#include "core/text_file.h"
#include "kernels/cuda/single_channel/shipped_tuning.h"

namespace bankside::cuda {
namespace {

/// Whether both are of one bank and one size of image.
bool isSameCell(const TuningEntry& one, const TuningEntry& other) {
  return one.filterSize == other.filterSize && one.filterCount == other.filterCount &&
         one.side == other.side && one.srcType == other.srcType && one.dstType == other.dstType &&
         one.fused == other.fused;
}

/// In doublings.
double apart(double a, double b) { return std::fabs(std::log2(a / b)); }

/// How far an entry is from a problem, in doublings; nothing where it says nothing about it.
std::optional<double> distance(const TuningEntry& e, const ConvolutionProblem& p) {
  if (e.filterSize != p.filterWidth || e.filterSize != p.filterHeight || e.srcType != p.srcType ||
      e.dstType != p.dstType || e.fused != fusedOf(p.combine) || (e.filterCount == 1) != (p.filterCount == 1))
    return std::nullopt;
  const double filters = apart(p.filterCount, e.filterCount);
  // The side of the square that has as many pixels.
  const double sides = apart(std::sqrt(static_cast<double>(p.width) * p.height), e.side);
  if (filters > 1 || sides > 1.33) return std::nullopt;
  return filters + sides;
}

}  // namespace

TuningTable keepUntouched(TuningTable measured, const TuningTable* known) {
  if (known == nullptr || known->device != measured.device ||
      known->multiprocessors != measured.multiprocessors)
    return measured;
  if (measured.entries.empty()) measured.environment = known->environment;
  const std::vector<TuningEntry> own = measured.entries;
  for (const TuningEntry& e : known->entries) {
    const bool again =
        std::any_of(own.begin(), own.end(), [&](const TuningEntry& m) { return isSameCell(m, e); });
    if (!again) measured.entries.push_back(e);
  }
  return measured;
}

Choice tunedChoice(const TuningTable& table, const ConvolutionProblem& p, int anchorX, int anchorY) {
  Choice choice;
  double nearest = 1e9;
  for (const TuningEntry& e : table.entries) {
    const auto far = distance(e, p);
    if (!far || *far >= nearest) continue;
    const int variant = findVariant(e.variant);
    if (variant < 0 || !fits(variants()[static_cast<std::size_t>(variant)], p, anchorX, anchorY)) continue;
    nearest = *far;
    // As many thread blocks a tile as the entry has.
    choice = {variant, ceilDiv(p.filterCount, ceilDiv(e.filterCount, e.filtersPerBlock)), e.tailOnly};
  }
  return choice;
}

const TuningTable* tuningTableFor(const std::string& device, int multiprocessors) {
  static const std::vector<TuningTable> tables = [] {
    std::vector<TuningTable> list;
    if (const char* file = std::getenv("BANKSIDE_TUNING"); file != nullptr && *file != '\0') {
      try {
        list.push_back(readTuningTable(readTextFile(file), file));
      } catch (const Error& error) {
        log(LogLevel::Warning, std::string("the tuning table is not used: ") + error.what());
      }
    }
    for (const char* text : shippedTuning) list.push_back(readTuningTable(text, "the shipped tuning table"));
    return list;
  }();
  for (const TuningTable& table : tables) {
    if (table.device == device && table.multiprocessors == multiprocessors) return &table;
  }
  return nullptr;
}

}  // namespace bankside::cuda
