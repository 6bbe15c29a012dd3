/// How well responses find the vessels of a set of images.
#pragma once

#include <limits>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/evaluate/bootstrap.h"
#include "core/evaluate/confusion.h"
#include "core/evaluate/roc_curve.h"
#include "core/evaluate/segmentation.h"

namespace bankside {

/// A segmentation of every image, and what it is worth.
struct OperatingPoint {
  /// Of one image, or of all of them together.
  struct Score {
    std::optional<float> threshold;  ///< none: of a person, or not the same for all images
    Confusion confusion;
    CentreLines centreLines;
  };
  std::string name;
  Score pooled;
  std::vector<Score> images;  ///< one each
  Bootstrap::Interval mcc;    ///< of the pooled one
};

/// The names of points.
inline constexpr const char* pointBestMcc = "best-mcc";    ///< the one threshold with the best pooled MCC
inline constexpr const char* pointOtsu = "otsu";           ///< each image's own, truth unseen
inline constexpr const char* pointFixed = "threshold";     ///< one that was asked for
inline constexpr const char* pointCarried = "carried";     ///< best-mcc of another set
inline constexpr const char* pointObserver = "observer2";  ///< a person

struct Evaluation {
  struct ImageScore {
    std::string name;
    std::int64_t pixels = 0;  ///< inside the field of view
    std::int64_t vessel = 0;  ///< of them
    double area = 0;
    double averagePrecision = 0;
  };
  struct Figure {
    double value = std::numeric_limits<double>::quiet_NaN();
    Bootstrap::Interval interval;
  };
  std::vector<ImageScore> images;
  RocCurve pooled;
  Figure pooledArea;  ///< over all pixels of all images; of very many or large ones without an interval
  Figure meanArea;    ///< mean of the images' own
  Figure meanAveragePrecision;
  std::vector<OperatingPoint> points;
};

struct EvaluateOptions {
  std::optional<float> threshold;  ///< for pointFixed
  std::optional<float> carried;    ///< for pointCarried
  int threads = 0;                 ///< 0: all
};

/// Bytes that evaluating takes for a pixel of an image, its planes included.
inline constexpr std::int64_t evaluateBytes = 16;

/// Errors  Error{BadInput} for no image · Error{Limit} as `rocCurve` · Cancelled
Evaluation evaluate(const std::vector<LabelledImage>& images, const EvaluateOptions& options,
                    const std::stop_token& stop = {});

}  // namespace bankside
