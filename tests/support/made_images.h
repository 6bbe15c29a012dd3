/// What tests make on the spot: images and banks (core/made_input.h) and folders.
#pragma once

#include <filesystem>
#include <string>

#include "core/made_input.h"

namespace bankside::testing {

using bankside::integerBank;
using bankside::integerImage;
using bankside::randomBank;
using bankside::randomImage;
using bankside::withAnchor;
using bankside::withMode;

/// A folder that is empty at the start of a test and removed at its end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace bankside::testing
