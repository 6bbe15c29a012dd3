/// What one call costs: bk_execute of a prepared plan over 8 x 8 pixels, beside the engine's own plan and its
/// row kernel. A program to be run by hand on a quiet machine: build/bin/library-call-cost
#include <algorithm>
#include <cstdio>
#include <vector>

#include "core/engine.h"
#include "core/stopwatch.h"
#include "filters/catalog.h"
#include "kernels/engine_list.h"
#include "kernels/highway/row_kernels.h"
#include "kernels/highway/row_window.h"
#include "kernels/highway/tap_program.h"
#include "library/include/bankside/bankside.h"

namespace {

using namespace bankside;

/// The least of many rounds: what disturbs only adds.
template <class Body>
double nanoseconds(const Body& body) {
  constexpr int rounds = 400;
  constexpr int calls = 2000;
  double least = 1e9;
  for (int i = 0; i < rounds; ++i) {
    const Clock::time_point start = Clock::now();
    for (int n = 0; n < calls; ++n) body();
    least = std::min(least, secondsSince(start) * 1e9 / calls);
  }
  return least;
}

}  // namespace

int main() {
  constexpr int side = 8;
  const FilterBank filters = makeBank("gaussian:sigma=0.5");
  const ConvolutionProblem problem =
      makeProblem(filters, 1, side, side, ElementType::F32, ElementType::F32, {}, Combine::None);

  bk_context_options contextOptions = {};
  contextOptions.size = sizeof contextOptions;
  contextOptions.threads = 1;
  bk_plan_options options = {};
  options.size = sizeof options;
  options.channels = 1;
  options.height = options.width = side;
  options.engine = "cpu:direct";
  bk_context* context = nullptr;
  bk_bank* bank = nullptr;
  bk_plan* plan = nullptr;
  if (bk_context_create(&contextOptions, &context) != BK_OK ||
      bk_bank_make("gaussian:sigma=0.5", &bank) != BK_OK ||
      bk_plan_create(context, bank, &options, &plan) != BK_OK) {
    std::fprintf(stderr, "%s\n", bk_last_error());
    return 1;
  }
  std::vector<float> pixels(side * side, 1.0f);
  std::vector<float> results(side * side);
  const bk_view from = bk_dense_view(pixels.data(), BK_F32, 1, side, side);
  const bk_view to = bk_dense_view(results.data(), BK_F32, 1, side, side);
  const double call = nanoseconds([&] { bk_execute(plan, &from, &to, nullptr, nullptr); });

  const Image image = convert(Image(1, side, side, ElementType::U8), ElementType::F32);
  const auto own =
      selectEngineOf(makeCpuEngines(), "cpu:direct", problem).prepare(problem, filters, {.threads = 1});
  ImageSource source(image);
  ImageSink sink(problem, wholeImage(problem));
  const double run = nanoseconds([&] { own->run(source, sink, wholeImage(problem), {}); });

  // The multiply-adds alone, over rows that are padded already.
  using namespace direct;
  const DirectProgram program = makeDirectProgram(problem, correlationTaps(problem, filters));
  const FilterBlock& block = program.blocks.front();
  const int atOnce = rowsAtOnce(block.count);
  const std::size_t stride = paddedRow(side + problem.filterWidth - 1);
  std::vector<float> padded(stride * static_cast<std::size_t>(2 * side + problem.filterHeight), 1.0f);
  std::vector<const float*> rows;
  std::vector<float*> dst;
  for (int y = 0; y < side + problem.filterHeight; ++y)
    rows.push_back(padded.data() + stride * static_cast<std::size_t>(y));
  for (int y = 0; y < side; ++y) dst.push_back(results.data() + y * side);
  const double kernel = nanoseconds([&] {
    for (int y = 0; y < side; y += atOnce) {
      BlockCall one;
      one.rows = rows.data() + y;
      one.program = &block.step;
      one.pixels = side;
      one.dst = dst.data() + y;
      kernelFor(rowKernels(), block.count, block.step, atOnce)(one);
    }
  });
  std::printf(
      "bk_execute %.0f ns, the engine's plan %.0f ns, its row kernel alone %.0f ns (%d x %d taps, %s)\n",
      call, run, kernel, problem.filterHeight, problem.filterWidth, rowKernels().target);
  bk_plan_free(plan);
  bk_bank_free(bank);
  bk_context_free(context);
}
