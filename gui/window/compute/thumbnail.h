/// A small picture of an image, in colour where it has any.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace bankside::window {

struct Thumbnail {
  int width = 0;
  int height = 0;
  std::vector<std::uint32_t> pixels;  ///< 0xffRRGGBB
};

/// Reads the first page and draws it small (core/thumbnail.h). Throws Error, also for pages of more than 100
/// megapixels, which would hold up everything else.
Thumbnail readThumbnail(const std::filesystem::path& file, int side);

/// Files beside `file` that look like images, by name; empty where the folder cannot be read.
std::vector<std::filesystem::path> imagesBeside(const std::filesystem::path& file);

/// Those in a folder and, where wanted, in folders below it, without hidden ones.
std::vector<std::filesystem::path> imagesBelow(const std::filesystem::path& folder, bool subfolders);

/// Whether there are folders in it that are not hidden.
bool holdsFolders(const std::filesystem::path& folder);

}  // namespace bankside::window
