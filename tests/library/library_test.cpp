/// What a program that embeds the library gets: the pixels of the engines, from and to any views.
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <fstream>
#include <thread>

#include "core/engine.h"
#include "core/run/runner.h"
#include "filters/bank_json.h"
#include "filters/catalog.h"
#include "kernels/engine_list.h"
#include "tests/library/made_calls.h"
#include "tests/support/made_images.h"

namespace bankside::testing {
namespace {

const Engine& cpuEngine(const ConvolutionProblem& problem) {
  static const EngineList list = makeCpuEngines();
  return selectEngineOf(list, "auto", problem);
}

/// As the program computes it, planes in the order of a run.
std::vector<Image> ranByTheProgram(const Image& image, const FilterBank& bank, Combine combine,
                                   Border border) {
  Pipeline pipeline(bank, combine, false);
  pipeline.border = border;
  RunOptions options;
  options.plan.threads = 1;
  Runner runner(pipeline, options, [](const ConvolutionProblem& p) -> const Engine& { return cpuEngine(p); });
  ImageSource source(image);
  std::vector<Image> planes;
  runner.run(source, [&](int, const std::vector<Image>& given) {
    for (const Image& plane : given) planes.push_back(plane.clone());
  });
  return planes;
}

/// Results [planes,H,W] of the library, over whatever views a test makes.
struct Ran {
  Image results;
  Image indices;
};

Ran ran(const bk_plan* plan, const bk_view& image, ElementType type = ElementType::F32) {
  bk_plan_info info = {};
  info.size = sizeof info;
  EXPECT_EQ(bk_plan_describe(plan, &info), BK_OK) << bk_last_error();
  const auto planes = static_cast<int>(info.planes);
  const auto height = static_cast<int>(image.height);
  const auto width = static_cast<int>(image.width);
  Ran ran{Image(planes, height, width, type), {}};
  const bk_view results = viewOf(ran.results);
  bk_view indices = {};
  if (info.index_planes > 0) {
    ran.indices = Image(planes, height, width, ElementType::U16);
    indices = viewOf(ran.indices);
  }
  EXPECT_EQ(bk_execute(plan, &image, &results, info.index_planes > 0 ? &indices : nullptr, nullptr), BK_OK)
      << bk_last_error();
  return ran;
}

Image planeOf(const Image& image, int plane) {
  Image alone(1, image.height(), image.width(), image.type());
  for (int y = 0; y < image.height(); ++y) {
    std::memcpy(alone.plane(0).row(y), image.plane(plane).row(y),
                static_cast<std::size_t>(image.width()) * sizeOf(image.type()));
  }
  return alone;
}

/// A file with filters of two sizes, whose combines no engine fuses.
std::string mixedBank() {
  static const TemporaryFolder folder;
  static const std::string path = [] {
    std::vector<Filter> filters = randomBank(2, 1, 3, 5).filters();
    filters.push_back(makeFilter("large", 9, 9, randomBank(1, 1, 9, 9)[0].taps));
    std::ofstream(folder / "mixed.json") << writeBankJson(FilterBank({}, filters));
    return (folder / "mixed.json").string();
  }();
  return path;
}

struct Case {
  std::string bank;
  bk_combine combine;
  Combine same;
};

TEST(Library, GivesTheBytesOfTheProgram) {
  ASSERT_FALSE(loadBank(mixedBank()).uniform());
  const Case cases[] = {{"sobel", BK_COMBINE_NONE, Combine::None},
                        {"sobel", BK_COMBINE_MAGNITUDE, Combine::Magnitude},
                        {"vessel-matched", BK_COMBINE_MAX, Combine::Max},
                        {"vessel-matched", BK_COMBINE_ARGMAX, Combine::ArgMax},
                        {mixedBank(), BK_COMBINE_NONE, Combine::None},
                        {mixedBank(), BK_COMBINE_ABSMAX, Combine::AbsMax},
                        {mixedBank(), BK_COMBINE_ARGMAX, Combine::ArgMax}};
  for (const int threads : {1, 2}) {
    const ContextHandle context = makeContext(threads);
    for (const Case& c : cases) {
      for (const ElementType type : allElementTypes) {
        Image image = randomImage(3, 37, 53, type, 5);
        const BankHandle bank = makeBankHandle(c.bank);
        bk_plan_options options = planFor(3, 37, 53, typeOf(type));
        options.combine = c.combine;
        options.border = BK_BORDER_REFLECT;
        const PlanHandle plan = makePlan(context.get(), bank.get(), options);
        const Ran got = ran(plan.get(), viewOf(image));
        const auto expected =
            ranByTheProgram(image, loadBank(c.bank), c.same, Border{BorderKind::Reflect, 0});
        const bool pairs = c.same == Combine::ArgMax;
        ASSERT_EQ(static_cast<std::size_t>(got.results.channels()) * (pairs ? 2 : 1), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
          const auto plane = static_cast<int>(pairs ? i / 2 : i);
          const Image& from = pairs && i % 2 == 1 ? got.indices : got.results;
          EXPECT_TRUE(samePixels(planeOf(from, plane), expected[i]))
              << c.bank << " " << toString(c.same) << " " << toString(type) << " plane " << i;
        }
      }
    }
  }
}

TEST(Library, TakesViewsOfAnyStrides) {
  Image image = randomImage(2, 19, 31, ElementType::U16, 3);
  const BankHandle bank = makeBankHandle("sobel");
  const PlanHandle plan = makePlan(nullptr, bank.get(), planFor(2, 19, 31, BK_U16));
  const Ran plain = ran(plan.get(), viewOf(image));

  // Channels beside each other, bottom up, on odd addresses.
  std::vector<unsigned char> bytes(1 + 2 * 2 * 19 * 31);
  bk_view odd = viewOf(image);
  odd.channel_stride = 2;
  odd.pixel_stride = 4;
  odd.row_stride = -4 * 31;
  odd.data = bytes.data() + 1 + 18 * 4 * 31;
  for (int c = 0; c < 2; ++c) {
    for (int y = 0; y < 19; ++y) {
      for (int x = 0; x < 31; ++x) {
        const std::uint16_t value = image.view<std::uint16_t>(c).at(x, y);
        std::memcpy(static_cast<unsigned char*>(odd.data) + c * 2 + x * 4 - y * 4 * 31, &value, 2);
      }
    }
  }
  EXPECT_TRUE(samePixels(ran(plan.get(), odd).results, plain.results));

  // Results with their planes beside each other, mirrored.
  std::vector<float> mirrored(4 * 19 * 31);
  bk_view results = bk_dense_view(mirrored.data() + 4 * 30, BK_F32, 4, 19, 31);
  results.channel_stride = 4;
  results.pixel_stride = -16;
  results.row_stride = 16 * 31;
  const bk_view in = viewOf(image);
  ASSERT_EQ(bk_execute(plan.get(), &in, &results, nullptr, nullptr), BK_OK) << bk_last_error();
  for (int p = 0; p < 4; ++p) {
    for (int y = 0; y < 19; ++y) {
      for (int x = 0; x < 31; ++x) {
        EXPECT_EQ(mirrored[static_cast<std::size_t>((y * 31 + 30 - x) * 4 + p)],
                  plain.results.view<float>(p).at(x, y));
      }
    }
  }
}

TEST(Library, TakesAPixelForAWholeImage) {
  float one = 3;
  bk_view image = bk_dense_view(&one, BK_F32, 1, 40, 600);
  image.row_stride = image.pixel_stride = 0;
  const BankHandle bank = makeBankHandle("box");
  const PlanHandle plan = makePlan(nullptr, bank.get(), planFor(1, 40, 600, BK_F32));
  const Ran got = ran(plan.get(), image);
  for (int y = 0; y < 40; ++y) {
    for (int x = 0; x < 600; ++x) ASSERT_NEAR(got.results.view<float>(0).at(x, y), 3, 1e-5);
  }
}

TEST(Library, GivesTheResultTypeThatWasAskedFor) {
  Image image = randomImage(1, 12, 70, ElementType::U8, 9);
  for (const std::string& name : {std::string("box:size=5"), mixedBank()}) {
    const FilterBank bank = loadBank(name);
    const BankHandle handle = makeBankHandle(name);
    for (const ElementType type : allElementTypes) {
      bk_plan_options options = planFor(1, 12, 70, BK_U8);
      options.combine = BK_COMBINE_SUM;
      options.result_type = typeOf(type);
      const PlanHandle plan = makePlan(nullptr, handle.get(), options);
      const Ran got = ran(plan.get(), viewOf(image), type);
      const auto exact = ranByTheProgram(image, bank, Combine::Sum, {});
      EXPECT_TRUE(samePixels(got.results, convert(exact.front(), type))) << name << " " << toString(type);
    }
  }
}

TEST(Library, TakesTapsOfTheCaller) {
  Image image = integerImage(2, 9, 11, ElementType::F32, 4);
  const FilterBank expected = withMode(integerBank(3, 2, 3, 4), FilterMode::Convolution);
  std::vector<float> taps;
  for (const Filter& f : expected.filters()) taps.insert(taps.end(), f.taps.begin(), f.taps.end());
  bk_taps given = {};
  given.size = sizeof given;
  given.taps = taps.data();
  given.filters = 3;
  given.channels = 2;
  given.height = 3;
  given.width = 4;
  given.mode = BK_CONVOLUTION;
  bk_bank* made = nullptr;
  ASSERT_EQ(bk_bank_from_taps(&given, &made), BK_OK) << bk_last_error();
  const BankHandle bank(made);
  std::fill(taps.begin(), taps.end(), 0.0f);  // they were copied
  const PlanHandle plan = makePlan(nullptr, bank.get(), planFor(2, 9, 11, BK_F32));
  const Ran got = ran(plan.get(), viewOf(image));
  const auto planes = ranByTheProgram(image, expected, Combine::None, {});
  for (int p = 0; p < 3; ++p)
    EXPECT_TRUE(samePixels(planeOf(got.results, p), planes[static_cast<std::size_t>(p)]));
}

TEST(Library, DescribesWhatItHas) {
  EXPECT_EQ(bk_catalogue_size(), static_cast<int>(catalog().size()));
  bk_catalogue_info entry = {};
  entry.size = sizeof entry;
  for (int i = 0; i < bk_catalogue_size(); ++i) {
    ASSERT_EQ(bk_catalogue_entry(i, &entry), BK_OK);
    EXPECT_EQ(entry.name, catalog()[static_cast<std::size_t>(i)].name);
    EXPECT_EQ(makeBank(entry.specification).info().name, entry.name);
  }
  const BankHandle bank = makeBankHandle("sobel");
  bk_bank_info info = {};
  info.size = sizeof info;
  ASSERT_EQ(bk_bank_describe(bank.get(), &info), BK_OK);
  EXPECT_STREQ(info.name, "sobel");
  bk_filter_info filter = {};
  filter.size = sizeof filter;
  ASSERT_EQ(bk_bank_filter(bank.get(), 1, &filter), BK_OK);
  EXPECT_EQ(filter.label, makeBank("sobel")[1].label);
  EXPECT_EQ(filter.taps[0], makeBank("sobel")[1].taps[0]);

  bk_plan_options options = planFor(3, 8, 8, BK_U8);
  const PlanHandle plan = makePlan(nullptr, bank.get(), options);
  bk_plan_info about = {};
  about.size = sizeof about;
  ASSERT_EQ(bk_plan_describe(plan.get(), &about), BK_OK);
  EXPECT_EQ(about.planes, 6);
  EXPECT_EQ(std::string(about.engine).rfind("cpu:", 0), 0u) << about.engine;
  bk_plane_info plane = {};
  plane.size = sizeof plane;
  ASSERT_EQ(bk_plan_plane(plan.get(), 5, &plane), BK_OK);
  EXPECT_EQ(plane.channel, 2);
  EXPECT_EQ(plane.label, makeBank("sobel")[1].label);
}

TEST(Library, RunsOnePlanOnSeveralThreads) {
  Image image = randomImage(1, 90, 110, ElementType::F32, 8);
  const bk_view view = viewOf(image);
  for (const std::string& name : {std::string("vessel-matched"), mixedBank()}) {
    const BankHandle bank = makeBankHandle(name);
    bk_plan_options options = planFor(1, 90, 110, BK_F32);
    options.combine = BK_COMBINE_MAX;
    const ContextHandle context = makeContext(2);
    const PlanHandle plan = makePlan(context.get(), bank.get(), options);
    const Ran expected = ran(plan.get(), view);
    std::atomic<int> same = 0;
    {
      std::vector<std::jthread> callers;
      for (int i = 0; i < 4; ++i) {
        callers.emplace_back([&] {
          for (int n = 0; n < 5; ++n) same += samePixels(ran(plan.get(), view).results, expected.results);
        });
      }
    }
    EXPECT_EQ(same, 20) << name;
  }
}

TEST(Library, PlansOutliveContextAndBank) {
  Image image = randomImage(1, 20, 20, ElementType::U8, 2);
  BankHandle bank = makeBankHandle("sobel");
  ContextHandle context = makeContext(1);
  const PlanHandle plan = makePlan(context.get(), bank.get(), planFor(1, 20, 20, BK_U8));
  bank.reset();
  context.reset();
  const auto planes = ranByTheProgram(image, makeBank("sobel"), Combine::None, {});
  EXPECT_TRUE(samePixels(planeOf(ran(plan.get(), viewOf(image)).results, 0), planes.front()));
}

}  // namespace
}  // namespace bankside::testing
