#include "kernels/opencv/filter2d_plan.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "core/combine.h"
#include "core/error.h"
#include "core/host_plan.h"
#include "kernels/opencv/filter2d_path.h"
#include "kernels/opencv/rank_one.h"

namespace bankside {
namespace {

/// Rows that a pass between two calls takes at a time.
constexpr int rowsAtATime = 32;

int depthOf(ElementType type) {
  switch (type) {
    case ElementType::U8: return CV_8U;
    case ElementType::U16: return CV_16U;
    case ElementType::F16: return CV_16F;
    case ElementType::F32: break;
  }
  return CV_32F;
}

int borderOf(BorderKind kind) {
  switch (kind) {
    case BorderKind::Replicate: return cv::BORDER_REPLICATE;
    case BorderKind::Reflect: return cv::BORDER_REFLECT;
    case BorderKind::Reflect101: return cv::BORDER_REFLECT_101;
    case BorderKind::Constant:
    case BorderKind::Wrap: break;
  }
  return cv::BORDER_CONSTANT;
}

/// A header over somebody's pixels. OpenCV has no const matrices; sources are only ever passed as inputs.
cv::Mat matrixOver(std::byte* data, ElementType type, int height, int width, std::ptrdiff_t strideBytes) {
  return {height, width, depthOf(type), data, static_cast<std::size_t>(strideBytes)};
}
cv::Mat matrixOver(const MutablePlane& p) {
  return matrixOver(p.data, p.type, p.height, p.width, p.strideBytes);
}
cv::Mat matrixOver(const ConstPlane& p) {
  return matrixOver(const_cast<std::byte*>(p.data), p.type, p.height, p.width, p.strideBytes);
}

/// fromFloat over a row, in a form that compilers vectorise: clamped (NaN to 0), then rounded to even by an
/// addition whose last place is 1. cv::Mat::convertTo goes through int32 and turns 3e9 into 0.
template <class T>
void roundRow(const float* src, int count, float top, T* dst) {
  for (int x = 0; x < count; ++x) {
    const float positive = src[x] > 0.0f ? src[x] : 0.0f;
    const float clamped = positive < top ? positive : top;
    const float rounded = (clamped + 0x1p23f) - 0x1p23f;
    dst[x] = static_cast<T>(static_cast<int>(rounded));
  }
}

void storeRow(const float* src, MutablePlane plane, int row) {
  if (plane.type == ElementType::U8) {
    roundRow(src, plane.width, 255.0f, plane.as<std::uint8_t>().row(row));
  } else {
    roundRow(src, plane.width, 65535.0f, plane.as<std::uint16_t>().row(row));
  }
}

/// One channel as filter2D gets it.
struct Pixels {
  cv::Mat image;        ///< over the source's plane, or `own`
  cv::Mat own;          ///< converted or padded copy
  bool padded = false;  ///< by the filter's reach on every side; the border is in it
  bool dft = false;     ///< whether filter2D may go its DFT way over it
};

class Filter2dPlan final : public HostPlan {
 public:
  Filter2dPlan(const ConvolutionProblem& p, const FilterBank& bank, const PlanOptions& options,
               bool separable)
      : HostPlan(p, bank, options) {
    double largestTapSum = 0;
    const std::ptrdiff_t size = static_cast<std::ptrdiff_t>(p.filterHeight) * p.filterWidth;
    for (std::size_t first = 0; first < taps().taps.size(); first += static_cast<std::size_t>(size)) {
      const float* tap = taps().taps.data() + first;
      double sum = 0;
      for (std::ptrdiff_t i = 0; i < size; ++i) sum += std::fabs(tap[i]);
      largestTapSum = std::max(largestTapSum, sum);
    }
    path_ = chooseFilter2dPath(p, taps().anchorX, taps().anchorY, largestTapSum,
                               cv::checkHardwareSupport(CV_CPU_SSE3));
    if (separable) separate(bank);
  }

