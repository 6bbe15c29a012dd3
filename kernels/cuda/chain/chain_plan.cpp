#include "kernels/cuda/chain/chain_plan.h"

#include <algorithm>
#include <chrono>

#include "core/error.h"

namespace bankside::cuda {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double resultRowBytes(const ConvolutionProblem& p, int width) {
  double bytes = 0;
  for (const ElementType type : outputPlanes(p)) bytes += static_cast<double>(sizeOf(type)) * width;
  return bytes;
}

/// Multiply-adds behind one row of all results.
double rowTaps(const ConvolutionProblem& p, int width) {
  return static_cast<double>(width) * p.filterCount * p.responseGroups() * p.tapChannels() * p.filterHeight *
         p.filterWidth;
}

class ChainPlan final : public ChainedPlan {
 public:
  ChainPlan(const ChainedProblem& chain, int firstAnchorY, int secondAnchorY,
            std::unique_ptr<ChainDevice> device, const ChainBands& bands)
      : chain_(chain),
        firstAnchorY_(firstAnchorY),
        secondAnchorY_(secondAnchorY),
        device_(std::move(device)),
        bands_(bands) {}

  PlanInfo info() const override { return {.shape = device_->describe()}; }
  NumericTraits traits() const override {
    return {.errorBound = device_->errorBound(), .dependsOnWholeBank = true};
  }
  ErrorBound firstErrorBound() const override { return device_->firstErrorBound(); }

  PhaseTimes run(Source& source, Sink& sink, const Region& region, std::stop_token stop) override {
    requireMatch(source, sink, region);
    PhaseTimes times;
    try {
      const auto maps =
          neededRows(chain_.second, secondAnchorY_, RowRange{region.y, region.y + region.height});
      upload(source, neededRows(chain_.first, firstAnchorY_, maps), stop, times);
      makeMaps(maps, stop, times);
      makeResults(sink, region, stop, times);
    } catch (...) {
      finishQuietly();  // nothing may still write to buffers that the next run uses
      throw;
    }
    return times;
  }

 private:
  void requireMatch(const Source& source, const Sink& sink, const Region& r) const {
    const ConvolutionProblem& p = chain_.first;
    if (source.channels() != p.channels || source.height() != p.height || source.width() != p.width ||
        source.type() != p.srcType)
      throw Error(ErrorCode::BadInput, "the image is not that of problem " + format(p));
    const auto types = outputPlanes(chain_.second);
    bool fits = sink.planes() == static_cast<int>(types.size());
    for (int i = 0; fits && i < sink.planes(); ++i) fits = sink.type(i) == types[static_cast<std::size_t>(i)];
    if (!fits)
      throw Error(ErrorCode::BadInput, "the result planes are not those of problem " + format(chain_.second));
    if (r.x < 0 || r.y < 0 || r.width < 1 || r.height < 1 || r.width > p.width - r.x ||
        r.height > p.height - r.y)
      throw Error(ErrorCode::BadInput, "the region does not lie in the image");
  }

  static void checkStop(const std::stop_token& stop) {
    if (stop.stop_requested()) throw Cancelled();
  }

  int rowsAtOnce(double tapsOfRow, double bytesOfRow, int most) const {
    const double rows = std::min(bands_.taps / tapsOfRow, bands_.bytes / bytesOfRow);
    return static_cast<int>(std::clamp(rows, 1.0, static_cast<double>(most)));
  }

  void upload(Source& source, const std::vector<RowRange>& ranges, const std::stop_token& stop,
              PhaseTimes& times) {
    const auto begin = Clock::now();
    const ConvolutionProblem& p = chain_.first;
    const std::size_t rowBytes = static_cast<std::size_t>(p.width) * sizeOf(p.srcType);
    const int atOnce = rowsAtOnce(1, static_cast<double>(rowBytes), p.height);
    for (const RowRange& range : ranges) {
      for (int y = range.first; y < range.end; y += atOnce) {
        const int rows = std::min(atOnce, range.end - y);
        // All channels of a few rows: a source that is a stream is asked in its order.
        for (int c = 0; c < p.channels; ++c) {
          checkStop(stop);
          if (const auto whole = source.resident(c)) {
            device_->upload(c, y, {whole->row(y), p.srcType, p.width, rows, whole->strideBytes});
            continue;
          }
          rows_.resize(rowBytes * static_cast<std::size_t>(rows));
          const MutablePlane to{rows_.data(), p.srcType, p.width, rows,
                                static_cast<std::ptrdiff_t>(rowBytes)};
          source.readRows(c, y, to);
          device_->upload(c, y, to);
        }
      }
    }
    device_->wait();
    times.upload += secondsSince(begin);
  }

