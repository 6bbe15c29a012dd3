/// What runs the kernels here is itself tested: it computes what a device would, and sees what it would not.
#include <gtest/gtest.h>

#include <vector>

#include "kernels/cuda/device/async_copy.cuh"
#include "kernels/cuda/device/half_product.cuh"
#include "kernels/cuda/device/kernel_address.cuh"
#include "kernels/cuda/device/load_matrices.cuh"
#include "kernels/cuda/device/phase_barrier.cuh"
#include "kernels/cuda/device/warpgroup.cuh"
#include "tests/kernels/cuda/on_host/cooperative_groups.h"

// (Not in a nameless namespace: dynamic shared memory is declared in the kernels' own.)
namespace bankside::cuda {

/// Every thread gives its number to its right neighbour.
template <bool barrier>
__global__ void turnKernel(float* out) {
  extern __shared__ float4 memory[];
  auto* numbers = reinterpret_cast<float*>(memory);
  numbers[threadIdx.x] = static_cast<float>(threadIdx.x);
  if (barrier) __syncthreads();
  out[threadIdx.x] = numbers[(threadIdx.x + blockDim.x - 1) % blockDim.x];
}

__global__ void partedKernel(float*) {
  if (threadIdx.x % 2 == 0) {
    __syncthreads();
  } else {
    __syncwarp();
  }
}

__global__ void leavingKernel(float*) {
  if (threadIdx.x == 5) return;
  __syncthreads();
}

__global__ void unstagedKernel(float* out) {
  extern __shared__ float4 memory[];
  out[threadIdx.x] = reinterpret_cast<float*>(memory)[threadIdx.x];
}

__global__ void beyondKernel(float*) {
  extern __shared__ float4 memory[];
  reinterpret_cast<float*>(memory)[256] = 1;
}

__global__ void crookedKernel(float* out) { *out = __ldg(reinterpret_cast<const float4*>(out + 1)).x; }

/// Reads what was copied before it waits for it, and after.
__global__ void copyKernel(float* out) {
  extern __shared__ float4 memory[];
  auto* place = reinterpret_cast<float*>(memory);
  copyWordAsync(place, out);
  closeGroup();
  out[1] = place[0];
  waitForGroups<0>();
  out[2] = place[0];
}

/// The blocks of a cluster add up what the others have.
__global__ void clusterKernel(float* out) {
  extern __shared__ float4 memory[];
  auto* mine = reinterpret_cast<float*>(memory);
  const auto cluster = cooperative_groups::this_cluster();
  *mine = static_cast<float>(1 + cluster.block_rank());
  cluster.sync();
  float sum = 0;
  for (unsigned r = 0; r < cluster.num_blocks(); ++r) sum += *cluster.map_shared_rank(mine, r);
  out[blockIdx.z] = sum;
  cluster.sync();
}

__global__ void exchangeKernel(float* out) {
  const auto i = threadIdx.x;
  out[i] = __shfl_xor_sync(~0u, static_cast<float>(i), 4);
  out[64 + i] = static_cast<float>(__reduce_max_sync(~0u, i) - __reduce_min_sync(~0u, i));
  out[128 + i] = static_cast<float>(__syncthreads_or(i == 40 ? 1 : 0));
}

/// Twice a product of 64 x 16 halves a[m][k] with 16 x 64 b[n][k], laid out as PTX wants them; pixels' cores
/// of 8 rows 128 bytes apart, taps' of 8 columns 256, the pixels' upper halves behind all lower ones.
/// Products that are not `ended` are not waited for.
template <bool ended>
__global__ void productKernel(float* out, const __half* a, const __half* b) {
  extern __shared__ float4 memory[];
  auto* taps = reinterpret_cast<__half*>(memory);
  auto* pixels = taps + 1024;
  const int thread = static_cast<int>(threadIdx.x);
  for (int i = thread; i < 64 * 16; i += 128) {
    const int n = i / 16;
    const int k = i % 16;
    pixels[n / 8 * 64 + k / 8 * 512 + n % 8 * 8 + k % 8] = a[i];
    taps[n / 8 * 128 + k / 8 * 64 + n % 8 * 8 + k % 8] = b[i];
  }
  showToProducts();
  __syncthreads();
  float sum[32];
  beginProducts();
  const std::uint32_t left = sharedUnits(pixels) | 1024 >> 4 << 16;
  const std::uint32_t right = sharedUnits(taps) | 128 >> 4 << 16;
  addProducts<64, false>(sum, left, right);
  addProducts<64, true>(sum, left, right);
  if (ended) endProducts();
  waitForProducts();
  settle(sum);
  const int g = thread / 32 * 16 + thread % 32 / 4;
  for (int i = 0; i < 32; ++i) out[(g + i / 2 % 2 * 8) * 64 + i / 4 * 8 + thread % 4 * 2 + i % 2] = sum[i];
}

/// Twice a product of 64 x 16 halves a[m][k] with 16 x 128 b[n][k], eight of a row in 16 bytes; eight columns
/// of b are `apart` units from the next eight.
__global__ void wideProductKernel(float* out, const float* a, const float* b) {
  constexpr int apart = 11;
  extern __shared__ float4 memory[];
  auto* taps = reinterpret_cast<__half*>(memory);
  auto* pixels = taps + 64 * 16;
  constexpr int plane = 16 * apart * 8;
  const int thread = static_cast<int>(threadIdx.x);
  for (int i = thread; i < 128 * 16; i += 128) {
    const int n = i / 16;
    const int k = i % 16;
    pixels[k / 8 * plane + (n / 8 * apart + n % 8) * 8 + k % 8] = __float2half_rn(b[i]);
    if (n < 64) taps[k / 8 * 512 + n * 8 + k % 8] = __float2half_rn(a[i]);
  }
  showToProducts();
  __syncthreads();
  float sum[64];
  beginProducts();
  const std::uint32_t left = sharedUnits(taps) | 64 << 16;
  const std::uint32_t right = sharedUnits(pixels) | plane / 8 << 16;
  addWideProducts<false>(sum, left, right, apart);
  addWideProducts<true>(sum, left, right, apart);
  endProducts();
  waitForProducts();
  settle(sum);
  const int g = thread / 32 * 16 + thread % 32 / 4;
  for (int i = 0; i < 64; ++i) out[(g + i / 2 % 2 * 8) * 128 + i / 4 * 8 + thread % 4 * 2 + i % 2] = sum[i];
}

/// Twice a product of 16 x 16 halves a[m][k] with 16 x 8 b[n][k], rows of eight in 16 bytes, from `shift`
/// bytes on.
__global__ void warpProductKernel(float* out, const float* a, const float* b, unsigned shift) {
  extern __shared__ float4 memory[];
  auto* halves = reinterpret_cast<__half*>(memory);
  const int lane = static_cast<int>(threadIdx.x);
  // a's rows of halves 0 to 7, of 8 to 15, then b's.
  for (int i = lane; i < 24 * 16; i += 32) {
    const int row = i / 16;
    const int k = i % 16;
    const int place = row < 16 ? k / 8 * 16 + row : 32 + k / 8 * 8 + row - 16;
    halves[place * 8 + k % 8] = __float2half_rn(row < 16 ? a[i] : b[i - 256]);
  }
  __syncwarp();
  const std::uint32_t row = matrixAddress(memory) + static_cast<std::uint32_t>(lane) * 16 + shift;
  const uint4 left = loadMatrices(row);
  const uint4 right = loadMatrices(matrixAddress(memory) + static_cast<std::uint32_t>(32 + lane % 16) * 16);
  const std::uint32_t columns[2] = {right.x, right.y};
  float sum[4] = {};
  multiplyHalves(sum, left, columns);
  multiplyHalves(sum, left, columns);
  for (int i = 0; i < 4; ++i) out[(lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = sum[i];
}

/// 32 threads pass a barrier that 32 others wait at, who read what those wrote; or they count differently.
template <int passing>
__global__ void passingKernel(float* out) {
  extern __shared__ float4 memory[];
  auto* numbers = reinterpret_cast<float*>(memory);
  const int thread = static_cast<int>(threadIdx.x);
  if (thread < 32) {
    numbers[thread] = static_cast<float>(thread);
    passBarrier<passing>(3);
  } else {
    waitAtBarrier<64>(3);
    out[thread - 32] = numbers[63 - thread];
  }
}

/// 32 threads hand over four numbers each to 32 others, in two places that take turns. `late` waits for a
/// phase that another one has followed.
template <bool late>
__global__ void phasesKernel(float* out) {
  extern __shared__ float4 memory[];
  auto* numbers = reinterpret_cast<float*>(memory);
  __shared__ PhaseBarrier full[2], empty[2];
  const int thread = static_cast<int>(threadIdx.x) % 32;
  if (threadIdx.x == 0) {
    for (int i = 0; i < 2; ++i) {
      beginPhases(full[i], 32);
      beginPhases(empty[i], 32);
    }
  }
  __syncthreads();
  for (int number = 0; number < 4; ++number) {
    const int place = number & 1;
    const int phase = number >> 1;
    if (threadIdx.x < 32) {
      if (phase > 0) waitForPhase(empty[place], phase - 1);
      numbers[32 * place + thread] = static_cast<float>(4 * thread + number);
      arriveAtPhase(full[place]);
    } else {
      waitForPhase(full[place], phase);
      out[4 * thread + number] = numbers[32 * place + 31 - thread];
      arriveAtPhase(empty[place]);
    }
  }
  __syncthreads();
  if (late) waitForPhase(full[0], 0);
}

namespace {

template <class... Parameters, class... Arguments>
std::string runKernel(void (*kernel)(Parameters...), unsigned threads, std::size_t shared, std::uint64_t seed,
                      unsigned clusterBlocks, Arguments... arguments) {
  on_host::Launch launch;
  launch.kernel = [=] { kernel(arguments...); };
  launch.grid = {1, 1, clusterBlocks};
  launch.block = {threads, 1, 1};
  launch.clusterBlocks = clusterBlocks;
  launch.sharedBytes = shared;
  launch.seed = seed;
  return on_host::run(launch);
}

TEST(OnHost, ThreadsMeetAtABarrier) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    std::vector<float> out(256);
    EXPECT_EQ(runKernel(turnKernel<true>, 256, 1024, seed, 1, out.data()), "");
    for (std::size_t i = 0; i < 256; ++i) EXPECT_EQ(out[i], static_cast<float>((i + 255) % 256));
  }
}

TEST(OnHost, AMissingBarrierShows) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    std::vector<float> out(256);
    EXPECT_EQ(runKernel(turnKernel<false>, 256, 1024, seed, 1, out.data()), "");
    int wrong = 0;
    for (std::size_t i = 0; i < 256; ++i) wrong += out[i] != static_cast<float>((i + 255) % 256);
    EXPECT_GT(wrong, seed == 0 ? 0 : 50);
  }
}

