/// The C++ face: owners, results and statuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <vector>

#include "bankside/recipe.hpp"

namespace {

using namespace bankside::face0;

struct Lent {
  static void* allocate(void* data, std::size_t bytes, std::size_t alignment) {
    ++static_cast<Lent*>(data)->taken;
    return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  }
  static void release(void* data, void* memory) {
    ++static_cast<Lent*>(data)->given;
    std::free(memory);
  }
  int taken = 0;
  int given = 0;
};

TEST(Face, TakesAnAllocator) {
  Lent lent;
  {
    const Context context =
        Context::make(1, nullptr, nullptr, {&Lent::allocate, &Lent::release, &lent}).value();
    const Plan plan =
        Plan::prepare(context, Bank::make("sobel").value(), {.height = 300, .width = 400}).value();
    EXPECT_GT(lent.taken, 0);
  }
  EXPECT_EQ(lent.given, lent.taken);
  EXPECT_FALSE(Context::make(1, nullptr, nullptr, {&Lent::allocate, nullptr, nullptr}));
}

TEST(Face, GivesABankAsTextAndTakesIt) {
  const Bank bank = Bank::make("gaussian:sigma=2").value();
  const std::string text = bank.text().value();
  const Bank same = Bank::parse(text, "mine").value();
  EXPECT_STREQ(same.info().name, "mine");
  EXPECT_STREQ(same.info().title, bank.info().title);
  EXPECT_EQ(same.text().value(), text);
  EXPECT_EQ(Bank::parse("{", "mine").status().code(), BK_BAD_INPUT);
}

TEST(Face, FiltersInFiveLines) {
  std::vector<std::uint8_t> pixels(64);
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<std::uint8_t>(i % 8);
  const Bank bank = Bank::make("sobel").value();
  const Plan plan =
      Plan::prepare(bank, {.height = 8, .width = 8, .type = Type::u8, .combine = Combine::magnitude}).value();
  std::vector<float> edges(64);
  plan.execute(view(pixels, {1, 8, 8}), view(edges, {1, 8, 8})).orThrow();
  EXPECT_EQ(edges[4 * 8 + 4], 8);
  EXPECT_EQ(edges[4 * 8], 0);
}

TEST(Face, GivesArgmaxAndStopsAndContexts) {
  const Context context = Context::make(1).value();
  const std::array<float, 2> taps = {1, 2};
  const Bank bank = Bank::fromTaps({.taps = taps, .filters = 2}).value();
  EXPECT_EQ(bank.info().filters, 2);
  const Plan plan =
      Plan::prepare(context, bank, {.height = 2, .width = 3, .combine = Combine::argmax}).value();
  const std::array<float, 6> image = {1, -1, 2, -2, 3, -3};
  std::array<float, 6> values = {};
  std::array<std::uint16_t, 6> indices = {};
  plan.execute(view(image, {1, 2, 3}), view(values, {1, 2, 3}), view(indices, {1, 2, 3})).orThrow();
  EXPECT_THAT(values, testing::ElementsAre(2, -1, 4, -2, 6, -3));
  EXPECT_THAT(indices, testing::ElementsAre(1, 0, 1, 0, 1, 0));
  Stop stop = Stop::make().value();
  stop.request();
  const Plan max = Plan::prepare(bank, {.height = 2, .width = 3, .combine = Combine::max}).value();
  const Status stopped = max.execute(view(image, {1, 2, 3}), view(values, {1, 2, 3}), &stop);
  EXPECT_EQ(stopped.code(), BK_CANCELLED);
}

TEST(Face, SaysWhyNot) {
  auto bank = Bank::make("sobell");
  ASSERT_FALSE(bank);
  EXPECT_EQ(bank.status().code(), BK_BAD_INPUT);
  EXPECT_THAT(bank.status().sentence(), testing::HasSubstr("nearest names"));
  try {
    static_cast<void>(std::move(bank).value());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), BK_BAD_INPUT);
    EXPECT_THAT(error.what(), testing::HasSubstr("nearest names"));
  }
  EXPECT_FALSE(Bank::fromTaps({.taps = {}, .height = 3, .width = 3}));
}

TEST(Face, RefusesArraysThatAreTooShort) {
  const Bank bank = Bank::make("sobel").value();
  const Plan plan = Plan::prepare(bank, {.height = 8, .width = 8}).value();
  std::vector<float> image(63);
  std::vector<float> results(128);
  EXPECT_EQ(plan.execute(view(image, {1, 8, 8}), view(results, {2, 8, 8})).code(), BK_BAD_INPUT);
}

TEST(Face, RunsRecipesAndSaysWhyNot) {
  const Recipe recipe = Recipe::load("vessels", 31).value();
  const std::vector<float> pixels(64);
  const auto image = view(pixels, {1, 8, 8});
  const Maps maps = recipe.run(image).value();
  EXPECT_EQ(maps.info().maps, 1);
  EXPECT_EQ(maps.info().width, 8);
  EXPECT_STREQ(maps.map(0).value().label, "vesselness");
  EXPECT_EQ(maps.map(1).status().code(), BK_BAD_INPUT);
  Stop stop = Stop::make().value();
  stop.request();
  EXPECT_EQ(recipe.run(image, &stop).status().code(), BK_CANCELLED);

  const std::vector<std::uint8_t> small(6);
  const auto misfit = recipe.run(image, view(small, {1, 2, 3}));
  EXPECT_EQ(misfit.status().code(), BK_BAD_INPUT);
  EXPECT_THAT(misfit.status().sentence(), testing::HasSubstr("field of view"));
  EXPECT_EQ(Recipe::load("vessels").status().code(), BK_BAD_INPUT);  // without a scale
  EXPECT_EQ(Recipe::load("vessel").status().code(), BK_BAD_INPUT);
  EXPECT_EQ(Recipe::load("nowhere/vessel.json").status().code(), BK_IO);
  EXPECT_EQ(Recipe::load("vessels", -1).status().code(), BK_BAD_INPUT);
}

}  // namespace
