/// Maps on the device, against the host's operations over the same maps: the same bytes, but that a NaN is a
/// NaN. Runs on a GPU, and with the kernels as C++ on the host.
#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <random>

#include "core/maps/combine_over.h"
#include "kernels/cuda/maps/map_maker.h"
#include "kernels/cuda/runtime/device_probe.h"
#include "tests/core/maps/made_maps.h"
#include "tests/kernels/cuda/gpu.h"

namespace bankside {
namespace {

using testing::disc;
using testing::madeMaps;
using testing::operationOf;

struct Case {
  std::string name;
  std::map<std::string, std::vector<double>> arguments;
  int taken = 1;
  int maps = 2;
};

/// Of every operation, whether there is a kernel for it or not.
const std::vector<Case>& cases() {
  static const std::vector<Case> list = {
      {"unit", {}},
      {"linear", {{"times", {-0.7}}, {"plus", {1.3}}}},
      {"log", {{"plus", {0.05}}}},
      {"exp", {}},
      {"abs", {}},
      {"relu", {}, 1, 40},
      {"square", {}},
      {"root", {}},
      {"power", {{"exponent", {1.7}}}},
      {"power", {{"exponent", {-3}}}},
      {"power", {{"exponent", {0}}}},
      {"power", {{"exponent", {3e38}}}},
      {"threshold", {{"at", {0.4}}}},
      {"product", {}, 3},
      {"quotient", {{"floor", {0.1}}}, 2},
      {"sum", {}, 2},
      {"sum", {{"weights", {1, -0.5, 2}}}, 3},
      {"min", {}, 2},
      {"max", {}, 3},
      {"gather", {}, 3},
      {"eigenvalues", {}, 1, 3},
      {"local-mean", {{"sigma", {1}}}},
      {"local-mean", {{"sigma", {7.3}}}},
      {"local-rms", {{"sigma", {3.3}}}},
      {"local-rms", {{"sigma", {98}}}, 1, 1},
      {"dilate", {{"sigma", {0.5, 0.8, 3}}}},
      {"dilate", {{"sigma", {30}}}, 1, 1},
      {"shift", {{"right", {5}}, {"down", {-3}}}},
      {"percentile", {{"percent", {50}}}},
      {"percentile", {{"percent", {99.5}}}},
      {"percentile", {{"percent", {0}}}},
      {"percentile", {{"percent", {100}}}},
      {"standardize", {}},
      {"standardize", {{"robust", {1}}}},
      {"stretch", {}},
      {"equalize", {}, 1, 1},
      {"resample", {{"scale", {7}}}},
      {"resample", {{"scale", {23}}}},
      {"resample", {{"scale", {10}}}},
      {"restore", {}},
      {"field", {}, 1, 1},
      {"fill", {{"sigma", {2}}, {"erode", {1}}}},
      {"mask", {{"value", {-1}}}},
  };
  return list;
}

/// What pixels can be; where the judge looks at neither rounding nor order, bytes must still agree.
void makeHostile(Maps& maps) {
  const float values[] = {std::numeric_limits<float>::quiet_NaN(),
                          std::numeric_limits<float>::infinity(),
                          -std::numeric_limits<float>::infinity(),
                          -0.0f,
                          0.0f,
                          std::numeric_limits<float>::denorm_min(),
                          -3e-39f,
                          std::numeric_limits<float>::max(),
                          1e-30f,
                          88.8f,
                          -104.0f};
  int next = 0;
  for (std::size_t m = 0; m < maps.size(); ++m) {
    const auto view = maps.view(m);
    for (int i = static_cast<int>(m); i < view.height * view.width; i += 7 + next % 5)
      view.at(i % view.width, i / view.width) = values[next++ % std::size(values)];
  }
}

void expectSame(const Maps& host, const Maps& device, const std::string& what) {
  ASSERT_EQ(host.size(), device.size()) << what;
  ASSERT_EQ(host.extent.height, device.extent.height) << what;
  ASSERT_EQ(host.extent.width, device.extent.width) << what;
  for (std::size_t m = 0; m < host.size(); ++m) {
    for (int y = 0; y < host.extent.height; ++y) {
      for (int x = 0; x < host.extent.width; ++x) {
        const float a = host.view(m).at(x, y);
        const float b = device.view(m).at(x, y);
        const bool same =
            a != a ? b != b : std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
        ASSERT_TRUE(same) << what << ", map " << m << " at " << x << ", " << y << ": " << a
                          << " on the host, " << b << " on the device";
      }
    }
  }
}

class MapsOnDevice : public ::testing::Test {
 protected:
  void SetUp() override {
    BANKSIDE_NEEDS_GPU();
    maker_ = cuda::makeMapMaker(0);
  }

