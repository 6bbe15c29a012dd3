#include "gui/window/compute/gathering.h"

#include <algorithm>
#include <cstring>

#include "core/parallel.h"

namespace bankside::window {
namespace {

/// Calls `take(first row, rows)` for bands of rows [first, last) of a channel.
template <class Take>
void forBands(Source& source, int channel, int first, int last, const std::stop_token& stop,
              const Take& take) {
  for (int y = first; y < last; y += grainRows) {
    if (stop.stop_requested()) throw Cancelled();
    Image band(1, std::min(grainRows, last - y), source.width(), source.type());
    source.readRows(channel, y, band.plane(0));
    take(y, band);
  }
}

}  // namespace

Gathering::Gathering(const Picture& picture, const std::optional<Region>& area,
                     std::vector<std::size_t> which)
    : area_(area),
      finest_(area ? 0 : picture.finest),
      height_(area ? area->height : picture.info.height),
      which_(std::move(which)),
      whole_(height_, which_, 0) {}

void Gathering::add(int firstRow, const std::vector<Image>& band) {
  if (finest_ == 0) return whole_.add(firstRow, band);
  for (std::size_t i = 0; i < which_.size(); ++i) {
    const Image& part = band[which_[i]];
    if (i == coarse_.size()) coarse_.emplace_back(Plane::Shape{part.width(), height_, part.type()}, finest_);
    coarse_[i].add(part);
  }
}

BankRun Gathering::run(Runner& runner, Source& source, const std::stop_token& stop) {
  std::size_t atOnce = 0;
  BankRun run = runner.run(
      source,
      [&](int firstRow, const std::vector<Image>& band) {
        if (finest_ == 0 && band.front().height() == height_) {
          atOnce = band.size();
        } else {
          add(firstRow, band);
        }
      },
      stop, area_);
  if (atOnce == 0) return run;
  // The runner holds all rows still: they are taken, not copied.
  RunBuffers buffers;
  runner.swapBuffers(buffers);
  const std::size_t hidden = buffers.results.size() - atOnce;
  for (const std::size_t plane : which_)
    whole_.images().push_back(std::move(buffers.results[hidden + plane]));
  return run;
}

PlanePtr Gathering::take(std::size_t plane) {
  if (finest_ > 0) return coarse_.at(plane).take();
  return makePlane(std::make_shared<const Image>(std::move(whole_.images().at(plane))), 0);
}

PlanePtr readPlane(Source& source, int channel, const Picture& picture, const std::stop_token& stop) {
  if (picture.finest == 0) {
    auto image = std::make_shared<Image>(1, source.height(), source.width(), source.type());
    source.readRows(channel, 0, image->plane(0));
    return makePlane(std::move(image), 0);
  }
  CoarsePlane plane({source.width(), source.height(), source.type()}, picture.finest);
  forBands(source, channel, 0, source.height(), stop, [&](int, const Image& band) { plane.add(band); });
  return plane.take();
}

PlanePtr readPart(Source& source, int channel, const Region& area, const std::stop_token& stop) {
  auto image = std::make_shared<Image>(1, area.height, area.width, source.type());
  visit(source.type(), [&](auto element) {
    const auto into = image->view<decltype(element)>(0);
    forBands(source, channel, area.y, area.y + area.height, stop, [&](int y, const Image& band) {
      const auto from = band.view<decltype(element)>(0);
      for (int row = 0; row < from.height; ++row)
        std::copy_n(from.row(row) + area.x, area.width, into.row(y - area.y + row));
    });
  });
  return makePlane(std::move(image), 0);
}

}  // namespace bankside::window
