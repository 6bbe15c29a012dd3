/// Who computes. An `Engine` says what it can do and prepares a `Plan`; a `Plan` runs as often as one likes.
///
/// Sources give rows, sinks take rows. A whole image in memory, a file read in bands, a visible region and a
/// device buffer are all sources and sinks, so that size, region and cancelling need no second design.
#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/filter_bank.h"
#include "core/image.h"
#include "core/image_memory.h"
#include "core/precision.h"
#include "core/problem.h"

namespace bankside {

/// A rectangle of output pixels, in the coordinates of the whole image.
struct Region {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
  bool operator==(const Region&) const = default;
};

Region wholeImage(const ConvolutionProblem& problem);

/// Gives the pixels of a [C,H,W] image. Used by one thread at a time.
class Source {
 public:
  virtual ~Source() = default;
  virtual ElementType type() const = 0;
  virtual int channels() const = 0;
  virtual int height() const = 0;
  virtual int width() const = 0;

  /// The whole plane, if it lies in host memory for as long as the source lives: engines then read in place.
  virtual std::optional<ConstPlane> resident(int /*channel*/) const { return std::nullopt; }

  /// Copies rows [firstRow, firstRow + dst.height) of a channel to `dst`, whose width and type are the
  /// source's. Engines ask in increasing order where they can; a wrapping border also asks for the far end.
  /// Throws Error{Io} or Error{BadInput} if the rows cannot be had.
  virtual void readRows(int channel, int firstRow, MutablePlane dst) = 0;
};

/// Takes the result planes of a problem (see `outputPlanes`), as large as the region that is run.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual int planes() const = 0;
  virtual ElementType type(int plane) const = 0;

  /// Memory for the whole region, if the sink has it: engines then write in place.
  virtual std::optional<MutablePlane> resident(int /*plane*/) { return std::nullopt; }

  /// Takes rows [firstRow, firstRow + src.height) of a plane, counted from the region's top. A plane's rows
  /// come in increasing order. Throws Error{Io} if they cannot be kept.
  virtual void writeRows(int plane, int firstRow, ConstPlane src) = 0;
};

/// An image in memory as a source. The image must outlive it.
class ImageSource final : public Source {
 public:
  explicit ImageSource(const Image& image) : image_(image) {}
  ElementType type() const override { return image_.type(); }
  int channels() const override { return image_.channels(); }
  int height() const override { return image_.height(); }
  int width() const override { return image_.width(); }
  std::optional<ConstPlane> resident(int channel) const override { return image_.plane(channel); }
  void readRows(int channel, int firstRow, MutablePlane dst) override;

 private:
  const Image& image_;
};

/// What an image is before there are pixels of it.
class ShapeSource final : public Source {
 public:
  ShapeSource(int channels, int height, int width, ElementType type)
      : channels_(channels), height_(height), width_(width), type_(type) {}
  explicit ShapeSource(const Source& like)
      : ShapeSource(like.channels(), like.height(), like.width(), like.type()) {}
  ElementType type() const override { return type_; }
  int channels() const override { return channels_; }
  int height() const override { return height_; }
  int width() const override { return width_; }
  /// Throws Error{BadInput}
  void readRows(int channel, int firstRow, MutablePlane dst) override;

 private:
  int channels_;
  int height_;
  int width_;
  ElementType type_;
};

/// Result planes in memory, one single-channel image each.
class ImageSink final : public Sink {
 public:
  /// Allocates what running `region` of `problem` gives.
  ImageSink(const ConvolutionProblem& problem, const Region& region);
  int planes() const override { return static_cast<int>(images_.size()); }
  ElementType type(int plane) const override { return images_[static_cast<std::size_t>(plane)].type(); }
  std::optional<MutablePlane> resident(int plane) override {
    return images_[static_cast<std::size_t>(plane)].plane(0);
  }
  void writeRows(int plane, int firstRow, ConstPlane src) override;

  std::vector<Image>& images() { return images_; }
  const std::vector<Image>& images() const { return images_; }

 private:
  std::vector<Image> images_;
};

