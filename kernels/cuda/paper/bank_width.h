/// Measures what the bank-width model of the paper predicts: see core/bench/bank_width.h.
#pragma once

#include <stop_token>

#include "core/bench/bench_report.h"

namespace bankside::cuda {

/// Adds one of `report.widths` a measurement: shared-memory throughput for accesses of 1 to 16 bytes,
/// Algorithm 1's kernel for every type and unit (3 x 3, the paper's Fig. 7b), Algorithm 2's likewise (its
/// section 5.1's prediction), and a small blocked matrix product (its Fig. 2). Errors  Cancelled;
/// Error{Device}
void measureBankWidth(BenchReport& report, const std::stop_token& stop);

/// Algorithm 2's rows alone: f16 and f32 in shared memory, units of 1, 2 and 4. Errors  as measureBankWidth
std::vector<BankWidthRow> generalUnitRows(const std::stop_token& stop);

/// Seconds to read shared memory `rounds` times over with accesses of `unitBytes`, and the bytes that were
/// read.
struct SharedRead {
  double seconds = 0;
  double bytes = 0;
};
SharedRead timeSharedReads(int unitBytes);

/// A product of square f16 matrices, f32 sums, whose threads read shared memory in units of `unitElements`
/// (1, 2 or 4). `wrong` says what differs from a product on the host.
struct BlockedProduct {
  double seconds = 0;
  std::string wrong;
};
BlockedProduct timeBlockedProduct(int unitElements);

}  // namespace bankside::cuda
