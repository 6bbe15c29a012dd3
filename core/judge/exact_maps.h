/// The maps of a stage in double precision, and how far any right engine's may lie from them: the judge's
/// side of a pipeline.
///
/// The error is carried along with the value. Over maps a with errors e (an image has none) a response sum
/// t a has the bound
///   sum |t| e  +  factor x sum |t| (|a| + e)
/// the errors before it as the taps spread them, and its own plan's over the maps as they may be. The combine
/// gives the largest of them, their sum and so on, as core/judge/compare.h says; where responses of opposite
/// signs compete for AbsMax, the distance between them. abs and relu keep it; square makes it
/// e (2 |m| + e) + 2^-24 (|m| + e)^2.
#pragma once

#include <map>
#include <set>

#include "core/bank_pass.h"
#include "core/judge/exact_response.h"

namespace bankside {

class ExactMaps {
 public:
  /// Of a stage over an image. All references must outlive it; the steps have plans.
  ExactMaps(const BankPass& stage, const std::vector<BankPass::Step>& steps, Source& image, int threads);
  /// Of a stage over maps.
  ExactMaps(const BankPass& stage, const std::vector<BankPass::Step>& steps, ExactMaps& before, int threads);

  /// Holds exactly those rows of the maps, computing what is not held yet. Throws Cancelled
  void hold(const std::set<int>& rows, const std::stop_token& stop);
  /// A row that is held.
  const ExactMapRow& row(int map, int y) const { return held_.at(y)[static_cast<std::size_t>(map)]; }

  int maps() const { return maps_; }
  /// The largest magnitude that a map of the image could have, after the activation.
  double largestValue();

 private:
  /// Of some rows, before the combine: [plane][row], a plane for each filter and group.
  struct Responses {
    std::vector<std::vector<ResponseRow>> rows;
    std::vector<std::size_t> step;  ///< that a plane belongs to
  };
  ExactMaps(const BankPass& stage, const std::vector<BankPass::Step>& steps, Source* image, ExactMaps* before,
            int channels, int threads);
  void computeRows(int first, int count, const std::stop_token& stop);
  void respondToImage(std::size_t step, int first, int count, Responses& all, const std::stop_token& stop);
  void respondToMaps(std::size_t step, int first, int count, Responses& all, const std::stop_token& stop);
  double largestResponse(std::size_t step);

  const BankPass& stage_;
  std::vector<BankPass::Step> steps_;
  std::vector<ErrorBound> bounds_;
  std::vector<double> largest_;  ///< a step's largest sum of |tap x pixel|; 0 until asked for
  Source* image_ = nullptr;
  ExactMaps* before_ = nullptr;  ///< instead of an image
  int threads_;
  int groups_;
  int maps_;
  std::map<int, std::vector<ExactMapRow>> held_;
};

/// As large as a response over any place of the maps could be.
double largestOverMaps(const ConvolutionProblem& problem, const FilterBank& bank, ExactMaps& maps);

}  // namespace bankside
