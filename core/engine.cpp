#include "core/engine.h"

#include <algorithm>
#include <cstring>

#include "core/error.h"
#include "core/refuse.h"

namespace bankside {
namespace {

void copyRows(ConstPlane src, int srcRow, MutablePlane dst, int dstRow, int rows) {
  const std::size_t bytes = static_cast<std::size_t>(src.width) * sizeOf(src.type);
  for (int y = 0; y < rows; ++y) std::memcpy(dst.row(dstRow + y), src.row(srcRow + y), bytes);
}

}  // namespace

Region wholeImage(const ConvolutionProblem& problem) { return {0, 0, problem.width, problem.height}; }

void ImageSource::readRows(int channel, int firstRow, MutablePlane dst) {
  copyRows(image_.plane(channel), firstRow, dst, 0, dst.height);
}

void ShapeSource::readRows(int, int, MutablePlane) {
  throw Error(ErrorCode::BadInput, "of this image only the shape is known");
}

ImageSink::ImageSink(const ConvolutionProblem& problem, const Region& region) {
  for (const ElementType type : outputPlanes(problem)) {
    images_.emplace_back(1, region.height, region.width, type);
  }
}

void ImageSink::writeRows(int plane, int firstRow, ConstPlane src) {
  copyRows(src, 0, images_[static_cast<std::size_t>(plane)].plane(0), firstRow, src.height);
}

double gammaBound(double roundings) {
  constexpr double u = 0x1p-24;
  return roundings * u / (1 - roundings * u);
}

std::string toString(const PlanInfo& info) {
  std::string text = info.path;
  if (!info.shape.empty()) text += (text.empty() ? "" : ", ") + info.shape;
  if (!info.why.empty()) text += (text.empty() ? "" : "; ") + info.why;
  return text;
}

std::string toString(const std::vector<PlanInfo>& plans) {
  std::string text;
  for (auto plan = plans.begin(); plan != plans.end(); ++plan) {
    if (std::find(plans.begin(), plan, *plan) == plan) text += (text.empty() ? "" : ", ") + toString(*plan);
  }
  return text;
}

void Plan::runAll(RunQueue& queue, std::stop_token stop) {
  while (PlanImage* image = queue.next(true)) {
    image->times = run(image->source, image->sink, image->region, stop);
    queue.done(*image);
  }
}

void requireSupport(const Engine& engine, const ConvolutionProblem& problem) {
  if (const Support support = engine.supports(problem); !support) {
    throw Error(ErrorCode::Unsupported, "engine " + engine.name() + ": " + support.reason);
  }
}

void requireMatch(const ConvolutionProblem& p, const Source& source, const Sink& sink, const Region& r) {
  if (source.channels() != p.channels || source.height() != p.height || source.width() != p.width ||
      source.type() != p.srcType) {
    refuse("the source is not the image of problem " + format(p));
  }
  const int planes = sink.planes();
  bool planesMatch = planes == outputPlaneCount(p);
  for (int i = 0; planesMatch && i < planes; ++i) planesMatch = sink.type(i) == outputPlaneType(p, i);
  if (!planesMatch) refuse("the sink does not take the result planes of problem " + format(p));
  if (r.x < 0 || r.y < 0 || r.width < 1 || r.height < 1 || r.width > p.width - r.x ||
      r.height > p.height - r.y) {
    refuse("the region does not lie inside the image of problem " + format(p));
  }
}

std::vector<Image> runWhole(Plan& plan, const ConvolutionProblem& problem, const Image& image) {
  ImageSource source(image);
  ImageSink sink(problem, wholeImage(problem));
  plan.run(source, sink, wholeImage(problem), {});
  return std::move(sink.images());
}

std::vector<Image> runWhole(const Engine& engine, const ConvolutionProblem& problem, const FilterBank& bank,
                            const Image& image, const PlanOptions& options) {
  return runWhole(*engine.prepare(problem, bank, options), problem, image);
}

}  // namespace bankside