TEST(OnHost, SaysWhoWaitsForNobody) {
  float out = 0;
  EXPECT_NE(runKernel(partedKernel, 64, 0, 0, 1, &out).find("1 at __syncwarp"), std::string::npos);
  const std::string left = runKernel(leavingKernel, 64, 0, 0, 1, &out);
  EXPECT_NE(left.find("thread 4 at __syncthreads"), std::string::npos) << left;
  EXPECT_NE(left.find("1 have ended"), std::string::npos) << left;
}

TEST(OnHost, SharedMemoryIsNobodysAtFirst) {
  std::vector<float> out(64);
  EXPECT_EQ(runKernel(unstagedKernel, 64, 1024, 0, 1, out.data()), "");
  for (const float v : out) EXPECT_TRUE(v != v);
}

TEST(OnHost, SeesStoresBeyondSharedMemory) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the address sanitizer ends the program there";
#endif
  float out = 0;
  EXPECT_NE(runKernel(beyondKernel, 1, 1024, 0, 1, &out).find("beyond the dynamic shared memory"),
            std::string::npos);
}

TEST(OnHost, SeesAccessesThatAreNotAligned) {
  alignas(16) float out[8] = {};
  EXPECT_NE(runKernel(crookedKernel, 1, 0, 0, 1, out).find("not aligned"), std::string::npos);
}

