#include "core/made_input.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <random>
#include <utility>

namespace bankside {
namespace {

Image fill(int channels, int height, int width, ElementType type, const std::function<float()>& next) {
  Image image(channels, height, width, type);
  visit(type, [&](auto element) {
    using T = decltype(element);
    for (int c = 0; c < channels; ++c) {
      const auto view = image.view<T>(c);
      for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) view.at(x, y) = fromFloat<T>(next());
      }
    }
  });
  return image;
}

FilterBank makeBank(int filterCount, int channels, int height, int width,
                    const std::function<float()>& next) {
  std::vector<Filter> filters;
  for (int f = 0; f < filterCount; ++f) {
    std::vector<float> taps(static_cast<std::size_t>(channels) * height * width);
    for (float& tap : taps) tap = next();
    Filter filter = makeFilter("f" + std::to_string(f), height, width, {});
    filter.channels = channels;
    filter.taps = std::move(taps);
    filters.push_back(std::move(filter));
  }
  return FilterBank({.name = "made"}, std::move(filters));
}

/// Columns times rows, a new pair for every channel of every filter.
FilterBank makeSeparableBank(int filterCount, int channels, int height, int width,
                             const std::function<double()>& next) {
  std::vector<double> column(static_cast<std::size_t>(height));
  std::vector<double> row(static_cast<std::size_t>(width));
  std::size_t tap = 0;
  return makeBank(filterCount, channels, height, width, [&] {
    const std::size_t x = tap % row.size();
    const std::size_t y = tap / row.size() % column.size();
    ++tap;
    if (x == 0 && y == 0) {
      std::generate(column.begin(), column.end(), next);
      std::generate(row.begin(), row.end(), next);
    }
    return static_cast<float>(column[y] * row[x]);
  });
}

}  // namespace

Image integerImage(int channels, int height, int width, ElementType type, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const bool isSigned = type == ElementType::F32;
  return fill(channels, height, width, type,
              [&] { return static_cast<float>(static_cast<int>(random() % 16) - (isSigned ? 8 : 0)); });
}

Image randomImage(int channels, int height, int width, ElementType type, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const bool integers = type == ElementType::U8 || type == ElementType::U16;
  const float top = type == ElementType::U8 ? 255.0f : type == ElementType::U16 ? 65535.0f : 1.0f;
  std::uniform_real_distribution<float> value(integers ? 0.0f : -1.0f, top);
  return fill(channels, height, width, type, [&] { return value(random); });
}

Image nonFiniteImage(int channels, int height, int width, ElementType type, std::uint64_t seed) {
  std::mt19937_64 random(seed + 3000);
  std::uniform_real_distribution<float> value(-1.0f, 1.0f);
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float strange[] = {std::numeric_limits<float>::quiet_NaN(), infinity, -infinity};
  return fill(channels, height, width, type, [&] {
    const std::uint64_t draw = random();
    return draw % 97 == 0 ? strange[draw / 97 % 3] : value(random);
  });
}

FilterBank integerBank(int filterCount, int channels, int height, int width, std::uint64_t seed) {
  std::mt19937_64 random(seed + 1000);
  return makeBank(filterCount, channels, height, width,
                  [&] { return static_cast<float>(static_cast<int>(random() % 9) - 4); });
}

FilterBank randomBank(int filterCount, int channels, int height, int width, std::uint64_t seed) {
  std::mt19937_64 random(seed + 2000);
  std::uniform_real_distribution<float> value(0.01f, 1.0f);
  return makeBank(filterCount, channels, height, width, [&] {
    const float tap = value(random);
    return random() % 2 == 0 ? tap : -tap;
  });
}

FilterBank separableBank(int filterCount, int channels, int height, int width, std::uint64_t seed) {
  std::mt19937_64 random(seed + 4000);
  std::uniform_real_distribution<double> value(0.1, 1.0);
  return makeSeparableBank(filterCount, channels, height, width, [&] {
    const double factor = value(random);
    return random() % 2 == 0 ? factor : -factor;
  });
}

FilterBank integerSeparableBank(int filterCount, int channels, int height, int width, std::uint64_t seed) {
  std::mt19937_64 random(seed + 5000);
  return makeSeparableBank(filterCount, channels, height, width,
                           [&] { return static_cast<double>(random() % 5) - 2.0; });
}

FilterBank withAnchor(const FilterBank& bank, int anchorX, int anchorY) {
  std::vector<Filter> filters = bank.filters();
  for (Filter& f : filters) {
    f.anchorX = anchorX;
    f.anchorY = anchorY;
  }
  return FilterBank(bank.info(), std::move(filters));
}

FilterBank withMode(const FilterBank& bank, FilterMode mode) {
  BankInfo info = bank.info();
  info.mode = mode;
  return FilterBank(std::move(info), bank.filters());
}

}  // namespace bankside
