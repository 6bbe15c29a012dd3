#include "tests/properties/plain_judge.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace bankside::properties {
namespace {

using Maps = std::vector<PlainMap>;

PlainMap emptyMap(int height, int width) {
  const auto pixels = static_cast<std::size_t>(height) * static_cast<std::size_t>(width);
  return {height, width, std::vector<double>(pixels), std::vector<double>(pixels)};
}

/// Where a step beyond an edge leads, one step after another until it is inside; -1: to the constant.
int inside(int at, int size, BorderKind border) {
  while (at < 0 || at >= size) {
    switch (border) {
      case BorderKind::Constant: return -1;
      case BorderKind::Replicate: at = at < 0 ? 0 : size - 1; break;
      case BorderKind::Reflect: at = at < 0 ? -at - 1 : 2 * size - 1 - at; break;
      case BorderKind::Reflect101:
        if (size == 1) return 0;
        at = at < 0 ? -at : 2 * size - 2 - at;
        break;
      case BorderKind::Wrap: at += at < 0 ? size : -size; break;
    }
  }
  return at;
}

/// Adds what one channel of a filter gives.
void addResponse(const PlainMap& map, const Filter& filter, int channel, FilterMode mode,
                 const Border& border, PlainMap& response) {
  for (int y = 0; y < map.height; ++y) {
    for (int x = 0; x < map.width; ++x) {
      const auto at = static_cast<std::size_t>(y * map.width + x);
      for (int j = 0; j < filter.height; ++j) {
        for (int i = 0; i < filter.width; ++i) {
          const int down = j - filter.anchorY;
          const int right = i - filter.anchorX;
          const bool turned = mode == FilterMode::Convolution;
          const int row = inside(turned ? y - down : y + down, map.height, border.kind);
          const int column = inside(turned ? x - right : x + right, map.width, border.kind);
          const bool outside = row < 0 || column < 0;
          const auto from = outside ? 0 : static_cast<std::size_t>(row * map.width + column);
          const double tap =
              filter.taps[static_cast<std::size_t>((channel * filter.height + j) * filter.width + i)];
          response.values[at] += tap * (outside ? border.value : map.values[from]);
          response.sums[at] += std::abs(tap) * (outside ? std::abs(border.value) : map.sums[from]);
        }
      }
    }
  }
}

/// Filter after filter, of every map or over all of them.
std::vector<Maps> responsesOf(const Maps& maps, const FilterBank& bank, FilterMode mode,
                              const Border& border) {
  const bool summed = bank.channels() == static_cast<int>(maps.size());
  std::vector<Maps> groups;
  for (std::size_t group = 0; group < (summed ? 1 : maps.size()); ++group) {
    groups.emplace_back();
    for (const Filter& filter : bank.filters()) {
      PlainMap response = emptyMap(maps[0].height, maps[0].width);
      for (int channel = 0; channel < filter.channels; ++channel)
        addResponse(maps[summed ? static_cast<std::size_t>(channel) : group], filter, channel, mode, border,
                    response);
      groups.back().push_back(std::move(response));
    }
  }
  return groups;
}

/// Of one pixel. `index`: which filter it was, where one is chosen.
double combined(Combine combine, const std::vector<double>& responses, int& index) {
  double value = responses[0];
  index = 0;
  double sum = 0;
  double squares = 0;
  for (std::size_t f = 0; f < responses.size(); ++f) {
    sum += responses[f];
    squares += responses[f] * responses[f];
    const bool larger =
        combine == Combine::AbsMax ? std::abs(responses[f]) > std::abs(value) : responses[f] > value;
    if (!larger) continue;
    value = responses[f];
    index = static_cast<int>(f);
  }
  switch (combine) {
    case Combine::Sum: return sum;
    case Combine::Mean: return sum / static_cast<double>(responses.size());
    case Combine::Magnitude: return std::sqrt(squares);
    default: return value;
  }
}

/// One map, and for `argmax` the map of indices behind it.
Maps combine(Combine how, const Maps& responses) {
  Maps maps(how == Combine::ArgMax ? 2 : 1, emptyMap(responses[0].height, responses[0].width));
  std::vector<double> values(responses.size());
  for (std::size_t at = 0; at < maps[0].values.size(); ++at) {
    double sum = 0;
    for (std::size_t f = 0; f < responses.size(); ++f) {
      values[f] = responses[f].values[at];
      sum += responses[f].sums[at];
    }
    int index = 0;
    maps[0].values[at] = combined(how, values, index);
    maps[0].sums[at] = sum;
    if (how == Combine::ArgMax) maps[1].values[at] = index;
  }
  return maps;
}

void activate(Activation how, PlainMap& map) {
  for (std::size_t at = 0; at < map.values.size(); ++at) {
    double& value = map.values[at];
    switch (how) {
      case Activation::None: break;
      case Activation::Abs: value = std::abs(value); break;
      case Activation::Relu: value = std::max(value, 0.0); break;
      case Activation::Square: value *= value; break;
    }
    if (how == Activation::Square) map.sums[at] *= map.sums[at];
  }
}

Maps mapsOf(const Image& image, PlainResult& result) {
  Maps maps;
  for (int channel = 0; channel < image.channels(); ++channel) {
    PlainMap map = emptyMap(image.height(), image.width());
    for (int y = 0; y < map.height; ++y) {
      for (int x = 0; x < map.width; ++x) {
        const auto at = static_cast<std::size_t>(y * map.width + x);
        switch (image.type()) {
          case ElementType::U8: map.values[at] = image.view<std::uint8_t>(channel).row(y)[x]; break;
          case ElementType::U16: map.values[at] = image.view<std::uint16_t>(channel).row(y)[x]; break;
          case ElementType::F16: map.values[at] = toFloat(image.view<Half>(channel).row(y)[x]); break;
          case ElementType::F32: map.values[at] = image.view<float>(channel).row(y)[x]; break;
        }
        map.sums[at] = std::abs(map.values[at]);
        result.integers = result.integers && map.values[at] == std::round(map.values[at]);
      }
    }
    maps.push_back(std::move(map));
  }
  return maps;
}

void note(const Maps& maps, PlainResult& result) {
  for (const PlainMap& map : maps)
    for (const double sum : map.sums) result.largest = std::max(result.largest, sum);
}

/// One pixel of what a step takes, a value a step; sums are those of magnitudes.
double operated(const Operation& operation, const std::vector<double>& taken) {
  const std::string& name = operation.entry->name;
  double value = taken[0];
  if (name == "linear") return operation.number("times") * value + operation.number("plus");
  if (name == "abs") return std::abs(value);
  if (name == "relu") return std::max(value, 0.0);
  if (name == "square") return value * value;
  if (name == "threshold") return value >= operation.number("at") ? 1 : 0;
  if (name == "sum") {
    const std::vector<double>& weights = operation.numbers("weights");
    value = 0;
    for (std::size_t i = 0; i < taken.size(); ++i)
      value += (weights.size() == 1 ? weights[0] : weights[i]) * taken[i];
    return value;
  }
  for (std::size_t i = 1; i < taken.size(); ++i)
    value = name == "product" ? value * taken[i]
            : name == "min"   ? std::min(value, taken[i])
                              : std::max(value, taken[i]);
  return value;
}

Maps operate(const Operation& operation, const std::vector<const Maps*>& taken) {
  Maps maps;
  if (operation.entry->name == "gather") {
    for (const Maps* each : taken) maps.insert(maps.end(), each->begin(), each->end());
    return maps;
  }
  std::size_t count = 1;
  for (const Maps* each : taken) count = std::max(count, each->size());
  for (std::size_t m = 0; m < count; ++m) {
    PlainMap map = emptyMap(taken[0]->front().height, taken[0]->front().width);
    std::vector<double> values(taken.size());
    for (std::size_t at = 0; at < map.values.size(); ++at) {
      double magnitudes = 1;
      for (std::size_t i = 0; i < taken.size(); ++i) {
        values[i] = (*taken[i])[taken[i]->size() == 1 ? 0 : m].values[at];
        magnitudes += std::abs(values[i]);
      }
      map.values[at] = operated(operation, values);
      // Whatever is added up on the way is no larger: weights, factors and what is added are at most three.
      map.sums[at] = std::max(std::abs(map.values[at]), 3 * magnitudes);
    }
    maps.push_back(std::move(map));
  }
  return maps;
}

/// The largest sum that a stage could make of values up to `most`, if every tap met such a one.
double widestSum(const Stage& stage, const FilterBank& bank, const Border& border, double most) {
  if (border.kind == BorderKind::Constant) most = std::max(most, std::abs(static_cast<double>(border.value)));
  double taps = 0;
  for (const Filter& filter : bank.filters()) {
    double sum = 0;
    for (const float tap : filter.taps) sum += std::abs(tap);
    taps = stage.combine == Combine::None ? std::max(taps, sum) : taps + sum;
  }
  most *= taps;
  return stage.activation == Activation::Square ? most * most : most;
}

}  // namespace

