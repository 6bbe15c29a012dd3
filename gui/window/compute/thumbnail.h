/// A small picture of an image, in colour where it has any.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "gui/window/compute/work.h"

namespace bankside::window {

struct Thumbnail {
  int width = 0;
  int height = 0;
  std::vector<std::uint32_t> pixels;  ///< 0xffRRGGBB
};

/// Fits into a square of `side`. Never enlarges.
Thumbnail makeThumbnail(const Picture& picture, int side);

/// Reads the first page and draws it small. Throws Error, also for pages of more than 100 megapixels, which
/// would hold up everything else.
Thumbnail readThumbnail(const std::filesystem::path& file, int side);

/// Files beside `file` that look like images, by name, at most `most`; empty where the folder cannot be read.
std::vector<std::filesystem::path> imagesBeside(const std::filesystem::path& file);

}  // namespace bankside::window
