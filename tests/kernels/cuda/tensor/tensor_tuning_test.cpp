/// A recorded table of layouts for the tensor cores is replayed without a GPU.
#include "kernels/cuda/tensor/tensor_tuning.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.h"
#include "core/judge/conformance.h"
#include "kernels/cuda/tuning/tuning_table.h"

namespace bankside::cuda {
namespace {

/// As a tuner would write it for a device that does not exist.
const char* const recorded = R"({
 "bankside": "tuning",
 "schema_version": 2,
 "device": "Recorded GPU",
 "multiprocessors": 7,
 "environment": {"cuda_runtime": "13.0"},
 "entries": [],
 "tensor": {
  "environment": {"cuda_runtime":"13.1"},
  "entries": [
   {"filter_size":15,"filter_count":12,"size":4096,"type":"u8","dst_type":"f32","fused":"none","shifts":4,"row_step":1,"tap_columns":96,"us":350,"rule_us":360,"floor_us":1378},
   {"filter_size":15,"filter_count":12,"size":1024,"type":"u8","dst_type":"f32","fused":"none","shifts":8,"row_step":1,"tap_columns":96,"us":35,"rule_us":36,"floor_us":86},
   {"filter_size":15,"filter_count":12,"size":4096,"type":"u8","dst_type":"f32","fused":"value","shifts":2,"row_step":4,"tap_columns":128,"us":300,"rule_us":310,"floor_us":1378},
   {"filter_size":9,"filter_count":8,"size":4096,"type":"u8","dst_type":"f32","fused":"none","shifts":2,"row_step":99,"tap_columns":96,"us":1,"rule_us":2,"floor_us":1}
  ]
 }
})";

TensorChoice chosen(const TuningTable& table, const std::string& text) {
  return chooseTensor(parseProblem(text), &table);
}

TEST(TensorTuning, IsReplayedForWhatWasMeasured) {
  const TuningTable table = readTuningTable(recorded, "recorded");
  EXPECT_EQ(chosen(table, "c1h4096w4096-f12k15-wrap-u8:f32-none"), (TensorChoice{4, 1, 96}));
  // The nearer image's: 2000 pixels are nearer to 1024 than to 4096.
  EXPECT_EQ(chosen(table, "c1h2000w2000-f12k15-wrap-u8:f32-none"), (TensorChoice{8, 1, 96}));
  EXPECT_EQ(chosen(table, "c1h2100w2100-f12k15-wrap-u8:f32-none"), (TensorChoice{4, 1, 96}));
  EXPECT_EQ(chosen(table, "c1h4096w4096-f12k15-wrap-u8:f32-max"), (TensorChoice{2, 4, 128}));
}

TEST(TensorTuning, SaysNothingOfOtherBanks) {
  const TuningTable table = readTuningTable(recorded, "recorded");
  for (const char* other :
       {"c1h4096w4096-f13k15-wrap-u8:f32-none", "c1h4096w4096-f12k13-wrap-u8:f32-none",
        "c1h4096w4096-f12k15-wrap-u16:f32-none", "c1h4096w4096-f12k15-wrap-u8:u8-none",
        "c1h200w200-f12k15-wrap-u8:f32-none", "c1h4096w4096-f12k15x13-wrap-u8:f32-none",
        // combined in an order that this layout does not keep, and a layout that there is not
        "c1h4096w4096-f12k15-wrap-u8:f32-argmax", "c1h4096w4096-f8k9-wrap-u8:f32-none"}) {
    const ConvolutionProblem p = parseProblem(other);
    EXPECT_EQ(chooseTensor(p, &table), tensorChoices(p).front()) << other;
    EXPECT_EQ(tunedTensorChoice(table.tensor, p).shifts, 0) << other;
    EXPECT_EQ(chooseTensor(p, nullptr), tensorChoices(p).front()) << other;
  }
}

TEST(TensorTuning, ShippedOneIsWhole) {
  const TuningTable* shipped = tuningTableFor("NVIDIA H200", 132);
  ASSERT_NE(shipped, nullptr);
  ASSERT_GT(shipped->tensor.entries.size(), 100u);
  for (const TensorTuningEntry& e : shipped->tensor.entries) {
    ConvolutionProblem p;
    p.width = p.height = e.side;
    p.filterWidth = p.filterHeight = e.filterSize;
    p.filterCount = e.filterCount;
    p.srcType = e.srcType;
    p.dstType = e.dstType;
    if (e.fused != Fused::None) p.combine = e.fused == Fused::Index ? Combine::ArgMax : Combine::Max;
    EXPECT_EQ(tunedTensorChoice(shipped->tensor, p), e.choice) << format(p);
    EXPECT_LE(e.microseconds, e.ruleMicroseconds) << format(p);
  }
}

TEST(TensorTuning, SurvivesWritingAndReading) {
  const TuningTable table = readTuningTable(recorded, "recorded");
  const TuningTable again = readTuningTable(toJson(table), "again");
  EXPECT_EQ(toJson(again), toJson(table));
  ASSERT_EQ(again.tensor.entries.size(), 4u);
  EXPECT_EQ(again.tensor.environment, table.tensor.environment);
  TuningTable without = table;
  without.tensor = {};
  EXPECT_EQ(toJson(without).find("tensor"), std::string::npos);
  std::string broken = recorded;
  broken.replace(broken.find("\"shifts\":4"), 10, "\"shifts\":0");
  EXPECT_THROW(readTuningTable(broken, "broken"), Error);
  for (const char* part : {"\"environment\": {\"cuda_runtime\":\"13.1\"},", "\"row_step\":1,"}) {
    broken = recorded;
    broken.erase(broken.find(part), std::string(part).size());
    EXPECT_THROW(readTuningTable(broken, "broken"), Error) << part;
  }
}

TEST(TensorTuning, KeepsWhatWasNotMeasuredAgain) {
  const TuningTable known = readTuningTable(recorded, "recorded");
  TuningTable measured{"Recorded GPU", 7, {{"when", "now"}}, {}, {}, {}};
  measured.tensor.entries.push_back(known.tensor.entries[2]);
  measured.tensor.entries[0].choice.tapColumns = 64;
  measured.tensor.environment = measured.environment;
  const TuningTable both = keepUntouched(measured, &known);
  ASSERT_EQ(both.tensor.entries.size(), 4u);
  EXPECT_EQ(both.tensor.entries[0].choice.tapColumns, 64);
  EXPECT_EQ(both.tensor.environment, measured.environment);
  measured.tensor.entries.clear();
  EXPECT_EQ(keepUntouched(measured, &known).tensor.environment, known.tensor.environment);
}

/// The rule's layout is the first candidate, every candidate is another one, and each holds the bank.
TEST(TensorChoices, BeginWithTheRule) {
  for (const std::string& text : conformanceProblems()) {
    const ConvolutionProblem p = parseProblem(text);
    if (p.filterHeight > mostTensorSide || p.filterWidth > mostTensorSide) continue;
    std::vector<TensorChoice> choices = tensorChoices(p);
    ASSERT_FALSE(choices.empty()) << text;
    const TensorLayout layout = tensorLayout(p);
    EXPECT_EQ(choices.front(), (TensorChoice{layout.shifts(), layout.rowStep, layout.tapColumns})) << text;
    for (const TensorChoice& choice : choices) {
      const TensorLayout other = tensorLayout(p, TapProducts::Most, choice);
      EXPECT_GE(other.passes * other.units(), p.filterCount * other.rowStep) << text;
      EXPECT_EQ(std::count(choices.begin(), choices.end(), choice), 1) << text;
    }
  }
}

}  // namespace
}  // namespace bankside::cuda
