/// What peers of the GPU share: a library's call on f32 planes becomes a plan that reads sources and fills
/// sinks.
#pragma once

#include <functional>
#include <limits>

#include "core/engine.h"
#include "kernels/cuda/runtime/device_pass.h"

namespace bankside::cuda {

/// A library's call as a pass: f32 planes [C,H,W] in, F planes [H,W] out, all without gaps, image after
/// image.
class PlanePass : public DevicePass {
 public:
  explicit PlanePass(const ConvolutionProblem& problem, int images = 1)
      : images_(images),
        width_(static_cast<std::size_t>(problem.width)),
        height_(static_cast<std::size_t>(problem.height)),
        channels_(static_cast<std::size_t>(problem.channels)),
        planes_(static_cast<std::size_t>(problem.filterCount)) {}
  int images() const override { return images_; }
  std::size_t resultBytes() const override {
    return static_cast<std::size_t>(images_) * planes_ * planeBytes();
  }
  Plane plane(int i) const override {
    return {static_cast<std::size_t>(i) * planeBytes(), width_ * sizeof(float)};
  }
  std::size_t sourceBytes() const { return static_cast<std::size_t>(images_) * channels_ * planeBytes(); }
  std::size_t planeBytes() const { return width_ * height_ * sizeof(float); }
  /// What the largest magnitude of an image's pixels must lie in, unless it is 0.
  struct PixelRange {
    double least = 0;
    double most = std::numeric_limits<double>::infinity();
  };
  virtual PixelRange largestPixel() const { return {}; }
  /// By default a library's: it chooses by shape, and may choose again for another plan.
  virtual NumericTraits traits() const {
    return {.errorBound = errorBound(), .dependsOnWholeBank = true, .partEqualsWhole = false};
  }
  /// A pixel that is not finite would spread over pixels that its filter rectangle does not touch.
  virtual bool mixesPixels() const { return false; }

 private:
  int images_;
  std::size_t width_;
  std::size_t height_;
  std::size_t channels_;
  std::size_t planes_;
};

/// Whole planes, one group after another: upload (converted to f32 on the host), pass, download. A region is
/// cut from the whole. Borders are the library's own. `run` throws Error{Unsupported} for pixels that are not
/// finite where the pass mixes pixels.
std::unique_ptr<Plan> makePlanePlan(const ConvolutionProblem& problem, std::unique_ptr<PlanePass> pass);

/// What all peers of the GPU refuse, whatever library it is: results that are not plain f32 responses, and
/// unless `sumsChannels` channels that are summed.
Support supportsPlanes(const ConvolutionProblem& problem, bool sumsChannels);

/// The problem of one response group as the library sees it: f32.
ConvolutionProblem planeProblem(const ConvolutionProblem& problem);

}  // namespace bankside::cuda
