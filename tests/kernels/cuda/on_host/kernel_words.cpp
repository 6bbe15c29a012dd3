#include "tests/kernels/cuda/on_host/kernel_words.h"

namespace {

using bankside::on_host::Group;
using bankside::on_host::meet;

struct Exchange {
  float value;
  int distance;
  float got;
};

struct Reduction {
  std::uint32_t value;
};

void requireWholeWarp(unsigned mask) {
  if (mask != ~0u) bankside::on_host::fail("a warp's exchange with threads left out");
}

}  // namespace

int __syncthreads_or(int value) {
  meet(Group::Block, "__syncthreads_or", &value, [](void* const* of, int count) {
    int any = 0;
    for (int i = 0; i < count; ++i) any |= *static_cast<int*>(of[i]);
    for (int i = 0; i < count; ++i) *static_cast<int*>(of[i]) = any;
  });
  return value;
}

int __shfl_sync(unsigned mask, int value, int lane) {
  requireWholeWarp(mask);
  struct Copy {
    int value, lane, got;
  } mine{value, lane, 0};
  meet(Group::Warp, "__shfl_sync", &mine, [](void* const* of, int count) {
    for (int i = 0; i < count; ++i) {
      auto* to = static_cast<Copy*>(of[i]);
      to->got = static_cast<Copy*>(of[to->lane])->value;
    }
  });
  return mine.got;
}

float __shfl_xor_sync(unsigned mask, float value, int distance) {
  requireWholeWarp(mask);
  Exchange mine{value, distance, 0};
  meet(Group::Warp, "__shfl_xor_sync", &mine, [](void* const* of, int count) {
    for (int i = 0; i < count; ++i) {
      auto* lane = static_cast<Exchange*>(of[i]);
      lane->got = static_cast<Exchange*>(of[i ^ lane->distance])->value;
    }
  });
  return mine.got;
}

std::uint32_t __reduce_min_sync(unsigned mask, std::uint32_t value) {
  requireWholeWarp(mask);
  Reduction mine{value};
  meet(Group::Warp, "__reduce_min_sync", &mine, [](void* const* of, int count) {
    std::uint32_t least = ~0u;
    for (int i = 0; i < count; ++i) least = std::min(least, static_cast<Reduction*>(of[i])->value);
    for (int i = 0; i < count; ++i) static_cast<Reduction*>(of[i])->value = least;
  });
  return mine.value;
}

std::uint32_t __reduce_add_sync(unsigned mask, std::uint32_t value) {
  requireWholeWarp(mask);
  Reduction mine{value};
  meet(Group::Warp, "__reduce_add_sync", &mine, [](void* const* of, int count) {
    std::uint32_t sum = 0;
    for (int i = 0; i < count; ++i) sum += static_cast<Reduction*>(of[i])->value;
    for (int i = 0; i < count; ++i) static_cast<Reduction*>(of[i])->value = sum;
  });
  return mine.value;
}

std::uint32_t __reduce_max_sync(unsigned mask, std::uint32_t value) {
  requireWholeWarp(mask);
  Reduction mine{value};
  meet(Group::Warp, "__reduce_max_sync", &mine, [](void* const* of, int count) {
    std::uint32_t most = 0;
    for (int i = 0; i < count; ++i) most = std::max(most, static_cast<Reduction*>(of[i])->value);
    for (int i = 0; i < count; ++i) static_cast<Reduction*>(of[i])->value = most;
  });
  return mine.value;
}
