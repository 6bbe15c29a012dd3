/// What is timed to scale predictions, by kernels that write down their calls and a clock that is told.
#include "kernels/planner/machine_scale.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "kernels/highway/limits.h"
#include "kernels/highway/row_window.h"

namespace bankside::planner {
namespace {

using namespace direct;

struct Call {
  int filters = 0;
  int pixels = 0;
  std::size_t taps = 0;
  std::vector<std::ptrdiff_t> rows, dst;  ///< floats behind the first row
  std::vector<float> ends;                ///< the first and the last float that each row may be asked for
};
std::vector<Call> calls;

template <int filters>
void writeDown(const BlockCall& call) {
  Call c{filters, call.pixels, call.program->taps.size(), {}, {}, {}};
  for (int y = 0; y < 9; ++y) {
    c.rows.push_back(call.rows[y] - call.rows[0]);
    c.ends.push_back(call.rows[y][0]);
    c.ends.push_back(call.rows[y][call.pixels + 8 - 1]);
  }
  for (int f = 0; f < filters; ++f) c.dst.push_back(call.dst[f] - call.rows[0]);
  calls.push_back(std::move(c));
}

RowKernels written() {
  RowKernels k;
  k.block[0][0] = writeDown<1>;
  k.block[1][0] = writeDown<2>;
  k.block[2][0] = writeDown<3>;
  k.block[3][0] = writeDown<4>;
  k.block[4][0] = writeDown<5>;
  k.block[5][0] = writeDown<6>;
  return k;
}

/// Asked before and after each sample.
int asked = 0;
double (*lasting)(int sample) = nullptr;
double toldTime() {
  static double time = 0;
  if (asked++ % 2 == 1) time += lasting(asked / 2 - 1);
  return time;
}

double scaleWhere(double (*sampleLasts)(int sample), const MachineKind& kind = {8}) {
  asked = 0;
  calls.clear();
  lasting = sampleLasts;
  return measuredScale(written(), kind, toldTime);
}

TEST(MachineScale, TimesSixFiltersOfNineByNineOnOneRow) {
  scaleWhere([](int) { return 1.0; });
  ASSERT_EQ(calls.size(), 40u);
  const auto stride = static_cast<std::ptrdiff_t>(paddedRow(384 + 9 - 1));
  for (const Call& call : calls) {
    EXPECT_EQ(call.filters, 6);
    EXPECT_EQ(call.pixels, 384);
    EXPECT_EQ(call.taps, 6u * 9 * 9);
    for (std::size_t y = 0; y < 9; ++y) EXPECT_EQ(call.rows[y], static_cast<std::ptrdiff_t>(y) * stride);
    for (std::size_t f = 0; f < 6; ++f) EXPECT_EQ(call.dst[f], static_cast<std::ptrdiff_t>(9 + f) * stride);
    EXPECT_THAT(call.ends, ::testing::Each(1.0f));
  }
}

/// Others may be using the machine: the least counts, whichever it is.
TEST(MachineScale, IsTheLeastTimeOverWhatIsPredicted) {
  ConvolutionProblem p;
  p.filterCount = 6;
  p.filterHeight = p.filterWidth = 9;
  CorrelationTaps taps;
  taps.taps.assign(6 * 9 * 9, 0.5f);
  const MachineKind kind{8};
  const double unit = 384 * weightedTaps(makeDirectProgram(p, taps)) * pathCosts(kind).tap * 1e-9;
  EXPECT_NEAR(scaleWhere([](int i) { return 200.0 - i; }) * unit, 161, 1e-9) << "the last";
  EXPECT_NEAR(scaleWhere([](int i) { return 200.0 + i; }) * unit, 200, 1e-9) << "the first";
  EXPECT_NEAR(scaleWhere([](int i) { return i == 20 ? 7.0 : 200.0 + i % 2; }) * unit, 7, 1e-9);
  EXPECT_NEAR(scaleWhere([](int) { return 1.0; }, {4}) * 2, scaleWhere([](int) { return 1.0; }), 1e-3)
      << "vectors of four are told to take twice as long";
}

TEST(MachineKind, IsOfTheKernelsThatRun) {
  EXPECT_EQ(machineKind().lanes, rowKernels().lanes);
  EXPECT_EQ(&machineKind(), &machineKind()) << "measured once";
  EXPECT_EQ(machineScale(), machineScale());
}

}  // namespace
}  // namespace bankside::planner
