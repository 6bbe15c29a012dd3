#include "library/preload/opencv_hal.h"

#include "library/preload/our_answer.h"

int bankside_hal_filter2d(const unsigned char* src, size_t src_step, int src_type, unsigned char* dst,
                          size_t dst_step, int dst_type, int width, int height, int full_width,
                          int full_height, int offset_x, int offset_y, const unsigned char* kernel,
                          size_t kernel_step, int kernel_type, int kernel_width, int kernel_height,
                          int anchor_x, int anchor_y, double delta, int border, bool is_submatrix,
                          bool /*allow_in_place*/) {
  using namespace bankside::preload;
  const FilterCall call = {src_type,      dst_type,    kernel_type, const_cast<unsigned char*>(src),
                           src_step,      dst,         dst_step,    width,
                           height,        full_width,  full_height, offset_x,
                           offset_y,      kernel,      kernel_step, kernel_width,
                           kernel_height, anchor_x,    anchor_y,    delta,
                           border,        is_submatrix};
  constexpr int done = 0;
  constexpr int openCvs = 1;
  if (refusal(call) != nullptr || disadvantage(call) != nullptr) return openCvs;
  const auto plan = OurAnswer::only().plan(call);
  return plan != nullptr && OurAnswer::give(call, *plan) ? done : openCvs;
}
