#include "tests/support/stopping.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <thread>

namespace bankside::testing {
namespace {

/// A NaN that no engine gives.
constexpr std::uint32_t poison = 0x7fc0dead;

/// Looks at memory that others write, which is what it is for: a value that is half there is there.
__attribute__((no_sanitize("thread"))) std::int64_t writtenIn(const std::vector<Image>& planes, int step) {
  std::int64_t written = 0;
  for (const Image& plane : planes) {
    const auto view = plane.view<float>(0);
    for (int y = 0; y < view.height; ++y) {
      const volatile float* row = view.row(y);
      for (int x = 0; x < view.width; x += step) {
        const float value = row[x];
        written += std::bit_cast<std::uint32_t>(value) != poison ? 1 : 0;
      }
    }
  }
  return written;
}

}  // namespace

void expectStopsSoon(Plan& plan, const ConvolutionProblem& problem, Source& source, double share) {
  const Region whole = wholeImage(problem);
  ImageSink sink(problem, whole);
  for (Image& plane : sink.images()) {
    const auto view = plane.view<float>(0);
    for (int y = 0; y < view.height; ++y) std::fill_n(view.row(y), view.width, std::bit_cast<float>(poison));
  }
  std::stop_source stop;
  std::atomic<bool> ended = false;
  std::int64_t before = 0;
  std::thread asker([&] {
    while (!ended && writtenIn(sink.images(), 64) == 0) std::this_thread::yield();
    stop.request_stop();
    before = writtenIn(sink.images(), 1);
  });
  EXPECT_THROW(plan.run(source, sink, whole, stop.get_token()), Cancelled);
  ended = true;
  asker.join();
  const std::int64_t all =
      static_cast<std::int64_t>(sink.planes()) * static_cast<std::int64_t>(whole.width) * whole.height;
  const std::int64_t after = writtenIn(sink.images(), 1);
  EXPECT_GT(after, 0) << "it stopped before it began";
  EXPECT_LT(static_cast<double>(after - before), share * static_cast<double>(all))
      << before << " results stood when it was asked, " << after << " when it ended";
}

void StoppingSource::readRows(int channel, int firstRow, MutablePlane dst) {
  if (firstRow <= row_ && row_ < firstRow + dst.height) stop_.request_stop();
  inner_.readRows(channel, firstRow, dst);
}

}  // namespace bankside::testing
