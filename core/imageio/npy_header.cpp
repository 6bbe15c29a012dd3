#include "core/imageio/npy_header.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "core/text.h"

namespace bankside {
namespace {

constexpr std::uint32_t longestNpyHeader = 1u << 20;

/// The header is a Python dictionary of exactly three entries.
class HeaderParser {
 public:
  HeaderParser(const ReadableFile& file, std::string_view text) : file_(file), text_(text) {}

  NpyHeader parse() {
    NpyHeader header;
    bool seen[3] = {};
    expect('{');
    while (!accept('}')) {
      const std::string key = string();
      expect(':');
      if (key == "descr") {
        seen[0] = true;
        if (peek() == '[' || peek() == '(') {
          file_.fail(ErrorCode::Unsupported, "is an NPY file of records, which hold no single pixel type");
        }
        header.description = string();
      } else if (key == "fortran_order") {
        seen[1] = true;
        header.columnMajor = boolean();
      } else if (key == "shape") {
        seen[2] = true;
        header.shape = tuple();
      } else {
        damaged();
      }
      if (!accept(',') && peek() != '}') damaged();
    }
    if (!seen[0] || !seen[1] || !seen[2] || peek() != '\0') damaged();
    return header;
  }

 private:
  [[noreturn]] void damaged() const { file_.damaged("has a damaged NPY header"); }

  char peek() {
    while (next_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[next_]))) ++next_;
    return next_ < text_.size() ? text_[next_] : '\0';
  }
  bool accept(char c) {
    if (peek() != c || next_ >= text_.size()) return false;
    ++next_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) damaged();
  }
  std::string string() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') damaged();
    const std::size_t end = text_.find(quote, next_ + 1);
    if (end == std::string_view::npos) damaged();
    const std::string result(text_.substr(next_ + 1, end - next_ - 1));
    next_ = end + 1;
    return result;
  }
  bool boolean() {
    peek();
    for (const bool value : {false, true}) {
      const std::string_view word = value ? "True" : "False";
      if (text_.substr(next_).starts_with(word)) {
        next_ += word.size();
        return value;
      }
    }
    damaged();
  }
  std::vector<std::int64_t> tuple() {
    std::vector<std::int64_t> values;
    expect('(');
    while (!accept(')')) {
      peek();
      const std::size_t start = next_;
      while (next_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[next_]))) ++next_;
      const auto value = parseInteger(text_.substr(start, next_ - start));
      if (!value || values.size() == 64) damaged();
      values.push_back(*value);
      if (next_ < text_.size() && text_[next_] == 'L') ++next_;  // Python 2 wrote long integers so
      if (!accept(',') && peek() != ')') damaged();
    }
    return values;
  }

  const ReadableFile& file_;
  std::string_view text_;
  std::size_t next_ = 0;
};

std::string readHeaderText(const ReadableFile& file, std::int64_t& end) {
  unsigned char start[12] = {};
  const std::size_t got = file.readSome(0, start, sizeof(start));
  constexpr std::string_view magic("\x93NUMPY");
  if (std::string_view(reinterpret_cast<const char*>(start), std::min(got, magic.size())) != magic) {
    file.damaged("is no NPY file");
  }
  const int major = got > 6 ? start[6] : 0;
  const std::size_t prefix = major == 1 ? 10 : 12;
  if (got < prefix) file.damaged("is cut short: the file ends within its NPY header");
  if (major < 1 || major > 3) {
    file.fail(ErrorCode::Unsupported, "is NPY version " + std::to_string(major) + ", read are 1 to 3");
  }
  std::uint32_t length = start[8] | static_cast<std::uint32_t>(start[9]) << 8;
  if (major > 1)
    length |= static_cast<std::uint32_t>(start[10]) << 16 | static_cast<std::uint32_t>(start[11]) << 24;
  if (length > longestNpyHeader) file.damaged("has an NPY header of " + std::to_string(length) + " bytes");
  std::string text(length, '\0');
  if (file.readSome(static_cast<std::int64_t>(prefix), text.data(), length) != length) {
    file.damaged("is cut short: the file ends within its NPY header");
  }
  end = static_cast<std::int64_t>(prefix + length);
  return text;
}

}  // namespace

NpyHeader readNpyHeader(const ReadableFile& file) {
  std::int64_t end = 0;
  const std::string text = readHeaderText(file, end);
  NpyHeader header = HeaderParser(file, text).parse();
  header.dataOffset = end;
  return header;
}

std::vector<std::int64_t> npyAxisSteps(const NpyHeader& header, std::int64_t elementBytes) {
  const std::vector<std::int64_t>& shape = header.shape;
  std::vector<std::int64_t> steps(shape.size());
  std::int64_t step = elementBytes;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::size_t axis = header.columnMajor ? i : shape.size() - 1 - i;
    steps[axis] = step;
    step *= shape[axis];
  }
  return steps;
}

std::string npyShapeText(const NpyHeader& header) {
  std::string axes;
  for (const std::int64_t length : header.shape) axes += (axes.empty() ? "" : ",") + std::to_string(length);
  return "[" + axes + "]";
}

}  // namespace bankside
