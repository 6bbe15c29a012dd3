/// The round field of view of a fundus photograph, found without being told where it is.
#pragma once

#include <stop_token>

#include "core/image.h"
#include "gui/window/compute/work.h"

namespace bankside::window {

/// 255 where the photograph shows the eye, 0 in the dark frame around it; one channel of u8. It is found as
/// by the step `field` of a recipe (core/maps/field_of_view.h), in the brightest channel, to the pixel.
/// Errors  Error{BadInput} if the corners are about as bright as the rest: there is no dark frame
Image fieldOfView(const Image& image);

/// Columns that it spans; the image's, where there is no dark frame. Units  pixels
int fieldOfViewWidth(const Image& image);

/// The same of a picture; from a coarser copy of one that is not in memory, and no more exact than that.
/// Errors  Error{Io} · Cancelled
int fieldOfViewWidth(const Picture& picture, const std::stop_token& stop);

}  // namespace bankside::window
