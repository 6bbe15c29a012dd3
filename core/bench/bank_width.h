/// The paper's model of memory banks (its section 2.1): what a thread reads at once against the width of a
/// bank.
///
/// Source  Chen et al., DAC 2017, equation 1: W_SMB = n * W_CD. A warp's 32 accesses are served by 32 banks;
///         an access narrower than a bank leaves the rest of it unused.
#pragma once

#include <string>

#include "core/bench/bench_row.h"

namespace bankside {

/// Bytes of a shared-memory bank on every GPU since 2014 (8 on Kepler).
inline constexpr int smemBankBytes = 4;

/// n: how many elements of `computeBytes` make the width of a bank. 1 for f32, 2 for f16, 4 for u8.
constexpr int bankWidthFactor(int computeBytes, int bankBytes = smemBankBytes) {
  return computeBytes >= bankBytes ? 1 : bankBytes / computeBytes;
}

/// The share of the banks' bandwidth that accesses of `unitBytes` a thread can use.
constexpr double predictedShare(int unitBytes, int bankBytes = smemBankBytes) {
  return unitBytes >= bankBytes ? 1.0 : static_cast<double>(unitBytes) / bankBytes;
}

/// "unmatched" below the bank's width, "matched" at it, "wider" above.
const char* matchWord(int unitBytes, int bankBytes = smemBankBytes);

/// One measurement with the model's word on it.
struct BankWidthRow {
  std::string
      what;  ///< "shared memory read", "Algorithm 1, K 3, F 8, N 4096", "blocked product, 2048 x 2048"
  std::string type;  ///< element type
  int unitElements = 1;
  int unitBytes = 1;
  double measured = 0;
  std::string measuredIn;  ///< "GB/s", "us"
  double relative = 0;     ///< measured speed against the matched unit of the same type
  double predicted = 0;    ///< the model's, where shared memory is all that counts
  Disposition disposition = Disposition::Passed;
  std::string reason = {};  ///< what is wrong
};

}  // namespace bankside
