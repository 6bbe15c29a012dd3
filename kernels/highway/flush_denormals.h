/// Numbers below f32's smallest normal one, 2^-126. Processors take up to 200 times as long over one as over
/// another, so direct sums and transforms count them as 0: pixels, products and sums. Which are 0 depends
/// on nothing but the number, so bytes stay the same however an image is cut.
#pragma once

#if defined(__SSE2__)
#include <immintrin.h>
#endif
#include <cstdint>

#include "core/engine.h"

namespace bankside::direct {

/// While it lives, this thread takes them for 0 and makes 0 of them, where the processor can (x86, Arm).
class FlushDenormals {
 public:
  explicit FlushDenormals(bool on) : on_(on) {
    if (!on_) return;
    before_ = control();
    setControl(before_ | flush);
  }
  ~FlushDenormals() {
    if (on_) setControl(before_);
  }
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
#if defined(__SSE2__)
  using Control = unsigned int;
  static constexpr Control flush = 0x8040;  // FTZ, DAZ
  static Control control() { return _mm_getcsr(); }
  static void setControl(Control value) { _mm_setcsr(value); }
#elif defined(__aarch64__)
  using Control = std::uint64_t;
  static constexpr Control flush = std::uint64_t{1} << 24;  // FZ
  static Control control() {
    Control value;
    asm volatile("mrs %0, fpcr" : "=r"(value));
    return value;
  }
  static void setControl(Control value) { asm volatile("msr fpcr, %0" : : "r"(value) : "memory"); }
#else
  using Control = unsigned int;
  static constexpr Control flush = 0;
  static Control control() { return 0; }
  static void setControl(Control) {}
#endif

  bool on_;
  Control before_ = 0;
};

/// There may be such numbers, and no filter's taps are all so small that its responses to ordinary pixels
/// would be lost. Taps are not among them then (core/small_taps.h).
bool meetsSmallNumbers(const ConvolutionProblem& problem, const CorrelationTaps& taps);

}  // namespace bankside::direct
