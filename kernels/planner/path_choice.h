/// Which of the CPU's paths for a problem: a model of what each costs, as a pure function.
///
/// The choice depends on problem, bank and kind of machine alone: not on threads, region, the load of the
/// machine or the process, so that the same command gives the same bytes again. Hence the ratios between the
/// paths are constants, measured once for each kind of machine and kept here; at run time the machine's kind
/// and the scale of the predicted times are measured.
#pragma once

#include <string>

#include "core/parallel.h"
#include "core/precision.h"
#include "core/problem.h"

namespace bankside::planner {

enum class CpuPath { Direct, Karatsuba, Separable, Fft };
inline constexpr int cpuPaths = 4;
inline constexpr CpuPath allCpuPaths[] = {CpuPath::Direct, CpuPath::Karatsuba, CpuPath::Separable,
                                          CpuPath::Fft};

/// "cpu:direct", "cpu:karatsuba", "cpu:separable", "cpu:fft".
const char* engineName(CpuPath path);

/// What the bank offers each path; multiply-adds and terms a pixel of one response group.
struct BankFacts {
  double directTaps = 0;  ///< zero taps left out where the direct path leaves them out
  double groupTaps = 0;   ///< of the Karatsuba path; 0 where it is out: no groups, or not surely exact
  double groupSteps = 0;  ///< sums that it stores and loads again
  int groupRows = 1;      ///< that it makes together
  int rank = 0;          ///< most terms of a filter in one channel; 0: too many for the separable path to win
  double firstTaps = 0;  ///< columns first, or rows where filters share those
  double secondTaps = 0;
  double terms = 0;    ///< rows of first results, shared ones once
  double fftWork = 0;  ///< for the whole image, see fft::tileWork; 0 where no tile can be had
};

/// Nanoseconds on the machine where they were measured (one thread).
struct PathCosts {
  double pixel = 0;     ///< reading one source pixel
  double result = 0;    ///< storing or combining one response
  double tap = 0;       ///< one multiply-add of the direct path's best block
  double step = 0;      ///< one sum of the Karatsuba path stored and loaded
  double passTap = 0;   ///< one multiply-add of the separable path's column and row passes
  double term = 0;      ///< storing and loading one first result
  double fusedMax = 0;  ///< what a maximum in registers saves a response against one of stored tiles
  double fftUnit = 0;   ///< one radix-2 stage of one complex element
};

/// What sets the ratio between paths: transforms live on additions, direct sums on multiply-adds.
struct MachineKind {
  int lanes = 4;                ///< floats in a vector
  bool twoMultiplyAdds = true;  ///< starts two a cycle; false: one, and an addition beside it
};

PathCosts pathCosts(const MachineKind& kind);

/// What could still change the choice: under Exact nothing but direct sums does, and neither groups nor terms
/// are looked for where they would lose. `team` shares the filters.
BankFacts bankFacts(const ConvolutionProblem& problem, const CorrelationTaps& taps, const PathCosts& costs,
                    Precision precision = Precision::Fp32, const ThreadTeam& team = ThreadTeam(1));

/// Another path must be predicted to be so much faster than direct sums, which round as everyone expects
/// (integers stay exact) and are judged pixel by pixel.
inline constexpr double worthLeavingDirect = 1.05;

struct PathChoice {
  CpuPath path = CpuPath::Direct;
  double seconds[cpuPaths] = {};  ///< predicted for one thread and the whole image; 0 where a path is out
};

/// Exact takes direct sums: the others' bounds are larger. Fp16 allows the CPU nothing that Fp32 does not.
PathChoice choosePath(const ConvolutionProblem& problem, const BankFacts& facts, const PathCosts& costs,
                      Precision precision = Precision::Fp32);

}  // namespace bankside::planner
