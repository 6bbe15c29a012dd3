#include "kernels/highway/row_kernels.h"

#include "kernels/highway/disabled_targets.h"
// The scalar target too, so that tests can run it.
#define HWY_COMPILE_ALL_ATTAINABLE
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/highway/row_kernels.cpp"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
#include "kernels/highway/block_kernel-inl.h"
#include "kernels/highway/convert_row-inl.h"
#include "kernels/highway/group_kernel-inl.h"

HWY_BEFORE_NAMESPACE();
namespace bankside::direct::HWY_NAMESPACE {

template <int filters>
void addBlock(RowKernels& k) {
  constexpr int rows = rowsAtOnce(filters);
  k.block[filters - 1][0] = makeBlock<filters, 1, 0>;
  k.block[filters - 1][1] = makeBlock<filters, rows, 0>;
  // Compiled where it pays: one filter is all branches up to 5 x 5, six are at 3 x 3.
  for (auto& square : k.square[filters - 1]) square = k.block[filters - 1][1];
#if HWY_TARGET != HWY_SCALAR
  if constexpr (filters == 1 || filters == maxBlockFilters)
    k.square[filters - 1][squareOf(3)] = makeBlock<filters, rows, 3>;
  if constexpr (filters == 1) {
    k.square[0][squareOf(1)] = makeBlock<1, rows, 1>;
    k.square[0][squareOf(2)] = makeBlock<1, rows, 2>;
    k.square[0][squareOf(5)] = makeBlock<1, rows, 5>;
  }
#endif
  k.group[filters - 1] = makeGroup<filters>;
  k.vectors[filters - 1][0] = vectorsFor(filters);
  k.vectors[filters - 1][1] = vectorsFor(filters * rows);
}

RowKernels makeKernels() {
  RowKernels k;
  k.target = hwy::TargetName(HWY_TARGET);
  k.fused = HWY_NATIVE_FMA != 0;
  k.lanes = lanes;
  addBlock<1>(k);
  addBlock<2>(k);
  addBlock<3>(k);
  addBlock<4>(k);
  addBlock<5>(k);
  addBlock<6>(k);
  k.subtract = subtractRow;
  k.widen = widenRow;
  k.narrow = narrowRow;
  k.narrowIndex = narrowIndexRow;
  k.finish = finishRow;
  k.fence = [] { hwy::FlushStream(); };
  return k;
}

const RowKernels* targetKernels() {
  static const RowKernels kernels = makeKernels();
  return &kernels;
}

}  // namespace bankside::direct::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bankside::direct {

HWY_EXPORT(targetKernels);

const RowKernels& rowKernels() { return *HWY_DYNAMIC_DISPATCH(targetKernels)(); }

std::string describeKernels() {
  return "Highway " + std::to_string(HWY_MAJOR) + "." + std::to_string(HWY_MINOR) + "." +
         std::to_string(HWY_PATCH) + ", " + rowKernels().target;
}

std::vector<std::int64_t> runnableTargets() { return hwy::SupportedAndGeneratedTargets(); }

}  // namespace bankside::direct
#endif
