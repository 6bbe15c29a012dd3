/// A stream of images through one plan, from memory to memory, on one GPU and on all of them: rounds in
/// turns, the bytes compared first, as JSON. A program to be run by hand on a quiet machine with GPUs:
///   build/bin/image-stream [IMAGES [ROUNDS [SIDE [RESULT [FILTER]]]]]
/// of SIDE x SIDE u8 through twelve filters of FILTER x FILTER, their maximum as RESULT. Few images are made,
/// and given again and again; results go into memory that is used again. `host` says what the host does:
/// nothing but to start copies where images and results lie in pinned memory (`pinned`, IMAGES and ROUNDS of
/// it; a quarter of the images in three rounds of the others), results alone (`pinned-out`); copies both
/// (`all`), one of them where the others are not copied by anybody (`nothing-in`, `nothing-out`), or neither
/// (`none`: what is left are the devices and their copies from and to memory of the plan's).
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/environment.h"
#include "core/error.h"
#include "core/hash.h"
#include "core/image_memory.h"
#include "core/made_input.h"
#include "core/stopwatch.h"
#include "kernels/devices.h"
#include "kernels/engines.h"

namespace bankside {
namespace {

constexpr int madeImages = 6;
constexpr int keptResults = 12;

struct Host {
  const char* name;
  bool in, out;
  bool pinnedIn = false, pinnedOut = false;
};

/// Gives nothing: what is in the band's memory is filtered.
class NoPixels final : public Source {
 public:
  explicit NoPixels(const Image& like) : like_(like) {}
  ElementType type() const override { return like_.type(); }
  int channels() const override { return like_.channels(); }
  int height() const override { return like_.height(); }
  int width() const override { return like_.width(); }
  void readRows(int, int, MutablePlane) override {}

 private:
  const Image& like_;
};

class NoResults final : public Sink {
 public:
  explicit NoResults(const ConvolutionProblem& problem) : types_(outputPlanes(problem)) {}
  int planes() const override { return static_cast<int>(types_.size()); }
  ElementType type(int plane) const override { return types_[static_cast<std::size_t>(plane)]; }
  void writeRows(int, int, ConstPlane) override {}

 private:
  std::vector<ElementType> types_;
};

class Stream final : public RunQueue {
 public:
  Stream(const ConvolutionProblem& problem, const std::vector<Image>& images, const Host& host)
      : problem_(problem), nothing_(problem) {
    for (const Image& image : images) {
      if (host.in) {
        sources_.push_back(std::make_unique<ImageSource>(image));
      } else {
        sources_.push_back(std::make_unique<NoPixels>(image));
      }
    }
    const ImagesIn in(host.pinnedOut ? pinnedImages() : nullptr);
    for (int i = 0; host.out && i < keptResults; ++i)
      results_.push_back(std::make_unique<ImageSink>(problem, wholeImage(problem)));
  }

  void begin(int images) {
    left_ = images;
    times_ = {};
  }

  Item* next(bool) override {
    if (left_ == 0) return nullptr;
    --left_;
    Sink& sink = results_.empty() ? static_cast<Sink&>(nothing_) : *results_[given_ % results_.size()];
    items_.push_back({*sources_[given_ % sources_.size()], sink, wholeImage(problem_)});
    ++given_;
    return &items_.back();
  }
  void done(Item& item) override {
    times_ += item.times;
    if (hashes != nullptr) hash(item);
    items_.pop_front();
    ++finished_;
  }
  PhaseTimes times() const { return times_; }

  std::map<std::size_t, std::uint64_t>* hashes = nullptr;  ///< of the results of each image

 private:
  void hash(Item& item) {
    Hash sum;
    const ImageSink& sink = dynamic_cast<ImageSink&>(item.sink);
    for (const Image& plane : sink.images())
      for (int y = 0; y < plane.height(); ++y)
        sum.addBytes(plane.plane(0).row(y), static_cast<std::size_t>(plane.width()) * sizeOf(plane.type()));
    const auto [at, first] = hashes->emplace(finished_ % sources_.size(), sum.value());
    if (!first && at->second != sum.value()) throw Error(ErrorCode::Device, "an image gave two results");
  }

