/// Times filter2D by libbankside and by OpenCV in turn: LD_PRELOAD=libbankside-filter2d.so
/// BANKSIDE_PRELOAD=all preload-cells [SECONDS a cell [THREADS]]. One line of JSON a cell, microseconds: the
/// least of each.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "library/preload/filter_call.h"
#include "tests/library/preload/both_ways.h"

using bankside::testing::Problem;

int main(int argc, char** argv) {
  const double limit = argc > 1 ? std::atof(argv[1]) : 0.1;
  if (argc > 2) cv::setNumThreads(std::atoi(argv[2]));
  const auto seconds = [](auto&& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const std::pair<int, int> types[] = {
      {CV_8U, CV_8U}, {CV_8U, CV_32F}, {CV_16U, CV_16U}, {CV_16U, CV_32F}, {CV_32F, CV_32F}};
  const char* const names[] = {"u8", "s8", "u16", "s16", "s32", "f32"};
  cv::RNG random(1);
  for (const auto& [from, to] : types)
    for (const int channels : {1, 3})
      for (const int side : {32, 64, 128, 256, 512, 1024, 2048})
        for (const int taps : {3, 5, 7, 9, 11, 13, 15, 21, 31}) {
          if (taps > side / 2 || (side == 2048 && taps > 15)) continue;
          Problem p{cv::Mat(side, side, CV_MAKETYPE(from, channels)), cv::Mat(taps, taps, CV_32F), to};
          random.fill(p.image, cv::RNG::UNIFORM, 0, from == CV_32F ? 1 : 256);
          random.fill(p.taps, cv::RNG::UNIFORM, -1, 1);
          double ours = 1e9, theirs = 1e9, spent = 0;
          for (int i = 0; i < 3 || spent < limit; ++i) {
            const double a = seconds([&] { byWhoeverAnswers(p); });
            const double b = seconds([&] { byOpenCv(p); });
            if (i > 0) ours = std::min(ours, a), theirs = std::min(theirs, b);
            spent += a + b;
          }
          bankside::preload::FilterCall call{};
          call.srcType = p.image.type();
          call.dstType = CV_MAKETYPE(to, channels);
          call.width = call.height = side;
          call.kernelWidth = call.kernelHeight = taps;
          std::printf(
              "{\"from\": \"%s\", \"to\": \"%s\", \"channels\": %d, \"side\": %d, \"taps\": %d, "
              "\"taken\": %s, \"bankside_us\": %.2f, \"opencv_us\": %.2f, \"times\": %.2f}\n",
              names[from], names[to], channels, side, taps,
              bankside::preload::disadvantage(call) == nullptr ? "true" : "false", ours * 1e6, theirs * 1e6,
              theirs / ours);
          std::fflush(stdout);
        }
}
