/// Walks a text from a stranger, token by token, and says where something is wrong.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bankside {

class TextScanner {
 public:
  /// `name` stands in messages. A byte order mark goes, line ends are those of any system.
  TextScanner(std::string name, std::string text);

  bool atEnd() const { return next_ == text_.size(); }
  /// The next character; '\0' at the end.
  char peek() const { return atEnd() ? '\0' : text_[next_]; }
  std::string_view rest() const { return std::string_view(text_).substr(next_); }
  /// Where it stands, for complaints about what was read since.
  std::size_t place() const { return next_; }

  void skip(std::string_view characters);
  /// Skips `word` if it comes next.
  bool take(std::string_view word);
  /// As `take`; refuses otherwise.
  void expect(std::string_view word);
  /// Up to one of `ends`, the end of the line or of the text; may be empty.
  std::string_view until(std::string_view ends);

  /// The next word, which ends before one of `ends`, as a number. Refuses what is none or does not fit f32.
  double number(std::string_view ends);
  /// As `number`, a whole one within [least, most].
  int integer(std::string_view ends, int least, int most);

  /// Throws Error{BadInput} "NAME:LINE:COLUMN: SENTENCE", of where it stands.
  [[noreturn]] void refuse(const std::string& sentence) const { refuseAt(next_, sentence); }
  [[noreturn]] void refuseAt(std::size_t place, const std::string& sentence) const;
  /// "found WORD, expected WHAT", of what comes next, or came at `place`.
  [[noreturn]] void expected(const std::string& what) const { expectedAt(next_, what); }
  [[noreturn]] void expectedAt(std::size_t place, const std::string& what) const;

 private:
  std::string name_;
  std::string text_;
  std::size_t next_ = 0;
};

}  // namespace bankside
