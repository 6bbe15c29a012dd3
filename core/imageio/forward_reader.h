/// Pages that can be decoded from the top down only, row by row. Internal to core/.
#pragma once

#include "core/imageio/image_codec.h"

namespace bankside::codec {

/// Gives rows in any order all the same: the last ones stay, and what lies before them is decoded again from
/// the top.
class ForwardReader : public PageDecoder {
 public:
  bool streams() const override { return true; }
  Image readAll() override { return decodeAll(info_.height, info_.width); }
  void readRows(int channel, int firstRow, MutablePlane dst) override;

 protected:
  ForwardReader(FilePointer file, const PageLimits& limits)
      : file_(std::move(file)), cacheBytes_(limits.cacheBytes), mostBytes_(limits.maxBytes) {}

  /// The next row to decode is the top one again.
  virtual void rewind() = 0;
  /// The next row, one a channel.
  virtual void decodeRow(std::byte* const* rows) = 0;
  /// After the last row: whether the rest is whole.
  virtual void endRows() {}

  /// The picture as it is stored, from the top.
  Image decodeAll(int height, int width);

  FilePointer file_;

 private:
  void decodeInto(Image& image, int imageRow, int height);

  std::int64_t cacheBytes_;
  std::int64_t mostBytes_;
  int next_ = 0;  // of all rows, the one that is decoded next
  Image kept_;    // the rows before it, row y at y modulo its height
  std::vector<std::byte*> rows_;
};

}  // namespace bankside::codec