/// Seconds of one run. On the CPU upload is reading from and download writing to streams that are not in
/// memory.
struct PhaseTimes {
  double upload = 0;
  double compute = 0;
  double download = 0;
  double total() const { return upload + compute + download; }
  PhaseTimes& operator+=(const PhaseTimes& other) {
    upload += other.upload;
    compute += other.compute;
    download += other.download;
    return *this;
  }
};

/// Whether an engine takes a problem; if not, one sentence that says why.
struct Support {
  bool supported = true;
  std::string reason;
  static Support yes() { return {}; }
  static Support no(std::string sentence) { return {false, std::move(sentence)}; }
  explicit operator bool() const { return supported; }
};

/// How far an f32 result may lie from the exact one: `factor` times the sum of |tap x pixel| at that pixel,
/// or, if not `pixelwise` (transforms mix pixels), times the largest such sum that the image could have.
/// A pixelwise bound with `rowsTogether` > 1 takes the largest of the sums at that column in the pixel's
/// block of rows, which are counted from the image's top (an incomplete last block counts its own rows).
struct ErrorBound {
  double factor = 0;
  bool pixelwise = true;
  int rowsTogether = 1;
  /// Every sum and term on the way is at most so many times the sum of |tap x pixel| that the bound looks at:
  /// how far below 2^24 integers must add up to stay exact.
  double growth = 1;
  /// A pixel's own sum is all that its bound depends on.
  bool ofPixelAlone() const { return pixelwise && rowsTogether == 1; }
};

/// How a plan's results come about, for those who must know when bytes are equal and what bounds the time.
struct NumericTraits {
  ErrorBound errorBound = {};
  /// Every tap meets its pixel in an f32 multiply-add of its own. Transforms and factored filters do fewer,
  /// tensor cores others.
  bool directSums = true;
  /// A filter's response may have other bytes beside other filters: order or shape are chosen for all at
  /// once. Where they are not, a filter alone still has `rowsTogether` of its own.
  bool dependsOnWholeBank = false;
  /// Only those of `PlanOptions::only` were computed.
  bool heedsOnly = false;
  /// A region's pixels have the bytes that they have in the whole image, however it is cut into bands.
  bool partEqualsWhole = true;
};

/// What a plan chose. Text is made of it at the very end.
struct PlanInfo {
  std::string path = {};   ///< the engine that a planner took; empty where the plan's own engine computes
  std::string shape = {};  ///< a SIMD target, a tile, a library's algorithm: "AVX3_ZEN4", "DFT"
  std::string why = {};    ///< what a planner predicted; empty where nothing was to be chosen
  bool operator==(const PlanInfo&) const = default;
};

/// "SHAPE", or of a planner "PATH, SHAPE; WHY".
std::string toString(const PlanInfo& info);
/// Of plans that ran one after another: equal ones once, with commas between.
std::string toString(const std::vector<PlanInfo>& plans);

/// gamma_n = n u / (1 - n u) with u = 2^-24, for n roundings in a row (Higham, Accuracy and Stability, 2nd
/// ed., 3.1).
double gammaBound(double roundings);

/// Thrown by `Plan::run` when its stop token asks; sinks then hold unfinished planes.
class Cancelled : public std::exception {
 public:
  const char* what() const noexcept override { return "cancelled"; }
};

/// What somebody pulls items from, one after another, and gives them back done.
template <class ItemType>
class PullQueue {
 public:
  using Item = ItemType;
  virtual ~PullQueue() = default;
  /// The next one, or null: there is none any more or, unless `wait`, none yet. It stays until it is done.
  virtual Item* next(bool wait) = 0;
  /// In the order of `next`, on the thread that pulls.
  virtual void done(Item& item) = 0;
};

/// An image that goes through a plan; done when its planes are complete.
struct PlanImage {
  Source& source;
  Sink& sink;
  Region region;
  PhaseTimes times = {};
};
using RunQueue = PullQueue<PlanImage>;

class Engine;

class Plan {
 public:
  virtual ~Plan() = default;