TEST(OnHost, CopiesArriveLateOrAtOnce) {
  float late[3] = {7, 0, 0};
  EXPECT_EQ(runKernel(copyKernel, 1, 64, 0, 1, late), "");
  EXPECT_TRUE(late[1] != late[1]);
  EXPECT_EQ(late[2], 7);
  float atOnce[3] = {7, 0, 0};
  EXPECT_EQ(runKernel(copyKernel, 1, 64, 1, 1, atOnce), "");
  EXPECT_EQ(atOnce[1], 7);
}

TEST(OnHost, BlocksOfAClusterReadEachOther) {
  std::vector<float> out(4);
  EXPECT_EQ(runKernel(clusterKernel, 1, 64, 3, 4, out.data()), "");
  EXPECT_EQ(out, (std::vector<float>{10, 10, 10, 10}));
}

TEST(OnHost, ThreadsExchangeValues) {
  std::vector<float> out(192);
  EXPECT_EQ(runKernel(exchangeKernel, 64, 0, 9, 1, out.data()), "");
  for (std::size_t i = 0; i < 64; ++i) {
    EXPECT_EQ(out[i], static_cast<float>(i ^ 4));
    EXPECT_EQ(out[64 + i], 31);
    EXPECT_EQ(out[128 + i], 1);
  }
}