PlainResult plainResult(const Recipe& recipe, const std::vector<FilterBank>& banks, const Image& image) {
  PlainResult result;
  Maps maps = mapsOf(image, result);
  double most = 0;
  for (const PlainMap& map : maps)
    for (const double sum : map.sums) most = std::max(most, sum);
  for (std::size_t stage = 0; stage < banks.size(); ++stage) {
    const Stage& step = recipe.stages[stage];
    const bool last = stage + 1 == banks.size();
    const FilterMode mode = step.mode.value_or(banks[stage].info().mode);
    most = widestSum(step, banks[stage], recipe.border, most);
    result.widest = std::max(result.widest, most);
    for (const Filter& filter : banks[stage].filters())
      for (const float tap : filter.taps) result.integers = result.integers && tap == std::round(tap);
    if (step.combine == Combine::Mean || step.combine == Combine::Magnitude) result.integers = false;
    Maps given;
    Maps combinedMaps;
    for (Maps& group : responsesOf(maps, banks[stage], mode, recipe.border)) {
      note(group, result);
      if (step.combine != Combine::None)
        for (PlainMap& map : combine(step.combine, group)) combinedMaps.push_back(std::move(map));
      if (step.combine == Combine::None || (last && recipe.responses))
        for (PlainMap& map : group) given.push_back(std::move(map));
    }
    for (PlainMap& map : combinedMaps) given.push_back(std::move(map));
    for (PlainMap& map : given) activate(step.activation, map);
    note(given, result);
    maps = std::move(given);
  }
  result.maps = std::move(maps);
  return result;
}

