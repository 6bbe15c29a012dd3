/// The pages of a file as the channels of one image: time points, depths or wavelengths that a bank sums
/// over.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "core/engine.h"
#include "core/imageio/image_io.h"

namespace bankside {

/// As many pages as a bank may have channels.
inline constexpr int maxStackPages = 4096;
/// Read on demand, each page keeps a few rows or a strip in memory.
inline constexpr int maxStreamedPages = 256;

struct PageStack {
  ImageInfo info;  ///< of the stack: one page, channels "page1", "page2" and so on; the notes of all pages
  std::unique_ptr<Source> source;
};

/// Every page must have one channel, and size and type of the first. Held in memory where that takes at most
/// `residentBytes`, else rows come from the file as they are asked for. `limits` are a page's.
/// Errors  as for readImage, and Error{BadInput} for pages that do not go together · Error{Limit} for more of
///         them than can be had
PageStack openPageStack(const ImageFile& image, std::int64_t residentBytes, ImageLimits limits = {});

}  // namespace bankside
