/// Image files from bytes written by hand.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/core/imageio/image_files.h"
#include "tests/support/made_images.h"

namespace bankside::testing {

class RawRead : public ::testing::Test {
 protected:
  LoadedImage read(const std::string& bytes, int page = 0) {
    writeBytes(path_, bytes);
    return readImage(path_, page);
  }
  /// The sentence without the path, which must be in front.
  std::string refusal(const std::string& bytes, ErrorCode code = ErrorCode::BadInput) {
    writeBytes(path_, bytes);
    const auto result = readRefusal(path_);
    EXPECT_EQ(result.code, code) << result.sentence;
    const std::string start = path_.string() + ": ";
    EXPECT_EQ(result.sentence.substr(0, start.size()), start);
    return result.sentence.substr(std::min(start.size(), result.sentence.size()));
  }
  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "a";
};

}  // namespace bankside::testing