  void makeMaps(const std::vector<RowRange>& ranges, const std::stop_token& stop, PhaseTimes& times) {
    const auto begin = Clock::now();
    const int atOnce = rowsAtOnce(rowTaps(chain_.first, chain_.first.width), 1e-9, chain_.first.height);
    for (const RowRange& range : ranges) {
      for (int y = range.first; y < range.end; y += atOnce) {
        checkStop(stop);
        device_->makeMaps(y, std::min(atOnce, range.end - y));
        device_->wait();
      }
    }
    times.compute += secondsSince(begin);
  }

  void makeResults(Sink& sink, const Region& region, const std::stop_token& stop, PhaseTimes& times) {
    const ConvolutionProblem& p = chain_.second;
    const int atOnce = rowsAtOnce(rowTaps(p, region.width), resultRowBytes(p, region.width), region.height);
    for (int done = 0; done < region.height; done += atOnce) {
      checkStop(stop);
      auto begin = Clock::now();
      const int rows = std::min(atOnce, region.height - done);
      device_->makeResults({region.x, region.y + done, region.width, rows});
      device_->wait();
      times.compute += secondsSince(begin);
      begin = Clock::now();
      for (int i = 0; i < sink.planes(); ++i) {
        checkStop(stop);
        deliver(sink, i, done, region.width, rows);
      }
      times.download += secondsSince(begin);
    }
  }

  void deliver(Sink& sink, int plane, int firstRow, int width, int rows) {
    const ElementType type = sink.type(plane);
    if (const auto whole = sink.resident(plane)) {
      device_->fetch(plane, {whole->row(firstRow), type, width, rows, whole->strideBytes});
      return;
    }
    const std::size_t rowBytes = static_cast<std::size_t>(width) * sizeOf(type);
    rows_.resize(rowBytes * static_cast<std::size_t>(rows));
    const MutablePlane to{rows_.data(), type, width, rows, static_cast<std::ptrdiff_t>(rowBytes)};
    device_->fetch(plane, to);
    sink.writeRows(plane, firstRow, to);
  }

  void finishQuietly() noexcept {
    try {
      device_->wait();
    } catch (...) {
      // What is thrown already says more.
    }
  }

  ChainedProblem chain_;
  int firstAnchorY_;
  int secondAnchorY_;
  std::unique_ptr<ChainDevice> device_;
  ChainBands bands_;
  std::vector<std::byte> rows_;
};

}  // namespace

std::vector<RowRange> neededRows(const ConvolutionProblem& p, int anchorY,
                                 const std::vector<RowRange>& results) {
  std::vector<char> needed(static_cast<std::size_t>(p.height));
  for (const RowRange& r : results) {
    for (int y = r.first - anchorY; y < r.end - anchorY + p.filterHeight - 1; ++y) {
      const int inside = borderIndex(y, p.height, p.border.kind);
      if (inside >= 0) needed[static_cast<std::size_t>(inside)] = 1;
    }
  }
  std::vector<RowRange> ranges;
  for (int y = 0; y < p.height; ++y) {
    if (needed[static_cast<std::size_t>(y)] == 0) continue;
    if (!ranges.empty() && ranges.back().end == y) {
      ranges.back().end = y + 1;
    } else {
      ranges.push_back({y, y + 1});
    }
  }
  return ranges;
}

std::vector<RowRange> neededRows(const ConvolutionProblem& problem, int anchorY, RowRange results) {
  return neededRows(problem, anchorY, std::vector<RowRange>{results});
}

std::unique_ptr<ChainedPlan> makeChainPlan(const ChainedProblem& chain, int firstAnchorY, int secondAnchorY,
                                           std::unique_ptr<ChainDevice> device, const ChainBands& bands) {
  return std::make_unique<ChainPlan>(chain, firstAnchorY, secondAnchorY, std::move(device), bands);
}

}  // namespace bankside::cuda
