#include "core/evaluate/segmentation.h"

#include <array>
#include <utility>

#include "core/evaluate/skeleton.h"

namespace bankside {
namespace {

using Colour = std::array<std::uint8_t, 3>;

// Apart for every kind of colour sight: M. Okabe, K. Ito, "Color Universal Design", 2008.
constexpr Colour foundColour = {255, 255, 255};
constexpr Colour missedColour = {230, 159, 0};
constexpr Colour falseColour = {86, 180, 233};
constexpr Colour groundColour = {0, 0, 0};
constexpr Colour outsideColour = {48, 48, 48};

/// 1 where `holds(x, y)`.
template <class Holds>
Image shapeOf(const LabelledImage& image, const Holds& holds) {
  Image shape(1, image.labels.height(), image.labels.width(), ElementType::U8);
  auto view = shape.view<std::uint8_t>(0);
  for (int y = 0; y < view.height; ++y)
    for (int x = 0; x < view.width; ++x) view.at(x, y) = holds(x, y) ? 1 : 0;
  return shape;
}

Image shapeOf(const LabelledImage& image, PixelLabel label) {
  const auto labels = image.labels.view<std::uint8_t>(0);
  return shapeOf(image, [&](int x, int y) { return (labels.at(x, y) & label) != 0; });
}

std::int64_t overlap(const Image& a, const Image& b) {
  const auto first = a.view<std::uint8_t>(0);
  const auto second = b.view<std::uint8_t>(0);
  std::int64_t count = 0;
  for (int y = 0; y < first.height; ++y)
    for (int x = 0; x < first.width; ++x) count += first.at(x, y) & second.at(x, y);
  return count;
}

}  // namespace

CentreLines& CentreLines::operator+=(const CentreLines& other) {
  ours += other.ours;
  oursInside += other.oursInside;
  theirs += other.theirs;
  theirsFound += other.theirsFound;
  return *this;
}

double CentreLines::clDice() const {
  const double precision = quotient(static_cast<double>(oursInside), static_cast<double>(ours));
  const double sensitivity = quotient(static_cast<double>(theirsFound), static_cast<double>(theirs));
  return precision + sensitivity == 0 ? 0 : 2 * precision * sensitivity / (precision + sensitivity);
}

Image segmentationAt(const LabelledImage& image, float threshold) {
  const auto labels = image.labels.view<std::uint8_t>(0);
  const auto responses = image.response.view<float>(0);
  return shapeOf(image, [&](int x, int y) {
    return (labels.at(x, y) & labelInside) != 0 && responses.at(x, y) >= threshold;
  });
}

Image truthOf(const LabelledImage& image) { return shapeOf(image, labelVessel); }
Image observerOf(const LabelledImage& image) { return shapeOf(image, labelObserver); }

Confusion confusionOf(const Image& segmentation, const LabelledImage& image) {
  const auto ours = segmentation.view<std::uint8_t>(0);
  const auto labels = image.labels.view<std::uint8_t>(0);
  std::array<std::array<std::int64_t, 2>, 2> counts{};  // by truth, by segmentation
  for (int y = 0; y < ours.height; ++y) {
    for (int x = 0; x < ours.width; ++x) {
      if ((labels.at(x, y) & labelInside) == 0) continue;
      ++counts[(labels.at(x, y) & labelVessel) != 0 ? 1 : 0][ours.at(x, y)];
    }
  }
  return {counts[1][1], counts[0][1], counts[1][0], counts[0][0]};
}

CentreLines centreLinesOf(const Image& segmentation, const Image& truth, const Image& truthSkeleton,
                          const StopCheck& check) {
  const Image skeleton = skeletonOf(segmentation, check);
  return {overlap(skeleton, skeleton), overlap(skeleton, truth), overlap(truthSkeleton, truthSkeleton),
          overlap(truthSkeleton, segmentation)};
}

Image overlayOf(const Image& segmentation, const LabelledImage& image) {
  const auto ours = segmentation.view<std::uint8_t>(0);
  const auto labels = image.labels.view<std::uint8_t>(0);
  Image picture(3, ours.height, ours.width, ElementType::U8);
  picture.setChannelNames({"red", "green", "blue"});
  for (std::size_t c = 0; c < 3; ++c) {
    auto plane = picture.view<std::uint8_t>(static_cast<int>(c));
    for (int y = 0; y < ours.height; ++y) {
      for (int x = 0; x < ours.width; ++x) {
        const bool vessel = (labels.at(x, y) & labelVessel) != 0;
        const bool called = ours.at(x, y) != 0;
        const Colour& colour = (labels.at(x, y) & labelInside) == 0 ? outsideColour
                               : vessel                             ? called ? foundColour : missedColour
                               : called                             ? falseColour
                                                                    : groundColour;
        plane.at(x, y) = colour[c];
      }
    }
  }
  return picture;
}

}  // namespace bankside
