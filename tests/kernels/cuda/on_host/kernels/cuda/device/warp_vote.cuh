/// In the place of kernels/cuda/device/warp_vote.cuh.
#pragma once

#include <bit>
#include <cstdint>

#include "tests/kernels/cuda/on_host/block.h"

namespace bankside::cuda {

inline std::uint32_t votesOfWarp(bool yes) {
  std::uint32_t mine = yes ? 1 : 0;
  on_host::meet(on_host::Group::Warp, "votesOfWarp", &mine, [](void* const* of, int count) {
    std::uint32_t votes = 0;
    for (int i = 0; i < count; ++i) votes |= *static_cast<std::uint32_t*>(of[i]) << i;
    for (int i = 0; i < count; ++i) *static_cast<std::uint32_t*>(of[i]) = votes;
  });
  return mine;
}

inline std::uint32_t wordOfLane(std::uint32_t word, int lane) {
  struct Copy {
    std::uint32_t word;
    int lane;
    std::uint32_t got;
  } mine{word, lane, 0};
  on_host::meet(on_host::Group::Warp, "wordOfLane", &mine, [](void* const* of, int count) {
    for (int i = 0; i < count; ++i) {
      auto* to = static_cast<Copy*>(of[i]);
      to->got = static_cast<Copy*>(of[to->lane])->word;
    }
  });
  return mine.got;
}

inline int lowestBit(std::uint32_t word) { return std::countr_zero(word); }
inline int highestBit(std::uint32_t word) { return 31 - std::countl_zero(word); }

}  // namespace bankside::cuda
