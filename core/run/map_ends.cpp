#include "core/run/map_ends.h"

#include <algorithm>

#include "core/maps/contrast.h"
#include "core/maps/field_parts.h"
#include "core/maps/resample.h"
#include "core/run/maps_source.h"
#include "core/stopwatch.h"

namespace bankside {
namespace {

const PreparedStep& at(const std::vector<PreparedStep>& steps, int number) {
  return steps[static_cast<std::size_t>(number)];
}

bool isNamed(const PreparedStep& step, const char* operation) {
  return step.step.operation && step.step.operation->entry->name == operation;
}

/// Takes what the step before gives, or the first the image, and nothing else.
bool isAlone(const MapStep& step, int number) {
  return step.operation && step.combines.empty() && step.takes == std::vector<int>{number - 1};
}

/// Rows [first, first + rows) of an image as maps.
Maps rowsOf(Source& image, int first, const std::vector<MapName>& names, const Extent& extent) {
  class Rows final : public Source {
   public:
    Rows(Source& image, int first, int height) : image_(image), first_(first), height_(height) {}
    ElementType type() const override { return image_.type(); }
    int channels() const override { return image_.channels(); }
    int height() const override { return height_; }
    int width() const override { return image_.width(); }
    void readRows(int channel, int firstRow, MutablePlane dst) override {
      image_.readRows(channel, first_ + firstRow, dst);
    }

   private:
    Source& image_;
    int first_;
    int height_;
  } rows(image, first, extent.height);
  return mapsOf(rows, names, extent);
}

int rowsOfWidth(std::int64_t bytes, std::size_t maps, int width) {
  const std::int64_t row = static_cast<std::int64_t>(maps) * width * static_cast<std::int64_t>(sizeof(float));
  return static_cast<int>(std::clamp<std::int64_t>(bytes / std::max<std::int64_t>(row, 1), 1, 1 << 20));
}

/// The image's pixels that lie under the middles of the pixels of maps, of rows that follow `first`.
void takeUnder(const Maps& rows, int first, int imageHeight, Maps& under) {
  for (std::size_t m = 0; m < under.size(); ++m) {
    const auto from = rows.view(m);
    const auto to = under.view(m);
    for (int y = 0; y < to.height; ++y) {
      const int row = underMiddle(y, imageHeight, to.height) - first;
      if (row < 0 || row >= from.height) continue;
      for (int x = 0; x < to.width; ++x) to.at(x, y) = from.at(underMiddle(x, from.width, to.width), row);
    }
  }
}

}  // namespace

std::optional<MapEnds> endsOf(const std::vector<PreparedStep>& steps, const std::vector<Extent>& sizes,
                              const Extent& image) {
  const auto count = static_cast<int>(steps.size());
  MapEnds ends;
  int& first = ends.resample;
  for (; first < count && !isNamed(at(steps, first), "resample"); ++first) {
    const PreparedStep& step = at(steps, first);
    if (!isAlone(step.step, first) || !isOfOnePixel(*step.step.operation) || step.lastUse != first + 1)
      return std::nullopt;
  }
  if (first == count || !isAlone(at(steps, first).step, first)) return std::nullopt;
  int& last = ends.restore;
  last = count - 1;
  for (; last > first && !isNamed(at(steps, last), "restore"); --last) {
    const MapStep& step = at(steps, last).step;
    if (!isAlone(step, last) || !givesParts(*step.operation)) return std::nullopt;
  }
  if (last == first || !at(steps, last).step.combines.empty()) return std::nullopt;
  const auto sameSize = [](const Extent& a, const Extent& b) {
    return a.height == b.height && a.width == b.width;
  };
  for (int i = first + 1; i <= last; ++i) {
    const auto& takes = at(steps, i).step.takes;
    if (std::find(takes.begin(), takes.end(), MapStep::image) != takes.end()) return std::nullopt;
    const Extent& size = sizes[static_cast<std::size_t>(i)];
    if (!sameSize(size, i < last ? sizes[static_cast<std::size_t>(first)] : image)) return std::nullopt;
  }
  return ends;
}

std::int64_t partBytes(std::int64_t budget) { return std::min<std::int64_t>(budget / 4, 64 << 20); }

BegunMaps beginInBands(Source& image, const std::vector<PreparedStep>& steps, const MapEnds& ends,
                       const Extent& size, std::int64_t budget, OperationContext& context, BankRun& run) {
  std::vector<MapName> names = channelNames(image.channels());
  BegunMaps begun{{}, Maps::make(size, names), true};
  ResampledRows resampled(context.image, size, names);
  std::vector<double> seconds(static_cast<std::size_t>(ends.resample) + 1);
  std::vector<OneValue> values(names.size());
  // What is read, what became of it, and the narrow rows.
  const int most = rowsOfWidth(partBytes(budget), 3 * names.size(), context.image.width);
  for (int y = 0; y < context.image.height; y += most) {
    if (context.stop.stop_requested()) throw Cancelled();
    const Extent band{std::min(most, context.image.height - y), context.image.width,
                      context.image.pixelsPerDegree};
    Maps rows = rowsOf(image, y, names, band);
    takeUnder(rows, y, context.image.height, begun.under);
    begun.flat = begun.flat && isFlat(rows, values);
    for (int i = 0; i < ends.resample; ++i) {
      const SecondsInto time(seconds[static_cast<std::size_t>(i)]);
      const Operation& operation = *at(steps, i).step.operation;
      rows = operation.entry->apply(operation, {&rows}, context);
    }
    const SecondsInto time(seconds.back());
    resampled.add(rows, context);
  }
  for (int i = 0; i <= ends.resample; ++i) {
    const MapStep& step = at(steps, i).step;
    nameAfter(step, false, names);
    run.operationSteps.push_back(
        {i + 1, format(*step.operation), hostDevice, seconds[static_cast<std::size_t>(i)]});
  }
  begun.maps = resampled.take();
  begun.maps.names = std::move(names);
  return begun;
}

LastMaps::LastMaps(Maps taken, FieldOfView field, const std::vector<PreparedStep>& steps, const MapEnds& ends,
                   std::vector<MapName> names, const OperationContext& context, BankRun& run)
    : taken_(std::move(taken)),
      field_(std::move(field)),
      names_(std::move(names)),
      image_(context.image),
      type_(context.type),
      noted_(run.operationSteps.size()) {
  for (int i = ends.restore; i < static_cast<int>(steps.size()); ++i) {
    operations_.push_back(*at(steps, i).step.operation);
    run.operationSteps.push_back({i + 1, format(operations_.back()), hostDevice, 0});
  }
}

std::int64_t LastMaps::bytes() const {
  return static_cast<std::int64_t>(size()) * taken_.extent.height * taken_.extent.width *
         static_cast<std::int64_t>(sizeof(float));
}

std::vector<Image> LastMaps::part(const Region& area, int threads, const std::stop_token& stop,
                                  BankRun* run) const {
  const ThreadTeam team(threads);
  OperationContext context{team, stop, field_, image_, type_};
  Maps maps;
  for (std::size_t i = 0; i < operations_.size(); ++i) {
    const Clock::time_point start = Clock::now();
    maps = partOf(operations_[i], i == 0 ? taken_ : maps, area, context);
    if (run != nullptr) run->operationSteps[noted_ + i].seconds += secondsSince(start);
  }
  return std::move(maps.planes);
}

void LastMaps::give(const Region& area, std::int64_t bytes, int threads, const std::stop_token& stop,
                    std::vector<Image>& planes, const Receive& receive, BankRun& run) const {
  const int rows =
      rowsOfWidth(bytes, 3 * size(), area.width);  // what a step takes and gives, and narrow rows
  run.bands = (area.height + rows - 1) / rows;
  for (int y = 0; y < area.height; y += rows) {
    planes = part({area.x, area.y + y, area.width, std::min(rows, area.height - y)}, threads, stop, &run);
    receive(y, planes);
  }
}

}  // namespace bankside
