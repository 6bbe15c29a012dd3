#include "core/filter_bank.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "core/hash.h"
#include "core/refuse.h"

namespace bankside {
namespace {

bool fitForFileName(const std::string& label) {
  if (label.empty() || label.size() > 100 || label.front() == '.') return false;
  return std::all_of(label.begin(), label.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-' || c == '+';
  });
}

void check(const Filter& f) {
  const std::string name = "filter \"" + f.label + "\"";
  if (!fitForFileName(f.label)) {
    refuse(
        name +
        " needs a label of 1 to 100 letters, digits, '.', '_', '-' or '+', the first of which is no '.' (it "
        "names output files)");
  }
  const std::string size = std::to_string(f.height) + " x " + std::to_string(f.width);
  if (f.height < 1 || f.width < 1 || f.height > maxFilterSide || f.width > maxFilterSide) {
    refuse(name + " is " + size + "; each side must be 1 to " + std::to_string(maxFilterSide));
  }
  if (f.channels < 1) refuse(name + " has no channels");
  const auto expected = static_cast<std::size_t>(f.channels) * f.height * f.width;
  if (f.taps.size() != expected) {
    refuse(name + " has " + std::to_string(f.taps.size()) + " taps where " + std::to_string(f.channels) +
           " x " + size + " need " + std::to_string(expected));
  }
  if (f.anchorX < 0 || f.anchorX >= f.width || f.anchorY < 0 || f.anchorY >= f.height) {
    refuse(name + " has its anchor (" + std::to_string(f.anchorX) + ", " + std::to_string(f.anchorY) +
           ") outside its " + size + " taps");
  }
  if (!std::all_of(f.taps.begin(), f.taps.end(), [](float tap) { return std::isfinite(tap); })) {
    refuse(name + " has a tap that is not a finite number");
  }
}

bool sameShape(const Filter& a, const Filter& b) {
  return a.height == b.height && a.width == b.width && a.anchorX == b.anchorX && a.anchorY == b.anchorY;
}

}  // namespace

const char* toString(FilterMode mode) {
  return mode == FilterMode::Convolution ? "convolution" : "correlation";
}

std::optional<FilterMode> parseFilterMode(const std::string& text) {
  for (const FilterMode mode : {FilterMode::CrossCorrelation, FilterMode::Convolution}) {
    if (text == toString(mode)) return mode;
  }
  return std::nullopt;
}

Filter makeFilter(std::string label, int height, int width, std::vector<float> taps) {
  return {.channels = 1,
          .height = height,
          .width = width,
          .anchorX = width / 2,
          .anchorY = height / 2,
          .taps = std::move(taps),
          .label = std::move(label)};
}

Filter rotated180(const Filter& filter) {
  Filter result = filter;
  result.anchorX = filter.width - 1 - filter.anchorX;
  result.anchorY = filter.height - 1 - filter.anchorY;
  const auto plane = static_cast<std::ptrdiff_t>(filter.height) * filter.width;
  for (int c = 0; c < filter.channels; ++c) {
    std::reverse(result.taps.begin() + c * plane, result.taps.begin() + (c + 1) * plane);
  }
  return result;
}

FilterBank::FilterBank(BankInfo info, std::vector<Filter> filters)
    : info_(std::move(info)), filters_(std::move(filters)) {
  if (filters_.empty()) refuse("a filter bank needs at least one filter");
  if (filters_.size() > static_cast<std::size_t>(maxFilterCount)) {
    refuse("a filter bank of " + std::to_string(filters_.size()) + " filters; at most " +
           std::to_string(maxFilterCount) + " are allowed");
  }
  std::set<std::string> labels;
  Hash hash;
  hash.add(static_cast<std::uint64_t>(info_.mode == FilterMode::Convolution));
  for (const Filter& f : filters_) {
    check(f);
    if (f.channels != filters_.front().channels) {
      refuse("filter \"" + f.label + "\" has " + std::to_string(f.channels) + " channels and filter \"" +
             filters_.front().label + "\" has " + std::to_string(filters_.front().channels));
    }
    if (!labels.insert(f.label).second) refuse("two filters are labelled \"" + f.label + "\"");
    for (const int number : {f.channels, f.height, f.width, f.anchorX, f.anchorY}) {
      hash.add(static_cast<std::uint64_t>(number));
    }
    hash.add(f.label);
    hash.addBytes(f.taps.data(), f.taps.size() * sizeof(float));
  }
  contentHash_ = hash.value();
}

bool FilterBank::uniform() const {
  return std::all_of(filters_.begin(), filters_.end(),
                     [&](const Filter& f) { return sameShape(f, filters_.front()); });
}

std::vector<UniformGroup> groupBySize(const FilterBank& bank) {
  std::vector<std::pair<std::vector<Filter>, std::vector<int>>> parts;
  for (int i = 0; i < bank.size(); ++i) {
    auto part = std::find_if(parts.begin(), parts.end(),
                             [&](const auto& p) { return sameShape(p.first.front(), bank[i]); });
    if (part == parts.end()) part = parts.emplace(parts.end());
    part->first.push_back(bank[i]);
    part->second.push_back(i);
  }
  std::vector<UniformGroup> groups;
  for (auto& [filters, indices] : parts) {
    groups.push_back({FilterBank(bank.info(), std::move(filters)), std::move(indices)});
  }
  return groups;
}

}  // namespace bankside
