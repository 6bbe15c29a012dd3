/* For who builds OpenCV: its hooks for filter2D, answered by libbankside where that gives the same and is
 * faster, by the rule of the preload. OpenCV's own code computes the rest.
 *
 *   cmake -D OpenCV_HAL=BanksideHAL -D BanksideHAL_DIR=PREFIX/lib/cmake/BanksideHAL ...    in OpenCV's build
 */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* OpenCV's arguments of cv_hal_filter_stateless. 0: the result is there; 1, CV_HAL_ERROR_NOT_IMPLEMENTED: it
 * is OpenCV's to compute, whatever lies in dst. */
int bankside_hal_filter2d(const unsigned char* src, size_t src_step, int src_type, unsigned char* dst,
                          size_t dst_step, int dst_type, int width, int height, int full_width,
                          int full_height, int offset_x, int offset_y, const unsigned char* kernel,
                          size_t kernel_step, int kernel_type, int kernel_width, int kernel_height,
                          int anchor_x, int anchor_y, double delta, int border, bool is_submatrix,
                          bool allow_in_place);

/* The same in three calls, which are all that an OpenCV before cv_hal_filter_stateless has. */
struct cvhalFilter2D;
int bankside_hal_filter_init(struct cvhalFilter2D** context, unsigned char* kernel, size_t kernel_step,
                             int kernel_type, int kernel_width, int kernel_height, int most_width,
                             int most_height, int src_type, int dst_type, int border, double delta,
                             int anchor_x, int anchor_y, bool is_submatrix, bool in_place);
int bankside_hal_filter(struct cvhalFilter2D* context, unsigned char* src, size_t src_step,
                        unsigned char* dst, size_t dst_step, int width, int height, int full_width,
                        int full_height, int offset_x, int offset_y);
int bankside_hal_filter_free(struct cvhalFilter2D* context);

#ifdef __cplusplus
}
#endif

#undef cv_hal_filter_stateless
#define cv_hal_filter_stateless bankside_hal_filter2d
#undef cv_hal_filterInit
#define cv_hal_filterInit bankside_hal_filter_init
#undef cv_hal_filter
#define cv_hal_filter bankside_hal_filter
#undef cv_hal_filterFree
#define cv_hal_filterFree bankside_hal_filter_free
