/// The devices of a plan in bands: opened when there is enough to do, left out when they fail.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernels/cuda/runtime/band_lane.h"

namespace bankside::cuda {

class Lanes {
 public:
  /// The first of `devices` that the bank can be loaded on. Errors  Error{Device}, Error{Limit} if there is
  /// none
  Lanes(const ConvolutionProblem& problem, std::vector<int> devices, LoadBank load);

  /// The open ones. None: all have failed.
  const std::vector<std::unique_ptr<Lane>>& open() const { return open_; }
  /// How many there are at most.
  int most() const { return static_cast<int>(open_.size() + closed_.size()); }

  /// The slot that is idle, of the lane that has the least to do; opens the others where all are busy and
  /// `worthIt`, or they have been set up before. Null: all are busy.
  struct Place {
    Lane* lane = nullptr;
    Slot* slot = nullptr;
  };
  Place idle(bool worthIt);

  /// Whether another lane is there, or can be opened.
  bool hasOther() const { return most() > 1; }
  /// After `stop`: without that one, and with the next if it was the only one.
  void leaveOut(const LaneFailed& failed);
  /// Without those whose device was lost since. Errors  Error{Device} if it was the last one
  void leaveOutLost();
  void stop();

  /// "cuda:1 failed: ...", of each; empty where none has.
  const std::string& failures() const { return failures_; }

 private:
  Place leastBusy();
  std::unique_ptr<Lane> make(int device) const;
  void openOthers();
  void note(int device, const std::string& why);

  ConvolutionProblem problem_;
  LoadBank load_;
  std::vector<std::unique_ptr<Lane>> open_;
  std::vector<int> closed_;  ///< devices that have nothing to do yet
  std::string failures_;
};

}  // namespace bankside::cuda
