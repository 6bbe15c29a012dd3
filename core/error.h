/// What can go wrong, in five words. Host code throws `Error`; expected refusals are `Support`, not errors.
#pragma once

#include <stdexcept>
#include <string>

namespace bankside {

/// BadInput: the user's file or argument is wrong. Unsupported: right, but nobody here can do it.
/// Device: an accelerator failed. Io: a file could not be read or written. Limit: a set bound would be
/// passed.
enum class ErrorCode { BadInput, Unsupported, Device, Io, Limit };

const char* toString(ErrorCode code);

/// One sentence for a person, and a code for the program around it. `what()` is the sentence.
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& sentence) : std::runtime_error(sentence), code_(code) {}
  ErrorCode code() const { return code_; }

 private:
  ErrorCode code_;
};

/// Io that may pass: no room is left where files are written, for whatever file comes next too.
class DiskFull : public Error {
 public:
  explicit DiskFull(const std::string& sentence) : Error(ErrorCode::Io, sentence) {}
};

/// BadInput that a person may wave through: a file is there already and holds something else.
class WouldReplace : public Error {
 public:
  explicit WouldReplace(const std::string& file)
      : Error(ErrorCode::BadInput, file + ": exists and differs; use --force to replace it"), file_(file) {}
  const std::string& file() const { return file_; }

 private:
  std::string file_;
};

}  // namespace bankside
