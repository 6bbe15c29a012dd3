#include "gui/window/compute/thumbnail.h"

#include <algorithm>

#include "core/error.h"
#include "core/folder.h"
#include "core/imageio/image_io.h"
#include "core/thumbnail.h"

namespace bankside::window {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t mostPixels = 100'000'000;

bool isHidden(const fs::path& entry) { return entry.filename().string().starts_with('.'); }

}  // namespace

Thumbnail readThumbnail(const fs::path& file, int side) {
  const ImageInfo info = readImageInfo(file);
  if (static_cast<std::int64_t>(info.width) * info.height > mostPixels) {
    throw Error(ErrorCode::Limit, file.string() + ": too large for a thumbnail");
  }
  const bool color = info.channelNames.size() >= 3 && info.channelNames[0] == "red";
  const Image small = thumbnailOf(readImage(file).image, color, side);
  Thumbnail result{.width = small.width(), .height = small.height(), .pixels = {}};
  for (int y = 0; y < result.height; ++y) {
    for (int x = 0; x < result.width; ++x) {
      std::uint32_t pixel = 0xff;
      for (int c = 0; c < 3; ++c)
        pixel = pixel << 8 | small.view<std::uint8_t>(std::min(c, small.channels() - 1)).at(x, y);
      result.pixels.push_back(pixel);
    }
  }
  return result;
}

std::vector<fs::path> imagesBeside(const fs::path& file) {
  std::error_code failure;
  return imagesBelow(fs::absolute(file, failure).parent_path(), false);
}

std::vector<fs::path> imagesBelow(const fs::path& folder, bool subfolders) {
  std::vector<fs::path> files;
  std::vector<fs::path> folders{folder};
  for (std::size_t next = 0; next < folders.size(); ++next) {
    std::error_code unknown;
    for (const fs::path& entry : entriesOf(fs::path(folders[next]), unknown)) {
      if (fs::is_directory(entry, unknown)) {
        // Through no link, which may lead back.
        if (subfolders && !isHidden(entry) && !fs::is_symlink(entry, unknown)) folders.push_back(entry);
      } else if (looksLikeImageFile(entry)) {
        files.push_back(entry);
      }
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool holdsFolders(const fs::path& folder) {
  std::error_code failure;
  const std::vector<fs::path> entries = entriesOf(folder, failure);
  return std::any_of(entries.begin(), entries.end(), [](const fs::path& entry) {
    std::error_code unknown;
    return fs::is_directory(entry, unknown) && !isHidden(entry);
  });
}

}  // namespace bankside::window
