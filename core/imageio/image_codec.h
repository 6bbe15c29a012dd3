/// What the codecs behind image_io.h share. Internal to core/: nobody else includes it.
///
/// Reading: an opener parses the header of one page and returns a `PageDecoder`, which has allocated nothing
/// of the page's size yet. Writing: an opener returns a `PageEncoder`, which is given rows from the top down.
/// A format is one file with these two openers and its `Format`, and a row of formats.def. One whose rows
/// come from the top down only derives from `ForwardReader` (forward_reader.h), one whose pixels lie in the
/// file as they are asks for `openRaster` (image_raster.h).
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/image.h"
#include "core/imageio/atomic_file.h"
#include "core/imageio/image_info.h"
#include "core/imageio/readable_file.h"

namespace bankside::codec {

/// `wholePage` false: rows will be asked for in bands, `maxBytes` then bounds one block of the file only.
struct PageLimits : ImageLimits {
  bool wholePage = true;
};

class PageDecoder {
 public:
  virtual ~PageDecoder() = default;
  /// But for the pages, which are the file's.
  const ImageInfo& info() const { return info_; }

  virtual Image readAll() = 0;

  /// Whether rows can be had on their own, in bounded memory.
  virtual bool streams() const { return false; }
  /// Rows [firstRow, firstRow + dst.height) of a channel; only where `streams()`.
  virtual void readRows(int /*channel*/, int /*firstRow*/, MutablePlane /*dst*/) {}

 protected:
  ImageInfo info_;
};

using FilePointer = std::shared_ptr<const ReadableFile>;  // the pages of a file share it
using DecoderPointer = std::unique_ptr<PageDecoder>;

/// Where the pages of a file begin, whatever its format.
/// Errors  as for readImage
std::vector<std::int64_t> pagesOf(const ReadableFile& file);
/// `offset`: where the page begins.
DecoderPointer openPage(FilePointer file, std::int64_t offset, const PageLimits& limits);

/// What a writer is told before the first row.
struct PageShape {
  int channels = 1;
  int height = 1;
  int width = 1;
  ElementType type = ElementType::F32;
  std::vector<std::string> channelNames;        // may be empty
  std::optional<Compression> compression = {};  // nothing: the format's usual one
};

class PageEncoder {
 public:
  virtual ~PageEncoder() = default;
  /// The next rows from the top, one plane a channel, all of the same height. Throws Error{Io}, or Cancelled
  /// if the program is to end.
  void writeRows(std::span<const ConstPlane> channels);
  /// After the last row; what is left is the file's `commit()`.
  virtual void finish() {}

 protected:
  /// Some of them: little enough for a look at the program's end in between.
  virtual void putRows(std::span<const ConstPlane> channels) = 0;
};

using EncoderPointer = std::unique_ptr<PageEncoder>;

/// All that is known of a format.
struct Format {
  std::string_view name;                            ///< in sentences; of several under one roof all
  std::array<std::string_view, 4> endings;          ///< of names of files, small letters, no dot
  std::array<std::string_view, 6> signatures = {};  ///< how files begin
  /// A page that begins at `offset`; a format of one page knows where.
  DecoderPointer (*open)(FilePointer file, std::int64_t offset, const PageLimits& limits);
  std::vector<std::int64_t> (*pages)(const ReadableFile& file) = nullptr;  ///< nothing: there is but one

  /// Of a format that is written. The writer keeps a reference to the file.
  EncoderPointer (*create)(AtomicFile& file, const PageShape& shape) = nullptr;
  /// What of it the format cannot hold and what could, in a sentence; "" if it holds all. Nothing: it does.
  std::string (*refusal)(const PageShape& shape) = nullptr;
  bool (*packs)(Compression compression) = nullptr;  ///< beside `None`; nothing: not at all
  Compression usual = Compression::None;
};

#define BANKSIDE_WRITTEN_FORMAT(name, word) extern const Format word##Format;
#define BANKSIDE_READ_FORMAT(word) extern const Format word##Format;
#include "core/imageio/formats.def"

EncoderPointer createWriter(AtomicFile& file, const PageShape& shape, FileFormat format);

/// Throws Error{Unsupported} with what the format cannot hold, before any file is made.
void requireWritable(const std::filesystem::path& path, const PageShape& shape, FileFormat format);

/// Throws Error{BadInput} for a side below 1, Error{Limit} for one or for a page beyond the limits.
void requireWithinLimits(const ReadableFile& file, std::int64_t channels, std::int64_t height,
                         std::int64_t width, ElementType type, const PageLimits& limits);
/// An image of that shape, whose Error{Limit} names the file.
Image allocate(const ReadableFile& file, int channels, int height, int width, ElementType type);

/// "grey", "red" "green" "blue", each with "alpha" if told so, or "channel0" and so on.
std::vector<std::string> colourNames(int colours, bool alpha);
std::vector<std::string> numberedNames(int channels);

/// One row of interleaved pixels to one row a channel, and back. Elements are 1, 2 or 4 bytes.
void deinterleave(const std::byte* pixels, int channels, int width, std::size_t elementBytes,
                  std::byte* const* rows);
void interleave(const std::byte* const* rows, int channels, int width, std::size_t elementBytes,
                std::byte* pixels);
/// Swaps the bytes of each element in place.
void swapBytes(std::byte* data, std::size_t count, std::size_t elementBytes);

}  // namespace bankside::codec
