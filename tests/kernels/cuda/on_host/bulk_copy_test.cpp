/// Runs of bytes that one thread brings: who must wait for them.
#include "kernels/cuda/device/bulk_copy.cuh"

#include <gtest/gtest.h>

#include <array>

#include "tests/kernels/cuda/on_host/block.h"

namespace bankside::cuda {

constexpr int count = 64;  ///< numbers of a copy, and threads
constexpr int copies = 4;

/// The first thread brings runs of numbers to two places in turn, and all write what they find there.
/// `waits`: for the run they read; else for every run but the last. `early`: the first thread brings a run
/// while the one before it in its place may be on its way.
template <bool waits, bool early>
__global__ void bringingKernel(const float* numbers, float* out) {
  extern __shared__ float4 memory[];
  auto* places = reinterpret_cast<float*>(memory);
  __shared__ PhaseBarrier there[2];
  const int thread = static_cast<int>(threadIdx.x);
  const auto bring = [&](int copy) {
    arriveWithBytes(there[copy & 1], places + (copy & 1) * count, numbers + copy * count,
                    count * static_cast<int>(sizeof(float)));
  };
  if (thread == 0) {
    for (PhaseBarrier& barrier : there) beginPhases(barrier, 1);
    showPhases();
    bring(0);
    bring(1);
    if (early) bring(2);
  }
  __syncthreads();
  for (int copy = 0; copy < copies; ++copy) {
    if (waits || copy + 1 < copies) waitForPhase(there[copy & 1], copy >> 1);
    out[copy * count + thread] = places[(copy & 1) * count + count - 1 - thread];
    __syncthreads();  // done with that place
    if (thread == 0 && copy + 2 < copies) bring(copy + 2);
  }
}

namespace {

class BulkCopies : public ::testing::Test {
 protected:
  template <bool waits, bool early = false>
  std::string run(std::uint64_t seed) {
    for (std::size_t i = 0; i < numbers_.size(); ++i) numbers_[i] = static_cast<float>(i + 1);
    on_host::Launch launch;
    launch.kernel = [this] { bringingKernel<waits, early>(numbers_.data(), out_.data()); };
    launch.grid = {1, 1, 1};
    launch.block = {count, 1, 1};
    launch.sharedBytes = 2 * count * sizeof(float);
    launch.seed = seed;
    return on_host::run(launch);
  }
  /// Numbers of a run that are not what was brought.
  int wrong(int copy) const {
    int found = 0;
    for (int i = 0; i < count; ++i) {
      const auto at = static_cast<std::size_t>(copy * count);
      const auto there = static_cast<std::size_t>(count - 1 - i);
      found += out_[at + static_cast<std::size_t>(i)] == numbers_[at + there] ? 0 : 1;
    }
    return found;
  }

 private:
  alignas(16) std::array<float, std::size_t{count}* copies> numbers_ = {};
  std::array<float, std::size_t{count}* copies> out_ = {};
};

TEST_F(BulkCopies, AreThereForWhoWaits) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    EXPECT_EQ(run<true>(seed), "");
    for (int copy = 0; copy < copies; ++copy) EXPECT_EQ(wrong(copy), 0) << copy << " seed " << seed;
  }
}

TEST_F(BulkCopies, AMissingWaitShows) {
  for (std::uint64_t seed = 0; seed < 6; seed += 2) {  // with the others bytes are there at once
    EXPECT_EQ(run<false>(seed), "");
    for (int copy = 0; copy + 1 < copies; ++copy) EXPECT_EQ(wrong(copy), 0) << copy << " seed " << seed;
    EXPECT_EQ(wrong(copies - 1), count) << "seed " << seed;
  }
}

TEST_F(BulkCopies, AreNotBroughtOverOthersOnTheirWay) {
  EXPECT_NE((run<true, true>(0).find("a second copy in a phase")), std::string::npos);
}

}  // namespace
}  // namespace bankside::cuda
