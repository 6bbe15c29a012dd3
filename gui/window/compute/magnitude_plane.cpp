#include "gui/window/compute/magnitude_plane.h"

#include <cmath>

#include "core/run/gathered_planes.h"
#include "core/run/recipe_runner.h"

namespace bankside::window {
namespace {

Image positivePixels(Source& from) {
  Image image(from.channels(), from.height(), from.width(), from.type());
  for (int c = 0; c < image.channels(); ++c) {
    from.readRows(c, 0, image.plane(c));
    visit(image.type(), [&](auto element) {
      using T = decltype(element);
      const auto view = image.view<T>(c);
      for (int y = 0; y < view.height; ++y) {
        for (int x = 0; x < view.width; ++x) view.at(x, y) = fromFloat<T>(std::fabs(asFloat(view.at(x, y))));
      }
    });
  }
  return image;
}

}  // namespace

Image magnitudePlane(const RunSettings& settings, Source& channels, int index, const SelectEngine& select,
                     const std::stop_token& stop) {
  const FilterBank& bank = *settings.bank;
  const int groups = bank.channels() == channels.channels() ? 1 : channels.channels();
  const int responses = groups * bank.size();
  const bool combined = index >= responses;
  std::vector<Filter> filters = bank.filters();
  if (!combined) filters = {filters[static_cast<std::size_t>(index % bank.size())]};
  for (Filter& filter : filters) {
    for (float& tap : filter.taps) tap = std::fabs(tap);
  }
  Recipe recipe = settings.recipe;
  recipe.verify = VerifyLevel::Off;
  recipe.responses = !combined;
  recipe.border.value = std::fabs(recipe.border.value);
  Combine& combine = recipe.stages.front().combine;
  if (!combined) combine = Combine::None;
  if (combine == Combine::AbsMax) combine = Combine::Max;
  const bool signedPixels = channels.type() == ElementType::F16 || channels.type() == ElementType::F32;
  const Image positive = signedPixels ? positivePixels(channels) : Image();
  ImageSource positiveSource(positive);
  Source& source = signedPixels ? positiveSource : channels;
  RunOptions options;
  options.plan.threads = settings.threads;
  Runner runner =
      makeRunner(recipe, {FilterBank(bank.info(), std::move(filters))}, options,
                 [&](const ConvolutionProblem& p) -> const Engine& { return select(recipe.engine, p); });
  const auto plane = static_cast<std::size_t>(combined ? index - responses : index / bank.size());
  GatheredPlanes gathered(source.height(), {plane});
  runner.run(
      source, [&](int firstRow, const std::vector<Image>& band) { gathered.add(firstRow, band); }, stop);
  return std::move(gathered.images().at(0));
}

}  // namespace bankside::window
