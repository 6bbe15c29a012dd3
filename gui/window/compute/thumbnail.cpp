#include "gui/window/compute/thumbnail.h"

#include <algorithm>

#include "core/error.h"
#include "gui/window/compute/plane_renderer.h"

namespace bankside::window {
namespace {

constexpr std::int64_t mostPixels = 100'000'000;

/// One channel at the thumbnail's size, as the 256 steps between its levels.
std::vector<std::uint32_t> drawChannel(const Picture& picture, int channel, int width, int height,
                                       double zoom) {
  const PlanePtr plane = makePlane(picture.image, channel);
  RenderStyle style;
  style.levels = plane->type() == ElementType::U8
                     ? Levels{0, 255}
                     : Levels{plane->histogram.percentile(0.001), plane->histogram.percentile(0.999)};
  if (style.levels.low == style.levels.high) style.levels.high += 1;
  std::vector<std::uint32_t> pixels(static_cast<std::size_t>(width) * height);
  renderPlane(*plane, {0, 0, zoom}, style, {pixels.data(), width, height, width});
  return pixels;
}

}  // namespace

Thumbnail makeThumbnail(const Picture& picture, int side) {
  const ImageInfo& info = picture.info;
  const double zoom = std::min(1.0, static_cast<double>(side) / std::max(info.width, info.height));
  Thumbnail result;
  result.width = std::max(1, static_cast<int>(info.width * zoom));
  result.height = std::max(1, static_cast<int>(info.height * zoom));
  result.pixels = drawChannel(picture, 0, result.width, result.height, zoom);
  const bool color = info.channelNames.size() >= 3 && info.channelNames[0] == "red";
  if (!color) return result;
  const auto green = drawChannel(picture, 1, result.width, result.height, zoom);
  const auto blue = drawChannel(picture, 2, result.width, result.height, zoom);
  for (std::size_t i = 0; i < result.pixels.size(); ++i) {
    result.pixels[i] =
        0xff000000u | (result.pixels[i] & 0xff0000u) | (green[i] & 0xff00u) | (blue[i] & 0xffu);
  }
  return result;
}

Thumbnail readThumbnail(const std::filesystem::path& file, int side) {
  const ImageInfo info = readImageInfo(file);
  if (static_cast<std::int64_t>(info.width) * info.height > mostPixels) {
    throw Error(ErrorCode::Limit, file.string() + ": too large for a thumbnail");
  }
  return makeThumbnail(*openPicture(file, 0), side);
}

std::vector<std::filesystem::path> imagesBeside(const std::filesystem::path& file) {
  std::vector<std::filesystem::path> files;
  std::error_code failure;
  const auto folder = std::filesystem::absolute(file, failure).parent_path();
  auto entry = std::filesystem::directory_iterator(folder, failure);
  const std::filesystem::directory_iterator end;
  for (; !failure && entry != end; entry.increment(failure)) {
    if (looksLikeImageFile(entry->path()) && !entry->is_directory(failure)) files.push_back(entry->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace bankside::window
