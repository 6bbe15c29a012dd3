/// A filter is taps with an anchor; a filter bank is several, with where they come from.
///
/// Immutable after construction. Taps are f32 and stand as written: whether they are slid over the image as
/// they are (correlation, filter2D's way) or rotated by 180 degrees first (convolution) is the problem's
/// `mode`.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace bankside {

/// CrossCorrelation: dst(x,y) = sum taps(i,j) * src(x + i - anchorX, y + j - anchorY), as OpenCV's filter2D.
/// Convolution: the same with taps and anchor rotated by 180 degrees, as MATLAB's conv2.
enum class FilterMode { CrossCorrelation, Convolution };

const char* toString(FilterMode mode);
std::optional<FilterMode> parseFilterMode(const std::string& text);  ///< "correlation", "convolution"

inline constexpr int maxFilterSide = 127;
inline constexpr int maxFilterCount = 4096;

/// Taps [C][kh][kw], row-major. The anchor is the tap that lies on the output pixel; by default (kw/2, kh/2).
struct Filter {
  int channels = 1;
  int height = 1;
  int width = 1;
  int anchorX = 0;
  int anchorY = 0;
  std::vector<float> taps = {1.0f};
  std::string label;                       ///< names output files: letters, digits, '.', '_', '-', '+'
  std::optional<double> orientation = {};  ///< degrees, x axis towards y axis (image y points down)
  std::optional<double> scale = {};        ///< pixels, the generator's sigma or the like

  float tap(int channel, int y, int x) const {
    return taps[(static_cast<std::size_t>(channel) * height + y) * width + x];
  }
  bool operator==(const Filter&) const = default;
};

/// A filter with one channel and the anchor in the middle (kw/2, kh/2).
Filter makeFilter(std::string label, int height, int width, std::vector<float> taps);

/// The filter turned by 180 degrees, anchor and all: correlation with it is convolution with the original.
Filter rotated180(const Filter& filter);

/// What a bank says of itself beside its taps.
struct BankInfo {
  std::string name;                                ///< catalogue or file name, as `--bank` takes it
  std::string title;                               ///< one line for a person
  std::string citation;                            ///< where the formula comes from; empty if hand-made
  std::string generator;                           ///< catalogue entry that made it; empty if hand-made
  std::map<std::string, std::string> parameters;   ///< of the generator, complete
  FilterMode mode = FilterMode::CrossCorrelation;  ///< the convention that the taps are written for
  bool operator==(const BankInfo&) const = default;
};

class FilterBank {
 public:
  FilterBank() = default;

  /// Throws Error{BadInput} unless there are 1..4,096 filters, each 1..127 a side with its anchor inside,
  /// finite taps of the right number, one channel count for all, and labels that are unique and fit for file
  /// names.
  FilterBank(BankInfo info, std::vector<Filter> filters);

  const BankInfo& info() const { return info_; }
  const std::vector<Filter>& filters() const { return filters_; }
  const Filter& operator[](int index) const { return filters_[static_cast<std::size_t>(index)]; }
  int size() const { return static_cast<int>(filters_.size()); }
  int channels() const { return filters_.empty() ? 0 : filters_.front().channels; }

  /// True if all filters have one size and one anchor, so that the bank is one ConvolutionProblem.
  bool uniform() const;

  /// Depends on sizes, anchors, taps, labels and mode, not on titles: keys caches and reports.
  std::uint64_t contentHash() const { return contentHash_; }

 private:
  BankInfo info_;
  std::vector<Filter> filters_;
  std::uint64_t contentHash_ = 0;
};

/// A part of a bank whose filters share size and anchor, and where each stood in the whole.
struct UniformGroup {
  FilterBank bank;
  std::vector<int> indices;
};

/// Groups by size and anchor, in order of first appearance; filters keep their order. Never pads.
std::vector<UniformGroup> groupBySize(const FilterBank& bank);

}  // namespace bankside
