#include "library/preload/opencv_hal.h"

#include <new>

#include "library/preload/our_answer.h"

namespace {

using namespace bankside::preload;

constexpr int done = 0;
constexpr int openCvs = 1;

/// What OpenCV's three calls have between them: a call without pixels.
FilterCall* begun(cvhalFilter2D* context) { return reinterpret_cast<FilterCall*>(context); }

int answer(const FilterCall& call) {
  if (refusal(call) != nullptr || disadvantage(call) != nullptr) return openCvs;
  const auto plan = OurAnswer::only().plan(call);
  return plan != nullptr && OurAnswer::give(call, *plan) ? done : openCvs;
}

}  // namespace

int bankside_hal_filter2d(const unsigned char* src, size_t src_step, int src_type, unsigned char* dst,
                          size_t dst_step, int dst_type, int width, int height, int full_width,
                          int full_height, int offset_x, int offset_y, const unsigned char* kernel,
                          size_t kernel_step, int kernel_type, int kernel_width, int kernel_height,
                          int anchor_x, int anchor_y, double delta, int border, bool is_submatrix,
                          bool /*allow_in_place*/) {
  return answer({src_type,      dst_type,    kernel_type, const_cast<unsigned char*>(src),
                 src_step,      dst,         dst_step,    width,
                 height,        full_width,  full_height, offset_x,
                 offset_y,      kernel,      kernel_step, kernel_width,
                 kernel_height, anchor_x,    anchor_y,    delta,
                 border,        is_submatrix});
}

int bankside_hal_filter_init(cvhalFilter2D** context, unsigned char* kernel, size_t kernel_step,
                             int kernel_type, int kernel_width, int kernel_height, int most_width,
                             int most_height, int src_type, int dst_type, int border, double delta,
                             int anchor_x, int anchor_y, bool is_submatrix, bool in_place) {
  if (in_place) return openCvs;
  FilterCall call{};
  call.srcType = src_type;
  call.dstType = dst_type;
  call.kernelType = kernel_type;
  call.width = most_width;
  call.height = most_height;
  call.kernel = kernel;
  call.kernelStep = kernel_step;
  call.kernelWidth = kernel_width;
  call.kernelHeight = kernel_height;
  call.anchorX = anchor_x;
  call.anchorY = anchor_y;
  call.delta = delta;
  call.border = border;
  call.submatrix = is_submatrix;
  auto* const made = new (std::nothrow) FilterCall(call);
  *context = reinterpret_cast<cvhalFilter2D*>(made);
  return made == nullptr ? openCvs : done;
}

int bankside_hal_filter(cvhalFilter2D* context, unsigned char* src, size_t src_step, unsigned char* dst,
                        size_t dst_step, int width, int height, int full_width, int full_height, int offset_x,
                        int offset_y) {
  FilterCall call = *begun(context);
  call.src = src;
  call.srcStep = src_step;
  call.dst = dst;
  call.dstStep = dst_step;
  call.width = width;
  call.height = height;
  call.fullWidth = full_width;
  call.fullHeight = full_height;
  call.offsetX = offset_x;
  call.offsetY = offset_y;
  return answer(call);
}

int bankside_hal_filter_free(cvhalFilter2D* context) {
  delete begun(context);
  return done;
}
