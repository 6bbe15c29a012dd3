/// What the window's worker does: open, compute planes, export. Plain functions, without Qt and without
/// state.
#pragma once

#include <array>
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
#include "gui/window/compute/difference.h"

namespace bankside::window {

/// One page of a file, decoded.
struct Picture {
  std::filesystem::path path;
  int page = 0;  ///< from 0
  ImageInfo info;
  std::shared_ptr<const Image> image;  ///< null where it does not fit into memory
  int finest = 0;                      ///< how often planes of it are halved before they are held (`Plane`)
  std::int64_t memory = 0;             ///< that it was opened for
  double decodeSeconds = 0;
  bool stacked = false;  ///< the pages of the file are its channels

  /// Its pixels; from the file where they are not in memory. Throws Error
  std::unique_ptr<Source> source() const;
  /// Its size, type and channels; pixels cannot be had from it.
  std::unique_ptr<Source> shape() const;
};
using PicturePtr = std::shared_ptr<const Picture>;

/// Red, green and blue of a picture, for the eye alone: what is filtered is the recipe's choice of channels.
using Photograph = std::shared_ptr<const std::array<PlanePtr, 3>>;
/// Whether a picture has red, green and blue, and is in memory.
bool isColored(const Picture& picture);
/// Null where it has not.
Photograph makePhotograph(const Picture& picture);

/// Bytes of memory that this machine has.
std::int64_t machineMemory();

/// `stacked`: every page as a channel of one image (core/imageio/page_stack); `page` is then remembered
/// alone. Where the image and four planes of results do not fit into three quarters of `memory`, the image
/// stays in its file, and planes of it are held as coarser copies. Throws Error; Error{Limit} if it would
/// have to and cannot be read in rows.
PicturePtr openPicture(const std::filesystem::path& path, int page, bool stacked = false,
                       std::int64_t memory = machineMemory());

/// What a pane can show. Input is the image as the bank sees it, after the choice of channels. What is kept
/// is not computed, but held by its number.
enum class Layer { Input, Output, OpenCv, Difference, Kept };
/// Those that are computed.
inline constexpr Layer allLayers[] = {Layer::Input, Layer::Output, Layer::OpenCv, Layer::Difference};
const char* toString(Layer layer);  ///< "input", "output", "opencv", "difference", "kept"
std::optional<Layer> parseLayer(std::string_view text);

/// `index` counts the input's channels, or the planes of `resultPlanes`.
struct PlaneKey {
  Layer layer = Layer::Input;
  int index = 0;
  int branch = 0;  ///< whose: 0 is what the panels are set to; `computePlanes` knows no other
  auto operator<=>(const PlaneKey&) const = default;
};

/// A plane that was asked for, or the sentence that stands in its place.
struct PlaneResult {
  PlaneKey key;
  PlanePtr plane;
  std::string error;
  std::string engine;
  std::string variant;  ///< for OpenCV the path that it took
  PhaseTimes times;
  int filters = 1;                       ///< that ran in this time, in one run
  bool partEqualsWhole = true;           ///< the bytes do not depend on what part of the image was asked for
  std::optional<ErrorBound> bound = {};  ///< of a bank's results, as its engine states it
  std::optional<DifferenceVerdict> verdict = {};  ///< of a difference whose sides have bounds
  double reach = 0;                            ///< of a difference: the largest of both sides; 0: not known
  std::shared_ptr<const LastMaps> parts = {};  ///< of steps, where `plane` is a coarser copy
};

/// Everything that decides what a result plane holds.
struct RunSettings {
  PicturePtr picture;
  std::shared_ptr<const FilterBank> bank;
  std::shared_ptr<const FilterBank> then;  ///< the second stage's, where the recipe has one
  /// Of a recipe of steps, in their order; `bank` is null then.
  std::shared_ptr<const std::vector<FilterBank>> stepBanks;
  Recipe recipe;
  double pixelsPerDegree = 0;  ///< of the picture; 0: nobody said
  int threads = 0;
  Region visible;                         ///< the part that is looked at; empty if nobody knows
  std::map<PlaneKey, PlaneResult> known;  ///< of these very settings, not to be computed again

  std::vector<FilterBank> banks() const;  ///< of the recipe's stages or steps
  /// Whether the banks of all that the recipe does are there.
  bool complete() const;
};

/// The channels that the first bank over the image sums over, or 1. Throws Error if banks and recipe do not
/// fit
int imageChannels(const RunSettings& settings);

/// How a recipe of steps runs over the picture.
RunOptions mapOptions(const RunSettings& settings);

/// Responses (channel-major), then combined planes, whatever the recipe writes to files; of steps the maps of
/// the last one. `channels` are the names of those that the first bank sees. Throws Error if banks and recipe
/// do not fit.
struct ResultPlanes {
  std::vector<PlaneName> planes;
  int responses = 0;  ///< how many of them are single filters' responses
  std::vector<std::string>
      groups;  ///< what `PlaneName::channel` counts: the channels, or the first bank's maps
};
ResultPlanes resultPlanes(const RunSettings& settings, const std::vector<std::string>& channels);

/// Part of a plane at full resolution, before the whole is there. Final where it has the bytes of the whole;
/// else, as of OpenCV's transforms, last digits may still change.
struct PlanePatch {
  PlaneKey key;
  Region area;     ///< in the image
  PlanePtr plane;  ///< as large as the area
  bool final = true;
};

/// By name and problem; throws Error. kernels/engines.h has the real one, tests bring their own.
using SelectEngine = std::function<const Engine&(const std::string&, const ConvolutionProblem&)>;

/// The engine's name, or the name of the path that a planner picks for the problem: what must be asked for to
/// get the same bytes wherever the planner might pick another.
std::string pathName(const Engine& engine, const ConvolutionProblem& problem, const FilterBank& bank,
                     Precision precision);

/// The same from what a plan says of itself.
std::string pathName(const std::string& engine, const PlanInfo& plan);

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

/// The visible part of planes alone, of a picture that is not in memory. Throws Cancelled; what else goes
/// wrong leaves a part away.
void computeParts(const RunSettings& settings, const std::vector<PlaneKey>& wanted,
                  const SelectEngine& select, std::stop_token stop,
                  const std::function<void(PlanePatch)>& receive);

/// Writes what `bankside filter` would write, through the same code. Throws Error, Cancelled.
ImageRun exportResponses(const RunSettings& settings, const ExportSettings& options,
                         const SelectEngine& select, std::stop_token stop);

}  // namespace bankside::window