  void compare(const Case& c, const Extent& extent, bool hostile, const Image& field) {
    const Operation operation = operationOf(c.name, c.arguments);
    if (!maker_->has(operation)) return;
    const std::string what = format(operation) + " over " + std::to_string(extent.width) + " x " +
                             std::to_string(extent.height) + (hostile ? ", hostile" : "") +
                             (field.empty() ? "" : ", in a field");
    const ThreadTeam team(2);
    FieldOfView seen = field.empty() ? FieldOfView() : FieldOfView(field.clone());
    FieldOfView seenThere = field.empty() ? FieldOfView() : FieldOfView(field.clone());
    const Extent image{2 * extent.height + 1, 2 * extent.width, 2 * extent.pixelsPerDegree};
    OperationContext context{team, {}, seen, image, ElementType::U8};
    OperationContext there{team, {}, seenThere, image, ElementType::U8};

    std::vector<Maps> inputs;
    for (int t = 0; t < c.taken; ++t) {
      inputs.push_back(madeMaps(t == 1 ? 1 : c.maps, extent, static_cast<unsigned>(3 + t)));
      if (hostile) makeHostile(inputs.back());
    }
    std::vector<const Maps*> taken;
    for (const Maps& maps : inputs) taken.push_back(&maps);
    const Maps expected = operation.entry->apply(operation, taken, context);

    maker_->begin();
    std::vector<DeviceMaps> takenThere;
    for (const Maps& maps : inputs) takenThere.push_back(maker_->put(maps));
    maker_->beginLap();
    const auto made = maker_->operate(operation, takenThere, there, extentAfter(operation, extent, image));
    maker_->endLap();
    if (!made && c.name == "field") return;  // too small for corners
    ASSERT_TRUE(made) << what;
    Maps brought = Maps::make(expected.extent, expected.names);
    maker_->bring(*made, brought);
    expectSame(expected, brought, what);
    EXPECT_EQ(maker_->laps().size(), 1u);
    EXPECT_EQ(seen.everything(), seenThere.everything()) << what;
    if (!seen.everything()) {
      EXPECT_TRUE(samePixels(seen.mask(), seenThere.mask())) << what;
    }
    // What it took is as it was.
    for (int t = 0; t < c.taken; ++t) {
      const Maps& before = inputs[static_cast<std::size_t>(t)];
      Maps after = Maps::make(before.extent, before.names);
      maker_->bring(takenThere[static_cast<std::size_t>(t)], after);
      expectSame(before, after, what + ", what it took");
    }
  }

