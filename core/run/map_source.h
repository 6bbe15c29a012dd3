/// The maps of one stage as the source of the next: computed when their rows are asked for.
///
/// Maps that fit the budget are computed once and lie in memory, where engines read them in place. Others are
/// computed in blocks of rows on an absolute grid, the last few of which are kept, so that a band of the
/// next stage finds its halo, a wrapping border its far end, and every row the same bytes however the run is
/// cut.
#pragma once

#include "core/bank_pass.h"

namespace bankside {

class MapSource final : public Source {
 public:
  /// Memory that a run leaves to the next one.
  using Spare = std::vector<std::vector<Image>>;

  /// `stage` gives responses or, with a combine, the combined planes alone. It sees `image`, or the maps
  /// `before`, which are then the same. All references must outlive it,
  /// but for `next`, the bank that sees the maps: as many rows as its filters are high are always held.
  /// Errors  Error{BadInput} if the bank does not fit what it sees; what its engines throw comes out of
  /// reading
  MapSource(BankPass& stage, Source& image, const FilterBank& next, std::int64_t budget, Spare& spare,
            std::stop_token stop)
      : MapSource(stage, image, nullptr, next, budget, spare, std::move(stop)) {}
  MapSource(BankPass& stage, MapSource& before, const FilterBank& next, std::int64_t budget, Spare& spare,
            std::stop_token stop)
      : MapSource(stage, before, &before, next, budget, spare, std::move(stop)) {}
  ~MapSource() override;
  MapSource(const MapSource&) = delete;
  MapSource& operator=(const MapSource&) = delete;

  ElementType type() const override { return ElementType::F32; }
  int channels() const override { return channels_; }
  int height() const override { return seen_.height(); }
  int width() const override { return seen_.width(); }
  /// After `hold`, where the maps fit the budget.
  std::optional<ConstPlane> resident(int channel) const override;
  void readRows(int channel, int firstRow, MutablePlane dst) override;

  /// Computes all maps now if they fit the budget, else those rows that running `band` of a problem over the
  /// maps asks for: a plan that reads them while it holds a device then starts no other one.
  void hold(const ConvolutionProblem& problem, const Region& band);

  /// So many rows of maps that follow each other are held at once, wherever they begin.
  int heldRows() const {
    return blockRows_ >= seen_.height() ? seen_.height() : (capacity_ - 1) * blockRows_ + 1;
  }

  /// With plans, which are made if no row was asked for yet.
  const std::vector<BankPass::Step>& steps();
  /// Perhaps without.
  const std::vector<BankPass::Step>& stepsAsTheyAre() const { return steps_; }
  const BankPass& stage() const { return stage_; }
  /// What the maps took so far: each step's phases; combine and activation; everything, stages before too.
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
  MapSource(BankPass& stage, Source& seen, MapSource* before, const FilterBank& next, std::int64_t budget,
            Spare& spare, std::stop_token stop);
  Block& block(int number);
  void compute(Block& block);

  BankPass& stage_;
  Source& seen_;
  MapSource* before_;
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

/// Runs a step over `seen`; where those are `maps`, what it takes to make them is no part of its times.
PhaseTimes runStep(const BankPass::Step& step, Source& seen, MapSource* maps, const Region& band,
                   std::vector<Image>& buffers, const std::stop_token& stop);

int tallestFilter(const FilterBank& bank);

/// The rows of a band at most, so that several steps, and the next band, find the maps that it asked for.
int rowsWithin(const MapSource& maps, const FilterBank& bank, int rows);

}  // namespace bankside
