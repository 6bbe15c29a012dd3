/// The files inside a ZIP archive, as NumPy keeps arrays: stored, or deflated.
///
/// Read as if a stranger had sent it: what the directory at its end promises is checked before memory is
/// asked for, and against what comes out. Source  PKWARE, .ZIP File Format Specification 6.3, without
/// encryption, parts on other disks, and archives of 4 GiB and more.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/imageio/readable_file.h"

namespace bankside {

struct ZipEntry {
  std::string name;
  bool deflated = false;
  std::uint32_t checksum = 0;
  std::int64_t packed = 0;  ///< bytes in the archive
  std::int64_t size = 0;    ///< bytes as they were
  std::int64_t place = 0;   ///< of its own header
};

/// In the directory's order. Errors  Error{BadInput} no archive, or a damaged one · Error{Unsupported} others
/// · Error{Limit} more than `most` files
std::vector<ZipEntry> zipEntries(const ReadableFile& file, std::size_t most);

/// The whole file. Errors  Error{BadInput} damaged · Error{Limit} larger than `largest`
std::string unzipped(const ReadableFile& file, const ZipEntry& entry, std::int64_t largest);

/// An archive of named files, stored one after another; its bytes are a function of them alone. All together
/// are below 2 GiB.
std::string zipOf(const std::vector<std::pair<std::string, std::string>>& files);

}  // namespace bankside