  std::unique_ptr<MapMaker> maker_;
};

constexpr Extent sizes[] = {{37, 53, 10}, {64, 64, 10}, {1, 130, 10}, {70, 1, 10}, {200, 131, 10}};

TEST_F(MapsOnDevice, EveryKernelGivesTheBytesOfTheHost) {
  for (const Extent& extent : sizes) {
    for (const Case& c : cases()) compare(c, extent, false, {});
  }
}

TEST_F(MapsOnDevice, WhateverThePixelsAre) {
  for (const Case& c : cases()) {
    compare(c, sizes[0], true, {});
    compare(c, sizes[4], true, {});
  }
}

TEST_F(MapsOnDevice, InAFieldOfView) {
  for (const Extent& extent : {sizes[0], sizes[4]}) {
    const Image field = disc(2 * extent.height + 1, 2 * extent.width, 0.9 * extent.height);
    for (const Case& c : cases()) {
      if (c.name == "field") continue;
      compare(c, extent, false, field);
      compare(c, extent, true, field);
    }
  }
}

/// A bright disc amid black with noise, a mark beside it that an opening takes away, and a second, smaller
/// disc.
Maps photograph(int height, int width, unsigned seed) {
  Maps maps = madeMaps(1, {height, width, 10}, seed, 0, 0.02f);
  const Image large = disc(height, width, 0.4 * std::min(height, width));
  const auto pixels = maps.view(0);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const bool mark = y > height / 2 && x < width / 12 && x > width / 14;
      const bool second = std::hypot(x - 0.93 * width, y - 0.12 * height) < 0.05 * height;
      if (large.view<std::uint8_t>(0).at(x, y) != 0 || mark || second)
        pixels.at(x, y) += 0.4f + 0.2f * static_cast<float>(x) / static_cast<float>(width);
    }
  }
  return maps;
}

TEST_F(MapsOnDevice, FindsAndFillsTheFieldOfTheHost) {
  const ThreadTeam team(2);
  for (const auto& [height, width] : {std::pair(90, 120), std::pair(151, 151), std::pair(60, 200)}) {
    const Maps image = photograph(height, width, static_cast<unsigned>(width));
    FieldOfView here, there;
    OperationContext context{team, {}, here, image.extent, ElementType::U8};
    OperationContext contextThere{team, {}, there, image.extent, ElementType::U8};
    const Operation find = operationOf("field", {{"level", {0.1}}});
    maker_->begin();
    const DeviceMaps put = maker_->put(image);
    find.entry->apply(find, {&image}, context);
    ASSERT_TRUE(maker_->operate(find, {put}, contextThere, image.extent));
    ASSERT_FALSE(there.everything());
    EXPECT_TRUE(samePixels(here.mask(), there.mask())) << height << " x " << width;
    for (const double erode : {0.0, 1.5, 5.0}) {
      const Operation fill = operationOf("fill", {{"sigma", {3}}, {"erode", {erode}}});
      const Maps expected = fill.entry->apply(fill, {&image}, context);
      const auto made = maker_->operate(fill, {put}, contextThere, image.extent);
      ASSERT_TRUE(made);
      Maps brought = Maps::make(expected.extent, expected.names);
      maker_->bring(*made, brought);
      expectSame(expected, brought, format(fill));
    }
  }
}

/// Of a single pixel in a hundred: many are as near as another one.
TEST_F(MapsOnDevice, FillsFromTheNearestPixelOfTheHost) {
  const ThreadTeam team(2);
  for (const auto& [height, width] : {std::pair(70, 150), std::pair(150, 70), std::pair(33, 64)}) {
    std::mt19937 random(static_cast<unsigned>(height));
    Image inside(1, height, width, ElementType::U8);
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) inside.view<std::uint8_t>(0).at(x, y) = random() % 100 == 0 ? 1 : 0;
    }
    FieldOfView here(inside.clone()), there(inside.clone());
    const Maps maps = madeMaps(2, {height, width, 10}, 4);
    OperationContext context{team, {}, here, maps.extent, ElementType::U8};
    OperationContext contextThere{team, {}, there, maps.extent, ElementType::U8};
    maker_->begin();
    const Operation fill = operationOf("fill", {{"sigma", {1}}, {"erode", {0}}});
    const Maps expected = fill.entry->apply(fill, {&maps}, context);
    const auto made = maker_->operate(fill, {maker_->put(maps)}, contextThere, maps.extent);
    ASSERT_TRUE(made);
    Maps brought = Maps::make(expected.extent, expected.names);
    maker_->bring(*made, brought);
    expectSame(expected, brought, std::to_string(width));
  }
}

