/// A response, and what is known about each of its pixels.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/image.h"
#include "core/stop_check.h"

namespace bankside {

/// What is known about a pixel, as bits.
enum PixelLabel : std::uint8_t {
  labelInside = 1,    ///< of the field of view
  labelVessel = 2,    ///< by the truth
  labelObserver = 4,  ///< vessel by the second observer
};

/// Shapes  all planes [1,H,W]
struct LabelledImage {
  std::string name;
  Image response;         ///< f32, higher where a vessel is likelier
  Image labels;           ///< u8, bits of PixelLabel; a pixel outside has no other
  bool observed = false;  ///< there is a second observer
};

/// What a mask says of an image.
struct Mask {
  Image pixels;         ///< u8 [1,H,W], 1 or 0
  bool graded = false;  ///< it held more than one value beside 0
};

/// Whatever is not zero in one of the colours counts; an alpha channel does not.
Mask maskOf(const Image& picture);

/// `fieldOfView` and `observer` may be empty: everything is inside, and nobody else looked.
/// Errors  Error{BadInput} for masks that have not the response's size, for responses inside the field of
/// view
///         that are not finite, and where vessel or ground has no pixel there
LabelledImage labelled(std::string name, Image response, const Image& truth, const Image& fieldOfView,
                       const Image& observer);

/// The responses inside the field of view, by what the truth says there.
struct ScoredPixels {
  std::vector<float> vessel;
  std::vector<float> ground;
};

/// Both in increasing order.
ScoredPixels sortedPixels(const LabelledImage& image, const StopCheck& check = {});
/// Of all of them together, which are sorted already.
ScoredPixels sortedPixels(const std::vector<ScoredPixels>& images, const StopCheck& check = {});

}  // namespace bankside