TEST(OnHost, AWarpgroupMultiplies) {
  std::vector<__half> a(64 * 16);
  std::vector<__half> b(64 * 16);
  const auto number = [](std::size_t i) { return static_cast<float>(i * 2654435761u >> 8 & 31) - 15; };
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = __float2half_rn(number(i));
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = __float2half_rn(number(i + 5000));
  std::vector<float> out(64 * 64);
  EXPECT_NE(
      runKernel(productKernel<false>, 128, 4096, 4, 1, out.data(), a.data(), b.data()).find("nothing ended"),
      std::string::npos);
  EXPECT_EQ(runKernel(productKernel<true>, 128, 4096, 4, 1, out.data(), a.data(), b.data()), "");
  for (std::size_t m = 0; m < 64; ++m) {
    for (std::size_t n = 0; n < 64; ++n) {
      float sum = 0;
      for (std::size_t k = 0; k < 16; ++k) sum += number(16 * m + k) * number(16 * n + k + 5000);
      EXPECT_EQ(out[64 * m + n], 2 * sum) << m << ", " << n;
    }
  }
}

TEST(OnHost, AWarpgroupMultipliesWidely) {
  const auto number = [](std::size_t i) { return static_cast<float>(i * 2654435761u >> 8 & 31) - 15.5f; };
  std::vector<float> a(64 * 16);
  std::vector<float> b(128 * 16);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = number(i);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = number(i + 5000);
  std::vector<float> out(64 * 128);
  EXPECT_EQ(runKernel(wideProductKernel, 128, 2 * (64 * 16 + 2 * 16 * 11 * 8), 4, 1, out.data(), a.data(),
                      b.data()),
            "");
  for (std::size_t m = 0; m < 64; ++m) {
    for (std::size_t n = 0; n < 128; ++n) {
      float sum = 0;
      for (std::size_t k = 0; k < 16; ++k) sum += a[16 * m + k] * b[16 * n + k];
      EXPECT_EQ(out[128 * m + n], 2 * sum) << m << ", " << n;
    }
  }
}

TEST(OnHost, AWarpMultiplies) {
  std::vector<float> a(16 * 16), b(8 * 16), out(16 * 8);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i * 7 % 31) - 15;
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i * 5 % 23) - 11;
  const auto multiply = [&](unsigned shift) {
    return runKernel(warpProductKernel, 32, 48 * 16, 4, 1, out.data(), a.data(), b.data(), shift);
  };
  ASSERT_EQ(multiply(0), "");
  for (std::size_t m = 0; m < 16; ++m)
    for (std::size_t n = 0; n < 8; ++n) {
      float expected = 0;
      for (std::size_t k = 0; k < 16; ++k) expected += 2 * a[m * 16 + k] * b[n * 16 + k];
      EXPECT_EQ(out[m * 8 + n], expected) << m << " " << n;
    }
  EXPECT_NE(multiply(8).find("not aligned"), std::string::npos);
  EXPECT_NE(multiply(17 * 16).find("outside dynamic shared memory"), std::string::npos);
}

TEST(OnHost, SomePassABarrierThatOthersWaitAt) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    std::vector<float> out(32);
    EXPECT_EQ(runKernel(passingKernel<64>, 64, 256, seed, 1, out.data()), "");
    for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], static_cast<float>(31 - i));
  }
  std::vector<float> out(32);
  EXPECT_NE(runKernel(passingKernel<32>, 64, 256, 0, 1, out.data()).find("threads"), std::string::npos);
  EXPECT_NE(runKernel(passingKernel<96>, 64, 256, 0, 1, out.data()).find("two numbers of threads"),
            std::string::npos);
}

TEST(OnHost, PhasesAreHandedOver) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    std::vector<float> out(128);
    EXPECT_EQ(runKernel(phasesKernel<false>, 64, 256, seed, 1, out.data()), "");
    for (std::size_t i = 0; i < 128; ++i)
      EXPECT_EQ(out[i], static_cast<float>(4 * (31 - i / 4) + i % 4)) << i << " seed " << seed;
  }
  std::vector<float> out(128);
  EXPECT_NE(runKernel(phasesKernel<true>, 64, 256, 0, 1, out.data()).find("before the last one"),
            std::string::npos);
}

TEST(OnHost, LaunchesAreRefusedAsADeviceDoes) {
  const void* kernel = kernelAddress(unstagedKernel);
  std::vector<float> out(64);
  float* place = out.data();
  void* arguments[] = {&place};
  EXPECT_EQ(cudaLaunchKernel(kernel, 1, 64, arguments, 49 * 1024, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 49 * 1024),
            cudaSuccess);
  EXPECT_EQ(cudaLaunchKernel(kernel, 1, 64, arguments, 49 * 1024, nullptr), cudaSuccess);
  EXPECT_EQ(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 228 * 1024),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaLaunchKernel(kernel, dim3(1, 70000), 64, arguments, 0, nullptr),
            cudaErrorInvalidConfiguration);
}

}  // namespace
}  // namespace bankside::cuda
