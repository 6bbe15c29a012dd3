/// Result files: names, mapping and honest replacement.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/run_report.h"
#include "gui/headless/command_line.h"

namespace bankside::headless {

/// Puts a file in its place through `write(path)`. An existing file stays untouched if it has the same bytes;
/// if it differs it is replaced only with `force`. Throws Error{BadInput} otherwise.
void publish(const std::filesystem::path& file, bool force,
             const std::function<void(const std::filesystem::path&)>& write);

/// Text by way of `publish`.
void publishText(const std::filesystem::path& file, bool force, const std::string& text);

/// The result files of one page of one input. Those it made are removed again unless `keep()` is called.
class ResultFiles {
 public:
  ResultFiles(const FilterCommand& command, std::string stem, std::vector<PlaneName> names,
              std::vector<std::string> channelNames, ElementType inputType, ImageRun& report);
  ~ResultFiles();
  ResultFiles(const ResultFiles&) = delete;
  ResultFiles& operator=(const ResultFiles&) = delete;

  /// Writes whole planes. Throws Error.
  void write(const std::vector<Image>& planes);
  void keep() { kept_ = true; }

 private:
  std::filesystem::path fileFor(std::size_t plane) const;
  void writePlane(std::size_t plane, const Image& image);

  const FilterCommand& command_;
  std::string stem_;
  std::vector<PlaneName> names_;
  std::vector<std::string> channelNames_;
  ElementType inputType_;
  ImageRun& report_;
  std::vector<std::filesystem::path> made_;
  bool kept_ = false;
};

}  // namespace bankside::headless
