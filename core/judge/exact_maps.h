/// The maps of a first stage in double precision, and how far any right engine's may lie from them: the
/// judge's side of a chain of two banks.
///
/// The error is carried through with the value. A response has the bound of the first plan, e1. The combine
/// gives max e1, sum e1 and so on, as core/judge/compare.h says; where responses of opposite signs compete
/// for AbsMax, the distance between them. abs and relu keep it; square makes it e (2 |m| + e) + 2^-24 (|m| +
/// e)^2.
#pragma once

#include <map>
#include <set>

#include "core/activation.h"
#include "core/bank_pass.h"

namespace bankside {

/// What is expected of a pixel: its value; finite or not, whichever zero taps and overflow made it; not
/// finite.
enum class MapState : std::uint8_t { Finite, Either, NotFinite };

/// One row of one map, [W] each. Where the state is NotFinite, value and error are 0.
struct ExactMapRow {
  std::vector<double> value;
  std::vector<double> error;
  std::vector<MapState> state;
};

class ExactMaps {
 public:
  /// `first` and `image` must outlive it; the steps have plans.
  ExactMaps(const BankPass& first, const std::vector<BankPass::Step>& steps, Activation activation,
            Source& image, int threads);

  /// Holds exactly those rows of the maps, computing what is not held yet. Throws Cancelled
  void hold(const std::set<int>& rows, const std::stop_token& stop);
  /// A row that is held.
  const ExactMapRow& row(int map, int y) const { return held_.at(y)[static_cast<std::size_t>(map)]; }

  int maps() const { return maps_; }
  /// The largest magnitude that a map of the image could have, after the activation.
  double largestValue();

 private:
  struct Responses;
  void computeRows(int first, int count, const std::stop_token& stop);

  const BankPass& first_;
  std::vector<BankPass::Step> steps_;
  std::vector<ErrorBound> bounds_;
  std::vector<double> largest_;  ///< a step's largest sum of |tap x pixel|; empty until asked for
  Activation activation_;
  Source& image_;
  int threads_;
  int maps_;
  std::map<int, std::vector<ExactMapRow>> held_;
};

}  // namespace bankside
