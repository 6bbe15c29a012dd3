/// Image files as sources and sinks, so that a plan can filter what does not fit into memory.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "core/engine.h"
#include "core/imageio/image_io.h"
#include "core/stop_check.h"

namespace bankside {

/// A page of a file as a source.
///
/// Rows come from the file on demand. In increasing order every row, strip or row of tiles is decoded once;
/// about `limits.cacheBytes` of them are kept, or one band where it is larger. PNG, JPEG and plain PNM begin
/// again at the top for a row before those. There `limits.maxBytes` bounds one compressed strip or tile, not
/// the page. What cannot come in rows (interlaced PNG, turned JPEG and TIFF, Fortran order) is read whole and
/// is `resident`.
///
/// Errors  as for readImage; damage further down comes out of `readRows`
std::unique_ptr<Source> openSource(const ImageFile& file, int page, const ImageLimits& limits);
std::unique_ptr<Source> openSource(const std::filesystem::path& path, int page = 0,
                                   const ImageLimits& limits = {});

/// A sink whose planes are files. They appear at `commit`; without it nothing is left behind.
class FileSink : public Sink {
 public:
  /// Puts every file in place, as `commitTogether` does. To be called once, after the last row of every
  /// plane. `check` is asked before each file. Errors  Error{BadInput} if rows are missing · Error{Io} ·
  /// WouldReplace
  virtual void commit(Existing existing = Existing::Replace, const StopCheck& check = {}) = 0;
};

/// What one plane becomes.
struct PlaneFile {
  std::filesystem::path path;
  ElementType type = ElementType::F32;
};

/// One single-channel file a plane, [height, width] each; rows of a plane in increasing order without a gap.
/// A plane's file is made with its first row.
/// Errors  Error{Unsupported} the format cannot hold a plane's type, or is not compressed so · Error{Io} ·
///         Error{BadInput} two planes have one path · Error{Limit} the system does not let so many files be
///         open
std::unique_ptr<FileSink> createSink(const std::vector<PlaneFile>& planes, int height, int width,
                                     FileFormat format, std::optional<Compression> compression = {});

}  // namespace bankside
