#include "kernels/cuda/paper/paper_claims.h"

#include <algorithm>

#include "core/bench/paper_grid.h"
#include "core/error.h"
#include "core/made_input.h"
#include "core/text.h"
#include "core/text_file.h"
#include "kernels/cuda/multichannel/summed_bank.h"
#include "kernels/cuda/paper/bank_width.h"
#include "kernels/cuda/paper/traffic.h"
#include "kernels/cuda/runtime/current_device.h"
#include "kernels/cuda/runtime/kernel_pass.h"
#include "kernels/cuda/runtime/measure_pass.h"

namespace bankside {
namespace {

using namespace cuda;

using Counters = std::map<std::string, double>;

/// "Table 1 (F_TB 64, W 32, H 4, C_SH 2, F_T 4, W_T 16)".
std::string configuration(const SummedVariant& v) {
  const BlockShape& s = v.shape;
  return (v.name.rfind("paper", 0) == 0 ? "Table 1" : v.name) + " (F_TB " +
         std::to_string(s.filtersPerBlock) + ", W " + std::to_string(s.tileWidth) + ", H " +
         std::to_string(s.tileHeight) + ", C_SH " + std::to_string(s.channelsPerStep) + ", F_T " +
         std::to_string(s.filtersPerThread) + ", W_T " + std::to_string(s.pixelsPerThread) + ")";
}

/// What a profiler counted of a kernel for one filter size, if there is a folder.
std::optional<Counters> countersOf(const std::filesystem::path& folder, int filterSize,
                                   std::string_view kernel) {
  if (folder.empty()) return std::nullopt;
  const auto file = folder / ("k" + std::to_string(filterSize) + ".csv");
  return readCounters(readTextFile(file), kernel);
}

std::optional<double> valueOf(const std::optional<Counters>& counters, std::string_view part) {
  if (!counters) return std::nullopt;
  for (const auto& [name, value] : *counters)
    if (name.find(part) != std::string::npos) return value;
  return std::nullopt;
}

std::optional<double> scaled(const std::optional<double>& value, double factor) {
  return value ? std::optional(*value * factor) : std::nullopt;
}

/// Section 4's formulas for one configuration.
void addTraffic(std::vector<PaperClaim>& claims, const SummedVariant& v, const ConvolutionProblem& p,
                const std::string& cell, const std::optional<Counters>& counters) {
  const int k = p.filterWidth;
  const char* const counted = counters ? "counted" : "";
  claims.push_back({"pixels from global memory, of the GEMM method's",
                    cell,
                    paperGlobalShare(k),
                    globalPixelShare(v.shape, k, k),
                    {},
                    "1",
                    ""});
  claims.push_back({"all loads from global memory, of the GEMM method's with the same blocks",
                    cell,
                    {},
                    globalLoadBytes(v.shape, p) / gemmLoadBytes(v.shape, p),
                    {},
                    "1",
                    ""});
  claims.push_back({"loads from global memory",
                    cell,
                    {},
                    globalLoadBytes(v.shape, p) / 1e6,
                    scaled(valueOf(counters, "lts__t_sectors_srcunit_tex_op_read"), 32 / 1e6),
                    "MB",
                    counted});
  claims.push_back({"pixels from shared memory, of one load a tap and sum",
                    cell,
                    paperSharedShare(v.shape.pixelsPerThread, k),
                    sharedPixelShare(v.shape, k),
                    {},
                    "1",
                    ""});
  claims.push_back({"loads from shared memory by warps",
                    cell,
                    {},
                    sharedLoads(v.shape, p) / 1e6,
                    scaled(valueOf(counters, "inst_executed_op_shared_ld"), 1e-6),
                    "million",
                    counted});
  claims.push_back({"bank conflicts of those", cell, 0.0, 0.0,
                    scaled(valueOf(counters, "data_bank_conflicts_pipe_lsu_mem_shared_op_ld"), 1e-6),
                    "million", counted});
}

/// Section 3: pixels are read once, results written once, and shared memory has no bank conflicts.
void addSpecialTraffic(std::vector<PaperClaim>& claims, int filterSize,
                       const std::optional<Counters>& counters) {
  const ConvolutionProblem p =
      parseProblem("c1h4096w4096-f8k" + std::to_string(filterSize) + "-reflect101-f32:f32-none");
  const Variant& v =
      variants()[static_cast<std::size_t>(choosePaperVariant(p, filterSize / 2, filterSize / 2))];
  const std::string cell = "K " + std::to_string(filterSize) + ", N 4096, F 8 (n " +
                           std::to_string(v.shape.pixels) + ", W " + std::to_string(v.blockWidth()) + ", H " +
                           std::to_string(v.blockHeight()) + ")";
  const double bytes = 4.0 * p.width * p.height;
  const char* const counted = counters ? "counted" : "";
  claims.push_back({"pixels from global memory, of the image", cell, 1.0,
                    specialPixelShare(v.shape.pixels, v.blockWidth(), v.blockHeight(), filterSize),
                    scaled(valueOf(counters, "lts__t_sectors_srcunit_tex_op_read"), 32 / bytes), "1",
                    counted});
  claims.push_back(
      {"results to global memory, of the maps", cell, 1.0, 1.0,
       scaled(valueOf(counters, "lts__t_sectors_srcunit_tex_op_write"), 32 / (bytes * p.filterCount)), "1",
       counted});
  claims.push_back({"bank conflicts of loads from shared memory", cell, 0.0, 0.0,
                    scaled(valueOf(counters, "data_bank_conflicts_pipe_lsu_mem_shared_op_ld"), 1e-6),
                    "million", counted});
}

double judgedSeconds(const ConvolutionProblem& p, const FilterBank& bank, const SummedChoice& choice) {
  const auto pass = makeKernelPass(p, std::make_unique<SummedBank>(p, correlationTaps(p, bank), choice));
  if (const std::string wrong = judgePass(*pass, p, bank); !wrong.empty())
    throw Error(ErrorCode::Device, describe(choice) + " on " + format(p) + " is wrong: " + wrong);
  return timePass(*pass, p).at(Phase::Hot).interval.median;
}

/// "Writing back consumes very little time": results straight from registers, and through shared memory.
void addWriteBack(std::vector<PaperClaim>& claims, SummedChoice choice, const ConvolutionProblem& p,
                  const FilterBank& bank, const std::string& cell, const MachineLimits& limits) {
  const double bytes = 4.0 * p.filterCount * p.width * p.height;
  const double direct = judgedSeconds(p, bank, choice);
  choice.sumsShared = true;
  const double shared = judgedSeconds(p, bank, choice);
  claims.push_back({"uncoalesced write-back, the whole kernel", cell, {}, {}, direct * 1e6, "us", "timed"});
  claims.push_back({"coalesced through shared memory", cell, {}, {}, shared * 1e6, "us", "timed"});
  claims.push_back(
      {"the results at the copy rate, of the kernel's time",
       cell,
       {},
       {},
       limits.copyBytes > 0 ? std::optional(bytes / limits.copyBytes / direct * 100) : std::nullopt,
       "%",
       "timed"});
}

/// Section 5.1: "the performance degradation will be higher for the general case".
void addUnits(std::vector<PaperClaim>& claims, const std::stop_token& stop) {
  for (const BankWidthRow& row : generalUnitRows(stop)) {
    if (row.disposition != Disposition::Passed)
      throw Error(ErrorCode::Device, row.what + " in units of " + std::to_string(row.unitElements) + " " +
                                         row.type + " is wrong: " + row.reason);
    const std::string cell = "K 3, " + row.type + " in units of " + std::to_string(row.unitBytes) +
                             " bytes (" + matchWord(row.unitBytes) + ")";
    const bool unmatched = row.unitBytes < smemBankBytes;
    claims.push_back({"time lost against matched units", cell,
                      unmatched ? std::optional(paperUnmatchedLoss) : std::nullopt, (1 - row.predicted) * 100,
                      (1 - row.relative) * 100, "% of speed", "timed"});
  }
}

}  // namespace

void runPaperClaims(BenchReport& report, bool severalChannels, const std::filesystem::path& counters,
                    std::stop_token stop) {
  const cuda::CurrentDevice here;
  for (const int k : {1, 3, 5, 7}) {
    const double published = paperRatio(k, severalChannels);
    if (published == 0) continue;
    PaperClaim claim{"faster than cuDNN's best f32 on average",
                     "K " + std::to_string(k),
                     (published - 1) * 100,
                     {},
                     {},
                     "%",
                     "timed"};
    for (const PeerRatio& r : peerRatios(report.rows))
      if (r.engine == report.paperPeer && r.filterSize == k) claim.here = (r.arithmeticMean - 1) * 100;
    report.claims.push_back(claim);
  }
  if (!severalChannels) {
    for (const int k : {1, 3, 5}) addSpecialTraffic(report.claims, k, countersOf(counters, k, "paperKernel"));
    return;
  }
  for (const int k : {3, 5, 7}) {
    if (stop.stop_requested()) throw Cancelled();
    const ConvolutionProblem p = problemOf(GeneralCell{256, k, 64, 64});
    const FilterBank bank = randomBank(p.filterCount, p.channels, k, k, 5);
    const SummedChoice choice = paperChoice(p);
    const SummedVariant& v = summedVariants()[static_cast<std::size_t>(choice.variant)];
    const std::string cell = "K " + std::to_string(k) + ", " + configuration(v);
    addTraffic(report.claims, v, p, cell, countersOf(counters, k, "summedKernel"));
    addWriteBack(report.claims, choice, p, bank, cell, report.limits.front());
  }
  addUnits(report.claims, stop);
}

}  // namespace bankside
