#include "core/made_input.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <utility>

#include "core/error.h"

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

namespace {

constexpr float notANumber = std::numeric_limits<float>::quiet_NaN();

void put(Image& image, int x, int y, float value) {
  visit(image.type(), [&](auto element) {
    using T = decltype(element);
    image.view<T>(0).at(x, y) = fromFloat<T>(value);
  });
}

/// Something else at one pixel in 97 x 89.
void putSparsely(Image& image, const std::vector<float>& values) {
  std::size_t count = 0;
  for (int y = std::min(44, image.height() - 1); y < image.height(); y += 89)
    for (int x = std::min(48, image.width() - 1); x < image.width(); x += 97)
      put(image, x, y, values[count++ % values.size()]);
}

Image maskedNoise(int height, int width, ElementType type, const std::function<float()>& next) {
  const double radius = std::min(height, width) / 2.0;
  std::int64_t i = 0;
  return fill(1, height, width, type, [&] {
    const double y = static_cast<double>(i / width) + 0.5 - height / 2.0;
    const double x = static_cast<double>(i % width) + 0.5 - width / 2.0;
    ++i;
    return x * x + y * y <= radius * radius ? next() : notANumber;
  });
}

}  // namespace

const std::vector<std::string>& pixelValues() {
  static const std::vector<std::string> names = {
      "uniform",     "zeros",       "constant",    "normal",         "normal*1e-30", "normal*1e-18",
      "normal*1e-9", "normal*1e-6", "normal*1e-3", "normal*1e3",     "normal*1e6",   "normal*1e9",
      "normal*1e12", "normal*1e18", "normal*1e30", "denormals",      "hdr",          "decades",
      "nan-mask",    "one-nan",     "sparse-nan",  "sparse-infinity"};
  return names;
}

bool holdsValues(ElementType type, const std::string& values) {
  const bool known = std::find(pixelValues().begin(), pixelValues().end(), values) != pixelValues().end();
  if (!known || type == ElementType::F32) return known;
  if (values == "uniform" || values == "zeros" || values == "constant") return true;
  return type == ElementType::F16 &&
         (values == "normal" || values == "normal*1e-3" || values == "normal*1e3" || values == "nan-mask" ||
          values == "one-nan" || values == "sparse-nan" || values == "sparse-infinity");
}

Image imageOfValues(const std::string& values, int height, int width, ElementType type, std::uint64_t seed) {
  if (!holdsValues(type, values))
    throw Error(ErrorCode::BadInput, std::string(toString(type)) + " pixels are not \"" + values + "\"");
  if (values == "uniform") return randomImage(1, height, width, type, seed);
  if (values == "zeros") return fill(1, height, width, type, [] { return 0.0f; });
  if (values == "constant") return fill(1, height, width, type, [] { return 100.0f; });
  std::mt19937_64 random(seed + 6000);
  std::normal_distribution<float> normal;
  std::uniform_real_distribution<float> uniform(-1.0f, 1.0f);
  const auto noise = [&] { return normal(random); };
  const auto overDecades = [&](float decades) {
    return fill(1, height, width, type, [&, decades] {
      const float size = std::pow(10.0f, decades / 2 * uniform(random));
      return uniform(random) < 0 ? -size : size;
    });
  };
  if (values == "denormals") return fill(1, height, width, type, [&] { return 1e-39f * uniform(random); });
  if (values == "hdr") return overDecades(8);
  if (values == "decades") return overDecades(40);
  if (values == "nan-mask") return maskedNoise(height, width, type, noise);
  constexpr float infinity = std::numeric_limits<float>::infinity();
  if (values.starts_with("normal")) {
    const float scale =
        values == "normal" ? 1.0f : std::strtof(values.c_str() + std::strlen("normal*"), nullptr);
    return fill(1, height, width, type, [&, scale] { return scale * normal(random); });
  }
  Image image = fill(1, height, width, type, noise);
  if (values == "one-nan")
    put(image, width / 2, height / 2, notANumber);
  else
    putSparsely(image, values == "sparse-nan" ? std::vector{notANumber} : std::vector{infinity, -infinity});
  return image;
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
