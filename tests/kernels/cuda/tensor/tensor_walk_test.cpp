/// How blocks share an image, and what they keep in shared memory.
#include "kernels/cuda/tensor/tensor_walk.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/judge/conformance.h"
#include "kernels/cuda/tensor/tensor_choice.h"
#include "tests/kernels/cuda/tensor/in_reach.h"

namespace bankside::cuda {
namespace {

TEST(TensorWalk, FitsInSharedMemory) {
  for (const std::string& text : conformanceProblems()) {
    ConvolutionProblem p = parseProblem(text);
    if (!inReach(p)) continue;
    for (const TapProducts products : {TapProducts::Most, TapProducts::Rounded})
      for (const int count : {1, 3, 12, 32, 33, 100}) {
        p.filterCount = count;
        const TensorLayout layout = tensorLayout(p, products);
        for (const int side : {4096, 1024, 512, 256, 64}) {
          const TensorWalk walk = tensorWalk(layout, side, side, 132);
          EXPECT_LE(walk.total, 225 * 1024) << text << " " << count;
          EXPECT_LE(tensorThreads(walk.multipliers), 1024);
          EXPECT_LE(walk.chunks, TensorWalk::mostChunks) << text;
          EXPECT_LE(corePlacesOf(layout, walk), mostCorePlaces) << text;
          EXPECT_GE(walk.chunks * walk.strips, walk.blockStrips) << text;
          EXPECT_GE(walk.ring, std::min(walk.blockStrips, walk.strips + 1) * layout.rowStep) << text;
          for (const int part : {walk.units, walk.pixels, walk.plane, walk.raw, walk.startRaw})
            EXPECT_EQ(part % 16, 0) << text;
          // Warpgroups that wait for each other within a turn lie in two chunks, or nothing waits for them.
          const bool together =
              (layout.combined && layout.passes > 1) ||
              (layout.blocks > 1 && startInTurn(layout.tapColumns, layout.parts, layout.chained()));
          if (together && walk.chunks > 2) {
            EXPECT_GE(walk.strips * layout.groups, (walk.multipliers - 1) * groupsOfProduct) << text;
          }
          // Rows that helpers copy at the start lie where the second chunk will be, or behind the stagers'
          // rows.
          const int helpers = walk.starters - TensorWalk::stagerWarps;
          const int helpersEnd = walk.startRaw + helpers * layout.rawPitch();
          EXPECT_GE(helpers, 0) << text << " " << count;
          EXPECT_LE(helpers, walk.multipliers * 4) << text;
          if (walk.startRaw < walk.raw) {
            EXPECT_GE(walk.startRaw, walk.raw - walk.plane + walk.firstRows * layout.pitch()) << text;
            EXPECT_LE(helpersEnd, walk.raw) << text;
          } else {
            const int stagersRows = TensorWalk::stagerWarps * TensorWalk::rowsAhead(layout.pixelBytes);
            EXPECT_GE(walk.startRaw, walk.raw + stagersRows * layout.rawPitch()) << text;
            EXPECT_LE(helpersEnd, walk.total) << text;
          }
        }
      }
  }
}

/// Strips that the busiest of the multiprocessors gets, if each takes the next block when it is done with
/// one.
int mostStrips(const TensorLayout& layout, int side, int multiprocessors) {
  const TensorWalk walk = tensorWalk(layout, side, side, multiprocessors);
  const int columns = ceilDiv(side, layout.width()) * (layout.combined ? 1 : layout.passes);
  std::vector<int> done(static_cast<std::size_t>(multiprocessors));
  for (int strips = ceilDiv(side, layout.rowStep); strips > 0; strips -= walk.blockStrips)
    for (int i = 0; i < columns; ++i)
      *std::min_element(done.begin(), done.end()) += std::min(strips, walk.blockStrips);
  return *std::max_element(done.begin(), done.end());
}

/// 4096 columns are a power of two of bands, multiprocessors are not: all of them have as much to do.
TEST(TensorWalk, BlocksShareAnImage) {
  for (const int count : {1, 8, 12, 32}) {
    for (const int side : {5, 7, 11, 15, 21, 31}) {
      for (const char* combine : {"none", "max"}) {
        ConvolutionProblem p = parseProblem(std::string("c1h4096w4096-f1k3-reflect101-u8:f32-") + combine);
        p.filterCount = count;
        p.filterHeight = p.filterWidth = side;
        const TensorLayout layout = tensorLayout(p);
        const int all = ceilDiv(4096, layout.width()) * (layout.combined ? 1 : layout.passes) *
                        ceilDiv(4096, layout.rowStep);
        EXPECT_LE(mostStrips(layout, 4096, 132), 1.04 * all / 132 + 1) << format(p);
        EXPECT_GE(tensorWalk(layout, 4096, 4096, 132).chunks, 4) << format(p);
      }
    }
  }
}

}  // namespace
}  // namespace bankside::cuda
