/// The round field of view of a fundus photograph, found without being told where it is.
#pragma once

#include "core/image.h"

namespace bankside::window {

/// 255 where the photograph shows the eye, 0 in the dark frame around it; one channel of u8.
///
/// The frame's level is the median of the four corners, the eye's that of the middle; what is brighter than
/// 15 % of the way from one to the other (the brightest channel; the pixel and the mean of its 3 x 3) belongs
/// to the eye. Of that the largest connected part is kept and its holes are filled: dark vessels and the
/// fovea are inside. Errors  Error{BadInput} if corners and middle are alike: there is no dark frame
Image fieldOfView(const Image& image);

/// Columns that it spans; the image's, where there is no dark frame. Units  pixels
int fieldOfViewWidth(const Image& image);

}  // namespace bankside::window
