/// Chains of products: one block of taps times the pixels of 64 groups.
#pragma once

#include <type_traits>
#include <utility>

#include "kernels/cuda/device/warp_reduce.cuh"
#include "kernels/cuda/device/warpgroup.cuh"
#include "kernels/cuda/pixels/fused.h"
#include "kernels/cuda/tensor/split.h"
#include "kernels/cuda/tensor/tensor_arguments.h"

namespace bankside::cuda {

/// What a kernel is compiled for; see TensorLayout.
template <int tapColumns_, PixelParts parts_, TapParts halves_, bool chained_, Fused kept_>
struct TensorShape {
  static constexpr int tapColumns = tapColumns_;
  static constexpr PixelParts parts = parts_;
  static constexpr TapParts halves = halves_;
  static constexpr bool chained = chained_;
  static constexpr Fused kept = kept_;
  static constexpr bool fused = kept != Fused::None;
  /// Whether registers are left to ask each lane whether its columns lie in the region; else whole columns
  /// are written fast, and others one by one.
  static constexpr bool asksLanes = !chained && halves != TapParts::High;
  static_assert(halves == TapParts::Both || !chained);
  static_assert(halves != TapParts::Apart || parts == PixelParts::Split);
  static_assert(halves != TapParts::High || parts != PixelParts::Split);
  static constexpr int sums = sumsOfChain(tapColumns, parts, chained);
  /// Of a block, alone and in eights.
  static constexpr int outputs = TensorLayout::outputsOf(tapColumns, halves);
  static constexpr int eights = outputs / 8;
  /// Results of a lane for one block of taps: those of eight columns j are group, next output, the group 8
  /// further on, its next output, from 4j on.
  static constexpr int values = 4 * eights;
};

/// What is the same for all lanes, which the compiler would not know: products want whole warps, and
/// descriptors in registers that a warp has one of.
template <class T>
__device__ __forceinline__ T sameForWarp(T value) {
  return static_cast<T>(largestOfWarp(static_cast<std::uint32_t>(value)));
}

/// Where a turn's pixels begin: its first group in the ring's first row, and the first of
/// TensorArguments::corePlaces. The same for all lanes, known to be.
struct RingPlace {
  std::uint32_t pixels;
  int core;
};

/// Where all that multiply meet; the ordered barrier has those below.
inline constexpr int consumersBarrier = 8;

/// Whose turn it is to start products: one warpgroup's after the other's, so that they neither multiply nor
/// write all at the same time.
template <class S>
class OrderedBarrier {
 public:
  /// Then `multiply` waits in it once.
  static constexpr bool used = startInTurn(S::tapColumns, S::parts, S::chained);
  __device__ __forceinline__ OrderedBarrier(int warpgroup, int warpgroups)
      : own_(warpgroup), next_(warpgroup + 1 < warpgroups ? warpgroup + 1 : 0) {}
  /// Every warpgroup will wait in it `times` times.
  __device__ __forceinline__ void begin(int times) {
    left_ = times;
    if (used && next_ == 0) giveTo(0);
  }
  __device__ __forceinline__ void wait() {
    if constexpr (used) waitAtBarrier<2 * tensorWarpgroup>(barrierOf(own_));
  }
  __device__ __forceinline__ void arrive() {
    if constexpr (used) {
      if (--left_ > 0 || next_ != 0) giveTo(next_);
    }
  }
  /// What a warpgroup does that has nothing to multiply.
  __device__ __forceinline__ void skip(int times) {
#pragma unroll 1
    for (int i = 0; used && i < times; ++i) {
      wait();
      arrive();
    }
  }

 private:
  /// Of the one who gives and the one who takes.
  __device__ __forceinline__ static int barrierOf(int warpgroup) { return warpgroup + 1; }
  __device__ __forceinline__ static void giveTo(int warpgroup) {
    passBarrier<2 * tensorWarpgroup>(barrierOf(warpgroup));
  }

