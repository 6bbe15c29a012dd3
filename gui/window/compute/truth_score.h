/// A response held against manual vessels: the curve over all thresholds, and what one threshold finds.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>

#include "core/evaluate/roc_curve.h"
#include "gui/window/compute/plane_renderer.h"

namespace bankside::window {

/// What is known of every pixel, and the curve; the same for all thresholds.
struct TruthCurve {
  LabelledImage image;
  RocCurve roc;
  bool graded = false;  ///< the marks have several values beside 0, all of which count
};

/// `inside` null: the whole image. Errors  Error{BadInput} for files of another size, for planes that are no
/// responses, and where vessel or ground has no pixel inside; what reading throws · Cancelled
std::shared_ptr<const TruthCurve> compareWithTruth(const Plane& response, const std::filesystem::path& truth,
                                                   const Image* inside, const std::stop_token& stop = {});

/// Of a pixel under a threshold.
enum class PixelOutcome : std::uint8_t { Nothing, Found, Missed, False };

struct TruthScore {
  float threshold = 0;
  Confusion confusion;
  std::shared_ptr<const Image> findings;  ///< u8 [1,H,W] of PixelOutcome
};

/// Without a threshold the one with the best MCC.
TruthScore scoreAt(const TruthCurve& curve, std::optional<float> threshold);

/// Colours found, missed and false pixels over what is on the screen.
void renderFindings(const Image& findings, const Viewport& viewport, const Screen& screen);

std::uint32_t colorOf(PixelOutcome finding);

}  // namespace bankside::window
