/// Device times of the CUDA kernels against what the device allows, as JSON: `cuda-bench
/// figure7|peers|tune|PROBLEM OUT`. A developer's program; nothing is timed that was not verified in the same
/// run.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "core/conformance.h"
#include "core/environment.h"
#include "core/error.h"
#include "core/made_input.h"
#include "kernels/cuda/choose_variant.h"
#include "kernels/cuda/cuda_error.h"
#include "kernels/cuda/measure_kernel.h"
#include "kernels/cuda/single_channel_plan.h"
#include "kernels/engines.h"
#include "kernels/peers/cudnn_forward.h"

using namespace bankside;
using namespace bankside::cuda;
using nlohmann::ordered_json;

namespace {

/// `cuda:single-channel` with its variant pinned.
class PinnedEngine final : public Engine {
 public:
  explicit PinnedEngine(int variant) : variant_(variant) {}
  std::string name() const override { return "cuda:single-channel"; }
  std::string device() const override { return findEngine("cuda:single-channel")->device(); }
  std::string description() const override { return variants()[static_cast<std::size_t>(variant_)].name; }
  Support supports(const ConvolutionProblem&) const override { return Support::yes(); }
  std::unique_ptr<Plan> prepare(const ConvolutionProblem& problem, const FilterBank& bank,
                                const PlanOptions& options) const override {
    return makeSingleChannelPlan(problem, bank, options, {.variant = variant_});
  }

 private:
  int variant_;
};

ConvolutionProblem problemOf(int side, int k, int count, ElementType src, ElementType dst, Combine combine,
                             BorderKind border = BorderKind::Reflect101) {
  return {.height = side,
          .width = side,
          .filterCount = count,
          .filterHeight = k,
          .filterWidth = k,
          .anchorX = k / 2,
          .anchorY = k / 2,
          .border = {border, 0.0f},
          .srcType = src,
          .dstType = dst,
          .combine = combine};
}

/// Exact and random pixels on a small image with ragged tiles, judged against `reference`. Empty if right.
std::string judge(int variant, ConvolutionProblem p) {
  static std::map<std::string, std::string> known;
  p.height = 83;
  p.width = 397;
  const std::string key = std::to_string(variant) + format(p);
  if (const auto it = known.find(key); it != known.end()) return it->second;
  std::string sentence;
  for (const MadePixels pixels : {MadePixels::Integers, MadePixels::Random}) {
    const ConformanceResult result =
        checkConformance(PinnedEngine(variant), *findEngine("reference"), p, pixels);
    if (!result.passed) sentence = result.sentence;
  }
  return known[key] = sentence;
}

struct Floor {
  double seconds;
  const char* bound;
};

Floor floorOf(const ConvolutionProblem& p, const DeviceLimits& limits) {
  const double memory = p.minBytes() / limits.copyRate;
  const double fma = p.flops() / limits.fmaRate;
  return memory > fma ? Floor{memory, "memory"} : Floor{fma, "fma"};
}

/// The rate that one-read-F-written reaches without arithmetic, for the nearest number of planes measured.
double streamSeconds(const ConvolutionProblem& p, const DeviceLimits& limits) {
  const int planes = p.combine == Combine::None ? p.filterCount : 1;
  const DeviceLimits::Stream* best = &limits.streams.front();
  for (const auto& s : limits.streams) {
    if (std::abs(s.planes - planes) < std::abs(best->planes - planes)) best = &s;
  }
  return p.minBytes() / best->rate;
}

ordered_json rowOf(const ConvolutionProblem& p, const std::string& engine, const std::string& variant,
                   const KernelTime& time, const DeviceLimits& limits, const std::string& wrong) {
  const Floor floor = floorOf(p, limits);
  ordered_json row = {{"N", p.height},
                      {"K", p.filterWidth},
                      {"F", p.filterCount},
                      {"srcType", toString(p.srcType)},
                      {"dstType", toString(p.dstType)},
                      {"combine", toString(p.combine)},
                      {"border", format(p.border)},
                      {"engine", engine},
                      {"variant", variant}};
  if (!wrong.empty()) {
    row["disposition"] = "Incorrect";
    row["reason"] = wrong;
    return row;
  }
  const auto interval = [](const Interval& i) { return ordered_json::array({i.low * 1e6, i.high * 1e6}); };
  row["median_us"] = time.cold.median * 1e6;
  row["interval"] = interval(time.cold);
  row["hot_median_us"] = time.hot.median * 1e6;
  row["hot_interval"] = interval(time.hot);
  row["coldSets"] = time.coldSets;
  row["floor_us"] = floor.seconds * 1e6;
  row["bound"] = floor.bound;
  row["stream_us"] = streamSeconds(p, limits) * 1e6;
  row["fractionOfFloor"] = floor.seconds / time.cold.median;
  row["bytes"] = p.minBytes();
  row["bytesAre"] = "computed";
  row["flops"] = p.flops();
  row["disposition"] = "Passed";
  return row;
}

void print(const ordered_json& row) {
  if (row["disposition"] != "Passed") {
    std::printf("%s\n", row.dump().c_str());
    return;
  }
  std::printf("N%-5d K%-3d F%-3d %-4s %-9s %-20s %-14s cold %9.2f hot %9.2f floor %8.2f (%s) %5.3f\n",
              row["N"].get<int>(), row["K"].get<int>(), row["F"].get<int>(),
              row["srcType"].get<std::string>().c_str(), row["combine"].get<std::string>().c_str(),
              row["engine"].get<std::string>().c_str(), row["variant"].get<std::string>().c_str(),
              row["median_us"].get<double>(), row["hot_median_us"].get<double>(),
              row["floor_us"].get<double>(), row["bound"].get<std::string>().c_str(),
              row["fractionOfFloor"].get<double>());
  std::fflush(stdout);
}

class Bench {
 public:
  Bench() : limits_(measureLimits()) {
    std::printf("copy %.0f GB/s, fma %.2f TFLOP/s, launch %.2f us, in a graph %.2f us\n",
                limits_.copyRate / 1e9, limits_.fmaRate / 1e12, limits_.launchSeconds * 1e6,
                limits_.graphLaunchSeconds * 1e6);
    for (const auto& s : limits_.streams)
      std::printf("stream F=%d %.0f GB/s (%s)\n", s.planes, s.rate / 1e9, s.order.c_str());
  }

