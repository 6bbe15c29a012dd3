/// Two textures that no linear filter tells apart: assets/images/grain.png and its truth are made here.
#pragma once

#include <cstdint>

#include "core/image.h"

namespace bankside::testing {

/// A disc whose grain runs up and down, in a ground whose grain runs left and right: the same noise averaged
/// over five pixels one way or the other, so that mean and spread are the same inside and outside.
struct Grain {
  Image picture;  ///< u8 [1,256,256]
  Image truth;    ///< u8 [1,256,256], 255 in the disc
};
Grain makeGrain();

/// Area under the ROC curve of f32 `scores` for `truth` (not zero): the chance that a pixel inside scores
/// higher than one outside, ties counting half.
double areaUnderRoc(const Image& scores, const Image& truth);

}  // namespace bankside::testing
