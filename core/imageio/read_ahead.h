/// A source whose next rows are read while the last ones are worked on.
#pragma once

#include <future>
#include <memory>
#include <vector>

#include "core/engine.h"
#include "core/image.h"

namespace bankside {

/// Rows come in blocks; of two that are held one is being read. Rows that are not in the block at hand or the
/// one after it are read as they are asked for, and with them the rest of their block.
class ReadAhead final : public Source {
 public:
  /// `bytes`: of both blocks.
  ReadAhead(std::unique_ptr<Source> inner, std::int64_t bytes);
  ~ReadAhead() override;
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  ElementType type() const override { return inner_->type(); }
  int channels() const override { return inner_->channels(); }
  int height() const override { return inner_->height(); }
  int width() const override { return inner_->width(); }
  std::optional<ConstPlane> resident(int channel) const override { return inner_->resident(channel); }
  /// Errors  those of the source, where the rows are asked for
  void readRows(int channel, int firstRow, MutablePlane dst) override;

  /// What reading took, on whatever thread; what is being read ends first.
  double seconds() const;

 private:
  struct Block {
    int number = -1;
    Image rows;
  };
  void fill(Block& block, int number);
  void moveTo(int number);
  void readNext();

  std::unique_ptr<Source> inner_;
  int blockRows_;
  double seconds_ = 0;
  Block here_;
  Block next_;
  std::future<void> reading_;  ///< `next_`
};

}  // namespace bankside
