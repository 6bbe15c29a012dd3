#include "core/evaluate/labelled_image.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"

namespace bankside {
namespace {

void requireSize(const Image& mask, const Image& response, const char* what) {
  if (mask.height() == response.height() && mask.width() == response.width()) return;
  throw Error(ErrorCode::BadInput, std::string(what) + " is " + std::to_string(mask.width()) + " x " +
                                       std::to_string(mask.height()) + " pixels, the response " +
                                       std::to_string(response.width()) + " x " +
                                       std::to_string(response.height()));
}

bool isAlpha(const Image& picture, int channel) {
  const auto at = static_cast<std::size_t>(channel);
  return at < picture.channelNames().size() && picture.channelNames()[at] == "alpha";
}

/// Makes one sorted list of sorted ones that lie one after another. `ends`: where they end, after a 0.
void mergeAll(std::vector<float>& all, std::vector<std::ptrdiff_t> ends, const StopCheck& check) {
  std::ptrdiff_t compared = 0;
  const auto below = [&](float a, float b) {
    if (++compared % valuesBetweenAsks == 0) ask(check);
    return a < b;
  };
  while (ends.size() > 2) {
    std::vector<std::ptrdiff_t> joined = {0};
    for (std::size_t i = 2; i < ends.size(); i += 2) {
      ask(check);
      std::inplace_merge(all.begin() + ends[i - 2], all.begin() + ends[i - 1], all.begin() + ends[i], below);
      joined.push_back(ends[i]);
    }
    if (joined.back() != ends.back()) joined.push_back(ends.back());
    ends = std::move(joined);
  }
}

/// Sorted values of all images as one sorted list.
std::vector<float> merged(const std::vector<ScoredPixels>& images, std::vector<float> ScoredPixels::*kind,
                          const StopCheck& check) {
  std::vector<std::ptrdiff_t> ends = {0};
  for (const ScoredPixels& image : images)
    ends.push_back(ends.back() + static_cast<std::ptrdiff_t>((image.*kind).size()));
  std::vector<float> all;
  all.reserve(static_cast<std::size_t>(ends.back()));
  for (const ScoredPixels& image : images) {
    ask(check);
    all.insert(all.end(), (image.*kind).begin(), (image.*kind).end());
  }
  mergeAll(all, std::move(ends), check);
  return all;
}

/// In parts that are merged, so that it can be left between them.
void sort(std::vector<float>& values, const StopCheck& check) {
  std::vector<std::ptrdiff_t> ends = {0};
  for (const auto count = static_cast<std::ptrdiff_t>(values.size()); ends.back() < count;) {
    ask(check);
    const std::ptrdiff_t end = std::min(count, ends.back() + valuesBetweenAsks);
    std::sort(values.begin() + ends.back(), values.begin() + end);
    ends.push_back(end);
  }
  mergeAll(values, std::move(ends), check);
}

}  // namespace

Mask maskOf(const Image& picture) {
  const Image values = convert(picture, ElementType::F32);
  Mask mask{Image(1, picture.height(), picture.width(), ElementType::U8)};
  auto marks = mask.pixels.view<std::uint8_t>(0);
  for (int y = 0; y < marks.height; ++y) std::fill_n(marks.row(y), marks.width, std::uint8_t{0});
  float seen = 0;
  for (int c = 0; c < values.channels(); ++c) {
    if (isAlpha(picture, c)) continue;
    const auto plane = std::as_const(values).view<float>(c);
    for (int y = 0; y < marks.height; ++y) {
      for (int x = 0; x < marks.width; ++x) {
        const float value = plane.at(x, y);
        if (value == 0) continue;
        marks.at(x, y) = 1;
        if (seen == 0) seen = value;
        mask.graded = mask.graded || value != seen;
      }
    }
  }
  return mask;
}

LabelledImage labelled(std::string name, Image response, const Image& truth, const Image& fieldOfView,
                       const Image& observer) {
  requireSize(truth, response, "the truth");
  if (!fieldOfView.empty()) requireSize(fieldOfView, response, "the field of view");
  if (!observer.empty()) requireSize(observer, response, "the second observer's truth");
  LabelledImage image{std::move(name), std::move(response), {}, !observer.empty()};
  image.labels = Image(1, truth.height(), truth.width(), ElementType::U8);
  auto labels = image.labels.view<std::uint8_t>(0);
  const auto responses = std::as_const(image.response).view<float>(0);
  const auto marked = [](const Image& mask, int x, int y) {
    return !mask.empty() && mask.view<std::uint8_t>(0).at(x, y) != 0;
  };
  std::int64_t inside = 0;
  std::int64_t vessel = 0;
  std::int64_t lost = 0;
  for (int y = 0; y < labels.height; ++y) {
    for (int x = 0; x < labels.width; ++x) {
      unsigned label = 0;
      if (fieldOfView.empty() || marked(fieldOfView, x, y)) {
        label = labelInside;
        if (marked(truth, x, y)) {
          label |= labelVessel;
          ++vessel;
        }
        if (marked(observer, x, y)) label |= labelObserver;
        ++inside;
        lost += std::isfinite(responses.at(x, y)) ? 0 : 1;
      }
      labels.at(x, y) = static_cast<std::uint8_t>(label);
    }
  }
  if (inside == 0) throw Error(ErrorCode::BadInput, "the field of view holds no pixel");
  if (lost > 0)
    throw Error(ErrorCode::BadInput, std::to_string(lost) + " of " + std::to_string(inside) +
                                         " responses inside the field of view are not finite");
  if (vessel == 0) throw Error(ErrorCode::BadInput, "the truth marks no vessel inside the field of view");
  if (vessel == inside) throw Error(ErrorCode::BadInput, "the truth marks the whole field of view as vessel");
  return image;
}

ScoredPixels sortedPixels(const LabelledImage& image, const StopCheck& check) {
  const auto labels = image.labels.view<std::uint8_t>(0);
  const auto responses = image.response.view<float>(0);
  ScoredPixels pixels;
  for (int y = 0; y < labels.height; ++y) {
    ask(check);
    for (int x = 0; x < labels.width; ++x) {
      if ((labels.at(x, y) & labelInside) == 0) continue;
      auto& side = (labels.at(x, y) & labelVessel) != 0 ? pixels.vessel : pixels.ground;
      side.push_back(responses.at(x, y));
    }
  }
  sort(pixels.vessel, check);
  sort(pixels.ground, check);
  return pixels;
}

ScoredPixels sortedPixels(const std::vector<ScoredPixels>& images, const StopCheck& check) {
  return {merged(images, &ScoredPixels::vessel, check), merged(images, &ScoredPixels::ground, check)};
}

}  // namespace bankside