  void own(const ConvolutionProblem& p, int variant) {
    const std::string name = variants()[static_cast<std::size_t>(variant)].name;
    try {
      const std::string wrong = judge(variant, p);
      KernelTime time;
      if (wrong.empty()) time = timeKernel(p, bankOf(p), variant);
      add(rowOf(p, "cuda:single-channel", name, time, limits_, wrong));
    } catch (const Error& error) {
      fail(p, "cuda:single-channel", name, error.what());
    }
  }

  void chosen(const ConvolutionProblem& p) { own(p, chooseVariant(p, p.anchorX, p.anchorY)); }

  /// The best of cuDNN's forward algorithms: zero borders, FMA math.
  void cudnn(ConvolutionProblem p, bool tensorFloat) {
    p.border = {BorderKind::Constant, 0.0f};
    const std::string engine = tensorFloat ? "cudnn:tf32" : "cudnn:fma";
    try {
      CudnnForward forward(p, bankOf(p), tensorFloat);
      std::string wrong = "no algorithm ran";
      std::string best = "none";
      KernelTime time;
      for (const int algorithm : forward.algorithms()) {
        try {
          const std::string verdict = forward.judge(algorithm);
          if (!verdict.empty()) {
            if (best == "none") wrong = forward.name(algorithm) + ": " + verdict;
            continue;
          }
          const KernelTime now = timeOnPlanes(
              p.height, p.filterCount,
              [&](const float* src, float* dst, void* s) { forward.run(algorithm, src, dst, s); });
          if (best == "none" || now.hot.median < time.hot.median) {
            time = now;
            best = forward.name(algorithm);
            wrong.clear();
          }
        } catch (const Error& error) {
          if (best == "none") wrong = error.what();
        }
      }
      add(rowOf(p, engine, best, time, limits_, wrong));
    } catch (const Error& error) {
      fail(p, engine, "", error.what());
    }
  }

