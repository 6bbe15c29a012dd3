#include "gui/window/compute/thumbnail.h"

#include <algorithm>

#include "core/error.h"
#include "core/imageio/image_io.h"
#include "core/thumbnail.h"

namespace bankside::window {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t mostPixels = 100'000'000;

bool isHidden(const fs::directory_entry& entry) { return entry.path().filename().string().starts_with('.'); }

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
  std::error_code failure;
  auto entry =
      fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied, failure);
  const fs::recursive_directory_iterator end;
  for (; !failure && entry != end; entry.increment(failure)) {
    std::error_code unknown;
    if (entry->is_directory(unknown)) {
      if (!subfolders || isHidden(*entry)) entry.disable_recursion_pending();
    } else if (looksLikeImageFile(entry->path())) {
      files.push_back(entry->path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool holdsFolders(const fs::path& folder) {
  std::error_code failure;
  auto entry = fs::directory_iterator(folder, failure);
  for (; !failure && entry != fs::directory_iterator(); entry.increment(failure)) {
    std::error_code unknown;
    if (entry->is_directory(unknown) && !isHidden(*entry)) return true;
  }
  return false;
}

}  // namespace bankside::window
