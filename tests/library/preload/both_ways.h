/// One filter2D by whatever answers in this process, and by OpenCV's own code.
#pragma once

#include <dlfcn.h>

#include <opencv2/imgproc.hpp>
#include <opencv2/imgproc/hal/hal.hpp>
#include <stdexcept>

namespace bankside::testing {

/// The name of cv::hal::filter2D in a library.
inline constexpr const char* filter2DSymbol = "_ZN2cv3hal8filter2DEiiiPhmS1_miiiiiiS1_miiiidib";

/// OpenCV's function, whoever stands before it: that of the library in which getGaussianKernel is.
inline decltype(&cv::hal::filter2D) openCvFilter2D() {
  static const auto found = [] {
    Dl_info where{};
    void* other = dlsym(RTLD_DEFAULT, "_ZN2cv17getGaussianKernelEidi");
    if (other == nullptr || dladdr(other, &where) == 0) throw std::runtime_error("no OpenCV");
    void* library = dlopen(where.dli_fname, RTLD_NOW | RTLD_NOLOAD);
    return reinterpret_cast<decltype(&cv::hal::filter2D)>(dlsym(library, filter2DSymbol));
  }();
  return found;
}

struct Problem {
  cv::Mat image;
  cv::Mat taps;
  int resultDepth = CV_32F;
  cv::Point anchor{-1, -1};
  int border = cv::BORDER_REFLECT_101;
  double delta = 0;
};

inline cv::Mat byWhoeverAnswers(const Problem& p) {
  cv::Mat result;
  cv::filter2D(p.image, result, p.resultDepth, p.taps, p.anchor, p.delta, p.border);
  return result;
}

/// By a function with the signature of cv::hal::filter2D; called by that name it is whoever stands before it.
inline cv::Mat byFunction(decltype(&cv::hal::filter2D) function, const Problem& p) {
  cv::Mat result(p.image.size(), CV_MAKETYPE(p.resultDepth, p.image.channels()));
  cv::Mat image = p.image, taps = p.taps;
  cv::Size whole = image.size();
  cv::Point offset;
  if ((p.border & cv::BORDER_ISOLATED) == 0) image.locateROI(whole, offset);
  const cv::Point anchor(p.anchor.x < 0 ? taps.cols / 2 : p.anchor.x,
                         p.anchor.y < 0 ? taps.rows / 2 : p.anchor.y);
  function(image.type(), result.type(), taps.type(), image.data, image.step, result.data, result.step,
           result.cols, result.rows, whole.width, whole.height, offset.x, offset.y, taps.data, taps.step,
           taps.cols, taps.rows, anchor.x, anchor.y, p.delta, p.border, image.isSubmatrix());
  return result;
}

inline cv::Mat byOpenCv(const Problem& p) { return byFunction(openCvFilter2D(), p); }

}  // namespace bankside::testing
