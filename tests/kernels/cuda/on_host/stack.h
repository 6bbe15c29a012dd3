/// Images that a plan takes one after another, with room for their results.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "core/image_memory.h"
#include "core/made_input.h"
#include "kernels/devices.h"

namespace bankside {

struct StackKind {
  bool pinnedIn = false;   ///< images in memory that a device reads by itself,
  bool pinnedOut = false;  ///< results in memory that it writes
  bool hesitant = false;   ///< sometimes as if the next one was not there yet
};

class Stack final : public RunQueue {
 public:
  Stack(const ConvolutionProblem& p, int count, const Region& region, const StackKind& kind = {})
      : hesitant_(kind.hesitant) {
    for (int i = 0; i < count; ++i) {
      {
        const ImagesIn in(kind.pinnedIn ? pinnedImages() : nullptr);
        images.push_back(
            randomImage(p.channels, p.height, p.width, p.srcType, static_cast<std::uint64_t>(i)));
      }
      const ImagesIn in(kind.pinnedOut ? pinnedImages() : nullptr);
      sinks.push_back(std::make_unique<ImageSink>(p, region));
      sources_.push_back(std::make_unique<ImageSource>(images.back()));
      items_.push_back({*sources_.back(), *sinks.back(), region});
    }
  }
  Stack(const ConvolutionProblem& p, int count) : Stack(p, count, wholeImage(p)) {}

  Item* next(bool wait) override {
    if (hesitant_ && !wait && ++asked_ % 3 == 0) return nullptr;
    if (given == items_.size()) return nullptr;
    mostUnderWay = std::max(mostUnderWay, given + 1 - finished);
    return &items_[given++];
  }
  void done(Item& item) override {
    EXPECT_EQ(&item, &items_[finished]) << "in the order of next";
    ++finished;
    places.push_back(plan == nullptr ? "" : plan->device());
  }

  const Plan* plan = nullptr;       ///< that runs it
  std::vector<std::string> places;  ///< where each was computed
  std::deque<Image> images;
  std::vector<std::unique_ptr<ImageSink>> sinks;
  std::size_t given = 0;
  std::size_t finished = 0;
  std::size_t mostUnderWay = 0;

 private:
  bool hesitant_;
  int asked_ = 0;
  std::vector<std::unique_ptr<ImageSource>> sources_;
  std::deque<Item> items_;
};

}  // namespace bankside
