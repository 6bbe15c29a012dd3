/// Result files: names, mapping and honest replacement.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/imageio/image_stream.h"
#include "core/run/gathered_planes.h"
#include "core/run/output_map.h"
#include "core/run/run_report.h"

namespace bankside {

/// Puts a file in its place through `write(path)`. An existing file stays untouched if it has the same bytes;
/// if it differs it is replaced only with `force`. Throws WouldReplace otherwise.
void publish(const std::filesystem::path& file, bool force,
             const std::function<void(const std::filesystem::path&)>& write);

/// Text by way of `publish`.
void publishText(const std::filesystem::path& file, bool force, const std::string& text);

/// Where results go and what becomes of their values.
struct ResultSettings {
  std::filesystem::path folder;
  FileFormat format = FileFormat::Tiff;
  OutputMap map = OutputMap::None;
  bool force = false;
};

/// The result files of one page of one input. Those it made are removed again unless `finish()` is reached.
///
/// Planes that come in one piece are written at once. Planes that come in bands go to their files band by
/// band, so that memory stays bounded; only Stretch, which must know the whole range first, gathers them.
class ResultFiles {
 public:
  ResultFiles(ResultSettings settings, std::string stem, std::vector<PlaneName> names,
              std::vector<std::string> channelNames, ElementType inputType, int height, ImageRun& report);
  ~ResultFiles();
  ResultFiles(const ResultFiles&) = delete;
  ResultFiles& operator=(const ResultFiles&) = delete;

  /// Rows [firstRow, firstRow + band height) of every plane, top to bottom. Throws Error.
  void write(int firstRow, const std::vector<Image>& band);
  /// After the last band: everything is in its place, to stay.
  void finish();

 private:
  std::filesystem::path fileFor(std::size_t plane) const;
  void writeWhole(const std::vector<Image>& planes);
  void writeBand(int firstRow, const std::vector<Image>& band);
  void made(const std::filesystem::path& file, bool fresh);

  ResultSettings settings_;
  std::string stem_;
  std::vector<PlaneName> names_;
  std::vector<std::string> channelNames_;
  ElementType inputType_;
  int height_;
  ImageRun& report_;
  std::vector<std::filesystem::path> made_;
  GatheredPlanes gathered_;
  std::unique_ptr<FileSink> sink_;
  std::vector<std::filesystem::path> sinkFiles_;  ///< where the sink's planes go first, beside what exists
  bool kept_ = false;
};

}  // namespace bankside