  int own_, next_;
  int left_ = 0;
};

/// `count` steps together, two at least, from `first` on; `start(which, pixels, taps)` starts the products of
/// one. `which` (an integral constant): 0 for the first step, 1 for the second, and for those after them
/// which turn of `sums` it is, from 2 on. `inTurn`: in the barrier's order, where there is one.
template <int sums, bool inTurn, class S, class Start>
__device__ __forceinline__ void multiplySteps(const TensorArguments& a, OrderedBarrier<S>& order,
                                              RingPlace place, std::uint32_t taps, int first, int count,
                                              Start&& start) {
  constexpr std::uint32_t stepUnits = S::tapColumns * 2;
  const std::uint32_t* const places = a.corePlaces + place.core + 2 * first;
  std::uint32_t at[startedTogether];
  // Read ahead: products wait for their descriptors otherwise.
  const auto read = [&](auto each, int i) {
#pragma unroll
    for (int k = 0; k < each.value; ++k) at[k] = place.pixels + places[2 * (i + k)];
  };
  constexpr std::integral_constant<int, 1> one;
  constexpr std::integral_constant<int, sums> round;
  constexpr std::integral_constant<int, startedTogether> several;
  taps += static_cast<std::uint32_t>(first) * stepUnits;
  read(several, 0);
  if constexpr (inTurn) order.wait();
  beginProducts();
  start(std::integral_constant<int, 0>{}, at[0], taps);
  start(std::integral_constant<int, 1>{}, at[1], taps + stepUnits);
  endProducts();
  // The compiler keeps products on their way through a loop if each turn begins anew and is like every other.
  const auto add = [&](auto each, int& i, int end) {
#pragma unroll 1
    for (; i + each.value <= end; i += each.value) {
      std::uint32_t now[each.value];
#pragma unroll
      for (int k = 0; k < each.value; ++k) now[k] = at[k];
      read(each, i + each.value);
      beginProducts();
      [&]<int... k>(std::integer_sequence<int, k...>) {
        (start(std::integral_constant<int, 2 + k>{}, now[k], taps + k * stepUnits), ...);
      }
      (std::make_integer_sequence<int, each.value>{});
      endProducts();
      taps += each.value * stepUnits;
    }
  };
  taps += 2 * stepUnits;
  read(several, 2);
  int i = 2;
  if constexpr (inTurn && OrderedBarrier<S>::used) {
    add(several, i, a.walk.ownSteps);
    order.arrive();
  }
  add(several, i, count);
  if constexpr (sums > 1) add(round, i, count);
  add(one, i, count);
  waitForProducts();
}

/// First parts of pixels times both halves of the taps, by instructions of both: a chain's sums of the high
/// halves, then those of the low ones.
template <class S>
__device__ __forceinline__ void multiplyBothHalves(const TensorArguments& a, OrderedBarrier<S>& order,
                                                   std::uint32_t taps, RingPlace place, int first, int count,
                                                   float (&high)[S::values], float (&low)[S::values]) {
  float sum[S::sums][2 * S::values];
  multiplySteps<S::sums, true>(
      a, order, place, taps, first, count, [&](auto which, std::uint32_t pixels, std::uint32_t tapsOfStep) {
        addProducts<S::tapColumns, (which.value >= S::sums)>(sum[which.value % S::sums], pixels, tapsOfStep);
      });
#pragma unroll
  for (auto& each : sum) settle(each);
#pragma unroll
  for (int i = 0; i < S::values; ++i) {
    high[i] = sum[0][i];
    low[i] = sum[0][S::values + i];
    if constexpr (S::sums > 1) {
      high[i] += sum[1][i];
      low[i] += sum[1][S::values + i];
    }
  }
}

/// The same by instructions of either half, and of second parts of pixels: only what weighs most takes turns
/// with two sums, the rest has one.
template <class S>
__device__ __forceinline__ void multiplyHalvesApart(const TensorArguments& a, OrderedBarrier<S>& order,
                                                    std::uint32_t taps, RingPlace place,
                                                    float (&high)[S::values], float (&low)[S::values]) {
  static_assert(S::sums == 2);
  constexpr int half = S::tapColumns / 2;
  const auto second = static_cast<std::uint32_t>(a.walk.plane / coreBytes);
  float sum[S::sums][S::values];
  multiplySteps<S::sums, true>(
      a, order, place, taps, 0, a.layout.steps,
      [&](auto which, std::uint32_t pixels, std::uint32_t tapsOfStep) {
        addProducts<half, (which.value >= S::sums)>(sum[which.value % S::sums], pixels, tapsOfStep);
        addProducts<half, (which.value > 0)>(low, pixels, tapsOfStep + S::tapColumns);
        addProducts<half, true>(low, pixels + second, tapsOfStep);
      });
#pragma unroll
  for (auto& each : sum) settle(each);
  settle(low);
#pragma unroll
  for (int i = 0; i < S::values; ++i) high[i] = sum[0][i] + sum[1][i];
}

/// Pixels of one part times taps of one half.
template <class S>
__device__ __forceinline__ void multiplyHighHalves(const TensorArguments& a, OrderedBarrier<S>& order,
                                                   std::uint32_t taps, RingPlace place,
                                                   float (&sum)[S::values]) {
  multiplySteps<1, true>(a, order, place, taps, 0, a.layout.steps,
                         [&](auto which, std::uint32_t pixels, std::uint32_t tapsOfStep) {
                           addProducts<S::tapColumns, (which.value > 0)>(sum, pixels, tapsOfStep);
                         });
  settle(sum);
}

/// Chains of products with high and low halves, and what pixels left over.
template <class S>
__device__ __forceinline__ void multiplyChains(const TensorArguments& a, OrderedBarrier<S>& order,
                                               std::uint32_t taps, RingPlace place,
                                               float (&value)[S::values]) {
  const int each = S::chained ? a.layout.chainSteps() : a.layout.steps;
#pragma unroll 1
  for (int first = 0; first < a.layout.steps; first += each) {
    float high[S::values];
    float low[S::values];
    if constexpr (S::halves == TapParts::Apart) {
      multiplyHalvesApart(a, order, taps, place, high, low);
    } else {
      multiplyBothHalves(a, order, taps, place, first, each, high, low);
    }
#pragma unroll
    for (int i = 0; i < S::values; ++i) {
      const float whole = __fmaf_rn(low[i], lowWeight, high[i]);
      value[i] = S::chained && first > 0 ? value[i] + whole : whole;
    }
    if (!S::chained) break;
  }
  if constexpr (S::parts == PixelParts::Split) {
    // What pixels left over weighs so little that one sum does, times either half of the taps.
    const auto second = static_cast<std::uint32_t>(a.walk.plane / coreBytes);
    float rest[S::values];
#pragma unroll 1
    for (int half = S::halves == TapParts::Apart ? 1 : 0; half < a.layout.secondHalves(); ++half) {
      multiplySteps<1, false>(
          a, order, place, taps + static_cast<std::uint32_t>(half * S::tapColumns), 0, a.layout.steps,
          [&](auto which, std::uint32_t pixels, std::uint32_t tapsOfStep) {
            addProducts<S::tapColumns / 2, (which.value > 0)>(rest, pixels + second, tapsOfStep);
          });
      settle(rest);
      const float weight = half > 0 ? lowWeight * lowWeight : lowWeight;
#pragma unroll
      for (int i = 0; i < S::values; ++i) value[i] = __fmaf_rn(rest[i], weight, value[i]);
    }
  }
}

/// One block of taps times the pixels of 64 groups.
template <class S>
__device__ __forceinline__ void multiply(const TensorArguments& a, OrderedBarrier<S>& order,
                                         std::uint32_t taps, RingPlace place, float (&value)[S::values]) {
  if constexpr (S::halves == TapParts::High)
    multiplyHighHalves(a, order, taps, place, value);
  else
    multiplyChains(a, order, taps, place, value);
}

}  // namespace bankside::cuda
