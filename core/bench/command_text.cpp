#include "core/bench/command_text.h"

#include <vector>

#include "core/text.h"

namespace bankside {
namespace {

/// The settings that `filter` and `compare` share, those left out that are the default.
std::string commonOptions(int page, int pages, const Recipe& recipe) {
  const Stage& stage = recipe.stages.front();
  std::string text = " --bank " + shellWord(stage.bank);
  if (recipe.channel != ChannelChoice::Auto) text += std::string(" --channel ") + toString(recipe.channel);
  if (recipe.border != Border{}) text += " --border " + format(recipe.border);
  if (stage.mode) text += std::string(" --mode ") + toString(*stage.mode);
  if (stage.combine != Combine::None) text += std::string(" --combine ") + toString(stage.combine);
  if (recipe.stages.size() > 1) {
    const Stage& then = recipe.stages[1];
    if (stage.activation != Activation::None)
      text += std::string(" --activation ") + toString(stage.activation);
    text += " --then " + shellWord(then.bank);
    if (then.mode) text += std::string(" --then-mode ") + toString(*then.mode);
    if (then.combine != Combine::None) text += std::string(" --then-combine ") + toString(then.combine);
  }
  if (recipe.precision != Precision::Fp32) text += std::string(" --precision ") + toString(recipe.precision);
  if (pages > 1 && !isOfPages(recipe.channel)) text += " --page " + std::to_string(page + 1);
  return text;
}

}  // namespace

std::string filterCommand(const std::filesystem::path& image, int page, int pages, const Recipe& recipe,
                          const std::string& output) {
  std::string text = "bankside filter " + shellWord(image.string()) + commonOptions(page, pages, recipe);
  if (recipe.engine != "auto") text += " --engine " + shellWord(recipe.engine);
  if (recipe.format != FileFormat::Tiff) text += std::string(" --format ") + toString(recipe.format);
  if (recipe.compression) text += std::string(" --compression ") + toString(*recipe.compression);
  if (recipe.map != OutputMap::None) text += std::string(" --map ") + toString(recipe.map);
  if (recipe.threshold) text += " --threshold " + formatNumber(*recipe.threshold);
  if (!recipe.responses) text += " --no-responses";
  if (recipe.verify != VerifyLevel::Off) text += std::string(" --verify ") + toString(recipe.verify);
  return text + " --output " + shellWord(output);
}

std::string compareCommand(const std::filesystem::path& image, int page, int pages, const Recipe& recipe,
                           const std::vector<std::string>& engines, const MeasureOptions& measure) {
  std::string text = "bankside compare " + shellWord(image.string()) + commonOptions(page, pages, recipe);
  for (std::size_t i = 0; i < engines.size(); ++i) text += (i == 0 ? " --engines " : ",") + engines[i];
  const MeasureOptions usual;
  if (measure.minRounds != usual.minRounds) text += " --rounds " + std::to_string(measure.minRounds);
  if (measure.seconds != usual.seconds)
    text += " --seconds " + formatNumber(static_cast<float>(measure.seconds));
  return text;
}

}  // namespace bankside