  PlanInfo info() const override {
    const int calls = problem().channels * problem().filterCount;
    return {.shape = std::string(!factors_.empty() ? "rows and columns"
                                 : path_.dft       ? "DFT"
                                                   : "direct") +
                     ", " + std::to_string(calls) + (calls == 1 ? " call" : " calls")};
  }
  NumericTraits traits() const override {
    // Its transforms begin with the part; eight-bit sums are taken where all filters' fit.
    if (factors_.empty()) {
      return {.errorBound = filter2dErrorBound(problem(), path_),
              .directSums = !path_.dft,
              .dependsOnWholeBank = problem().dstType == ElementType::U8,
              .partEqualsWhole = !path_.dft};
    }
    const ConvolutionProblem& p = problem();
    double error = 0;
    for (const OuterProduct& factors : factors_) error = std::max(error, factors.error);
    // Each term meets a rounding in each pass for every tap of that pass, and one for each channel added.
    const double roundings = gammaBound(p.filterHeight + p.filterWidth + p.tapChannels());
    return {.errorBound = {(roundings + error) * (1 + error)}, .directSums = false};
  }

 private:
  /// The factors of every filter, and the path of a call that has no DFT and takes u8 pixels as they are.
  void separate(const FilterBank& bank) {
    const ConvolutionProblem& p = problem();
    const std::ptrdiff_t size = static_cast<std::ptrdiff_t>(p.filterHeight) * p.filterWidth;
    for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(p.filterCount) * p.tapChannels(); ++i) {
      auto factors = rankOne(taps().taps.data() + i * size, p.filterHeight, p.filterWidth);
      if (!factors) {
        throw Error(ErrorCode::Unsupported, "engine opencv:sepFilter2D: filter " +
                                                bank[static_cast<int>(i / p.tapChannels())].label +
                                                " is not a column times a row");
      }
      factors_.push_back(std::move(*factors));
    }
    path_.dft = false;
    path_.response8 = false;
    path_.source8 = p.srcType == ElementType::U8;
    path_.ownBorder = !p.border.isConstant() || p.border.isZero();
  }

  void compute(const SourceBand& in, const SinkBand& out, const std::stop_token& stop) override {
    try {
      const int batch = std::min(team().count(), problem().filterCount);
      scratch_.resize(static_cast<std::size_t>(batch));
      addends_.resize(static_cast<std::size_t>(batch));
      for (int g = 0; g < problem().responseGroups(); ++g) {
        load(in, out.region, g);
        for (int f = 0; f < problem().filterCount; f += batch) {
          filterBatch(out, g, f, std::min(batch, problem().filterCount - f), stop);
        }
        if (problem().combine != Combine::None) finish(out, g);
      }
    } catch (const cv::Exception& e) {
      const bool memory = e.code == cv::Error::StsNoMem;
      throw Error(memory ? ErrorCode::Limit : ErrorCode::Unsupported, "OpenCV: " + e.err);
    }
  }

  /// The channels of a group, as `path_` wants them.
  void load(const SourceBand& in, const Region& region, int group) {
    const ConvolutionProblem& p = problem();
    const bool integers = p.srcType == ElementType::U8 || p.srcType == ElementType::U16;
    pixels_.resize(static_cast<std::size_t>(p.tapChannels()));
    response8_ = path_.response8;
    for (std::size_t c = 0; c < pixels_.size(); ++c) {
      const int channel = p.channelMode == ChannelMode::Summed ? static_cast<int>(c) : group;
      const auto whole = in.whole(channel);
      Pixels& pixels = pixels_[c];
      pixels.dft = path_.dft;
      if (whole && path_.ownBorder && region == wholeImage(p)) {
        loadWhole(*whole, pixels);
      } else {
        pad(in, region, channel, pixels);
      }
      if (path_.dft && !integers && !cv::checkRange(pixels.image)) {
        if (!pixels.padded) pad(in, region, channel, pixels);
        pixels.dft = false;
        cv::Mat wide;
        pixels.own.convertTo(wide, CV_64F);
        pixels.image = wide;
      }
      response8_ = response8_ && !pixels.padded;
    }
  }

  void loadWhole(const ConstPlane& plane, Pixels& pixels) const {
    pixels.padded = false;
    pixels.image = matrixOver(plane);
    if (plane.type == ElementType::F32 || (plane.type == ElementType::U8 && path_.source8)) return;
    pixels.own.create(plane.height, plane.width, CV_32F);
    team().forRanges(0, plane.height, rowsAtATime, [&](int first, int last) {
      cv::Mat rows = pixels.own.rowRange(first, last);
      pixels.image.rowRange(first, last).convertTo(rows, CV_32F);
    });
    pixels.image = pixels.own;
  }

