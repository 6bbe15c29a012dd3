/// Result files: names and mapping.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/imageio/image_stream.h"
#include "core/run/output_map.h"
#include "core/run/run_report.h"
#include "core/run/spilled_planes.h"
#include "core/stop_check.h"

namespace bankside {

/// Where results go and what becomes of their values.
struct ResultSettings {
  std::filesystem::path folder;
  FileFormat format = FileFormat::Tiff;
  OutputMap map = OutputMap::None;
  Existing existing = Existing::Keep;
  std::optional<Compression> compression = {};  ///< nothing: the format's usual one
  float threshold = 0;                          ///< of the map Binary
};

/// The result files of one page of one input, which appear together in `finish()` or not at all.
///
/// Planes go to their files as they come, in one piece or band by band, so that memory stays bounded; only
/// Stretch, which must know the whole range first, puts bands aside until then.
class ResultFiles {
 public:
  ResultFiles(ResultSettings settings, std::string stem, std::vector<PlaneName> names,
              std::vector<std::string> channelNames, ElementType inputType, int height, ImageRun& report);
  ResultFiles(const ResultFiles&) = delete;
  ResultFiles& operator=(const ResultFiles&) = delete;

  /// Where they will be.
  std::vector<std::filesystem::path> paths() const;

  /// `check` is asked before each plane of a band, also of one that is read back. Else only the end of the
  /// program is heeded.
  void heed(StopCheck check) { check_ = std::move(check); }

  /// Rows [firstRow, firstRow + band height) of every plane, top to bottom. Errors  Error · Cancelled
  void write(int firstRow, const std::vector<Image>& band);
  /// After the last band: everything is in its place, to stay. Errors  Error · WouldReplace · Cancelled
  void finish();

 private:
  std::filesystem::path fileFor(std::size_t plane) const;
  bool mapped(const Image& plane) const;
  /// `ranges`: of the whole planes, whose values are counted; empty where those of the band do.
  void give(int firstRow, const std::vector<Image>& band, const std::vector<ValueRange>& ranges);

  ResultSettings settings_;
  std::string stem_;
  std::vector<PlaneName> names_;
  std::vector<std::string> channelNames_;
  ElementType inputType_;
  int height_;
  ImageRun& report_;
  StopCheck check_;
  std::unique_ptr<SpilledPlanes> spilled_;
  std::unique_ptr<FileSink> sink_;  ///< from the first band on
};

}  // namespace bankside
