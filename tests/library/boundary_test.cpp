/// The boundary: whatever is wrong is a status and a sentence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <random>
#include <thread>

#include "tests/library/made_calls.h"
#include "tests/support/made_images.h"

namespace bankside::testing {
namespace {

using ::testing::HasSubstr;

/// An 8 x 8 plan with memory for its views.
struct Small {
  explicit Small(bk_combine combine = BK_COMBINE_NONE) {
    bk_plan_options options = planFor(1, 8, 8, BK_F32);
    options.combine = combine;
    plan = makePlan(nullptr, bank.get(), options);
  }
  bk_status run() const { return bk_execute(plan.get(), &image, &results, nullptr, nullptr); }
  BankHandle bank = makeBankHandle("sobel");
  PlanHandle plan;
  std::vector<float> memory = std::vector<float>(64 + 2 * 64);
  bk_view image = bk_dense_view(memory.data(), BK_F32, 1, 8, 8);
  bk_view results = bk_dense_view(memory.data() + 64, BK_F32, 2, 8, 8);
};

TEST(Boundary, RefusesHandlesThatAreNull) {
  const Small small;
  bk_plan* plan = nullptr;
  const bk_plan_options options = planFor(1, 8, 8, BK_F32);
  EXPECT_EQ(bk_context_create(nullptr, nullptr), BK_BAD_INPUT);
  EXPECT_EQ(bk_bank_make(nullptr, nullptr), BK_BAD_INPUT);
  EXPECT_EQ(bk_plan_create(nullptr, nullptr, &options, &plan), BK_BAD_INPUT);
  EXPECT_STREQ(bk_last_error(), "the bank is NULL");
  EXPECT_EQ(bk_plan_create(nullptr, small.bank.get(), nullptr, &plan), BK_BAD_INPUT);
  EXPECT_EQ(bk_plan_create(nullptr, small.bank.get(), &options, nullptr), BK_BAD_INPUT);
  EXPECT_EQ(bk_plan_describe(small.plan.get(), nullptr), BK_BAD_INPUT);
  EXPECT_EQ(bk_execute(nullptr, &small.image, &small.results, nullptr, nullptr), BK_BAD_INPUT);
  EXPECT_EQ(bk_execute(small.plan.get(), nullptr, &small.results, nullptr, nullptr), BK_BAD_INPUT);
  EXPECT_EQ(bk_execute(small.plan.get(), &small.image, nullptr, nullptr, nullptr), BK_BAD_INPUT);
  EXPECT_EQ(bk_stop_request(nullptr), BK_BAD_INPUT);
  const char* text = "";
  bk_bank* bank = nullptr;
  EXPECT_EQ(bk_bank_text(nullptr, &text), BK_BAD_INPUT);
  EXPECT_EQ(bk_bank_text(small.bank.get(), nullptr), BK_BAD_INPUT);
  EXPECT_EQ(bk_bank_parse(nullptr, "name", &bank), BK_BAD_INPUT);
  EXPECT_EQ(bk_bank_parse("{}", nullptr, &bank), BK_BAD_INPUT);
  bk_context_free(nullptr);
  bk_bank_free(nullptr);
  bk_plan_free(nullptr);
  bk_stop_free(nullptr);
}

TEST(Boundary, SaysWhatIsWrongWithABank) {
  bk_bank* bank = nullptr;
  EXPECT_EQ(bk_bank_make("sobell", &bank), BK_BAD_INPUT);
  EXPECT_THAT(bk_last_error(), HasSubstr("the nearest names are sobel"));
  EXPECT_EQ(bk_bank_make("./sobel.json", &bank), BK_BAD_INPUT) << "reads no file";
  EXPECT_EQ(bk_bank_load("/nowhere/bank.json", &bank), BK_IO);
  EXPECT_THAT(bk_last_error(), HasSubstr("/nowhere/bank.json"));
  EXPECT_EQ(bank, nullptr);

  float one = 1;
  bk_taps taps = {};
  taps.size = sizeof taps;
  taps.taps = &one;
  taps.filters = taps.channels = taps.height = taps.width = 1;
  const auto refused = [&](auto change, const char* sentence) {
    bk_taps changed = taps;
    change(changed);
    EXPECT_EQ(bk_bank_from_taps(&changed, &bank), BK_BAD_INPUT);
    EXPECT_THAT(bk_last_error(), HasSubstr(sentence));
  };
  refused([](bk_taps& t) { t.taps = nullptr; }, "bk_taps.taps is NULL");
  refused([](bk_taps& t) { t.filters = 0; }, "0 filters, expected 1 to 4096");
  refused([](bk_taps& t) { t.height = 128; }, "expected 1 to 127");
  refused([](bk_taps& t) { t.width = -1; }, "columns of taps");
  refused([](bk_taps& t) { t.mode = 2; }, "BK_CORRELATION or BK_CONVOLUTION");
  const std::int32_t outside[] = {1, 0};
  refused([&](bk_taps& t) { t.anchor = outside; }, "anchor (1, 0)");
  one = std::numeric_limits<float>::quiet_NaN();
  refused([](bk_taps&) {}, "not a finite number");
}

TEST(Boundary, SentencesAreUtf8WhateverBytesCome) {
  const BankHandle sobel = makeBankHandle("sobel");
  bk_plan_options options = planFor(1, 8, 8, BK_F32);
  bk_plan* plan = nullptr;
  options.engine = "\xff\xfe";
  EXPECT_EQ(bk_plan_create(nullptr, sobel.get(), &options, &plan), BK_BAD_INPUT);
  EXPECT_THAT(bk_last_error(), HasSubstr("no engine \"\\xff\\xfe\"; there are auto, cpu"));
  options.engine = "f\xc3\xbcr";
  EXPECT_EQ(bk_plan_create(nullptr, sobel.get(), &options, &plan), BK_BAD_INPUT);
  EXPECT_THAT(bk_last_error(), HasSubstr("no engine \"f\xc3\xbcr\"")) << "a letter stays one";
  bk_bank* bank = nullptr;
  EXPECT_EQ(bk_bank_load("/nowhere/\xe9.npy", &bank), BK_IO);
  EXPECT_THAT(bk_last_error(), HasSubstr("/nowhere/\\xe9.npy"));
  EXPECT_EQ(bk_bank_make(std::string(9000, '\xff').c_str(), &bank), BK_BAD_INPUT);
  EXPECT_LE(std::strlen(bk_last_error()), 4095u);
  EXPECT_THAT(bk_last_error(), HasSubstr("\\xff\\xff"));
}

TEST(Boundary, SaysWhatIsWrongWithAPlan) {
  const BankHandle bank = makeBankHandle("sobel");
  const auto refused = [&](auto change, const char* sentence) {
    bk_plan_options options = planFor(1, 8, 8, BK_F32);
    change(options);
    bk_plan* plan = nullptr;
    EXPECT_EQ(bk_plan_create(nullptr, bank.get(), &options, &plan), BK_BAD_INPUT);
    EXPECT_EQ(plan, nullptr);
    EXPECT_THAT(bk_last_error(), HasSubstr(sentence));
  };
  refused([](bk_plan_options& o) { o.height = 0; }, "an image of 0 rows");
  refused([](bk_plan_options& o) { o.width = std::int64_t{1} << 40; }, "columns, expected 1 to");
  refused([](bk_plan_options& o) { o.channels = -3; }, "-3 channels");
  refused([](bk_plan_options& o) { o.type = 4; }, "no pixel type 4");
  refused([](bk_plan_options& o) { o.border = 5; }, "no border 5");
  refused([](bk_plan_options& o) { o.border_value = 1; }, "the constant border alone");
  refused([](bk_plan_options& o) { o.combine = -1; }, "no combine -1");
  refused([](bk_plan_options& o) { o.precision = 9; }, "no precision 9");
  refused([](bk_plan_options& o) { o.engine = "warp"; }, "no engine \"warp\"; there are auto, cpu");
  refused(
      [](bk_plan_options& o) {
        o.combine = BK_COMBINE_ARGMAX;
        o.result_type = BK_U8;
      },
      "argmax are f32");
  refused([](bk_plan_options& o) { o.size = 3; }, "bk_plan_options.size is 3");
}

TEST(Boundary, SaysWhatIsWrongWithAView) {
  const auto refused = [](auto change, const char* sentence) {
    Small small;
    change(small);
    EXPECT_EQ(small.run(), BK_BAD_INPUT);
    EXPECT_THAT(bk_last_error(), HasSubstr(sentence));
  };
  refused([](Small& s) { s.image.height = 7; }, "[1,7,8] f32 where the plan expects [1,8,8] f32");
  refused([](Small& s) { s.image.type = BK_U8; }, "the image is [1,8,8] u8");
  refused([](Small& s) { s.results.channels = 1; }, "the view of results is [1,8,8]");
  refused([](Small& s) { s.results.type = 77; }, "of no type");
  refused([](Small& s) { s.image.data = nullptr; }, "its data is NULL");
  refused([](Small& s) { s.image.size = 0; }, "bk_view.size is 0");
  refused([](Small& s) { s.image.row_stride = std::int64_t{1} << 62; }, "leave the address space");
  refused([](Small& s) { s.image.row_stride = std::numeric_limits<std::int64_t>::min(); },
          "leave the address space");
  refused([](Small& s) { s.results.row_stride = 0; }, "two pixels share a place");
  refused([](Small& s) { s.results.channel_stride = 32; }, "two pixels share a place");
  refused([](Small& s) { s.results.data = s.memory.data() + 63; }, "overlap in memory");
  refused([](Small& s) { s.results.data = s.image.data; }, "nothing is filtered in place");
}

TEST(Boundary, IndicesBelongToArgmaxAlone) {
  std::vector<std::uint16_t> memory(64);
  const bk_view indices = bk_dense_view(memory.data(), BK_U16, 1, 8, 8);
  const Small none;
  EXPECT_EQ(bk_execute(none.plan.get(), &none.image, &none.results, &indices, nullptr), BK_BAD_INPUT);
  EXPECT_THAT(bk_last_error(), HasSubstr("argmax alone"));
  Small argmax(BK_COMBINE_ARGMAX);
  argmax.results.channels = 1;
  EXPECT_EQ(argmax.run(), BK_BAD_INPUT);
  EXPECT_THAT(bk_last_error(), HasSubstr("their view is NULL"));
  bk_view shared = indices;
  shared.data = argmax.results.data;
  EXPECT_EQ(bk_execute(argmax.plan.get(), &argmax.image, &argmax.results, &shared, nullptr), BK_BAD_INPUT);
  EXPECT_EQ(bk_execute(argmax.plan.get(), &argmax.image, &argmax.results, &indices, nullptr), BK_OK);
}

/// A caller built with a later header, and one with an earlier.
TEST(Boundary, StructuresMayGrow) {
  struct Later {
    bk_plan_options known;
    std::int64_t added;
  } later = {planFor(1, 8, 8, BK_F32), 0};
  later.known.size = sizeof later;
  const BankHandle bank = makeBankHandle("sobel");
  bk_plan* plan = nullptr;
  EXPECT_EQ(bk_plan_create(nullptr, bank.get(), &later.known, &plan), BK_OK) << bk_last_error();
  bk_plan_free(plan);
  later.added = 1;
  EXPECT_EQ(bk_plan_create(nullptr, bank.get(), &later.known, &plan), BK_UNSUPPORTED);
  EXPECT_THAT(bk_last_error(), HasSubstr("does not know"));
  later = {planFor(1, 8, 8, BK_F32), 0};
  later.known.unused = 1;
  EXPECT_EQ(bk_plan_create(nullptr, bank.get(), &later.known, &plan), BK_UNSUPPORTED);
  EXPECT_THAT(bk_last_error(), HasSubstr("does not know"));

  bk_bank_info info;
  std::memset(&info, 0x55, sizeof info);
  info.size = offsetof(bk_bank_info, title);
  ASSERT_EQ(bk_bank_describe(bank.get(), &info), BK_OK) << bk_last_error();
  EXPECT_STREQ(info.name, "sobel");
  EXPECT_EQ(info.filters, 0x55555555) << "not the caller's";
}

TEST(Boundary, ErrorsBelongToTheirThread) {
  bk_bank* bank = nullptr;
  ASSERT_EQ(bk_bank_make("nothing", &bank), BK_BAD_INPUT);
  const std::string mine = bk_last_error();
  std::string others = "?";
  std::jthread([&] { others = bk_last_error(); }).join();
  EXPECT_EQ(others, "");
  const Small small;
  EXPECT_EQ(small.run(), BK_OK);
  EXPECT_EQ(bk_last_error(), mine) << "stays until the next failure";
}

TEST(Boundary, StopsWhenAsked) {
  bk_stop* made = nullptr;
  ASSERT_EQ(bk_stop_create(&made), BK_OK);
  const StopHandle stop(made);
  const Small small;
  bk_run_options run = {};
  run.size = sizeof run;
  run.stop = stop.get();
  EXPECT_EQ(bk_execute(small.plan.get(), &small.image, &small.results, nullptr, &run), BK_OK);
  ASSERT_EQ(bk_stop_request(stop.get()), BK_OK);
  EXPECT_EQ(bk_execute(small.plan.get(), &small.image, &small.results, nullptr, &run), BK_CANCELLED);
  EXPECT_THAT(bk_last_error(), HasSubstr("stopped"));
}

TEST(Boundary, RemarksGoToTheirContextAlone) {
  struct Heard {
    std::vector<std::string> sentences;
    static void hear(void* data, bk_log_level level, const char* sentence) {
      EXPECT_EQ(level, BK_LOG_INFO);
      static_cast<Heard*>(data)->sentences.push_back(sentence);
    }
  } heard, silent;
  bk_context_options options = {};
  options.size = sizeof options;
  options.log = &Heard::hear;
  options.log_data = &heard;
  bk_context* context = nullptr;
  ASSERT_EQ(bk_context_create(&options, &context), BK_OK);
  options.log_data = &silent;
  bk_context* other = nullptr;
  ASSERT_EQ(bk_context_create(&options, &other), BK_OK);
  const ContextHandle freed(context);
  const ContextHandle otherFreed(other);
  const BankHandle bank = makeBankHandle("sobel");
  makePlan(context, bank.get(), planFor(1, 8, 8, BK_U8));
  ASSERT_EQ(heard.sentences.size(), 1u);
  EXPECT_THAT(heard.sentences[0], HasSubstr("sobel is prepared for images of 8 x 8: cpu:"));
  EXPECT_TRUE(silent.sentences.empty());
}

/// Made-up arguments, some of them right: a status every time, and a plan that was made runs.
TEST(Boundary, SurvivesWhateverNumbersCome) {
  std::mt19937 random(7);
  const auto pick = [&](std::initializer_list<std::int64_t> numbers) {
    return numbers.begin()[random() % numbers.size()];
  };
  const char* banks[] = {"sobel", "box", "roberts", "laplacian"};
  int made = 0;
  for (int i = 0; i < 2000; ++i) {
    const BankHandle bank = makeBankHandle(banks[random() % 4]);
    bk_plan_options options = planFor(pick({1, 1, 2, 0, -1}), pick({1, 5, 8, 8, 0, std::int64_t{1} << 33}),
                                      pick({1, 7, 8, 16, -8}), static_cast<bk_type>(pick({0, 1, 2, 3, 3})));
    options.result_type = static_cast<std::int32_t>(pick({0, 0, 1, 2, 3, 4}));
    options.border = static_cast<std::int32_t>(pick({0, 1, 2, 3, 4, 4, 5}));
    options.combine = static_cast<std::int32_t>(pick({0, 1, 2, 3, 4, 5, 6, 6, 7}));
    bk_plan* created = nullptr;
    const bk_status status = bk_plan_create(nullptr, bank.get(), &options, &created);
    ASSERT_EQ(status == BK_OK, created != nullptr);
    const PlanHandle plan(created);
    if (plan == nullptr) continue;
    ++made;
    bk_plan_info info = {};
    info.size = sizeof info;
    ASSERT_EQ(bk_plan_describe(created, &info), BK_OK);
    std::vector<unsigned char> memory(4096 + 8 * 4096);
    bk_view image =
        bk_dense_view(memory.data() + 1024, options.type, options.channels, options.height, options.width);
    if (random() % 4 == 0) image.row_stride = pick({0, -16, 1, 64});
    if (random() % 4 == 0) image.pixel_stride = pick({0, -4, 3, 1});
    if (random() % 8 == 0) image.channel_stride = pick({0, 5});
    bk_view results =
        bk_dense_view(memory.data() + 8192, options.result_type, info.planes, options.height, options.width);
    if (random() % 4 == 0) results.row_stride = pick({0, 128, -128, 64});
    bk_view indices =
        bk_dense_view(memory.data() + 4 * 4096, BK_U16, info.index_planes, options.height, options.width);
    const bk_status ran =
        bk_execute(created, &image, &results, info.index_planes > 0 ? &indices : nullptr, nullptr);
    ASSERT_TRUE(ran == BK_OK || ran == BK_BAD_INPUT) << bk_last_error();
  }
  EXPECT_GT(made, 200);
}

}  // namespace
}  // namespace bankside::testing
