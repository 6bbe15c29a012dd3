/// Stops in the middle of a run that wait for what the run has done, and count what it still does: no clock.
#pragma once

#include <gtest/gtest.h>

#include "core/engine.h"

namespace bankside::testing {

/// Asks `plan` to stop as soon as its first result stands in memory, and expects Cancelled with at most
/// `share` of all results written after the ask (counted by values that are no longer the poison that every
/// plane held before). `problem` must give f32 planes and take far longer than the ask.
void expectStopsSoon(Plan& plan, const ConvolutionProblem& problem, Source& source, double share);

/// Rows of an image, given on demand, which ask for a stop when `row` is read.
class StoppingSource final : public Source {
 public:
  StoppingSource(const Image& image, int row, std::stop_source& stop)
      : inner_(image), row_(row), stop_(stop) {}
  ElementType type() const override { return inner_.type(); }
  int channels() const override { return inner_.channels(); }
  int height() const override { return inner_.height(); }
  int width() const override { return inner_.width(); }
  void readRows(int channel, int firstRow, MutablePlane dst) override;

 private:
  ImageSource inner_;
  int row_;
  std::stop_source& stop_;
};

}  // namespace bankside::testing
