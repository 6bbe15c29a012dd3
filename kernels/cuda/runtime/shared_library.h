/// A shared library that is opened at run time, where it exists.
#pragma once

#include <dlfcn.h>

#include <string>
#include <vector>

#include "core/engine.h"
#include "core/error.h"

namespace bankside {

/// Opened once and never closed.
class SharedLibrary {
 public:
  /// The first of `names` that can be opened. `title` is what a person calls the library.
  SharedLibrary(std::string title, const std::vector<std::string>& names) : title_(std::move(title)) {
    for (const std::string& name : names) {
      if (handle_ == nullptr) handle_ = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    }
    if (handle_ == nullptr)
      refusal_ = title_ + " is not on this machine (" + names.front() + " could not be opened)";
  }

  Support available() const { return refusal_.empty() ? Support::yes() : Support::no(refusal_); }

  /// Null if the library is not there. Errors  Error{Unsupported} if it is there without that function
  template <class Function>
  Function find(const char* name) const {
    if (handle_ == nullptr) return nullptr;
    auto function = reinterpret_cast<Function>(dlsym(handle_, name));
    if (function == nullptr) throw Error(ErrorCode::Unsupported, title_ + " has no function " + name);
    return function;
  }

 private:
  std::string title_;
  std::string refusal_;
  void* handle_ = nullptr;
};

}  // namespace bankside
