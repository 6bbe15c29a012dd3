/// What the window's worker does: open, compute planes, export. Plain functions, without Qt and without
/// state.
#pragma once

#include <compare>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/imageio/image_io.h"
#include "core/run/channel.h"
#include "core/run/recipe.h"
#include "core/run/run_report.h"
#include "core/run/runner.h"
#include "gui/window/compute/plane.h"

namespace bankside::window {

/// One page of a file, decoded.
struct Picture {
  std::filesystem::path path;
  int page = 0;  ///< from 0
  ImageInfo info;
  std::shared_ptr<const Image> image;
  double decodeSeconds = 0;
  bool stacked = false;  ///< the pages of the file are its channels
};
using PicturePtr = std::shared_ptr<const Picture>;

/// Bytes of memory that this machine has.
std::int64_t machineMemory();

/// `stacked`: every page as a channel of one image (core/imageio/page_stack); `page` is then not looked at.
/// Throws Error; Error{Limit} before anything is decoded if the window could not hold the image and four
/// planes of results in three quarters of `memory`.
PicturePtr openPicture(const std::filesystem::path& path, int page, bool stacked = false,
                       std::int64_t memory = machineMemory());

/// What a pane can show. Input is the image as the bank sees it, after the choice of channels.
enum class Layer { Input, Output, OpenCv, Difference };
inline constexpr Layer allLayers[] = {Layer::Input, Layer::Output, Layer::OpenCv, Layer::Difference};
const char* toString(Layer layer);  ///< "input", "output", "opencv", "difference"
std::optional<Layer> parseLayer(std::string_view text);

/// `index` counts the input's channels, or the planes of `resultPlanes`.
struct PlaneKey {
  Layer layer = Layer::Input;
  int index = 0;
  auto operator<=>(const PlaneKey&) const = default;
};

/// Everything that decides what a result plane holds.
struct RunSettings {
  PicturePtr picture;
  std::shared_ptr<const FilterBank> bank;
  std::shared_ptr<const FilterBank> then;  ///< the second stage's, where the recipe has one
  Recipe recipe;
  int threads = 0;
  Region visible;                      ///< the part that is looked at; empty if nobody knows
  std::map<PlaneKey, PlanePtr> known;  ///< results of these very settings, not to be computed again

  std::vector<FilterBank> banks() const;  ///< of the recipe's stages
};

/// Responses (channel-major), then combined planes, whatever the recipe writes to files.
/// `channels` are the names of those that the first bank sees. Throws Error if banks and recipe do not fit.
struct ResultPlanes {
  std::vector<PlaneName> planes;
  int responses = 0;  ///< how many of them are single filters' responses
  std::vector<std::string>
      groups;  ///< what `PlaneName::channel` counts: the channels, or the first bank's maps
};
ResultPlanes resultPlanes(const Recipe& recipe, const std::vector<FilterBank>& banks,
                          const std::vector<std::string>& channels);

/// A plane that was asked for, or the sentence that stands in its place.
struct PlaneResult {
  PlaneKey key;
  PlanePtr plane;
  std::string error;
  std::string engine;
  std::string variant;  ///< for OpenCV the path that it took
  PhaseTimes times;
  int filters = 1;  ///< that ran in this time: all of a bank whose sums depend on one another
};

/// Part of a plane at full resolution, before the whole is there. Ours has the bytes of the whole; OpenCV's
/// transforms sum a part in another order, so that last digits of its part, and of the difference, may
/// change.
struct PlanePatch {
  PlaneKey key;
  Region area;     ///< in the image
  PlanePtr plane;  ///< as large as the area
  bool final = true;
};

/// By name and problem; throws Error. kernels/engines.h has the real one, tests bring their own.
using SelectEngine = std::function<const Engine&(const std::string&, const ConvolutionProblem&)>;

/// Whether an engine of that name picks one of its family's for a problem: "cpu" and "cuda".
bool isPlanner(const std::string& engine);

/// The engine's name, or the name of the path that a planner picks for the problem: what must be asked for to
/// get the same bytes wherever the planner might pick another.
std::string pathName(const Engine& engine, const ConvolutionProblem& problem, const FilterBank& bank,
                     Precision precision);

/// The same from what a run says of itself.
std::string pathName(const std::string& engine, const std::string& variant);

/// Computes the planes asked for, each as soon as it is there. The engine is the one that the whole bank
/// gets, whatever part of the bank is computed, so that a plane has the bytes that `bankside filter` writes.
/// Of large images `receivePatch`, if there is one, gets the visible part of every plane first.
/// Throws Cancelled; what else goes wrong becomes the `error` of the planes that it concerns.
void computePlanes(const RunSettings& settings, const std::vector<PlaneKey>& wanted,
                   const SelectEngine& select, const std::function<void(PlaneResult)>& receive,
                   std::stop_token stop, const std::function<void(PlanePatch)>& receivePatch = {});

struct ExportSettings {
  std::filesystem::path folder;
  bool force = false;
  const Engine* baseline = nullptr;     ///< what the recipe may want results compared with
  std::shared_ptr<const Image> region;  ///< goes beside the responses as STEM.region.png, if there is one
};

/// Writes what `bankside filter` would write, through the same code. Throws Error, Cancelled.
ImageRun exportResponses(const RunSettings& settings, const ExportSettings& options,
                         const SelectEngine& select, std::stop_token stop);

}  // namespace bankside::window