PlainResult plainSteps(const Recipe& recipe, const std::vector<FilterBank>& banks, const Image& image) {
  PlainResult result;
  const Maps pixels = mapsOf(image, result);
  std::map<std::string, Maps> given = {{"image", pixels}};
  Maps maps = pixels;
  std::size_t bank = 0;
  for (const RecipeStep& step : recipe.steps) {
    std::vector<const Maps*> taken;
    for (const std::string& name : step.takes) taken.push_back(&given.at(name));
    if (taken.empty()) taken.push_back(&maps);
    Maps made;
    std::size_t combined = 0;
    if (!step.bank.empty()) {
      const FilterMode mode = step.mode.value_or(banks[bank].info().mode);
      for (Maps& group : responsesOf(*taken[0], banks[bank], mode, recipe.border)) {
        note(group, result);
        if (!step.combines.empty()) group = combine(step.combines.front().combine, group);
        made.insert(made.end(), group.begin(), group.end());
      }
      ++bank;
      combined = step.combines.empty() ? 0 : 1;
    } else {
      made = step.operation ? operate(*step.operation, taken) : *taken[0];
    }
    note(made, result);
    for (; combined < step.combines.size(); ++combined) {
      made = combine(step.combines[combined].combine, made);
      note(made, result);
    }
    // As it goes on, a value is itself: what rounding there may be is none while everything is an integer.
    for (PlainMap& map : made)
      for (std::size_t at = 0; at < map.values.size(); ++at) map.sums[at] = std::abs(map.values[at]);
    if (!step.name.empty()) given[step.name] = made;
    maps = std::move(made);
  }
  result.maps = std::move(maps);
  return result;
}

}  // namespace bankside::properties
