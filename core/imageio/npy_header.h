/// What stands before the numbers of an NPY file, versions 1 to 3. Pictures and banks read it.
/// Source  numpy.lib.format, "A simple format for saving numpy arrays to disk".
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/imageio/readable_file.h"

namespace bankside {

struct NpyHeader {
  std::string description;  ///< of an element, as NumPy writes it: "<f4"
  bool columnMajor = false;
  std::vector<std::int64_t> shape;  ///< as the file says: nothing has been checked against its size
  std::int64_t dataOffset = 0;
};

/// Errors  Error{BadInput} damaged · Error{Unsupported} a later version, or records
NpyHeader readNpyHeader(const ReadableFile& file);

/// Bytes from one element to the next along each axis; the shape must have been checked.
std::vector<std::int64_t> npyAxisSteps(const NpyHeader& header, std::int64_t elementBytes);

/// "[3,4,5]".
std::string npyShapeText(const NpyHeader& header);

}  // namespace bankside
