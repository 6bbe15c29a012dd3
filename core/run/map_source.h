/// The maps of a first bank as the source of a second: computed when their rows are asked for.
///
/// Maps that fit the budget are computed once and lie in memory, where engines read them in place. Others are
/// computed in blocks of rows on an absolute grid, the last few of which are kept, so that a band of the
/// second bank finds its halo, a wrapping border its far end, and every row the same bytes however the run is
/// cut.
#pragma once

#include "core/activation.h"
#include "core/bank_pass.h"

namespace bankside {

class MapSource final : public Source {
 public:
  /// Memory that a run leaves to the next one.
  using Spare = std::vector<std::vector<Image>>;

  /// `first` gives responses or, with a combine, the combined planes alone. All references must outlive it.
  /// Errors  Error{BadInput} if the bank does not fit the image; what its engines throw comes out of reading
  MapSource(BankPass& first, Activation activation, Source& image, std::int64_t budget, Spare& spare,
            std::stop_token stop);
  ~MapSource() override;
  MapSource(const MapSource&) = delete;
  MapSource& operator=(const MapSource&) = delete;

  ElementType type() const override { return ElementType::F32; }
  int channels() const override { return channels_; }
  int height() const override { return image_.height(); }
  int width() const override { return image_.width(); }
  /// After `fill`, where the maps fit the budget.
  std::optional<ConstPlane> resident(int channel) const override;
  void readRows(int channel, int firstRow, MutablePlane dst) override;

  /// Computes all maps now if they fit the budget.
  void fill();

  /// So many rows of maps that follow each other are held at once, wherever they begin.
  int heldRows() const {
    return blockRows_ >= image_.height() ? image_.height() : (capacity_ - 1) * blockRows_ + 1;
  }

  /// With plans, which are made if no row was asked for yet.
  const std::vector<BankPass::Step>& steps();
  /// Perhaps without.
  const std::vector<BankPass::Step>& firstSteps() const { return steps_; }
  /// What the maps took so far: each step's phases; combine and activation; everything.
  const std::vector<PhaseTimes>& times() const { return times_; }
  double combineSeconds() const { return combineSeconds_; }
  double activationSeconds() const { return activationSeconds_; }
  double seconds() const;

 private:
  struct Block {
    int number = -1;  ///< rows [number, number + 1) x blockRows_; -1: none
    std::int64_t used = 0;
    std::vector<Image> planes;
  };
  Block& block(int number);
  void compute(Block& block);

  BankPass& first_;
  Activation activation_;
  Source& image_;
  Spare& spare_;
  std::stop_token stop_;
  int channels_;
  std::size_t hidden_;
  std::vector<BankPass::Step> steps_;
  int blockRows_ = 1;
  int capacity_ = 1;
  std::vector<Block> blocks_;
  std::int64_t clock_ = 0;
  std::vector<PhaseTimes> times_;
  double combineSeconds_ = 0;
  double activationSeconds_ = 0;
};

}  // namespace bankside