/// Everywhere, as the corners are bright; nowhere, as nothing is as wide as the disc that opens it.
TEST_F(MapsOnDevice, FindsTheFieldOfTheHostWhereThereIsNone) {
  const ThreadTeam team(2);
  const Extent extent{90, 130, 10};
  const Operation find = operationOf("field", {{"level", {0.1}}});
  for (const bool thin : {false, true}) {
    Maps image = madeMaps(1, extent, 3, 0.5f, 0.6f);
    if (thin) {
      image = madeMaps(1, extent, 3, 0, 0.01f);
      for (int y = 20; y < 70; ++y) std::fill_n(image.view(0).row(y) + 60, 4, 0.9f);
    }
    FieldOfView here, there;
    OperationContext context{team, {}, here, extent, ElementType::U8};
    OperationContext contextThere{team, {}, there, extent, ElementType::U8};
    maker_->begin();
    find.entry->apply(find, {&image}, context);
    ASSERT_TRUE(maker_->operate(find, {maker_->put(image)}, contextThere, extent));
    EXPECT_TRUE(samePixels(here.mask(), there.mask())) << thin;
  }
}

/// Of large images on devices of little shared memory.
TEST_F(MapsOnDevice, MeansOfLinesThatSharedMemoryDoesNotHold) {
  cuda::DeviceTraits little = cuda::traitsOf(0);
  little.mostShared = 6 << 10;
  cuda::pretendDevice(little);
  for (const double sigma : {1.0, 7.3, 40.0}) {
    for (const bool hostile : {false, true})
      compare({"local-rms", {{"sigma", {sigma}}}, 1, 1}, sizes[4], hostile, disc(401, 262, 90));
  }
  cuda::pretendDevice({});
}

TEST_F(MapsOnDevice, LeavesToTheHostWhatIsAnError) {
  const ThreadTeam team(1);
  const Extent extent{20, 30, 10};
  FieldOfView field(disc(20, 30, 6));
  OperationContext context{team, {}, field, extent, ElementType::U8};
  Maps maps = madeMaps(1, extent, 2);
  for (int y = 0; y < 20; ++y) std::fill_n(maps.view(0).row(y), 30, std::numeric_limits<float>::infinity());
  const DeviceMaps put = maker_->put(maps);
  for (const Case& c : {Case{"percentile", {}}, Case{"standardize", {}}, Case{"stretch", {}},
                        Case{"fill", {{"erode", {50}}}}})
    EXPECT_FALSE(maker_->operate(operationOf(c.name, c.arguments), {put}, context, extent)) << c.name;
}

TEST_F(MapsOnDevice, CombinesAsTheHostDoes) {
  const ThreadTeam team(2);
  FieldOfView field;
  for (const Extent& extent : sizes) {
    OperationContext context{team, {}, field, extent, ElementType::U8};
    for (const int count : {1, 3, 40}) {
      for (const Combine combine :
           {Combine::Max, Combine::AbsMax, Combine::Mean, Combine::Sum, Combine::Magnitude}) {
        Maps maps = madeMaps(count, extent, 5);
        makeHostile(maps);
        const Maps expected = combineOver({combine}, maps, context);
        Maps brought = Maps::make(expected.extent, expected.names);
        maker_->bring({maker_->combine(combine, maker_->put(maps))}, brought);
        expectSame(expected, brought, format(CombineOver{combine}) + " of " + std::to_string(count));
      }
    }
  }
}

TEST_F(MapsOnDevice, KernelsAreTriedForEveryOperation) {
  for (const OperationEntry& entry : operations()) {
    EXPECT_TRUE(std::any_of(cases().begin(), cases().end(), [&](const Case& c) {
      return c.name == entry.name;
    })) << entry.name;
  }
}

}  // namespace
}  // namespace bankside
