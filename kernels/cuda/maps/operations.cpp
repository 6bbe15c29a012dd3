#include "kernels/cuda/maps/operations.h"

#include <algorithm>

#include "core/maps/window.h"
#include "core/text.h"
#include "kernels/cuda/maps/equalize_kernels.h"
#include "kernels/cuda/maps/local_mean_kernels.h"
#include "kernels/cuda/maps/statistics_kernels.h"
#include "kernels/cuda/maps/window_kernels.h"

namespace bankside::cuda {
namespace {

using Taken = std::vector<DeviceMaps>;
using Made = std::optional<DeviceMaps>;

Made pixelwise(MapWork& work, const Operation& op, const Taken& taken, OperationContext& context,
               const Extent&) {
  DeviceMaps made = work.likeFirst(taken[0], taken[0].size());
  startPixelFunction(*pixelFunctionOf(op, context.type), pixelsOf(taken[0]), pixelsOf(made), work.stream());
  return made;
}

/// Map i of one step with map i of the others; a step of one map goes with every map of the others.
Made fold(MapWork& work, const Operation& op, const Taken& taken, OperationContext&, const Extent&) {
  const std::vector<float> numbers = foldNumbers(op, taken.size());
  std::size_t most = 1;
  for (const DeviceMaps& maps : taken) most = std::max(most, maps.size());
  DeviceMaps made = work.likeFirst(taken[0], most);
  for (std::size_t m = 0; m < most; ++m) {
    Planes from;
    for (const DeviceMaps& maps : taken) from.push_back(pixelsOf(maps[maps.size() == 1 ? 0 : m]));
    startPixelFold(*pixelFoldOf(op), from, numbers, pixelsOf(made[m]), work.stream());
  }
  return made;
}

Made gather(MapWork&, const Operation&, const Taken& taken, OperationContext&, const Extent&) {
  DeviceMaps all;
  for (const DeviceMaps& maps : taken) all.insert(all.end(), maps.begin(), maps.end());
  return all;
}

Made eigenvalues(MapWork& work, const Operation&, const Taken& taken, OperationContext&, const Extent&) {
  if (taken[0].size() != 3) return std::nullopt;
  DeviceMaps made = work.likeFirst(taken[0], 2);
  startEigenvalues(pixelsOf(taken[0]), pixelsOf(made), work.stream());
  return made;
}

Made equalize(MapWork& work, const Operation& op, const Taken& taken, OperationContext&, const Extent&) {
  const PlaneView<float>& first = pixelsOf(taken[0][0]);
  const EqualizeTiles tiles({first.height, first.width}, static_cast<int>(op.number("tiles")));
  const std::size_t levels = tiles.number(0, tiles.down) * EqualizeTiles::bins;
  const auto memory = work.take(levels * sizeof(double));
  DeviceMaps made = work.likeFirst(taken[0], taken[0].size());
  for (std::size_t m = 0; m < made.size(); ++m) {
    startEqualize(pixelsOf(taken[0][m]), tiles, op.number("clip"), reinterpret_cast<double*>(memory->data()),
                  pixelsOf(made[m]), work.stream());
  }
  return made;
}

Made localMean(MapWork& work, const Operation& op, const Taken& taken, OperationContext& context,
               const Extent&) {
  const WindowBoxes boxes(op.number("sigma"));
  DeviceMaps made = work.likeFirst(taken[0], taken[0].size());
  for (std::size_t m = 0; m < made.size(); ++m) {
    const PlaneView<float>& from = pixelsOf(taken[0][m]);
    const auto memory = work.take(localMeanBytes(from.height, from.width, boxes));
    startLocalMean({from, work.field(context, from.height, from.width), pixelsOf(made[m]),
                    op.entry->name == "local-rms", reinterpret_cast<double*>(memory->data())},
                   boxes, work.stream());
  }
  return made;
}

Made dilate(MapWork& work, const Operation& op, const Taken& taken, OperationContext&, const Extent&) {
  const std::vector<double>& sigmas = op.numbers("sigma");
  DeviceMaps made = work.likeFirst(taken[0], taken[0].size() * sigmas.size());
  const DeviceMaps across = work.likeFirst(taken[0], 1);
  for (std::size_t m = 0; m < made.size(); ++m) {
    const double sigma = sigmas[m % sigmas.size()];
    const std::vector<float> weights = dilationWeights(sigma);
    const float* const there = work.kept<float>("dilation " + formatNumber(sigma), [&] { return weights; });
    startDilate(pixelsOf(taken[0][m / sigmas.size()]), there, static_cast<int>(weights.size()) - 1,
                pixelsOf(across[0]), pixelsOf(made[m]), work.stream());
  }
  return made;
}

Made shift(MapWork& work, const Operation& op, const Taken& taken, OperationContext&, const Extent&) {
  DeviceMaps made = work.likeFirst(taken[0], taken[0].size());
  for (std::size_t m = 0; m < made.size(); ++m) {
    startShift(pixelsOf(taken[0][m]), static_cast<int>(op.number("right")),
               static_cast<int>(op.number("down")), pixelsOf(made[m]), work.stream());
  }
  return made;
}

/// Calls use(map, its place), once the counting of what counts was started. False where a map has nothing
/// that does: the host says so.
template <class Use>
bool withStatistics(MapWork& work, const DeviceMaps& maps, OperationContext& context, const Use& use) {
  std::byte* const arrivals = work.arrivals(maps.size() * sizeof(std::uint32_t));
  for (std::size_t m = 0; m < maps.size(); ++m) {
    const PlaneView<float>& pixels = pixelsOf(maps[m]);
    const auto memory = work.take(statisticsBytes(pixels.height));
    const FieldMap map{pixels, work.field(context, pixels.height, pixels.width),
                       reinterpret_cast<FieldStatistics*>(memory->data())};
    startCount(map, work.stream());
    work.startBringing(arrivals + m * sizeof(std::uint32_t), &map.statistics->count, sizeof(std::uint32_t));
    use(map, m);
  }
  work.waitForArrivals();
  const auto* const counts = reinterpret_cast<const std::uint32_t*>(arrivals);
  return std::find(counts, counts + maps.size(), 0u) == counts + maps.size();
}

Made percentile(MapWork& work, const Operation& op, const Taken& taken, OperationContext& context,
                const Extent&) {
  DeviceMaps made = work.likeFirst(taken[0], taken[0].size());
  const bool done = withStatistics(work, taken[0], context, [&](const FieldMap& map, std::size_t m) {
    startPercentile(map, op.number("percent"), work.stream());
    startFillPercentile(map, pixelsOf(made[m]), work.stream());
  });
  return done ? Made(std::move(made)) : std::nullopt;
}

Made scaled(MapWork& work, const Operation& op, const Taken& taken, OperationContext& context,
            const Extent&) {
  if (context.flat) return std::nullopt;  // nothing to measure
  const bool stretched = op.entry->name == "stretch";
  const bool robust = !stretched && op.number("robust") != 0;
  DeviceMaps made = work.likeFirst(taken[0], taken[0].size());
  const bool done = withStatistics(work, taken[0], context, [&](const FieldMap& map, std::size_t m) {
    if (!stretched) startMoments(map, work.stream());
    if (robust) startPercentile(map, 50, work.stream());
    startScale(map,
               stretched ? Middle::Least
               : robust  ? Middle::Percentile
                         : Middle::Mean,
               pixelsOf(made[m]), work.stream());
  });
  return done ? Made(std::move(made)) : std::nullopt;
}

Made resampled(MapWork& work, const Operation&, const Taken& taken, OperationContext&, const Extent& after) {
  const PlaneView<float>& first = pixelsOf(taken[0].front());
  if (first.height == after.height && first.width == after.width) return taken[0];
  DeviceMaps made = work.make(after, taken[0].size());
  const DeviceMaps narrow = work.make({first.height, after.width}, 1);
  const DeviceShares across = work.shares(first.width, after.width);
  const DeviceShares down = work.shares(first.height, after.height);
  for (std::size_t m = 0; m < made.size(); ++m)
    startResample(pixelsOf(taken[0][m]), across, pixelsOf(narrow[0]), down, pixelsOf(made[m]), work.stream());
  return made;
}

Made mask(MapWork& work, const Operation& op, const Taken& taken, OperationContext& context, const Extent&) {
  if (context.field.everything()) return taken[0];
  DeviceMaps made = work.likeFirst(taken[0], taken[0].size());
  for (std::size_t m = 0; m < made.size(); ++m) {
    const PlaneView<float>& from = pixelsOf(taken[0][m]);
    startMask(from, work.field(context, from.height, from.width), static_cast<float>(op.number("value")),
              pixelsOf(made[m]), work.stream());
  }
  return made;
}

}  // namespace

Operate operationOnDevice(const Operation& operation) {
  struct Entry {
    std::string_view name;
    Operate operate;
  };
  static constexpr Entry entries[] = {
      {"gather", gather},
      {"eigenvalues", eigenvalues},
      {"equalize", equalize},
      {"local-mean", localMean},
      {"local-rms", localMean},
      {"dilate", dilate},
      {"shift", shift},
      {"percentile", percentile},
      {"standardize", scaled},
      {"stretch", scaled},
      {"resample", resampled},
      {"restore", resampled},
      {"mask", mask},
      {"fill", fillOnDevice},
      {"field", findFieldOnDevice},
  };
  if (pixelFunctionOf(operation, ElementType::F32)) return pixelwise;
  if (pixelFoldOf(operation)) return fold;
  for (const Entry& entry : entries) {
    if (entry.name == operation.entry->name) return entry.operate;
  }
  return nullptr;
}

}  // namespace bankside::cuda
