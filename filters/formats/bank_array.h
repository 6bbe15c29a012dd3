/// Banks from arrays of numbers: NumPy's .npy and .npz, and plain text.
///
/// All are read as if a stranger had sent them: shape and file size are checked before memory is asked for.
/// Taps are for correlation, as OpenCV's filter2D and the convolutions of neural-network libraries take them;
/// anchors lie in the middle (kw/2, kh/2); filters are called "filter0", "filter1" and so on. The bank's name
/// is the path.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/filter_bank.h"
#include "core/imageio/readable_file.h"

namespace bankside {

/// An array [kh,kw] is one filter, [F,kh,kw] a bank over one channel, [F,C,kh,kw] one that sums over C
/// channels. Elements are floats of 16, 32 or 64 bits or whole numbers of 8 to 64, in either byte order,
/// rounded once to f32. Errors  Error{Io} cannot be read · Error{Limit} more taps than a bank file may hold ·
/// Error{Unsupported} other
///         elements · Error{BadInput} any other shape, a damaged file, taps that are not finite
FilterBank readBankNpy(const std::filesystem::path& path);
FilterBank parseBankNpy(const ReadableFile& file);

/// What numpy.save writes of f32 numbers in this machine's order: a header whose end is at a multiple of 64
/// bytes, then the numbers. `shape` has two axes or more.
std::string npyArray(const std::vector<int>& shape, const std::vector<float>& numbers);

/// The arrays of a NumPy archive, each as `readBankNpy` takes one, filters under the array's name; where an
/// array has several filters, their numbers follow it. No pickle is read. Errors  as `readBankNpy`;
/// Error{BadInput} no array, not the same number of channels
FilterBank readBankNpz(const std::filesystem::path& path);

/// One filter, a row a line: numbers with commas, semicolons, blanks or tabs between them. Empty lines and
/// what follows a '#' are skipped. Errors  Error{Io}; Error{Limit}; Error{BadInput} with the line where
/// something is no number or a row is longer
///         or shorter than the first
FilterBank readBankText(const std::filesystem::path& path);

}  // namespace bankside
