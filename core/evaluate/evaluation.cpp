#include "core/evaluate/evaluation.h"

#include <functional>
#include <utility>

#include "core/engine.h"
#include "core/error.h"
#include "core/evaluate/skeleton.h"
#include "core/parallel.h"

namespace bankside {
namespace {

using Draws = std::vector<int>;

/// Steps and images for which a table of pairs is made: about a minute of one thread, and 128 MiB.
constexpr std::int64_t mostSteps = std::int64_t{1} << 36;
constexpr std::size_t mostImages = 4096;

/// How often each pair of images' pixels is in order: row i has the vessels of image i over the grounds of
/// all. What a resample gives follows from it, without another look at the pixels.
class PairTable {
 public:
  explicit PairTable(const std::vector<ScoredPixels>& images) : images_(images) {
    for (std::size_t i = 0; i < images.size(); ++i) rows_.emplace_back(images.size());
  }

  void fill(std::size_t row, const StopCheck& check) {
    for (std::size_t j = 0; j < images_.size(); ++j)
      rows_[row][j] = static_cast<double>(pairCount(images_[row].vessel, images_[j].ground, check)) / 2;
  }

  double area(const Draws& draws) const {
    double ordered = 0;
    double vessel = 0;
    double ground = 0;
    for (std::size_t i = 0; i < images_.size(); ++i) {
      vessel += draws[i] * static_cast<double>(images_[i].vessel.size());
      ground += draws[i] * static_cast<double>(images_[i].ground.size());
      for (std::size_t j = 0; draws[i] != 0 && j < images_.size(); ++j)
        ordered += static_cast<double>(draws[i]) * draws[j] * rows_[i][j];
    }
    return quotient(ordered, vessel * ground);
  }

 private:
  const std::vector<ScoredPixels>& images_;
  std::vector<std::vector<double>> rows_;
};

double meanOf(const std::vector<Evaluation::ImageScore>& images, double Evaluation::ImageScore::*figure,
              const Draws& draws) {
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < images.size(); ++i) {
    sum += draws[i] * (images[i].*figure);
    count += draws[i];
  }
  return sum / count;
}

/// A segmentation of each image and the scores that it gets, one image after another.
class Scoring {
 public:
  explicit Scoring(const std::vector<LabelledImage>& images) : images_(images) {}

  OperatingPoint& add(const std::string& name, std::optional<float> threshold) {
    OperatingPoint& point = points_.emplace_back();
    point.name = name;
    point.pooled.threshold = threshold;
    point.images.resize(images_.size(), {threshold, {}, {}});
    return point;
  }

  /// Every point of an image; different images at the same time.
  void score(std::size_t image, const StopCheck& check) {
    const LabelledImage& labelled = images_[image];
    const Image truth = truthOf(labelled);
    const Image skeleton = skeletonOf(truth, check);
    for (OperatingPoint& point : points_) {
      ask(check);
      OperatingPoint::Score& score = point.images[image];
      const Image mine = score.threshold ? segmentationAt(labelled, *score.threshold) : observerOf(labelled);
      score.confusion = confusionOf(mine, labelled);
      score.centreLines = centreLinesOf(mine, truth, skeleton, check);
    }
  }

  std::vector<OperatingPoint> finish() {
    for (OperatingPoint& point : points_) {
      for (const OperatingPoint::Score& score : point.images) {
        point.pooled.confusion += score.confusion;
        point.pooled.centreLines += score.centreLines;
      }
      point.mcc = Bootstrap(point.images.size()).interval([&](const Draws& draws) {
        Confusion drawn;
        for (std::size_t i = 0; i < draws.size(); ++i)
          for (int times = 0; times < draws[i]; ++times) drawn += point.images[i].confusion;
        return drawn.mcc();
      });
    }
    return std::move(points_);
  }

 private:
  const std::vector<LabelledImage>& images_;
  std::vector<OperatingPoint> points_;
};

}  // namespace

Evaluation evaluate(const std::vector<LabelledImage>& images, const EvaluateOptions& options,
                    const std::stop_token& stop) {
  if (images.empty()) throw Error(ErrorCode::BadInput, "there is no image to evaluate");
  const ThreadTeam team(options.threads);
  const StopCheck check = checkOf(stop);
  const auto forImages = [&](const std::function<void(std::size_t)>& body) {
    team.forRanges(0, static_cast<int>(images.size()), 1, [&](int first, int last) {
      for (int i = first; i < last; ++i) {
        check();
        body(static_cast<std::size_t>(i));
      }
    });
  };

  Evaluation result;
  result.images.resize(images.size());
  std::vector<ScoredPixels> pixels(images.size());
  std::vector<float> otsu(images.size());
  forImages([&](std::size_t i) {
    pixels[i] = sortedPixels(images[i], check);
    const RocCurve curve = rocCurve(pixels[i], check);
    result.images[i] = {images[i].name, curve.best.pixels(), curve.best.positives(), curve.area,
                        curve.averagePrecision};
    otsu[i] = otsuThreshold(pixels[i], check);
  });
  result.pooled = rocCurve(sortedPixels(pixels, check), check);

  const Bootstrap bootstrap(images.size());
  result.pooledArea.value = result.pooled.area;
  result.pooledArea.interval = {quotient(0, 0), quotient(0, 0)};
  const auto count = static_cast<std::int64_t>(images.size());
  if (images.size() <= mostImages && result.pooled.best.pixels() <= mostSteps / count) {
    PairTable pairs(pixels);
    forImages([&](std::size_t i) { pairs.fill(i, check); });
    result.pooledArea.interval = bootstrap.interval([&](const Draws& draws) {
      check();
      return pairs.area(draws);
    });
  }
  const auto mean = [&](double Evaluation::ImageScore::*figure) {
    const auto of = [&, figure](const Draws& draws) { return meanOf(result.images, figure, draws); };
    return Evaluation::Figure{of(Draws(images.size(), 1)), bootstrap.interval(of)};
  };
  result.meanArea = mean(&Evaluation::ImageScore::area);
  result.meanAveragePrecision = mean(&Evaluation::ImageScore::averagePrecision);

  Scoring scoring(images);
  scoring.add(pointBestMcc, result.pooled.bestThreshold);
  OperatingPoint& own = scoring.add(pointOtsu, std::nullopt);
  for (std::size_t i = 0; i < images.size(); ++i) own.images[i].threshold = otsu[i];
  if (options.threshold) scoring.add(pointFixed, options.threshold);
  if (options.carried) scoring.add(pointCarried, options.carried);
  if (images.front().observed) scoring.add(pointObserver, std::nullopt);
  forImages([&](std::size_t i) { scoring.score(i, check); });
  result.points = scoring.finish();
  return result;
}

}  // namespace bankside
