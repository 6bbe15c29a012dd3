/// Times filter2D by libbankside and by OpenCV in turn: LD_PRELOAD=libbankside-filter2d.so
/// BANKSIDE_PRELOAD=all preload-cells [SECONDS a cell [THREADS]]. One line of JSON a cell, microseconds: the
/// least of each. `preload-cells left`: what calls take longer that are left to OpenCV, and why they are.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "library/preload/filter_call.h"
#include "tests/library/preload/both_ways.h"

using namespace bankside::testing;

namespace {

double secondsOf(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// 8 x 8 pixels, so that little hides the difference.
void timeWhatIsLeft() {
  constexpr int calls = 200;
  for (const bool refused : {true, false}) {
    const Problem p{.image = cv::Mat(8, 8, CV_32F, cv::Scalar(1)),
                    .taps = cv::Mat(3, 3, CV_32F, cv::Scalar(0.1)),
                    .delta = refused ? 1.0 : 0.0};
    const auto microseconds = [&](auto* function) {
      return secondsOf([&] {
               for (int i = 0; i < calls; ++i) byFunction(function, p);
             }) *
             1e6 / calls;
    };
    double through = 1e9, theirs = 1e9;
    for (int round = 0; round < 2000; ++round) {
      through = std::min(through, microseconds(&cv::hal::filter2D));
      theirs = std::min(theirs, microseconds(openCvFilter2D()));
    }
    std::printf(
        "{\"left\": \"%s\", \"through_bankside_us\": %.3f, \"opencv_us\": %.3f, \"added_us\": %.3f}\n",
        refused ? "a delta" : "few taps", through, theirs, through - theirs);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "left") return timeWhatIsLeft(), 0;
  const double limit = argc > 1 ? std::atof(argv[1]) : 0.1;
  if (argc > 2) cv::setNumThreads(std::atoi(argv[2]));
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
            const double a = secondsOf([&] { byWhoeverAnswers(p); });
            const double b = secondsOf([&] { byOpenCv(p); });
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
