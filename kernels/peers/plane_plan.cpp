#include "kernels/peers/plane_plan.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/error.h"
#include "core/host_plan.h"
#include "core/stopwatch.h"
#include "core/text.h"
#include "kernels/cuda/runtime/device_buffer.h"
#include "kernels/cuda/runtime/device_turn.h"
#include "kernels/cuda/runtime/stream.h"

namespace bankside::cuda {
namespace {

class PlanePlan final : public Plan {
 public:
  PlanePlan(const ConvolutionProblem& problem, std::unique_ptr<PlanePass> pass)
      : problem_(problem), pass_(std::move(pass)) {}

  PlanInfo info() const override { return {.shape = pass_->variant()}; }
  NumericTraits traits() const override { return pass_->traits(); }

  PhaseTimes run(Source& source, Sink& sink, const Region& region, std::stop_token stop) override {
    requireMatch(problem_, source, sink, region);
    const DeviceTurn turn(launcher_);
    PhaseTimes times;
    for (int group = 0; group < problem_.responseGroups(); ++group) {
      if (stop.stop_requested()) throw Cancelled();
      auto begin = Clock::now();
      upload(source, group, problem_.tapChannels());
      times.upload += secondsSince(begin);
      pass_->layOut(src_.data(), static_cast<cudaStream_t>(stream_));
      computeBegin_.record(stream_);
      pass_->start(src_.data(), dst_.data(), static_cast<cudaStream_t>(stream_));
      computeEnd_.record(stream_);
      pass_->bringBack(dst_.data(), static_cast<cudaStream_t>(stream_));
      stream_.synchronize();
      times.compute += secondsBetween(computeBegin_, computeEnd_);
      begin = Clock::now();
      for (int f = 0; f < problem_.filterCount; ++f) {
        if (stop.stop_requested()) throw Cancelled();
        deliver(sink, group * problem_.filterCount + f, f, region);
      }
      times.download += secondsSince(begin);
    }
    return times;
  }

 private:
  void upload(Source& source, int first, int channels) {
    const auto width = static_cast<std::size_t>(problem_.width);
    pixels_.resize(width * static_cast<std::size_t>(problem_.height) * static_cast<std::size_t>(channels));
    std::vector<std::byte> row(width * sizeOf(problem_.srcType));
    bool finite = true;
    float largest = 0;
    for (int i = 0; i < channels * problem_.height; ++i) {
      source.readRows(
          first + i / problem_.height, i % problem_.height,
          {row.data(), problem_.srcType, problem_.width, 1, static_cast<std::ptrdiff_t>(row.size())});
      float* to = pixels_.data() + static_cast<std::size_t>(i) * width;
      gatherRow(row.data(), problem_.srcType, problem_.width, problem_.border, 0, problem_.width, to);
      for (std::size_t x = 0; x < width; ++x) {
        finite = finite && std::isfinite(to[x]);
        largest = std::max(largest, std::fabs(to[x]));
      }
    }
    if (!finite && pass_->mixesPixels())
      throw Error(ErrorCode::Unsupported,
                  "the image holds pixels that are not finite, which a transform would spread over it");
    const PlanePass::PixelRange range = pass_->largestPixel();
    if (largest != 0 && (largest < range.least || largest > range.most))
      throw Error(ErrorCode::Unsupported, "the largest pixel is " + formatNumber(largest) +
                                              "; this engine takes images where it lies between " +
                                              formatNumber(range.least) + " and " + formatNumber(range.most));
    src_.reserve(pass_->sourceBytes());
    dst_.reserve(pass_->resultBytes());
    BANKSIDE_CUDA_CHECK(
        cudaMemcpyAsync(src_.data(), pixels_.data(), pass_->sourceBytes(), cudaMemcpyHostToDevice, stream_));
  }

  void deliver(Sink& sink, int plane, int filter, const Region& region) {
    const DevicePass::Plane from = pass_->plane(filter);
    const std::byte* first = dst_.data() + from.offset + static_cast<std::size_t>(region.y) * from.rowBytes +
                             static_cast<std::size_t>(region.x) * sizeof(float);
    const std::size_t bytes = static_cast<std::size_t>(region.width) * sizeof(float);
    const auto rows = static_cast<std::size_t>(region.height);
    if (const auto whole = sink.resident(plane)) {
      BANKSIDE_CUDA_CHECK(cudaMemcpy2D(whole->data, static_cast<std::size_t>(whole->strideBytes), first,
                                       from.rowBytes, bytes, rows, cudaMemcpyDeviceToHost));
      return;
    }
    result_.resize(bytes * rows);
    BANKSIDE_CUDA_CHECK(
        cudaMemcpy2D(result_.data(), bytes, first, from.rowBytes, bytes, rows, cudaMemcpyDeviceToHost));
    sink.writeRows(
        plane, 0,
        {result_.data(), ElementType::F32, region.width, region.height, static_cast<std::ptrdiff_t>(bytes)});
  }

  ConvolutionProblem problem_;
  std::unique_ptr<PlanePass> pass_;
  Launcher launcher_;
  Stream stream_;
  Event computeBegin_, computeEnd_;
  DeviceBuffer src_, dst_;
  std::vector<float> pixels_;
  std::vector<std::byte> result_;
};

}  // namespace

std::unique_ptr<Plan> makePlanePlan(const ConvolutionProblem& problem, std::unique_ptr<PlanePass> pass) {
  return std::make_unique<PlanePlan>(problem, std::move(pass));
}

Support supportsPlanes(const ConvolutionProblem& p, bool sumsChannels) {
  if (p.dstType != ElementType::F32 || p.combine != Combine::None)
    return Support::no("only plain f32 responses, not " + std::string(toString(p.dstType)) +
                       " with combine " + toString(p.combine));
  if (!sumsChannels && p.channels > 1 && p.channelMode == ChannelMode::Summed)
    return Support::no("one channel at a time, not a sum over " + std::to_string(p.channels));
  return Support::yes();
}

ConvolutionProblem planeProblem(const ConvolutionProblem& problem) {
  ConvolutionProblem p = problem;
  p.channels = problem.tapChannels();
  p.channelMode = ChannelMode::Summed;
  p.srcType = ElementType::F32;
  return p;
}

}  // namespace bankside::cuda
