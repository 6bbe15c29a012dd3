/// Pictures from files and into files, with nothing lost on the way.
///
/// Formats are told by their first bytes, never by the name. Pixels keep the values of the file (u8, u16,
/// f16, f32); the few that must change (palette, 1/2/4-bit grey, white-is-zero, orientation) are named in
/// `ImageInfo::notes`. Whatever a file's header promises is checked against the limits before memory is asked
/// for. Damage is an error, never a grey bottom half. Every sentence starts with the path as it was given.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/image.h"
#include "core/imageio/atomic_file.h"
#include "core/imageio/image_info.h"

namespace bankside {

namespace codec {
class PageDecoder;
struct PageLimits;
}  // namespace codec

struct LoadedImage {
  Image image;
  ImageInfo info;
};

/// An image file that is open: its pages are found once, however many of them are read. Copies share it.
/// Errors of all functions  as for readImage
class ImageFile {
 public:
  explicit ImageFile(const std::filesystem::path& path);

  const std::filesystem::path& path() const;
  int pages() const;
  /// What the header of a page says; pages are counted from 0.
  ImageInfo info(int page = 0, const ImageLimits& limits = {}) const;
  LoadedImage read(int page = 0, const ImageLimits& limits = {}) const;

  /// For imageio itself.
  std::unique_ptr<codec::PageDecoder> open(int page, const codec::PageLimits& limits) const;

 private:
  struct Opened;
  std::shared_ptr<const Opened> opened_;
};

/// Reads the header of one page.
/// Errors  as for readImage, as far as the header tells
ImageInfo readImageInfo(const std::filesystem::path& path, int page = 0, const ImageLimits& limits = {});

/// Reads one page.
/// Errors  Error{Io} the file cannot be opened or read · Error{BadInput} it is damaged, cut short, no image
/// or
///         lacks the page · Error{Unsupported} it is a valid file of a kind not taken · Error{Limit}
LoadedImage readImage(const std::filesystem::path& path, int page = 0, const ImageLimits& limits = {});

/// How names of files of the formats that are read end, in small letters, without the dot.
const std::vector<std::string>& imageEndings();
/// Whether the name ends so and is not hidden, for scanning folders; reading goes by content.
bool looksLikeImageFile(const std::filesystem::path& path);
/// Of a file whose ending says that it is an image of a format that is not read here: "GIF"; else "".
std::string_view unreadFormatOf(const std::filesystem::path& path);

/// Writes every plane of an image, bit for bit, atomically.
///
/// What a format holds is said in its codec: TIFF and NPY any type and number of channels.
/// Errors  Error{Unsupported} the format cannot hold it, with what could · Error{Io} it cannot be written ·
///         WouldReplace
void writeImage(const std::filesystem::path& path, const Image& image, FileFormat format,
                Existing existing = Existing::Replace, std::optional<Compression> compression = {});

}  // namespace bankside