  void pad(const SourceBand& in, const Region& region, int channel, Pixels& pixels) const {
    const ConvolutionProblem& p = problem();
    pixels.padded = true;
    pixels.own.create(region.height + p.filterHeight - 1, region.width + p.filterWidth - 1, CV_32F);
    pixels.image = pixels.own;
    team().forRanges(0, pixels.own.rows, rowsAtATime, [&](int first, int last) {
      for (int y = first; y < last; ++y) {
        gatherRow(in.row(channel, region.y + y - taps().anchorY), p.srcType, p.width, p.border,
                  region.x - taps().anchorX, pixels.own.cols, pixels.own.ptr<float>(y));
      }
    });
  }

  /// Filters [first, first + count) of a group side by side, then passes their responses on in filter order.
  void filterBatch(const SinkBand& out, int group, int first, int count, const std::stop_token& stop) {
    std::vector<cv::Mat> responses(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) responses[static_cast<std::size_t>(i)] = target(out, group, first + i, i);
    team().forRanges(0, count, 1, [&](int begin, int end) {
      for (int i = begin; i < end; ++i) {
        if (stop.stop_requested()) throw Cancelled();
        respond(first + i, responses[static_cast<std::size_t>(i)], addends_[static_cast<std::size_t>(i)]);
      }
    });
    if (stop.stop_requested()) throw Cancelled();
    const ConvolutionProblem& p = problem();
    if (p.combine == Combine::None && (p.dstType == ElementType::F32 || response8_)) return;
    team().forRanges(0, out.region.height, rowsAtATime, [&](int begin, int end) {
      for (int i = 0; i < count; ++i) {
        const cv::Mat& response = responses[static_cast<std::size_t>(i)];
        if (p.combine == Combine::None) {
          const MutablePlane& plane = out.planes[static_cast<std::size_t>(group * p.filterCount + first + i)];
          for (int y = begin; y < end; ++y) storeRow(response.ptr<float>(y), plane, y);
        } else {
          accumulate(out, group, first + i, response, begin, end);
        }
      }
    });
  }

  /// Where filter `f` puts its response: the sink's plane, the combined value it starts, or scratch.
  cv::Mat target(const SinkBand& out, int group, int f, int slot) {
    const ConvolutionProblem& p = problem();
    if (p.combine == Combine::None && (p.dstType == ElementType::F32 || response8_)) {
      return matrixOver(out.planes[static_cast<std::size_t>(group * p.filterCount + f)]);
    }
    if (f == 0 && p.combine != Combine::None) {
      if (p.combine == Combine::ArgMax || p.dstType == ElementType::F32) {
        value_ = matrixOver(out.planes[valuePlane(group)]);
      } else {
        ownValue_.create(out.region.height, out.region.width, CV_32F);
        value_ = ownValue_;
      }
      if (p.combine != Combine::Magnitude) return value_;
    }
    cv::Mat& scratch = scratch_[static_cast<std::size_t>(slot)];
    scratch.create(out.region.height, out.region.width, CV_32F);
    return scratch;
  }

  void respond(int f, cv::Mat& response, cv::Mat& addend) const {
    const ConvolutionProblem& p = problem();
    const std::ptrdiff_t size = static_cast<std::ptrdiff_t>(p.filterHeight) * p.filterWidth;
    for (int c = 0; c < p.tapChannels(); ++c) {
      const float* tap = taps().taps.data() + (static_cast<std::ptrdiff_t>(f) * p.tapChannels() + c) * size;
      const cv::Mat filter(p.filterHeight, p.filterWidth, CV_32F, const_cast<float*>(tap));
      if (c > 0) addend.create(response.size(), CV_32F);
      cv::Mat& dst = c == 0 ? response : addend;
      if (factors_.empty()) {
        correlate(pixels_[static_cast<std::size_t>(c)], filter, dst);
      } else {
        correlateTwice(pixels_[static_cast<std::size_t>(c)],
                       factors_[static_cast<std::size_t>(f) * p.tapChannels() + c], dst);
      }
      if (c > 0) cv::add(response, addend, response);
    }
  }

