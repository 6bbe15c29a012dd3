/// What calls of the C++ face give: whether they did what they should, and one sentence where not.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "bankside/bankside.h"

namespace bankside {
inline namespace face0 {

#ifdef __cpp_exceptions
class Error : public std::runtime_error {
 public:
  Error(bk_status status, const std::string& sentence) : std::runtime_error(sentence), status_(status) {}
  bk_status status() const { return status_; }

 private:
  bk_status status_;
};
#endif

/// Whether a call did what it should; if not, one sentence.
class [[nodiscard]] Status {
 public:
  Status() = default;
  explicit Status(bk_status code) : code_(code), sentence_(code == BK_OK ? "" : bk_last_error()) {}
  Status(bk_status code, std::string sentence) : code_(code), sentence_(std::move(sentence)) {}
  explicit operator bool() const { return code_ == BK_OK; }
  bk_status code() const { return code_; }
  const std::string& sentence() const { return sentence_; }
#ifdef __cpp_exceptions
  void orThrow() const {
    if (code_ != BK_OK) throw Error(code_, sentence_);
  }
#endif

 private:
  bk_status code_ = BK_OK;
  std::string sentence_;
};

/// A T, or the status that says why not.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}
  Result(Status status) : status_(std::move(status)) {}
  explicit operator bool() const { return value_.has_value(); }
  const Status& status() const { return status_; }
  /// Only where it holds.
  T& operator*() & { return *value_; }
  T&& operator*() && { return *std::move(value_); }
  T* operator->() { return &*value_; }
#ifdef __cpp_exceptions
  T value() && {
    status_.orThrow();
    return *std::move(value_);
  }
#endif

 private:
  std::optional<T> value_;
  Status status_;
};

}  // namespace face0
}  // namespace bankside
