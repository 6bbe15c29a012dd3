#include "core/run/result_files.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>

#include "core/error.h"
#include "core/imageio/atomic_file.h"
#include "core/imageio/image_io.h"

namespace bankside {
namespace {

namespace fs = std::filesystem;

bool sameBytes(const fs::path& a, const fs::path& b) {
  std::error_code failure;
  if (fs::file_size(a, failure) != fs::file_size(b, failure) || failure) return false;
  std::ifstream left(a, std::ios::binary);
  std::ifstream right(b, std::ios::binary);
  return left && right &&
         std::equal(std::istreambuf_iterator<char>(left), std::istreambuf_iterator<char>(),
                    std::istreambuf_iterator<char>(right));
}

fs::path candidateFor(const fs::path& file) {
  return file.parent_path() / ("." + file.stem().string() + "." + std::to_string(getpid()) + ".candidate" +
                               file.extension().string());
}

/// Removes the candidate; throws unless it says what the existing file says.
void requireSame(const fs::path& candidate, const fs::path& file) {
  const bool same = sameBytes(candidate, file);
  fs::remove(candidate);
  if (!same) throw WouldReplace(file.string());
}

}  // namespace

void publish(const fs::path& file, bool force, const std::function<void(const fs::path&)>& write) {
  if (force || !fs::exists(file)) return write(file);
  const fs::path candidate = candidateFor(file);
  write(candidate);
  requireSame(candidate, file);
}

void publishText(const fs::path& file, bool force, const std::string& text) {
  publish(file, force, [&](const fs::path& path) { writeFileAtomically(path, text); });
}

ResultFiles::ResultFiles(ResultSettings settings, std::string stem, std::vector<PlaneName> names,
                         std::vector<std::string> channelNames, ElementType inputType, int height,
                         ImageRun& report)
    : settings_(std::move(settings)),
      stem_(std::move(stem)),
      names_(std::move(names)),
      channelNames_(std::move(channelNames)),
      inputType_(inputType),
      height_(height),
      report_(report),
      gathered_(height) {}

ResultFiles::~ResultFiles() {
  if (kept_) return;
  for (const fs::path& file : made_) {
    std::error_code ignored;
    fs::remove(file, ignored);
  }
}

fs::path ResultFiles::fileFor(std::size_t plane) const {
  const PlaneName& name = names_[plane];
  const bool several = names_.back().channel > 0;
  std::string file = stem_;
  if (several) file += "." + channelNames_[static_cast<std::size_t>(name.channel)];
  file += "." + name.label + "." + extension(settings_.format);
  return settings_.folder / file;
}

void ResultFiles::made(const fs::path& file, bool fresh) {
  if (fresh) made_.push_back(file);
  report_.outputs.push_back(file.filename().string());
}

void ResultFiles::write(int firstRow, const std::vector<Image>& band) {
  if (band.front().height() == height_) {
    writeWhole(band);
  } else if (settings_.map == OutputMap::Stretch) {
    gathered_.add(firstRow, band);
  } else {
    writeBand(firstRow, band);
  }
}

void ResultFiles::finish() {
  if (!gathered_.images().empty()) writeWhole(gathered_.images());
  if (sink_ != nullptr) {
    sink_->commit();
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const fs::path file = fileFor(i);
      const bool fresh = sinkFiles_[i] == file;
      if (!fresh) requireSame(sinkFiles_[i], file);
      made(file, fresh);
    }
  }
  kept_ = true;
}

void ResultFiles::writeWhole(const std::vector<Image>& planes) {
  for (std::size_t i = 0; i < planes.size(); ++i) {
    const fs::path file = fileFor(i);
    const bool fresh = !fs::exists(file);
    const ValueRange range = valueRange(planes[i]);
    report_.nonFiniteValues += range.nonFinite;
    // An index says which filter: it is never mapped.
    const bool asIs = settings_.map == OutputMap::None || planes[i].type() != ElementType::F32;
    const MappedPlane mapped = asIs ? MappedPlane{} : mapPlane(planes[i], settings_.map, inputType_, range);
    report_.clippedValues += mapped.clipped;
    publish(file, settings_.force, [&](const fs::path& path) {
      writeImage(path, asIs ? planes[i] : mapped.image, settings_.format);
    });
    made(file, fresh);
  }
}

void ResultFiles::writeBand(int firstRow, const std::vector<Image>& band) {
  const bool clips = settings_.map == OutputMap::Clip;
  if (sink_ == nullptr) {
    std::vector<PlaneFile> files;
    for (std::size_t i = 0; i < band.size(); ++i) {
      const fs::path file = fileFor(i);
      sinkFiles_.push_back(!settings_.force && fs::exists(file) ? candidateFor(file) : file);
      const bool mapped = clips && band[i].type() == ElementType::F32;
      files.push_back({sinkFiles_.back(), mapped ? inputType_ : band[i].type()});
    }
    sink_ = createSink(files, height_, band.front().width(), settings_.format);
  }
  for (std::size_t i = 0; i < band.size(); ++i) {
    const auto plane = static_cast<int>(i);
    report_.nonFiniteValues += valueRange(band[i]).nonFinite;
    if (!clips || band[i].type() != ElementType::F32) {
      sink_->writeRows(plane, firstRow, band[i].plane(0));
      continue;
    }
    const MappedPlane mapped = mapPlane(band[i], OutputMap::Clip, inputType_, {});
    report_.clippedValues += mapped.clipped;
    sink_->writeRows(plane, firstRow, std::as_const(mapped.image).plane(0));
  }
}

}  // namespace bankside