  ConvolutionProblem problem_;
  NoResults nothing_;
  std::vector<std::unique_ptr<Source>> sources_;
  std::vector<std::unique_ptr<ImageSink>> results_;
  std::deque<Item> items_;
  int left_ = 0;
  std::size_t given_ = 0;
  std::size_t finished_ = 0;
  PhaseTimes times_;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

std::vector<int> firstDevices(std::size_t count) {
  std::vector<int> devices;
  for (std::size_t i = 0; i < count; ++i) devices.push_back(static_cast<int>(i));
  return devices;
}

int run(int argc, char** argv) {
  const auto argument = [&](int i, const char* otherwise) { return argc > i ? argv[i] : otherwise; };
  const int images = std::atoi(argument(1, "2000"));
  const int rounds = std::atoi(argument(2, "7"));
  const std::string side = argument(3, "4096");
  const std::string result = argument(4, "f32");
  const std::string filter = argument(5, "7");
  const ConvolutionProblem problem =
      parseProblem("c1h" + side + "w" + side + "-f12k" + filter + "-reflect101-u8:" + result + "-max");
  const FilterBank bank = randomBank(problem.filterCount, 1, problem.filterHeight, problem.filterWidth, 1);
  std::vector<Image> made;
  for (std::uint64_t i = 0; i < madeImages; ++i)
    made.push_back(randomImage(1, problem.height, problem.width, problem.srcType, i));
  std::vector<Image> madePinned;
  {
    const ImagesIn in(pinnedImages());
    for (const Image& image : made) madePinned.push_back(image.clone());
  }
  const auto imagesFor = [&](const Host& host) -> const std::vector<Image>& {
    return host.pinnedIn ? madePinned : made;
  };

  const std::size_t count = describeDevices().size();
  const Engine& engine = *findEngine("cuda");
  std::vector<std::vector<int>> sets{firstDevices(1)};
  if (count > 1) sets.push_back(firstDevices(count));
  std::vector<std::unique_ptr<Plan>> plans;
  for (const auto& devices : sets) {
    useDevices(devices);
    plans.push_back(engine.prepare(problem, bank, {}));
  }

  constexpr Host all{"all", true, true};
  constexpr Host pinned{"pinned", true, true, true, true};
  std::vector<std::map<std::size_t, std::uint64_t>> hashes;
  std::string places;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    for (const Host& host : {all, pinned}) {
      Stream stream(problem, imagesFor(host), host);
      stream.hashes = &hashes.emplace_back();
      stream.begin(18);
      plans[i]->runAll(stream, {});
    }
    places += (i == 0 ? "\"" : ", \"") + plans[i]->device() + "\"";
  }
  const bool same = std::all_of(hashes.begin(), hashes.end(), [&](const auto& h) { return h == hashes[0]; });

  std::printf("{\n  \"bankside\": \"image-stream\",\n  \"schema_version\": 1,\n  \"environment\": {\n");
  const Environment environment = currentEnvironment();
  for (std::size_t i = 0; i < environment.size(); ++i)
    std::printf("    \"%s\": \"%s\"%s\n", environment[i].first.c_str(), environment[i].second.c_str(),
                i + 1 < environment.size() ? "," : "");
  std::printf("  },\n  \"command\": \"build/bin/image-stream %d %d %s %s %s\",\n", images, rounds,
              side.c_str(), result.c_str(), filter.c_str());
  std::printf("  \"gpu\": \"%s\",\n  \"problem\": \"%s\",\n  \"plan\": \"%s\",\n  \"images\": %d,\n",
              engine.device().c_str(), format(problem).c_str(), toString(plans[0]->info()).c_str(), images);
  std::printf("  \"last_image_by\": [%s],\n  \"same_bytes\": %s,\n  \"rows\": [", places.c_str(),
              same ? "true" : "false");
  const char* separator = "\n";
  for (const Host& host :
       {pinned, all, Host{"pinned-out", true, true, false, true}, Host{"nothing-out", true, false},
        Host{"nothing-in", false, true}, Host{"none", false, false}}) {
    const bool whole = host.pinnedIn;
    const int each = whole ? images : std::max(1, images / 4);
    const int turns = whole ? rounds : 3;
    std::vector<std::unique_ptr<Stream>> streams;
    for (std::size_t i = 0; i < plans.size(); ++i)
      streams.push_back(std::make_unique<Stream>(problem, imagesFor(host), host));
    std::vector<std::vector<double>> seconds(plans.size());
    std::vector<PhaseTimes> phases(plans.size());
    for (int turn = -1; turn < turns; ++turn) {  // the first warms
      for (std::size_t i = 0; i < plans.size(); ++i) {
        streams[i]->begin(turn < 0 ? std::min(each, 100) : each);
        const auto begin = Clock::now();
        plans[i]->runAll(*streams[i], {});
        if (turn < 0) continue;
        seconds[i].push_back(secondsSince(begin));
        phases[i] = streams[i]->times();
      }
    }
    for (std::size_t i = 0; i < plans.size(); ++i) {
      std::vector<double> ratios;
      for (std::size_t turn = 0; turn < seconds[i].size(); ++turn)
        ratios.push_back(seconds[0][turn] / seconds[i][turn]);
      const double perImage = median(seconds[i]) / each * 1e6;
      std::printf(
          "%s    {\"gpus\": %zu, \"host\": \"%s\", \"median_us\": %.1f, \"images_per_second\": %.1f, ",
          separator, sets[i].size(), host.name, perImage, 1e6 / perImage);
      std::printf(
          "\"times_one_gpu\": %.3f, \"upload_us\": %.1f, \"compute_us\": %.1f, \"download_us\": %.1f, ",
          median(ratios), phases[i].upload / each * 1e6, phases[i].compute / each * 1e6,
          phases[i].download / each * 1e6);
      std::printf("\"rounds_s\": [");
      for (std::size_t turn = 0; turn < seconds[i].size(); ++turn)
        std::printf("%s%.4f", turn == 0 ? "" : ", ", seconds[i][turn]);
      std::printf("]}");
      std::fflush(stdout);
      separator = ",\n";
    }
  }
  std::printf("\n  ]\n}\n");
  return same ? 0 : 4;
}

}  // namespace
}  // namespace bankside

int main(int argc, char** argv) {
  try {
    return bankside::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "image-stream: %s\n", error.what());
    return 1;
  }
}
