#include "core/imageio/tiff_pages.h"

#include <algorithm>
#include <set>

namespace bankside::codec {
namespace {

class DirectoryChain {
 public:
  explicit DirectoryChain(const ReadableFile& file) : file_(file) {
    unsigned char start[4] = {};
    file.read(0, start, sizeof(start));
    little_ = start[0] == 'I';
    big_ = start[little_ ? 2 : 3] == 43;
  }

  std::vector<std::int64_t> offsets() const {
    std::vector<std::int64_t> found;
    std::set<std::int64_t> seen;
    const TiffLink first = link();
    for (std::int64_t offset = number(first.offset, first.bytes); offset != 0; offset = next(offset)) {
      if (!seen.insert(offset).second)
        file_.damaged("TIFF data is damaged: its pages follow each other in a circle");
      found.push_back(offset);
    }
    return found;
  }

  TiffLink link() const { return big_ ? TiffLink{8, 8, little_} : TiffLink{4, 4, little_}; }

 private:
  std::int64_t next(std::int64_t directory) const {
    const std::int64_t countBytes = big_ ? 8 : 2;
    const std::int64_t entryBytes = big_ ? 20 : 12;
    const std::int64_t entries = number(directory, countBytes);
    if (entries > file_.size() / entryBytes) damaged();
    return number(directory + countBytes + entries * entryBytes, big_ ? 8 : 4);
  }

  /// At most what an offset into a file may be.
  std::int64_t number(std::int64_t offset, std::int64_t bytes) const {
    unsigned char digits[8] = {};
    if (offset > file_.size() ||
        file_.readSome(offset, digits, static_cast<std::size_t>(bytes)) != static_cast<std::size_t>(bytes)) {
      damaged();
    }
    if (!little_) std::reverse(digits, digits + bytes);
    std::uint64_t value = 0;
    for (std::int64_t i = bytes; i-- > 0;) value = value << 8 | digits[i];
    if (value > INT64_MAX / 4) damaged();
    return static_cast<std::int64_t>(value);
  }

  [[noreturn]] void damaged() const { file_.damaged("TIFF data is damaged: its list of pages is cut short"); }

  const ReadableFile& file_;
  bool little_ = true;
  bool big_ = false;
};

}  // namespace

std::vector<std::int64_t> tiffPages(const ReadableFile& file) { return DirectoryChain(file).offsets(); }

TiffLink firstTiffLink(const ReadableFile& file) { return DirectoryChain(file).link(); }

}  // namespace bankside::codec
