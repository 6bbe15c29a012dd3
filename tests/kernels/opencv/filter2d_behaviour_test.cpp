/// Pins what this project believes of cv::filter2D (kernels/opencv/filter2d_path.h) against the library that
/// is there.
#include <gtest/gtest.h>

#include <opencv2/imgproc.hpp>

#include "kernels/opencv/filter2d_path.h"

namespace bankside {
namespace {

/// One bright pixel in a corner of a black image: a direct sum leaves pixels that do not see it at exactly 0,
/// a transform leaves its rounding errors everywhere in the block.
bool leavesTraces(int srcDepth, int filterWidth, int filterHeight) {
  cv::Mat src = cv::Mat::zeros(150, 150, srcDepth);
  const auto brightest = srcDepth == CV_8U ? 255.0 : 60000.0;
  src(cv::Rect(1, 1, 1, 1)).setTo(brightest);
  cv::Mat filter(filterHeight, filterWidth, CV_32F);
  cv::RNG(7).fill(filter, cv::RNG::UNIFORM, 0.1f, 1.0f);
  cv::Mat dst;
  cv::filter2D(src, dst, CV_32F, filter, {-1, -1}, 0, cv::BORDER_REPLICATE);
  return cv::countNonZero(dst(cv::Rect(100, 100, 50, 50))) > 0;
}

TEST(Filter2dBehaviour, TurnsToTheDftWhereTheRuleSays) {
  const bool sse3 = cv::checkHardwareSupport(CV_CPU_SSE3);
  const struct {
    ElementType type;
    int depth;
  } sources[] = {{ElementType::U8, CV_8U}, {ElementType::U16, CV_16U}, {ElementType::F32, CV_32F}};
  const cv::Size sizes[] = {{7, 7},   {25, 2},  {10, 5},  {11, 11}, {43, 3},
                            {13, 10}, {12, 12}, {1, 127}, {15, 15}};
  for (const auto& source : sources) {
    for (const cv::Size& size : sizes) {
      EXPECT_EQ(leavesTraces(source.depth, size.width, size.height),
                filter2dUsesDft(source.type, ElementType::F32, size.width, size.height, sse3))
          << toString(source.type) << " " << size.width << " x " << size.height;
    }
  }
}

TEST(Filter2dBehaviour, NeverTakesTheDftOverASubMatrix) {
  cv::Mat src = cv::Mat::zeros(150, 150, CV_32F);
  src.at<float>(20, 20) = 60000.0f;
  const cv::Mat filter = cv::Mat::ones(15, 15, CV_32F);
  cv::Mat dst;
  cv::filter2D(src(cv::Rect(7, 7, 136, 136)), dst, CV_32F, filter, {7, 7}, 0, cv::BORDER_CONSTANT);
  EXPECT_EQ(cv::countNonZero(dst(cv::Rect(60, 60, 70, 70))), 0);
  EXPECT_EQ(dst.at<float>(13, 13), 60000.0f);
}

/// The reason for `ownBorder`: should a later OpenCV mirror rightly here, the padded copy is no longer
/// needed.
TEST(Filter2dBehaviour, DftMirrorsTheLastBlockInsteadOfTheImage) {
  cv::Mat src(14, 245, CV_32F);  // one column more than a block of 244
  for (int y = 0; y < src.rows; ++y) {
    for (int x = 0; x < src.cols; ++x) src.at<float>(y, x) = static_cast<float>(x);
  }
  cv::Mat filter = cv::Mat::zeros(13, 13, CV_32F);
  filter.at<float>(0, 2) = 1.0f;  // anchor (0, 0): reads two columns to the right
  cv::Mat dst;
  cv::filter2D(src, dst, CV_32F, filter, {0, 0}, 0, cv::BORDER_REFLECT_101);
  EXPECT_NEAR(dst.at<float>(5, 100), 102.0f, 1e-3f);
  const float right = 242.0f;  // column 246 is column 242 of the image
  if (std::string(CV_VERSION).rfind("4.6.", 0) == 0) {
    EXPECT_GT(std::fabs(dst.at<float>(5, 244) - right), 1.0f);
  } else {
    GTEST_SKIP() << "known of OpenCV 4.6, this is " << CV_VERSION;
  }
}

}  // namespace
}  // namespace bankside