  /// `dst` has its size and type already, so that filter2D writes into the memory behind it.
  void correlate(const Pixels& pixels, const cv::Mat& filter, cv::Mat& dst) const {
    const cv::Point anchor(taps().anchorX, taps().anchorY);
    const cv::Rect inner(anchor, dst.size());
    if (!pixels.padded) {
      cv::filter2D(pixels.image, dst, dst.depth(), filter, anchor, 0, borderOf(problem().border.kind));
    } else if (pixels.dft) {
      cv::Mat all;
      cv::filter2D(pixels.image, all, dst.depth(), filter, anchor, 0, cv::BORDER_CONSTANT);
      all(inner).copyTo(dst);
    } else if (path_.dft) {  // in double, so that the bound of the double DFT holds here too
      cv::Mat wide;
      cv::filter2D(pixels.image(inner), wide, CV_64F, filter, anchor, 0, cv::BORDER_CONSTANT);
      wide.convertTo(dst, CV_32F);
    } else {  // a sub-matrix: filter2D reads the padding around it, and never turns to the DFT
      cv::filter2D(pixels.image(inner), dst, dst.depth(), filter, anchor, 0, cv::BORDER_CONSTANT);
    }
  }

  /// Rows, then columns.
  void correlateTwice(const Pixels& pixels, const OuterProduct& factors, cv::Mat& dst) const {
    const cv::Point anchor(taps().anchorX, taps().anchorY);
    const cv::Mat row(1, problem().filterWidth, CV_32F, const_cast<float*>(factors.row.data()));
    const cv::Mat column(problem().filterHeight, 1, CV_32F, const_cast<float*>(factors.column.data()));
    if (!pixels.padded) {
      cv::sepFilter2D(pixels.image, dst, CV_32F, row, column, anchor, 0, borderOf(problem().border.kind));
    } else {
      cv::sepFilter2D(pixels.image(cv::Rect(anchor, dst.size())), dst, CV_32F, row, column, anchor, 0,
                      cv::BORDER_CONSTANT);
    }
  }

  void accumulate(const SinkBand& out, int group, int f, const cv::Mat& response, int begin, int end) {
    const ConvolutionProblem& p = problem();
    if (p.combine == Combine::Magnitude) {
      cv::Mat rows = value_.rowRange(begin, end);
      if (f == 0) {
        cv::multiply(response.rowRange(begin, end), response.rowRange(begin, end), rows);
      } else {
        cv::accumulateSquare(response.rowRange(begin, end), rows);
      }
      return;
    }
    const Combiner combiner{p.combine, p.filterCount};
    for (int y = begin; y < end; ++y) {
      std::uint16_t* index = nullptr;
      if (p.combine == Combine::ArgMax) {
        index = out.planes[valuePlane(group) + 1].as<std::uint16_t>().row(y);
        if (f == 0) std::fill(index, index + out.region.width, std::uint16_t{0});
      }
      // The first filter wrote its response where the value is.
      if (f > 0)
        combiner.accumulate(f, response.ptr<float>(y), out.region.width, value_.ptr<float>(y), index);
    }
  }

  void finish(const SinkBand& out, int group) {
    const ConvolutionProblem& p = problem();
    const Combiner combiner{p.combine, p.filterCount};
    const bool store = p.combine != Combine::ArgMax && p.dstType != ElementType::F32;
    team().forRanges(0, out.region.height, rowsAtATime, [&](int begin, int end) {
      if (p.combine == Combine::Magnitude) {
        cv::Mat rows = value_.rowRange(begin, end);
        cv::sqrt(rows, rows);
      }
      for (int y = begin; y < end; ++y) {
        if (p.combine == Combine::Mean) combiner.finish(out.region.width, value_.ptr<float>(y));
        if (store) storeRow(value_.ptr<float>(y), out.planes[valuePlane(group)], y);
      }
    });
  }

  std::size_t valuePlane(int group) const {
    return static_cast<std::size_t>(problem().combine == Combine::ArgMax ? 2 * group : group);
  }

  Filter2dPath path_;
  std::vector<OuterProduct> factors_;  ///< [F][C]; empty: filter2D, else sepFilter2D
  // Kept between runs, so that memory is taken once.
  std::vector<Pixels> pixels_;
  std::vector<cv::Mat> scratch_;
  std::vector<cv::Mat> addends_;
  cv::Mat value_;  ///< the combined value so far: the sink's plane, or `ownValue_`
  cv::Mat ownValue_;
  bool response8_ = false;
};

}  // namespace

std::unique_ptr<Plan> makeSepFilter2dPlan(const ConvolutionProblem& problem, const FilterBank& bank,
                                          const PlanOptions& options) {
  return std::make_unique<Filter2dPlan>(problem, bank, options, true);
}

std::unique_ptr<Plan> makeFilter2dPlan(const ConvolutionProblem& problem, const FilterBank& bank,
                                       const PlanOptions& options) {
  return std::make_unique<Filter2dPlan>(problem, bank, options, false);
}

}  // namespace bankside
