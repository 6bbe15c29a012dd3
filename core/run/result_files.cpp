#include "core/run/result_files.h"

#include <utility>

#include "core/error.h"
#include "core/imageio/image_io.h"
#include "core/stopping.h"

namespace bankside {

ResultFiles::ResultFiles(ResultSettings settings, std::string stem, std::vector<PlaneName> names,
                         std::vector<std::string> channelNames, ElementType inputType, int height,
                         ImageRun& report)
    : settings_(std::move(settings)),
      stem_(std::move(stem)),
      names_(std::move(names)),
      channelNames_(std::move(channelNames)),
      inputType_(inputType),
      height_(height),
      report_(report) {}

std::filesystem::path ResultFiles::fileFor(std::size_t plane) const {
  const PlaneName& name = names_[plane];
  const bool several = names_.back().channel > 0;
  std::string file = stem_;
  if (several) file += "." + channelNames_[static_cast<std::size_t>(name.channel)];
  file += "." + name.label + "." + toString(settings_.format);
  return settings_.folder / file;
}

std::vector<std::filesystem::path> ResultFiles::paths() const {
  std::vector<std::filesystem::path> paths;
  for (std::size_t i = 0; i < names_.size(); ++i) paths.push_back(fileFor(i));
  return paths;
}

/// An index says which filter: it is never mapped.
bool ResultFiles::mapped(const Image& plane) const {
  return settings_.map != OutputMap::None && plane.type() == ElementType::F32;
}

void ResultFiles::write(int firstRow, const std::vector<Image>& band) {
  if (settings_.map == OutputMap::Stretch && band.front().height() < height_) {
    if (spilled_ == nullptr) spilled_ = std::make_unique<SpilledPlanes>(fileFor(0));
    spilled_->add(firstRow, band);
  } else {
    give(firstRow, band, {});
  }
}

void ResultFiles::finish() {
  if (spilled_ != nullptr) {
    for (const ValueRange& range : spilled_->ranges()) report_.nonFiniteValues += range.nonFinite;
    spilled_->again(
        [&](int firstRow, const std::vector<Image>& band) { give(firstRow, band, spilled_->ranges()); },
        check_);
    spilled_.reset();
  }
  if (sink_ == nullptr)
    throw Error(ErrorCode::Io, (settings_.folder / stem_).string() + ": there are no results to write");
  for (std::size_t i = 0; i < names_.size(); ++i) report_.outputs.push_back(fileFor(i).filename().string());
  sink_->commit(settings_.existing, check_);
}

void ResultFiles::give(int firstRow, const std::vector<Image>& band, const std::vector<ValueRange>& ranges) {
  if (sink_ == nullptr) {
    std::vector<PlaneFile> files;
    for (std::size_t i = 0; i < band.size(); ++i)
      files.push_back({fileFor(i), mapped(band[i]) ? mappedType(settings_.map, inputType_) : band[i].type()});
    sink_ = createSink(files, height_, band.front().width(), settings_.format, settings_.compression);
  }
  for (std::size_t i = 0; i < band.size(); ++i) {
    const auto plane = static_cast<int>(i);
    throwIfProgramStops();
    ask(check_);
    const ValueRange range = ranges.empty() ? valueRange(band[i]) : ranges[i];
    if (ranges.empty()) report_.nonFiniteValues += range.nonFinite;
    if (!mapped(band[i])) {
      sink_->writeRows(plane, firstRow, band[i].plane(0));
      continue;
    }
    const MappedPlane values = mapPlane(band[i], settings_.map, inputType_, range, settings_.threshold);
    report_.clippedValues += values.clipped;
    sink_->writeRows(plane, firstRow, std::as_const(values.image).plane(0));
  }
}

}  // namespace bankside
