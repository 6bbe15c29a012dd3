#include "gui/window/compute/truth_score.h"

#include <cmath>

#include "core/error.h"
#include "core/evaluate/segmentation.h"
#include "core/imageio/image_io.h"
#include "core/parallel.h"
#include "core/stop_check.h"

namespace bankside::window {
std::shared_ptr<const TruthCurve> compareWithTruth(const Plane& response, const std::filesystem::path& truth,
                                                   const Image* inside, const std::stop_token& stop) {
  const StopCheck goOn = checkOf(stop);
  if (response.type() != ElementType::F32)
    throw Error(ErrorCode::BadInput, "numbers of filters are no response; choose another plane");
  if (!response.whole())
    throw Error(ErrorCode::Limit, "the score needs a picture that fits into memory, which this one does not");
  const Mask mask = maskOf(readImage(truth).image);
  const Image& marks = mask.pixels;
  goOn();
  Image copy(1, response.height(), response.width(), ElementType::F32);
  const auto from = response.image->view<float>(response.channel);
  const auto to = copy.view<float>(0);
  for (int y = 0; y < to.height; ++y) std::copy_n(from.row(y), to.width, to.row(y));
  auto curve = std::make_shared<TruthCurve>();
  curve->graded = mask.graded;
  curve->image = labelled(truth.filename().string(), std::move(copy), marks,
                          inside != nullptr ? inside->clone() : Image(), Image());
  goOn();
  curve->roc = rocCurve(sortedPixels(curve->image, goOn), goOn);
  return curve;
}

TruthScore scoreAt(const TruthCurve& curve, std::optional<float> threshold) {
  TruthScore score;
  score.threshold = threshold.value_or(curve.roc.bestThreshold);
  const Image segmentation = segmentationAt(curve.image, score.threshold);
  score.confusion = confusionOf(segmentation, curve.image);
  auto findings = std::make_shared<Image>(1, segmentation.height(), segmentation.width(), ElementType::U8);
  const auto ours = segmentation.view<std::uint8_t>(0);
  const auto labels = curve.image.labels.view<std::uint8_t>(0);
  const auto out = findings->view<std::uint8_t>(0);
  for (int y = 0; y < out.height; ++y) {
    for (int x = 0; x < out.width; ++x) {
      const bool vessel = (labels.at(x, y) & labelVessel) != 0;
      const bool called = ours.at(x, y) != 0;
      const PixelOutcome finding = vessel ? (called ? PixelOutcome::Found : PixelOutcome::Missed)
                                          : (called ? PixelOutcome::False : PixelOutcome::Nothing);
      out.at(x, y) = static_cast<std::uint8_t>(finding);
    }
  }
  score.findings = std::move(findings);
  return score;
}

std::uint32_t colorOf(PixelOutcome finding) {
  switch (finding) {
    case PixelOutcome::Found: return 0xffffffff;
    case PixelOutcome::Missed: return 0xffe69f00;
    case PixelOutcome::False: return 0xff56b4e9;
    case PixelOutcome::Nothing: break;
  }
  return 0;
}

void renderFindings(const Image& findings, const Viewport& viewport, const Screen& screen) {
  const auto view = findings.view<std::uint8_t>(0);
  ThreadTeam(0).forRanges(0, screen.height, grainRows, [&](int first, int last) {
    for (int y = first; y < last; ++y) {
      const double atY = std::floor(viewport.originY + (y + 0.5) / viewport.zoom);
      if (atY < 0 || atY >= view.height) continue;
      const std::uint8_t* row = view.row(static_cast<int>(atY));
      std::uint32_t* out = screen.pixels + y * screen.stride;
      for (int x = 0; x < screen.width; ++x) {
        const double atX = std::floor(viewport.originX + (x + 0.5) / viewport.zoom);
        if (atX < 0 || atX >= view.width) continue;
        const std::uint32_t color = colorOf(static_cast<PixelOutcome>(row[static_cast<int>(atX)]));
        if (color != 0) out[x] = color;
      }
    }
  });
}

}  // namespace bankside::window
