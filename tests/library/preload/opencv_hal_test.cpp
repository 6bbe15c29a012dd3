/// OpenCV's HAL hook, called as OpenCV's build calls it: by the macro's name.
#include "library/preload/opencv_hal.h"

#include <gtest/gtest.h>

#include <opencv2/imgproc.hpp>

namespace bankside::testing {
namespace {

int hook(const cv::Mat& image, cv::Mat& result, const cv::Mat& taps, int border, double delta = 0) {
  return cv_hal_filter_stateless(image.data, image.step, image.type(), result.data, result.step,
                                 result.type(), image.cols, image.rows, image.cols, image.rows, 0, 0,
                                 taps.data, taps.step, taps.type(), taps.cols, taps.rows, taps.cols / 2,
                                 taps.rows / 2, delta, border, false, false);
}

cv::Mat noise(int height, int width, int type, double low, double high) {
  cv::Mat image(height, width, type);
  cv::RNG(7).fill(image, cv::RNG::UNIFORM, low, high);
  return image;
}

TEST(OpenCvHal, GivesWhatOpenCvGives) {
  const cv::Mat taps = noise(9, 9, CV_32F, -1, 1);
  for (const int type : {CV_8UC1, CV_8UC3, CV_16UC1, CV_32FC1}) {
    for (const int border : {cv::BORDER_REFLECT_101, cv::BORDER_CONSTANT, cv::BORDER_REPLICATE}) {
      const cv::Mat image = noise(90, 120, type, 0, 200);
      cv::Mat ours(image.size(), type, cv::Scalar::all(0)), theirs;
      ASSERT_EQ(hook(image, ours, taps, border), 0) << type << " " << border;
      cv::filter2D(image, theirs, -1, taps, {-1, -1}, 0, border);
      EXPECT_LE(cv::norm(ours, theirs, cv::NORM_INF), CV_MAT_DEPTH(type) == CV_32F ? 1e-2 : 1) << type;
    }
  }
}

/// As an OpenCV before cv_hal_filter_stateless calls.
TEST(OpenCvHal, GivesTheSameInThreeCalls) {
  cv::Mat taps = noise(9, 9, CV_32F, -1, 1);
  cv::Mat image = noise(90, 120, CV_8UC3, 0, 200);
  cv::Mat once(image.size(), image.type()), inThree(image.size(), image.type());
  ASSERT_EQ(hook(image, once, taps, cv::BORDER_REFLECT_101), 0);
  cvhalFilter2D* context = nullptr;
  const auto begin = [&](bool inPlace) {
    return cv_hal_filterInit(&context, taps.data, taps.step, taps.type(), taps.cols, taps.rows, image.cols,
                             image.rows, image.type(), image.type(), cv::BORDER_REFLECT_101, 0.0, 4, 4, false,
                             inPlace);
  };
  ASSERT_EQ(begin(false), 0);
  EXPECT_EQ(cv_hal_filter(context, image.data, image.step, inThree.data, inThree.step, image.cols, image.rows,
                          image.cols, image.rows, 0, 0),
            0);
  EXPECT_EQ(cv_hal_filterFree(context), 0);
  EXPECT_EQ(cv::norm(once, inThree, cv::NORM_INF), 0);
  const int openCvs = 1;
  EXPECT_EQ(begin(true), openCvs);
}

TEST(OpenCvHal, LeavesTheRestToOpenCv) {
  const cv::Mat taps = noise(9, 9, CV_32F, -1, 1);
  const cv::Mat image = noise(90, 120, CV_8U, 0, 200);
  cv::Mat result(image.size(), CV_8U, cv::Scalar::all(0));
  const int openCvs = 1;
  EXPECT_EQ(hook(image, result, taps, cv::BORDER_REFLECT_101, 3), openCvs);
  EXPECT_EQ(hook(image, result, taps, cv::BORDER_WRAP), openCvs);
  EXPECT_EQ(hook(image, result, noise(2, 2, CV_32F, -1, 1), cv::BORDER_REFLECT_101), openCvs);
  EXPECT_EQ(hook(noise(90, 120, CV_32S, 0, 9), result, taps, cv::BORDER_REFLECT_101), openCvs);
  EXPECT_EQ(cv::countNonZero(result), 0);
}

}  // namespace
}  // namespace bankside::testing