  ordered_json report(const std::string& what) const {
    ordered_json environment;
    for (const auto& [name, value] : currentEnvironment()) environment[name] = value;
    const DeviceDescription device = describeDevice();
    environment["gpu"] = device.name;
    environment["multiprocessors"] = device.multiprocessors;
    environment["l2Bytes"] = device.l2Bytes;
    environment["cudaRuntime"] = device.runtime;
    environment["driverSupportsCuda"] = device.driver;
    ordered_json streams = ordered_json::array();
    for (const auto& s : limits_.streams)
      streams.push_back({{"F", s.planes}, {"GBps", s.rate / 1e9}, {"order", s.order}});
    return {
        {"schemaVersion", 1},
        {"what", what},
        {"rule", "graph replay; median_us cold (buffer sets over 2.5 times the L2), hot_median_us one set"},
        {"environment", environment},
        {"limits",
         {{"copyGBps", limits_.copyRate / 1e9},
          {"fmaTflops", limits_.fmaRate / 1e12},
          {"launch_us", limits_.launchSeconds * 1e6},
          {"graphLaunch_us", limits_.graphLaunchSeconds * 1e6},
          {"streams", streams}}},
        {"rows", rows_}};
  }

 private:
  static FilterBank bankOf(const ConvolutionProblem& p) {
    return randomBank(p.filterCount, 1, p.filterHeight, p.filterWidth, 5);
  }
  void add(ordered_json row) {
    print(row);
    rows_.push_back(std::move(row));
  }
  void fail(const ConvolutionProblem& p, const std::string& engine, const std::string& variant,
            const std::string& reason) {
    add({{"problem", format(p)},
         {"engine", engine},
         {"variant", variant},
         {"disposition", "Failed"},
         {"reason", reason}});
  }

  DeviceLimits limits_;
  ordered_json rows_ = ordered_json::array();
};

constexpr auto f32 = ElementType::F32;
constexpr auto u8 = ElementType::U8;

void figure7(Bench& bench, bool peers) {
  for (const int n : {512, 1024, 2048, 4096})
    for (const int k : {1, 3, 5, 7, 9, 11, 15})
      for (const int f : {1, 8, 12, 32}) bench.chosen(problemOf(n, k, f, f32, f32, Combine::None));
  for (const int n : {1024, 2048, 4096}) {
    for (const int f : {1, 8, 32}) {
      bench.chosen(problemOf(n, 5, f, u8, f32, Combine::None));
      bench.chosen(problemOf(n, 5, f, u8, u8, Combine::None));
    }
    for (const Combine combine : {Combine::Max, Combine::ArgMax}) {
      bench.chosen(problemOf(n, 15, 12, u8, f32, combine));
      bench.chosen(problemOf(n, 5, 8, u8, f32, combine));
    }
  }
  if (!peers) return;
  for (const int n : {1024, 2048, 4096})
    for (const int k : {1, 3, 5})
      for (const int f : {1, 8, 32}) bench.cudnn(problemOf(n, k, f, f32, f32, Combine::None), false);
  for (const int k : {7, 15})
    for (const int f : {1, 8}) bench.cudnn(problemOf(2048, k, f, f32, f32, Combine::None), false);
}

void tune(Bench& bench) {
  for (const int n : {4096, 1024}) {
    for (const int k : {1, 3, 5, 7, 9, 11, 15}) {
      for (const int f : {1, 8, 32}) {
        const ConvolutionProblem p = problemOf(n, k, f, f32, f32, Combine::None);
        for (const int variant : fittingVariants(p, p.anchorX, p.anchorY)) {
          const Variant& v = variants()[static_cast<std::size_t>(variant)];
          if (v.form == Form::AnySize && (k > 5 || n < 4096)) continue;
          if (f == 1 && v.shape.filtersPerPass > 2) continue;
          bench.own(p, variant);
        }
      }
    }
  }
  const ConvolutionProblem vessel = problemOf(4096, 15, 12, u8, f32, Combine::Max);
  for (const int variant : fittingVariants(vessel, vessel.anchorX, vessel.anchorY))
    bench.own(vessel, variant);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: cuda-bench figure7|peers|tune|PROBLEM OUT.json\n";
    return 2;
  }
  if (const Support state = deviceState(); !state) {
    std::cerr << "cuda-bench: " << state.reason << "\n";
    return 1;
  }
  try {
    Bench bench;
    const std::string what = argv[1];
    if (what.rfind("c1", 0) == 0) bench.chosen(parseProblem(what));
    if (what == "tune") tune(bench);
    if (what == "figure7" || what == "peers") figure7(bench, what == "peers");
    std::ofstream(argv[2]) << bench.report(what).dump(1) << "\n";
  } catch (const std::exception& error) {
    std::cerr << "cuda-bench: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
