/// Rows that are read before they are asked for.
#include <gtest/gtest.h>

#include <numeric>
#include <set>
#include <utility>

#include "core/error.h"
#include "core/imageio/read_ahead.h"
#include "core/judge/compare.h"
#include "tests/support/made_images.h"

namespace bankside {
namespace {

/// Counts how often each row is read, and fails at one for as long as it is told to.
class Counted final : public Source {
 public:
  Counted(const Image& image, std::vector<int>& reads, const int& broken)
      : source_(image), reads_(reads), broken_(broken) {}
  ElementType type() const override { return source_.type(); }
  int channels() const override { return source_.channels(); }
  int height() const override { return source_.height(); }
  int width() const override { return source_.width(); }
  void readRows(int channel, int firstRow, MutablePlane dst) override {
    for (int y = firstRow; y < firstRow + dst.height; ++y) {
      if (y == broken_) throw Error(ErrorCode::BadInput, "is cut short");
      ++reads_[static_cast<std::size_t>(y)];
    }
    source_.readRows(channel, firstRow, dst);
  }

 private:
  ImageSource source_;
  std::vector<int>& reads_;
  const int& broken_;
};

class ReadAheadTest : public ::testing::Test {
 protected:
  static constexpr int height = 23;
  static constexpr int width = 9;

  /// Two blocks of so many rows.
  std::unique_ptr<ReadAhead> ahead(int rows) {
    return std::make_unique<ReadAhead>(std::make_unique<Counted>(image, reads, broken),
                                       std::int64_t{2} * rows * width * 2 * 2);
  }

  void expectRows(ReadAhead& source, int first, int count) {
    for (int y = first; y < first + count; ++y) {
      for (int c = 0; c < 2; ++c) {
        Image row(1, 1, width, ElementType::U16);
        source.readRows(c, y, row.plane(0));
        const auto* is = std::as_const(row).view<std::uint16_t>(0).row(0);
        const auto* should = std::as_const(image).view<std::uint16_t>(c).row(y);
        EXPECT_TRUE(std::equal(is, is + width, should)) << "row " << y;
      }
    }
  }

  Image image = testing::randomImage(2, height, width, ElementType::U16, 1);
  std::vector<int> reads = std::vector<int>(height);
  int broken = -1;
};

TEST_F(ReadAheadTest, GivesEveryRowAndReadsItOnceFromTheTopDown) {
  for (const int rows : {1, 4, 7, 100}) {
    std::fill(reads.begin(), reads.end(), 0);
    {
      const auto source = ahead(rows);
      EXPECT_EQ(source->channels(), 2);
      EXPECT_FALSE(source->resident(0));
      for (int y = 0; y < height; y += 3) expectRows(*source, y, std::min(3, height - y));
      EXPECT_GT(source->seconds(), 0);
    }
    EXPECT_EQ(reads, std::vector<int>(height, 2)) << "each channel once, in blocks of " << rows;
  }
}

TEST_F(ReadAheadTest, GivesRowsInAnyOrder) {
  const auto source = ahead(4);
  for (const int y : {0, 1, 22, 21, 2, 3, 4, 12, 8, 16, 0, 22}) expectRows(*source, y, 1);
}

TEST_F(ReadAheadTest, SaysWhatReadingTookOnceNothingIsBeingRead) {
  const auto source = ahead(4);
  expectRows(*source, 0, 1);
  EXPECT_GT(source->seconds(), 0);
  EXPECT_EQ(reads[7], 2) << "the last row of the block ahead";
}

TEST_F(ReadAheadTest, SaysWhatWentWrongWhereItIsAskedFor) {
  broken = 9;
  const auto source = ahead(4);
  expectRows(*source, 0, 8);
  EXPECT_THROW(expectRows(*source, 8, 1), Error);
  EXPECT_THROW(expectRows(*source, 8, 1), Error) << "and again";
  expectRows(*source, 12, 11);
}

}  // namespace
}  // namespace bankside
