/// An image cut into vessel and ground, and how well.
#pragma once

#include <cstdint>

#include "core/evaluate/confusion.h"
#include "core/evaluate/labelled_image.h"

namespace bankside {

/// What clDice is made of: centre lines that the other segmentation covers. A vessel that is broken costs as
/// much as it is long, however thin it is.
/// Source  S. Shit et al., "clDice - a novel topology-preserving loss function for tubular structure
///         segmentation", CVPR 2021, eqs. 1 and 2, with `skeletonOf` for the skeletons
struct CentreLines {
  std::int64_t ours = 0;         ///< pixels of the segmentation's skeleton
  std::int64_t oursInside = 0;   ///< that the truth holds
  std::int64_t theirs = 0;       ///< pixels of the truth's skeleton
  std::int64_t theirsFound = 0;  ///< that the segmentation holds
  CentreLines& operator+=(const CentreLines& other);
  /// Harmonic mean of both shares; NaN where one is 0/0.
  double clDice() const;
};

/// Shapes  u8 [1,H,W], 1 or 0, 0 outside the field of view
Image segmentationAt(const LabelledImage& image, float threshold);
Image truthOf(const LabelledImage& image);
Image observerOf(const LabelledImage& image);

Confusion confusionOf(const Image& segmentation, const LabelledImage& image);
CentreLines centreLinesOf(const Image& segmentation, const Image& truth, const Image& truthSkeleton,
                          const StopCheck& check = {});

/// A picture of it: found vessels white, missed ones orange, false ones blue, ground black and what lies
/// outside the field of view grey. Shapes  u8 [3,H,W]
Image overlayOf(const Image& segmentation, const LabelledImage& image);

}  // namespace bankside
