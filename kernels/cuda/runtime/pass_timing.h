/// How long a timing looks.
#pragma once

#include <stop_token>
#include <string>

namespace bankside::cuda {

/// How long to look: rounds of a graph of about two milliseconds, hot and cold.
///
/// Rests keep a board below its power limit: an H200 at work for more than some 40 ms lowers its clock from
/// 1,980 to 1,725 MHz and less under kernels that keep tensor cores and memory busy, and what is measured
/// last would pay for what was measured before it.
struct PassTiming {
  std::string values = "uniform";  ///< of the pixels, see pixelValues
  int minRounds = 11;
  int maxRounds = 51;
  double seconds = 0.03;      ///< of every loop, once `minRounds` are done
  bool graph = true;          ///< false: every call starts its launches itself
  double rest = 3;            ///< between rounds, times a round's time; at most `mostRest`
  double warmSeconds = 0;     ///< of rounds that do not count, beside the first two
  std::stop_token stop = {};  ///< looked at before every round
  bool sustained = false;     ///< also without rests, once the clock has fallen to where it stays for a while
};
/// Rounds of more than a third of that are launches of many milliseconds, which rest less than they should.
inline constexpr double mostRest = 0.03;  ///< Units  seconds

}  // namespace bankside::cuda
