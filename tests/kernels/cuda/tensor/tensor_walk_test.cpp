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
    for (const PartialProducts products : {PartialProducts::Most, PartialProducts::Rounded})
      for (const int count : {1, 3, 12, 32, 33, 100}) {
        p.filterCount = count;
        const TensorLayout layout = tensorLayout(p, products);
        for (const int side : {4096, 1024, 512, 256, 64}) {
          const TensorWalk walk = tensorWalk(layout, side, side, 132);
          EXPECT_LE(walk.total, 225 * 1024) << text << " " << count;
          EXPECT_LE(tensorThreads(walk.consumers), 1024);
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
            EXPECT_GE(walk.strips * layout.groups, (walk.consumers - 1) * groupsOfProduct) << text;
          }
          // Rows that helpers copy at the start lie where the second chunk will be, or behind the stagers'
          // rows.
          const int helpers = walk.starters - TensorWalk::stagerWarps;
          const int helpersEnd = walk.startRaw + helpers * layout.rawPitch();
          EXPECT_GE(helpers, 0) << text << " " << count;
          EXPECT_LE(helpers, walk.consumers * 4) << text;
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
int mostStrips(const TensorLayout& layout, const TensorWalk& walk, int side, int multiprocessors) {
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
        const TensorWalk walk = tensorWalk(layout, 4096, 4096, 132);
        EXPECT_LE(mostStrips(layout, walk, 4096, 132), 1.04 * all / 132 + 1) << format(p);
        EXPECT_GE(walk.chunks, 4) << format(p);
      }
    }
  }
}

/// Devices of 99, 163 and 227 KB a block: blocks of warps fit, and chunks give each warp something where they
/// can.
TEST(WarpWalk, FitsInSharedMemory) {
  for (const std::string& text : conformanceProblems()) {
    ConvolutionProblem p = parseProblem(text);
    if (!inReach(p)) continue;
    for (const PartialProducts products : {PartialProducts::Most, PartialProducts::Rounded})
      for (const int count : {1, 12, 33}) {
        p.filterCount = count;
        const TensorLayout layout = tensorLayout(p, products, {}, TensorForm::Warps);
        EXPECT_EQ(layout.passes, 1) << text;
        for (const int shared : {99, 163, 227}) {
          for (const int side : {4096, 256, 20}) {
            const TensorWalk walk = warpWalk(layout, side, side, 82, shared * 1024);
            // Beside what the kernel declares itself.
            EXPECT_LE(walk.total, (shared - 3) * 1024) << text << " " << count;
            EXPECT_LE(walk.chunks, TensorWalk::mostChunks) << text;
            EXPECT_LE(corePlacesOf(layout, walk), mostCorePlaces) << text;
            EXPECT_GE(walk.chunks * walk.strips, walk.blockStrips) << text;
            // A chunk's rows, and no more: they replace those of the chunk before.
            EXPECT_EQ(walk.ring, walk.strips * layout.rowStep - layout.rowStep + walk.reach) << text;
            EXPECT_TRUE(walk.strips <= warpsOfBlock || walk.strips == walk.blockStrips ||
                        walk.strips % warpsOfBlock == 0)
                << text;
            for (const int part : {walk.pixels, walk.plane, walk.raw}) EXPECT_EQ(part % 16, 0) << text;
          }
        }
      }
  }
}

/// What this is about: two blocks of 15 x 15 u8 in a multiprocessor, one of them everywhere.
TEST(WarpWalk, BlocksShareAMultiprocessor) {
  const TensorLayout layout = tensorLayout(parseProblem("c1h4096w4096-f12k15-reflect101-u8:f32-none"),
                                           PartialProducts::Most, {}, TensorForm::Warps);
  for (const int shared : {99, 163, 227}) {
    const TensorWalk walk = warpWalk(layout, 4096, 4096, 108, shared * 1024);
    EXPECT_LE(2 * (walk.total + 4 * 1024), (shared + 1) * 1024) << shared;
    EXPECT_GE(walk.strips, warpsOfBlock) << shared;
    const int all = ceilDiv(4096, layout.width()) * ceilDiv(4096, layout.rowStep);
    EXPECT_LE(mostStrips(layout, walk, 4096, 2 * 108), 1.1 * all / (2 * 108)) << shared;
  }
}

}  // namespace
}  // namespace bankside::cuda
