#include "library/preload/our_answer.h"

#include <dlfcn.h>
#include <pthread.h>

#include <algorithm>

namespace bankside::preload {
namespace {

bool hasZeros(const FilterCall& call) {
  for (int y = 0; y < call.kernelHeight; ++y) {
    const std::uint8_t* row = call.kernel + call.kernelStep * static_cast<std::size_t>(y);
    for (int x = 0; x < call.kernelWidth; ++x)
      if (call.tap(row, x) == 0) return true;
  }
  return false;
}

bool finite(const FilterCall& call) {
  constexpr std::uint32_t exponent = 0x7f800000;  // all ones in what is infinite or no number
  std::uint32_t found = 0;
  for (int y = 0; y < call.height && found == 0; ++y) {
    const auto* row =
        reinterpret_cast<const std::uint32_t*>(call.dst + call.dstStep * static_cast<std::size_t>(y));
    for (int x = 0; x < call.width * call.channels(); ++x) found |= (row[x] & exponent) == exponent;
  }
  return found == 0;
}

}  // namespace

OurAnswer& OurAnswer::only() {
  static auto* const one = new OurAnswer;
  return *one;
}

OurAnswer::OurAnswer()
    : openCvThreads_(reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "_ZN2cv13getNumThreadsEv"))) {
  // A child has none of its parent's threads, and computes on its own.
  pthread_atfork(nullptr, nullptr, [] {
    only().plans_.abandon();
    only().forked_ = true;
  });
}

int OurAnswer::threads() const {
  if (forked_) return 1;
  return openCvThreads_ == nullptr ? 0 : std::max(1, openCvThreads_());
}

bool OurAnswer::give(const FilterCall& call, const bk_plan& plan) {
  const auto view = [&](std::uint8_t* data, std::size_t step, bk_type type) {
    bk_view v = bk_dense_view(data, type, call.channels(), call.height, call.width);
    v.channel_stride = bk_type_size(type);
    v.pixel_stride = v.channel_stride * call.channels();
    v.row_stride = static_cast<std::int64_t>(step);
    return v;
  };
  const bk_view image = view(call.src, call.srcStep, call.srcDepth());
  const bk_view result = view(call.dst, call.dstStep, call.dstDepth());
  if (bk_execute(&plan, &image, &result, nullptr, nullptr) != BK_OK) return false;
  return call.srcDepth() != BK_F32 || !hasZeros(call) || finite(call);
}

}  // namespace bankside::preload
