/// Which way cv::filter2D goes for a problem, and which call of it is the fastest that is right.
///
/// Pure arithmetic, without OpenCV's headers. Read from OpenCV 4.6's modules/imgproc/src/filter.dispatch.cpp
/// (dftFilter2D) and templmatch.cpp (crossCorr), and pinned by tests against the library itself.
#pragma once

#include "core/engine.h"

namespace bankside {

/// What one call works on: the image as it is, or converted to f32 once for all filters.
struct Filter2dPath {
  bool dft = false;        ///< filter2D multiplies spectra instead of taps and pixels
  bool source8 = false;    ///< u8 pixels go in as they are (else f32)
  bool response8 = false;  ///< u8 responses come out, rounded by OpenCV (else f32)
  /// filter2D may resolve the border itself; if not, only a padded copy gives the right answer.
  bool ownBorder = true;
};

/// True where filter2D turns to the DFT: from 130 taps up for u8 to u8 and f32 to f32 (with SSE3, which every
/// x86-64 machine of this century has), from 50 up for every other pair.
/// Source  dftFilter2D: dft_filter_size. Sub-matrices of a larger image never take it.
bool filter2dUsesDft(ElementType src, ElementType dst, int filterWidth, int filterHeight, bool sse3);

/// The fastest call that is right, as measured on 4.6.0 at 2048 x 2048, one thread, ms a filter:
/// - u8 to f32: f32 first (3 x 3: 2.6 against 5.7; 7 x 7: 7.9 against 36). From 130 taps up both are DFT, in
///   single precision from u8 (58) and in double from f32 (72): u8 as it is.
/// - u8 to u8: as it is at 3 x 3 (2.6 against 3.4), f32 first and rounded after from 5 x 5 (5.3 against 6.1)
///   to 7 x 7 (8.6 against 11.5); the change is put at 16 taps.
/// - u16 to u16: f32 first always (3 x 3: 17.7 as it is, 7 x 7: 120; the f32 call alone 2.6 and 7.9).
///
/// `largestTapSum` is the largest sum of |tap| over the filters: OpenCV rounds through int32, so that u8
/// responses beyond its range would come out as 0 instead of 255 and are left to the f32 path.
Filter2dPath chooseFilter2dPath(const ConvolutionProblem& problem, int correlationAnchorX,
                                int correlationAnchorY, double largestTapSum, bool sse3);

/// How far a response may lie from the exact one; of a direct path gamma of all taps, pixel by pixel.
///
/// A DFT mixes the pixels of a block, so that its bound is normwise. With N points a block and e the error of
/// one transform relative to its 2-norm (Higham, Accuracy and Stability, 2nd ed., theorem 24.2: about log2 N
/// times a small constant of the radix, here 8, times the unit roundoff v), two transforms forward and one
/// back give
/// - error in any pixel <= ||error||_2 <= ||taps||_1 ||pixels||_2 (e (2 + sqrt N) + 2 v),
/// - where ||pixels||_2 <= sqrt N max|pixel|: relative to sum|tap| max|pixel| at most 3 N e.
///
/// In double (f32 pixels, v = 2^-53) that is below 2^-24 for every block that filters up to 127 x 127 make,
/// and the rounding to f32 dominates. In single (u8 pixels, v = 2^-24) the worst case says nothing. There the
/// bound is statistical, errors growing like a random walk over the log2 N stages (Schatzman, SIAM J. Sci.
/// Comput. 17, 1996): 4 v log2 N. Random and flat images come to 0.08 of it; tests/kernels/opencv holds them
/// below 0.2. Summed channels add one rounding each.
ErrorBound filter2dErrorBound(const ConvolutionProblem& problem, const Filter2dPath& path);

}  // namespace bankside
