#include "gui/window/compute/pixel_explanation.h"

#include <cmath>
#include <map>

#include "core/error.h"
#include "core/run/recipe_runner.h"
#include "filters/analysis/bank_analysis.h"

namespace bankside::window {
namespace {

/// Rows of a source as floats, each read once.
class Rows {
 public:
  explicit Rows(Source& source) : source_(source) {}
  float at(int channel, int x, int y) {
    Image& row = rows_[{channel, y}];
    if (row.empty()) {
      row = Image(1, 1, source_.width(), source_.type());
      source_.readRows(channel, y, row.plane(0));
    }
    return visit(row.type(), [&](auto element) { return asFloat(row.view<decltype(element)>(0).at(x, 0)); });
  }

 private:
  Source& source_;
  std::map<std::pair<int, int>, Image> rows_;
};

/// The memory for maps: enough for the rows under a filter, and soon computed.
constexpr std::int64_t mapBytes = std::int64_t{16} << 20;

/// Filter `filter` of the bank over whatever it sees.
PixelExplanation explain(Source& source, const FilterBank& bank, const Border& border,
                         const std::optional<FilterMode>& mode, int filter, int group, int x, int y) {
  const Filter& chosen = bank[filter];
  const FilterBank one(bank.info(), {chosen});
  ConvolutionProblem problem = makeProblem(one, source.channels(), source.height(), source.width(),
                                           source.type(), ElementType::F32, border, Combine::None);
  problem.mode = mode.value_or(problem.mode);
  const CorrelationTaps taps = correlationTaps(problem, one);
  if (x < 0 || y < 0 || x >= problem.width || y >= problem.height) {
    throw Error(ErrorCode::BadInput, "the pixel lies outside the image");
  }

  PixelExplanation result;
  result.label = chosen.label;
  result.width = problem.filterWidth;
  result.height = problem.filterHeight;
  result.channels = problem.tapChannels();
  Rows rows(source);
  std::size_t next = 0;
  for (int c = 0; c < result.channels; ++c) {
    const int channel = problem.channelMode == ChannelMode::Summed ? c : group;
    for (int ky = 0; ky < result.height; ++ky) {
      for (int kx = 0; kx < result.width; ++kx) {
        TapTerm term;
        term.channel = channel;
        term.column = kx;
        term.row = ky;
        term.tap = taps.taps[next++];
        const int px = x + kx - taps.anchorX;
        const int py = y + ky - taps.anchorY;
        term.x = borderIndex(px, problem.width, border);
        term.y = borderIndex(py, problem.height, border);
        term.border = px < 0 || py < 0 || px >= problem.width || py >= problem.height;
        const bool constant = term.x < 0 || term.y < 0;
        if (constant) term.x = term.y = -1;
        term.pixel = constant ? border.value : rows.at(channel, term.x, term.y);
        term.product = static_cast<double>(term.tap) * term.pixel;
        // A zero tap takes no part, not even on a pixel that is not finite.
        if (term.tap != 0) {
          result.value = std::fma(term.tap, term.pixel, result.value);
          result.exact += term.product;
          result.magnitude += std::fabs(term.product);
        }
        term.sum = result.value;
        result.borderTaps += term.border;
        result.terms.push_back(term);
      }
    }
  }
  result.bound = gammaBound(static_cast<double>(result.terms.size())) * result.magnitude;
  return result;
}

void requireInMemory(const RunSettings& settings) {
  if (!settings.picture->image)
    throw Error(ErrorCode::Limit, "the picture does not fit into memory, so its pixels are not explained");
}

}  // namespace

std::vector<FilterAnswer> bankAnswers(const RunSettings& settings, int group, int x, int y,
                                      const std::stop_token& stop) {
  requireInMemory(settings);
  const FilterBank& bank = *settings.bank;
  ImageSource whole(*settings.picture->image);
  const ChannelSelection selection =
      selectChannels(whole, settings.picture->info.channelNames, settings.recipe.channel, bank.channels());
  Source& source = *selection.source;
  if (x < 0 || y < 0 || x >= source.width() || y >= source.height())
    throw Error(ErrorCode::BadInput, "the pixel lies outside the image");
  Rows rows(source);
  const bool summed = bank.channels() > 1;
  const std::vector<double> values = answersAt(
      bank,
      {source.width(), source.height(),
       [&](int channel, int column, int row) { return rows.at(summed ? channel : group, column, row); }},
      x, y, settings.recipe.border, settings.recipe.stages.front().mode, checkOf(stop));
  std::vector<FilterAnswer> answers;
  for (int i = 0; i < bank.size(); ++i)
    answers.push_back({bank[i].label, bank[i].orientation, values[static_cast<std::size_t>(i)]});
  return answers;
}

PixelExplanation explainPixel(const RunSettings& settings, const SelectEngine& select, int filter, int group,
                              int x, int y) {
  requireInMemory(settings);
  ImageSource whole(*settings.picture->image);
  const ChannelSelection selection = selectChannels(whole, settings.picture->info.channelNames,
                                                    settings.recipe.channel, settings.bank->channels());
  const Border& border = settings.recipe.border;
  const Stage& stage = settings.recipe.stages.front();
  if (settings.recipe.stages.size() < 2 || !settings.then) {
    return explain(*selection.source, *settings.bank, border, stage.mode, filter, group, x, y);
  }
  Pipeline pipeline = makePipeline(settings.recipe, settings.banks());
  BankPass first(std::move(pipeline.stages.front()), border, false,
                 {settings.threads, settings.recipe.precision},
                 [&](const ConvolutionProblem& problem) -> const Engine& {
                   return select(settings.recipe.engine, problem);
                 });
  MapSource::Spare spare;  // before the maps, whose end fills it
  MapSource maps(first, *selection.source, *settings.then, mapBytes, spare, {});
  PixelExplanation result =
      explain(maps, *settings.then, border, settings.recipe.stages[1].mode, filter, group, x, y);
  result.maps = true;
  return result;
}

}  // namespace bankside::window
