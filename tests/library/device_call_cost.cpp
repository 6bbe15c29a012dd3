/// What starting a prepared plan for a device costs the host, as JSON: calls over the same memory, calls over
/// memory of which there is more than a plan remembers, beside a small cudaMemsetAsync, which is one launch,
/// and beside graphs of such calls: each launch of a graph of one, and a call's share of a graph of sixteen.
/// A program to be run by hand on a quiet machine with a GPU: build/bin/library-device-call-cost
#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <vector>

#include "library/include/bankside/bankside.h"

namespace {

/// Nanoseconds of one call, least and median of many rounds; the device catches up in between.
template <class Body>
std::pair<double, double> nanoseconds(cudaStream_t stream, const Body& body) {
  constexpr int rounds = 300;
  constexpr int calls = 50;
  std::vector<double> each;
  for (int i = 0; i < rounds; ++i) {
    const auto start = std::chrono::steady_clock::now();
    for (int n = 0; n < calls; ++n) body();
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    each.push_back(took.count() / calls);
    cudaStreamSynchronize(stream);
  }
  std::sort(each.begin(), each.end());
  return {each.front(), each[each.size() / 2]};
}

/// Nanoseconds of launching a graph that holds `body` so many times. A negative time where it cannot be had.
template <class Body>
double ofGraph(cudaStream_t stream, int times, const Body& body) {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t ready = nullptr;
  if (cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) != cudaSuccess) return -1;
  for (int i = 0; i < times; ++i) body();
  if (cudaStreamEndCapture(stream, &graph) != cudaSuccess ||
      cudaGraphInstantiate(&ready, graph, 0) != cudaSuccess)
    return -1;
  const double least = nanoseconds(stream, [&] { cudaGraphLaunch(ready, stream); }).first;
  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);
  return least;
}

struct Case {
  const char* what;
  const char* engine;
  bk_type type;
  bk_combine combine;
  int side, filters, channels;
};

bool print(const Case& c, cudaStream_t stream) {
  constexpr int side = 256;
  std::vector<float> numbers(static_cast<std::size_t>(c.filters * c.channels * c.side * c.side), 0.25f);
  bk_taps taps = {};
  taps.size = sizeof taps;
  taps.taps = numbers.data();
  taps.filters = c.filters;
  taps.channels = c.channels;
  taps.height = taps.width = c.side;
  bk_plan_options options = {};
  options.size = sizeof options;
  options.channels = c.channels;
  options.height = options.width = side;
  options.type = c.type;
  options.combine = c.combine;
  options.engine = c.engine;
  options.device = "cuda:0";
  bk_bank* bank = nullptr;
  bk_plan* plan = nullptr;
  bk_plan_info info = {};
  info.size = sizeof info;
  void* pixels = nullptr;
  std::array<void*, 8> results = {};
  if (bk_bank_from_taps(&taps, &bank) != BK_OK || bk_plan_create(nullptr, bank, &options, &plan) != BK_OK ||
      bk_plan_describe(plan, &info) != BK_OK) {
    std::fprintf(stderr, "%s: %s\n", c.what, bk_last_error());
    return false;
  }
  bool there =
      cudaMalloc(&pixels, sizeof(float) * side * side * static_cast<std::size_t>(c.channels)) == cudaSuccess;
  for (void*& each : results)
    there = there && cudaMalloc(&each, sizeof(float) * side * side * static_cast<std::size_t>(info.planes)) ==
                         cudaSuccess;
  if (!there) {
    std::fprintf(stderr, "no device memory\n");
    return false;
  }
  const bk_view from = bk_dense_view(pixels, c.type, c.channels, side, side);
  bk_view to = bk_dense_view(results[0], BK_F32, info.planes, side, side);
  bk_run_options run = {};
  run.size = sizeof run;
  run.stream = stream;
  bool right = true;
  const auto call = [&] { right = right && bk_execute(plan, &from, &to, nullptr, &run) == BK_OK; };
  const auto [least, median] = nanoseconds(stream, call);
  std::size_t turn = 0;
  const auto [leastOther, medianOther] = nanoseconds(stream, [&] {
    to.data = results[++turn % results.size()];
    call();
  });
  constexpr int many = 16;
  const double graph = ofGraph(stream, 1, call);
  const double graphOfMany = ofGraph(stream, many, call);
  const auto [leastSet, medianSet] =
      nanoseconds(stream, [&] { cudaMemsetAsync(results[0], 0, 4096, stream); });
  if (!right) std::fprintf(stderr, "%s: %s\n", c.what, bk_last_error());
  std::printf(
      "  {\"what\": \"%s\", \"choice\": \"%s\", \"least_ns\": %.0f, \"median_ns\": %.0f,"
      " \"other_memory_least_ns\": %.0f, \"other_memory_median_ns\": %.0f,"
      " \"graph_least_ns\": %.0f, \"graph_of_16_least_ns_a_call\": %.0f,"
      " \"memset_least_ns\": %.0f, \"memset_median_ns\": %.0f}",
      c.what, info.choice, least, median, leastOther, medianOther, graph, graphOfMany / many, leastSet,
      medianSet);
  cudaFree(pixels);
  for (void* each : results) cudaFree(each);
  bk_plan_free(plan);
  bk_bank_free(bank);
  return right;
}

}  // namespace

int main() {
  constexpr Case cases[] = {
      {"3 x 3 x 8 u8", "cuda:single-channel", BK_U8, BK_COMBINE_NONE, 3, 8, 1},
      {"5 x 5 x 32 f32", "cuda:single-channel", BK_F32, BK_COMBINE_NONE, 5, 32, 1},
      {"15 x 15 x 12 u8", "cuda:tensor", BK_U8, BK_COMBINE_NONE, 15, 12, 1},
      {"15 x 15 x 12 f32", "cuda:tensor", BK_F32, BK_COMBINE_NONE, 15, 12, 1},
      {"15 x 15 x 12 u8, max", nullptr, BK_U8, BK_COMBINE_MAX, 15, 12, 1},
      {"3 channels 3 x 3 x 8 f32", "cuda:multichannel", BK_F32, BK_COMBINE_NONE, 3, 8, 3},
  };
  cudaStream_t stream = nullptr;
  if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess) {
    std::fprintf(stderr, "no stream: there is no GPU here\n");
    return 1;
  }
  bool right = true;
  std::printf("{\"bankside\": \"device-call-cost\", \"schema_version\": 1, \"rows\": [\n");
  for (const Case& c : cases) {
    if (&c != cases) std::printf(",\n");
    right = print(c, stream) && right;
  }
  std::printf("\n]}\n");
  return right ? 0 : 1;
}
