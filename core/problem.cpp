#include "core/problem.h"

#include <algorithm>

#include "core/error.h"
#include "core/hash.h"
#include "core/small_taps.h"
#include "core/text.h"

namespace bankside {
namespace {

/// Reads a problem's text from left to right.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text), rest_(text) {}

  bool take(std::string_view word) {
    if (rest_.substr(0, word.size()) != word) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  void need(std::string_view word) {
    if (!take(word)) fail("\"" + std::string(word) + "\"");
  }
  int number(const char* what) {
    std::size_t digits = 0;
    while (digits < rest_.size() && rest_[digits] >= '0' && rest_[digits] <= '9') ++digits;
    const auto value = parseInteger(rest_.substr(0, digits));
    if (!value || *value > 1'000'000'000) fail(what);
    rest_.remove_prefix(digits);
    return static_cast<int>(*value);
  }
  /// Up to the next occurrence of one of `ends`, or the end.
  std::string_view until(std::string_view ends, std::size_t from = 0) {
    const auto word = rest_.substr(0, rest_.find_first_of(ends, from));
    rest_.remove_prefix(word.size());
    return word;
  }
  bool done() const { return rest_.empty(); }

  [[noreturn]] void fail(const std::string& expected) const {
    throw Error(ErrorCode::BadInput, "problem \"" + std::string(text_) + "\": expected " + expected +
                                         " at \"" + std::string(rest_) + "\"");
  }

 private:
  std::string_view text_;
  std::string_view rest_;
};

Border takeBorder(Cursor& cursor) {
  // "constant=-3.5-f32:f32": the value's own sign and exponent sign are not separators.
  if (!cursor.take("constant=")) {
    const auto border = parseBorder(cursor.until("-"));
    if (!border) cursor.fail("a border");
    return *border;
  }
  std::string value(cursor.until("-", 1));
  if (!value.empty() && value.back() == 'e') value += cursor.until("-", 1);
  const auto border = parseBorder("constant=" + value);
  if (!border) cursor.fail("the constant border's value");
  return *border;
}

}  // namespace

const char* toString(Combine combine) {
  switch (combine) {
    case Combine::None: return "none";
    case Combine::Max: return "max";
    case Combine::AbsMax: return "absmax";
    case Combine::ArgMax: return "argmax";
    case Combine::Mean: return "mean";
    case Combine::Sum: return "sum";
    case Combine::Magnitude: return "magnitude";
  }
  return "?";
}

std::optional<Combine> parseCombine(std::string_view text) {
  for (const Combine combine : allCombines) {
    if (text == toString(combine)) return combine;
  }
  return std::nullopt;
}

double ConvolutionProblem::flops() const {
  return 2.0 * channels * height * width * filterCount * filterHeight * filterWidth;
}

double ConvolutionProblem::minBytes() const {
  const double pixels = static_cast<double>(height) * width;
  double bytes = pixels * channels * static_cast<double>(sizeOf(srcType));
  for (const ElementType type : outputPlanes(*this)) bytes += pixels * static_cast<double>(sizeOf(type));
  return bytes;
}

int outputPlaneCount(const ConvolutionProblem& p) {
  if (p.combine == Combine::None) return p.responseGroups() * p.filterCount;
  return p.combine == Combine::ArgMax ? 2 * p.responseGroups() : p.responseGroups();
}

ElementType outputPlaneType(const ConvolutionProblem& p, int plane) {
  if (p.combine != Combine::ArgMax) return p.dstType;
  return plane % 2 == 0 ? ElementType::F32 : ElementType::U16;
}

std::vector<ElementType> outputPlanes(const ConvolutionProblem& p) {
  std::vector<ElementType> planes;
  for (int i = 0; i < outputPlaneCount(p); ++i) planes.push_back(outputPlaneType(p, i));
  return planes;
}

ConvolutionProblem makeProblem(const FilterBank& bank, int channels, int height, int width,
                               ElementType srcType, ElementType dstType, Border border, Combine combine) {
  if (!bank.uniform()) {
    throw Error(ErrorCode::BadInput,
                "a bank whose filters differ in size or anchor is several problems, not one");
  }
  if (bank.channels() != channels && bank.channels() != 1) {
    throw Error(ErrorCode::BadInput, "a bank of " + std::to_string(bank.channels()) +
                                         "-channel filters does not fit an image of " +
                                         std::to_string(channels) + " channels");
  }
  const Filter& f = bank[0];
  return {.channels = channels,
          .height = height,
          .width = width,
          .filterCount = bank.size(),
          .filterHeight = f.height,
          .filterWidth = f.width,
          .anchorX = f.anchorX,
          .anchorY = f.anchorY,
          .mode = bank.info().mode,
          .channelMode = bank.channels() == channels ? ChannelMode::Summed : ChannelMode::PerPlane,
          .border = border,
          .srcType = srcType,
          .dstType = dstType,
          .combine = combine};
}

void requireFits(const ConvolutionProblem& p, const FilterBank& bank) {
  const bool fits = bank.size() == p.filterCount && bank.uniform() && bank.channels() == p.tapChannels() &&
                    bank[0].height == p.filterHeight && bank[0].width == p.filterWidth &&
                    bank[0].anchorX == p.anchorX && bank[0].anchorY == p.anchorY;
  if (!fits) {
    throw Error(ErrorCode::BadInput,
                "bank \"" + bank.info().name + "\" does not have the shape of problem " + format(p));
  }
}

CorrelationTaps correlationTaps(const ConvolutionProblem& p, const FilterBank& bank) {
  requireFits(p, bank);
  CorrelationTaps result{{}, p.anchorX, p.anchorY};
  for (const Filter& original : bank.filters()) {
    const Filter f = p.mode == FilterMode::Convolution ? rotated180(original) : original;
    result.anchorX = f.anchorX;
    result.anchorY = f.anchorY;
    const auto first = result.taps.insert(result.taps.end(), f.taps.begin(), f.taps.end());
    dropSmallTaps({first, result.taps.end()});
  }
  return result;
}

std::string format(const ConvolutionProblem& p) {
  const auto number = [](int n) { return std::to_string(n); };
  std::string text = "c" + number(p.channels) + "h" + number(p.height) + "w" + number(p.width);
  text += "-f" + number(p.filterCount) + "k" + number(p.filterHeight);
  if (p.filterWidth != p.filterHeight) text += "x" + number(p.filterWidth);
  if (p.anchorX != p.filterWidth / 2 || p.anchorY != p.filterHeight / 2) {
    text += "a" + number(p.anchorY) + "x" + number(p.anchorX);
  }
  text += "-" + format(p.border) + "-" + toString(p.srcType) + ":" + toString(p.dstType) + "-" +
          toString(p.combine);
  if (p.mode == FilterMode::Convolution) text += "-convolution";
  if (p.channelMode == ChannelMode::PerPlane) text += "-perplane";
  return text;
}

ConvolutionProblem parseProblem(std::string_view text) {
  Cursor cursor(text);
  ConvolutionProblem p;
  const auto positive = [&](const char* what) {
    const int value = cursor.number(what);
    if (value < 1) cursor.fail(std::string(what) + " of at least 1");
    return value;
  };
  cursor.need("c");
  p.channels = positive("a channel count");
  cursor.need("h");
  p.height = positive("a height");
  cursor.need("w");
  p.width = positive("a width");
  cursor.need("-f");
  p.filterCount = positive("a filter count");
  cursor.need("k");
  p.filterHeight = positive("a filter height");
  p.filterWidth = cursor.take("x") ? positive("a filter width") : p.filterHeight;
  p.anchorX = p.filterWidth / 2;
  p.anchorY = p.filterHeight / 2;
  if (cursor.take("a")) {
    p.anchorY = cursor.number("an anchor row");
    cursor.need("x");
    p.anchorX = cursor.number("an anchor column");
    if (p.anchorY >= p.filterHeight || p.anchorX >= p.filterWidth) cursor.fail("an anchor inside the filter");
  }
  cursor.need("-");
  p.border = takeBorder(cursor);
  cursor.need("-");
  const auto src = parseElementType(cursor.until(":"));
  if (!src) cursor.fail("a source type");
  p.srcType = *src;
  cursor.need(":");
  const auto dst = parseElementType(cursor.until("-"));
  if (!dst) cursor.fail("a result type");
  p.dstType = *dst;
  cursor.need("-");
  const auto combine = parseCombine(cursor.until("-"));
  if (!combine) cursor.fail("a combine");
  p.combine = *combine;
  if (cursor.take("-convolution")) p.mode = FilterMode::Convolution;
  if (cursor.take("-perplane")) p.channelMode = ChannelMode::PerPlane;
  if (!cursor.done()) cursor.fail("the end");
  return p;
}

std::uint64_t hash(const ConvolutionProblem& problem) {
  Hash hash;
  hash.add(format(problem));
  return hash.value();
}

}  // namespace bankside
