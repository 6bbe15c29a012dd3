/// libtiff on our own files, silent, with its errors as ours. Internal to core/.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <string>

#include "core/imageio/atomic_file.h"
#include "core/imageio/readable_file.h"

struct tiff;  // libtiff's TIFF; its header stays in the .cpp files

namespace bankside::codec {

/// An open TIFF. libtiff's messages are kept instead of printed; no exception passes through its code.
class TiffFile {
 public:
  /// For reading the page whose directory begins at `directory`, which libtiff is shown as the file's first.
  /// Throws Error{BadInput} if it does not even begin as one. No single allocation of libtiff's exceeds
  /// `largestAllocation`.
  TiffFile(const ReadableFile& file, std::int64_t directory, std::int64_t largestAllocation);
  /// For writing, in this machine's byte order.
  TiffFile(AtomicFile& file, bool bigTiff);
  ~TiffFile();
  TiffFile(const TiffFile&) = delete;
  TiffFile& operator=(const TiffFile&) = delete;

  operator tiff*() const { return tiff_; }

  /// Throws what went wrong, if anything did: the file's own Error, or `code` with `what` and libtiff's
  /// message.
  void check(ErrorCode code, const std::string& what) const;
  /// The same, and always throws.
  [[noreturn]] void fail(ErrorCode code, const std::string& what) const;

  /// From here on all of libtiff's warnings count as errors: they are about pixels now, no more about tags,
  /// of which only those that change pixels count.
  void warningsAreErrors() { strict_ = true; }

 private:
  void open(const char* mode, std::int64_t largestAllocation);
  struct Callbacks;  // what libtiff calls
  /// Puts the link over what was read at `offset_`.
  void showLink(unsigned char* data, std::int64_t size) const;
  std::int64_t size() const;

  const ReadableFile* input_ = nullptr;
  std::int64_t linkOffset_ = 0;      // of `link_` in the file
  std::vector<unsigned char> link_;  // what libtiff reads there: where the page's directory is
  AtomicFile* output_ = nullptr;
  tiff* tiff_ = nullptr;
  std::int64_t offset_ = 0;
  bool strict_ = false;
  char message_[300] = {};  // the first error
  std::exception_ptr failure_;
};

}  // namespace bankside::codec
