/// Which patterns of names choose one of several masks.
#include "gui/window/compute/mask_patterns.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/made_images.h"

namespace bankside::window {
namespace {

namespace fs = std::filesystem;

class MaskPatterns : public ::testing::Test {
 protected:
  std::vector<std::string> of(const std::vector<const char*>& masks) {
    fs::create_directory(folder_ / "masks");
    for (const char* mask : masks) std::ofstream(folder_ / "masks" / mask) << "mask";
    std::vector<std::string> names;
    for (const std::string& pattern : maskPatterns(folder_ / "masks", {"eyes/01.jpg", "eyes/02.jpg"}))
      names.push_back(fs::path(pattern).filename().string());
    return names;
  }
  bankside::testing::TemporaryFolder folder_;
};

TEST_F(MaskPatterns, AreAKindEach) {
  EXPECT_EQ(of({"01_1st.png", "01_2nd.png", "02_1st.png"}),
            (std::vector<std::string>{"*_1st.png", "*_2nd.png"}));
}

TEST_F(MaskPatterns, AreNoneWherePicturesHaveOneMask) {
  EXPECT_EQ(of({"01_1st.png", "02_2nd.png"}), std::vector<std::string>());
}

TEST_F(MaskPatterns, LeaveNoPictureWithTwo) {
  EXPECT_EQ(of({"01.png", "01_b.png", "02.png"}), std::vector<std::string>{"*_b.png"}) << "*.png is both";
}

}  // namespace
}  // namespace bankside::window