  /// Filters `region` of the source into the sink; borders apply at the true edges of the image only.
  /// Shapes  source [C,H,W] as in the problem · sink one plane [region.height, region.width] for each output
  /// Errors  Cancelled within 200 ms of the stop; Error{Device}, Error{Io}; Error{BadInput} for a source,
  /// sink or
  ///         region that is not the problem's
  virtual PhaseTimes run(Source& source, Sink& sink, const Region& region, std::stop_token stop) = 0;

  /// Runs all of a queue, with the bytes of `run`. A plan that copies to a device and back has several images
  /// under way at once; here one after another. Errors  as `run`; items that were not done are then undone
  virtual void runAll(RunQueue& queue, std::stop_token stop);

  /// What was chosen, for reports and for those who ask for the same again.
  virtual PlanInfo info() const = 0;

  /// Where the image that was done last was computed, of a plan that has several devices: "NVIDIA H100
  /// (cuda:0 and cuda:1)". Empty: where its engine says.
  virtual std::string device() const { return {}; }

  /// Where the planes of a sink are written in place, for images that come again and again (ImagesIn). Null:
  /// ordinary memory is as good.
  virtual ImageMemory* imageMemory() const { return nullptr; }

  /// The engine that computes in the place of the one that prepared the plan, which has failed; else null.
  virtual const Engine* substitute() const { return nullptr; }

  virtual NumericTraits traits() const = 0;
  ErrorBound errorBound() const { return traits().errorBound; }
};

struct PlanOptions {
  int threads = 0;                        ///< 0: as many as the machine lets this process use
  Precision precision = Precision::Fp32;  ///< for planners alone: what they may choose from
  /// Filters whose responses are wanted, where nothing is combined; all if empty. They have the bytes that
  /// they have beside all others, whose planes may be left as they were.
  std::vector<int> only = {};
};

/// What an engine is there for, beside what it takes.
struct EngineKind {
  enum class Role {
    Algorithm,  ///< one of ours
    Planner,    ///< picks one of its family for every problem
    Baseline,   ///< OpenCV, that speeds are held against
    Peer,       ///< another library, measured when asked for
    Judge,      ///< says what is right, slowly
  };
  Role role = Role::Algorithm;
  bool rankOneOnly = false;  ///< takes banks of filters that are a column times a row, which no problem shows
  bool mayHang = false;      ///< does not come back from some problems: to be tried in a process of its own
  bool paperPeer = false;    ///< the library that the paper's figures are against
  bool sharedPlans = false;  ///< several threads may run one plan at the same time, an image each
};

/// Const and thread-safe. The name is `family:algorithm`, or the family alone for an engine that stands for a
/// whole family and chooses within it (`cpu`) or is the only one of its kind (`reference`).
class Engine {
 public:
  virtual ~Engine() = default;
  virtual std::string name() const = 0;
  /// "CPU" or the accelerator's name.
  virtual std::string device() const = 0;
  /// What stands behind it, with version: "Highway 1.0.3, AVX3_ZEN4".
  virtual std::string description() const = 0;
  virtual EngineKind kind() const { return {}; }
  /// Whether it can run anything at all on this machine.
  virtual Support available() const { return Support::yes(); }
  virtual Support supports(const ConvolutionProblem& problem) const = 0;
  /// Throws Error{Unsupported} with `supports`'s sentence, Error{BadInput} if the bank is not the problem's.
  virtual std::unique_ptr<Plan> prepare(const ConvolutionProblem& problem, const FilterBank& bank,
                                        const PlanOptions& options) const = 0;
};

/// Throws Error{Unsupported, "engine NAME: ..."} if the engine refuses the problem; for use in `prepare`.
void requireSupport(const Engine& engine, const ConvolutionProblem& problem);

/// Throws Error{BadInput} unless source, sink and region are those of the problem; for use in `run`.
void requireMatch(const ConvolutionProblem& problem, const Source& source, const Sink& sink,
                  const Region& region);

/// The plan's run over a whole image in memory.
std::vector<Image> runWhole(Plan& plan, const ConvolutionProblem& problem, const Image& image);

/// prepare + run over a whole image in memory.
std::vector<Image> runWhole(const Engine& engine, const ConvolutionProblem& problem, const FilterBank& bank,
                            const Image& image, const PlanOptions& options = {});

}  // namespace bankside
