#include "kernels/cuda/paper/bank_width.h"

#include "core/engine.h"
#include "core/error.h"
#include "core/made_input.h"
#include "kernels/cuda/paper/blocked_product.h"
#include "kernels/cuda/paper/unit_pass.h"
#include "kernels/cuda/runtime/current_device.h"
#include "kernels/cuda/runtime/kernel_pass.h"
#include "kernels/cuda/runtime/measure_limits.h"
#include "kernels/cuda/runtime/measure_pass.h"
#include "kernels/cuda/single_channel/single_channel_plan.h"
#include "kernels/cuda/single_channel/variant.h"

namespace bankside {
namespace cuda {
namespace {

/// Fills `relative` and `predicted` of the rows from `first` on against the matched one among them.
void relate(std::vector<BankWidthRow>& rows, std::size_t first, bool isTime) {
  double matched = 0;
  int matchedBytes = 0;
  for (std::size_t i = first; i < rows.size(); ++i) {
    if (rows[i].unitBytes == smemBankBytes) {
      matched = rows[i].measured;
      matchedBytes = rows[i].unitBytes;
    }
  }
  for (std::size_t i = first; i < rows.size(); ++i) {
    BankWidthRow& row = rows[i];
    row.predicted = predictedShare(row.unitBytes) / predictedShare(matchedBytes);
    if (matched > 0 && row.measured > 0)
      row.relative = isTime ? matched / row.measured : row.measured / matched;
  }
}

/// `wrong`: empty if it is right.
void judged(BankWidthRow& row, const std::string& wrong) {
  row.disposition = wrong.empty() ? Disposition::Passed : Disposition::Incorrect;
  row.reason = wrong;
}

void addKernelRows(BenchReport& report, ElementType type, const std::stop_token& stop) {
  ConvolutionProblem p = parseProblem("c1h4096w4096-f8k3-reflect101-f32:f32-none");
  p.srcType = type;
  const FilterBank bank = randomBank(p.filterCount, 1, 3, 3, 5);
  const std::size_t first = report.widths.size();
  for (const int i : fittingVariants(p, p.anchorX, p.anchorY)) {
    const Variant& v = variants()[static_cast<std::size_t>(i)];
    if (!v.paper() || v.tuned) continue;
    if (stop.stop_requested()) throw Cancelled();
    BankWidthRow row;
    row.what = "Algorithm 1, K 3, F 8, N 4096";
    row.type = toString(type);
    row.unitElements = v.shape.pixels;
    row.unitBytes = v.shape.pixels * static_cast<int>(sizeOf(type));
    row.measuredIn = "us";
    const auto pass =
        makeKernelPass(p, makeSingleChannelBand(p, correlationTaps(p, bank), {.choice = {i, p.filterCount}}));
    const std::string wrong = judgePass(*pass, p, bank);
    judged(row, wrong);
    if (wrong.empty()) row.measured = timePass(*pass, p).at(Phase::Whole).interval.median * 1e6;
    report.widths.push_back(std::move(row));
  }
  relate(report.widths, first, true);
}

BankWidthRow productRow(const BlockedProduct& product, const std::string& what, ElementType type, int unit) {
  BankWidthRow row{.what = what + ", 2048 x 2048",
                   .type = toString(type),
                   .unitElements = unit,
                   .unitBytes = unit * static_cast<int>(sizeOf(type)),
                   .measured = product.wrong.empty() ? product.seconds * 1e6 : 0,
                   .measuredIn = "us"};
  judged(row, product.wrong);
  return row;
}

}  // namespace

std::vector<BankWidthRow> generalUnitRows(const std::stop_token& stop) {
  std::vector<BankWidthRow> rows;
  // Small integers: taps that half precision holds.
  const FilterBank bank = integerBank(64, 64, 3, 3, 5);
  for (const ElementType type : {ElementType::F16, ElementType::F32}) {
    ConvolutionProblem p = parseProblem("c64h256w256-f64k3-constant-f32:f32-none");
    p.srcType = type;
    const std::size_t first = rows.size();
    for (const int unit : {1, 2, 4}) {
      if (stop.stop_requested()) throw Cancelled();
      BankWidthRow row;
      row.what = "Algorithm 2, K 3, C 64, F 64, N 256";
      row.type = toString(type);
      row.unitElements = unit;
      row.unitBytes = unit * static_cast<int>(sizeOf(type));
      row.measuredIn = "us";
      const auto pass = makeUnitPass(p, bank, unit);
      const std::string wrong = judgePass(*pass, p, bank);
      judged(row, wrong);
      if (wrong.empty()) row.measured = timePass(*pass, p).at(Phase::Hot).interval.median * 1e6;
      rows.push_back(std::move(row));
    }
    relate(rows, first, true);
  }
  return rows;
}

}  // namespace cuda

void runBankWidth(BenchReport& report, std::stop_token stop) {
  using namespace cuda;
  const CurrentDevice here;
  describeInto(report.environment);
  std::size_t first = report.widths.size();
  for (const int bytes : {1, 2, 4, 8, 16}) {
    const SharedRead read = timeSharedReads(bytes);
    report.widths.push_back({.what = "shared memory read",
                             .type = "-",
                             .unitElements = 1,
                             .unitBytes = bytes,
                             .measured = read.bytes / read.seconds / 1e9,
                             .measuredIn = "GB/s"});
  }
  relate(report.widths, first, false);
  for (const ElementType type : {ElementType::F32, ElementType::F16, ElementType::U16, ElementType::U8})
    addKernelRows(report, type, stop);
  const std::vector<BankWidthRow> general = generalUnitRows(stop);
  report.widths.insert(report.widths.end(), general.begin(), general.end());
  for (const ElementType type : {ElementType::F16, ElementType::F32}) {
    first = report.widths.size();
    for (const int unit : {1, 2, 4}) {
      if (stop.stop_requested()) throw Cancelled();
      report.widths.push_back(productRow(timeBlockedProduct(type, unit), "blocked product", type, unit));
    }
    relate(report.widths, first, true);
  }
  report.widths.push_back(productRow(timeLibraryProduct(), "cuBLAS product", ElementType::F32, 1));
}

}  // namespace bankside
