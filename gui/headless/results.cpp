#include "gui/headless/results.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>

#include "core/atomic_file.h"
#include "core/error.h"
#include "core/image_io.h"

namespace bankside::headless {
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

}  // namespace

void publish(const fs::path& file, bool force, const std::function<void(const fs::path&)>& write) {
  if (force || !fs::exists(file)) return write(file);
  const fs::path candidate =
      file.parent_path() / ("." + file.stem().string() + "." + std::to_string(getpid()) + ".candidate" +
                            file.extension().string());
  write(candidate);
  const bool same = sameBytes(candidate, file);
  fs::remove(candidate);
  if (!same) {
    throw Error(ErrorCode::BadInput, file.string() + ": exists and differs; use --force to replace it");
  }
}

void publishText(const fs::path& file, bool force, const std::string& text) {
  publish(file, force, [&](const fs::path& path) { writeFileAtomically(path, text); });
}

ResultFiles::ResultFiles(const FilterCommand& command, std::string stem, std::vector<PlaneName> names,
                         std::vector<std::string> channelNames, ElementType inputType, ImageRun& report)
    : command_(command),
      stem_(std::move(stem)),
      names_(std::move(names)),
      channelNames_(std::move(channelNames)),
      inputType_(inputType),
      report_(report) {}

ResultFiles::~ResultFiles() {
  if (kept_) return;
  for (const fs::path& file : made_) {
    std::error_code ignored;
    fs::remove(file, ignored);
  }
}

fs::path ResultFiles::fileFor(std::size_t plane) const {
  const PlaneName& name = names_[plane];
  std::set<int> channels;
  for (const PlaneName& n : names_) channels.insert(n.channel);
  std::string file = stem_;
  if (channels.size() > 1) file += "." + channelNames_[static_cast<std::size_t>(name.channel)];
  file += "." + name.label + "." + extension(command_.recipe.format);
  return fs::path(command_.output) / file;
}

void ResultFiles::write(const std::vector<Image>& planes) {
  for (std::size_t i = 0; i < planes.size(); ++i) writePlane(i, planes[i]);
}

void ResultFiles::writePlane(std::size_t plane, const Image& image) {
  const fs::path file = fileFor(plane);
  const bool fresh = !fs::exists(file);
  const auto write = [&](const Image& pixels) {
    publish(file, command_.force,
            [&](const fs::path& path) { writeImage(path, pixels, command_.recipe.format); });
  };
  const ValueRange range = valueRange(image);
  report_.nonFiniteValues += range.nonFinite;
  // An index says which filter: it is never mapped.
  if (command_.recipe.map == OutputMap::None || image.type() != ElementType::F32) {
    write(image);
  } else {
    const MappedPlane mapped = mapPlane(image, command_.recipe.map, inputType_, range);
    report_.clippedValues += mapped.clipped;
    write(mapped.image);
  }
  if (fresh) made_.push_back(file);
  report_.outputs.push_back(file.filename().string());
}

}  // namespace bankside::headless
