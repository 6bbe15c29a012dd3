/// Images that give and take rows only, as files do: nothing of them can be worked on where it lies.
#pragma once

#include "core/engine.h"

namespace bankside {

/// An image whose rows must be asked for.
class RowSource final : public Source {
 public:
  explicit RowSource(const Image& image) : inner_(image) {}
  ElementType type() const override { return inner_.type(); }
  int channels() const override { return inner_.channels(); }
  int height() const override { return inner_.height(); }
  int width() const override { return inner_.width(); }
  void readRows(int channel, int firstRow, MutablePlane dst) override {
    rowsRead_ += dst.height;
    inner_.readRows(channel, firstRow, dst);
  }
  int rowsRead() const { return rowsRead_; }

 private:
  ImageSource inner_;
  int rowsRead_ = 0;
};

/// Planes whose rows must be brought.
class RowSink : public Sink {
 public:
  RowSink(const ConvolutionProblem& problem, const Region& region) : inner_(problem, region) {}
  int planes() const override { return inner_.planes(); }
  ElementType type(int plane) const override { return inner_.type(plane); }
  void writeRows(int plane, int firstRow, ConstPlane src) override {
    inner_.writeRows(plane, firstRow, src);
    if (plane == 0) ++bands_;
  }
  const std::vector<Image>& images() const { return inner_.images(); }
  /// So many times rows of the first plane came.
  int bands() const { return bands_; }

 private:
  ImageSink inner_;
  int bands_ = 0;
};

}  // namespace bankside
