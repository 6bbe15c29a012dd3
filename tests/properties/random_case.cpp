#include "tests/properties/random_case.h"

#include <algorithm>
#include <iterator>
#include <random>
#include <sstream>
#include <utility>

namespace bankside::properties {
namespace {

class Dice {
 public:
  explicit Dice(std::uint64_t number) : random_(number * 0x9e3779b97f4a7c15u + 1) {}
  /// From `low` to `high`, both included.
  int number(int low, int high) {
    return low + static_cast<int>(random_() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool once(int in) { return number(1, in) == 1; }
  template <class List>
  auto one(const List& list) {
    return *(std::begin(list) + number(0, static_cast<int>(std::size(list)) - 1));
  }

 private:
  std::mt19937_64 random_;
};

/// Integers, or eighths that f32 and f16 hold and sums of products soon round.
float value(Dice& dice, bool integers, int low, int high) {
  return integers ? static_cast<float>(dice.number(low, high))
                  : static_cast<float>(dice.number(low * 1024, high * 1024)) / 1024 * 1.0009766f;
}

template <class T, class Make>
void fill(Image& image, const Make& make) {
  for (int channel = 0; channel < image.channels(); ++channel)
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x) image.view<T>(channel).row(y)[x] = static_cast<T>(make());
}

Image makeImage(Dice& dice, bool integers) {
  Image image(dice.once(3) ? dice.number(2, 3) : 1, dice.number(1, 24),
              dice.number(1, dice.once(4) ? 90 : 24), dice.one(allElementTypes));
  switch (image.type()) {
    case ElementType::U8:
      fill<std::uint8_t>(image, [&] { return dice.number(0, integers ? 15 : 255); });
      break;
    case ElementType::U16:
      fill<std::uint16_t>(image, [&] { return dice.number(0, integers ? 15 : 65535); });
      break;
    case ElementType::F16: fill<Half>(image, [&] { return toHalf(value(dice, integers, -8, 7)); }); break;
    case ElementType::F32: fill<float>(image, [&] { return value(dice, integers, -8, 7); }); break;
  }
  return image;
}

FilterBank makeBank(Dice& dice, bool integers, int channels, bool small) {
  const int most = small ? 3 : 7;
  const bool mixed = dice.once(4);
  std::vector<Filter> filters(static_cast<std::size_t>(dice.number(1, small ? 3 : 5)));
  for (std::size_t f = 0; f < filters.size(); ++f) {
    Filter& filter = filters[f];
    const bool alike = f > 0 && !mixed;
    filter.channels = channels;
    filter.height = alike ? filters[0].height : dice.number(1, most);
    filter.width = alike ? filters[0].width : dice.number(1, most);
    filter.anchorY = alike ? filters[0].anchorY : dice.number(0, filter.height - 1);
    filter.anchorX = alike ? filters[0].anchorX : dice.number(0, filter.width - 1);
    filter.taps.resize(static_cast<std::size_t>(channels * filter.height * filter.width));
    for (float& tap : filter.taps) tap = dice.once(5) ? 0 : value(dice, integers, -3, 3);
    filter.label = "f" + std::to_string(f);
  }
  BankInfo info;
  info.mode = dice.once(2) ? FilterMode::Convolution : FilterMode::CrossCorrelation;
  return FilterBank(std::move(info), std::move(filters));
}

void addStage(Dice& dice, RandomCase& made, bool integers, int& maps, bool last) {
  const bool summed = maps > 1 && maps <= 6 && dice.once(2);
  made.banks.push_back(makeBank(dice, integers, summed ? maps : 1, !made.banks.empty()));
  Stage stage{.bank = "random"};
  if (dice.once(4)) stage.mode = dice.once(2) ? FilterMode::Convolution : FilterMode::CrossCorrelation;
  do stage.combine = dice.one(allCombines);
  while (!last && stage.combine == Combine::ArgMax);
  if (!last) stage.activation = dice.one(allActivations);
  if (stage.activation == Activation::Square && made.banks.size() > 1) stage.activation = Activation::Abs;
  made.recipe.stages.push_back(stage);
  maps = (summed ? 1 : maps) * (stage.combine == Combine::None ? made.banks.back().size() : 1);
}

/// What is known of a step that was made: how it is taken, and how many maps it gives.
struct Made {
  std::string name;
  int maps = 1;
};

/// A list of one is a plain number where it is read.
Operation operation(const char* name, std::map<std::string, std::vector<double>> given = {}) {
  return makeOperation(*findOperation(name), std::move(given));
}

std::optional<Operation> makePointwise(Dice& dice) {
  const auto whole = [&](int low, int high) { return static_cast<double>(dice.number(low, high)); };
  switch (dice.number(1, 6)) {
    case 1: return operation("abs");
    case 2: return operation("relu");
    case 3: return operation("square");
    case 4: return operation("threshold", {{"at", {whole(-5, 9)}}});
    default: return operation("linear", {{"times", {whole(-2, 3)}}, {"plus", {whole(-3, 3)}}});
  }
}

/// Over two or three steps of one number of maps, or of one map.
int makePairwise(Dice& dice, const std::vector<Made>& known, RecipeStep& step) {
  int most = 1;
  int all = 0;
  for (int i = dice.number(2, 3); i > 0; --i) {
    const Made& taken = known[static_cast<std::size_t>(dice.number(0, static_cast<int>(known.size()) - 1))];
    if (all > 0 && taken.maps != 1 && most != 1 && taken.maps != most) continue;
    step.takes.push_back(taken.name);
    most = std::max(most, taken.maps);
    all += taken.maps;
  }
  if (step.takes.size() < 2) step.takes.push_back(step.takes.front()), all *= 2;
  if (dice.once(4) && all <= 12) {
    step.operation = operation("gather");
    return all;
  }
  std::vector<double> weights;
  for (std::size_t i = 0; i < step.takes.size(); ++i) weights.push_back(dice.number(-2, 3));
  const char* const names[] = {"product", "min", "max", "sum"};
  const std::string name = dice.one(names);
  step.operation = name == "sum" ? operation("sum", {{"weights", weights}}) : operation(name.c_str());
  return most;
}

void addStep(Dice& dice, RandomCase& made, std::vector<Made>& known) {
  RecipeStep step{.name = "step" + std::to_string(known.size())};
  const int last = static_cast<int>(known.size()) - 1;
  const int number = dice.once(3) ? dice.number(0, last) : last;
  const Made before = known[static_cast<std::size_t>(number)];
  int maps = before.maps;
  const bool combines = maps > 1 && dice.once(2);
  const int kind = dice.number(1, 6);
  if (kind <= 3 && maps <= 4) {
    const bool summed = maps > 1 && dice.once(2);
    made.banks.push_back(makeBank(dice, true, summed ? maps : 1, true));
    step.bank = "random";
    if (dice.once(4)) step.mode = dice.once(2) ? FilterMode::Convolution : FilterMode::CrossCorrelation;
    maps = (summed ? 1 : maps) * made.banks.back().size();
  } else if (kind == 4) {
    maps = makePairwise(dice, known, step);
  } else if (!combines || kind == 5) {
    step.operation = makePointwise(dice);
  }
  if (step.takes.empty() && number != last) step.takes = {before.name};
  if (combines || maps > 6) {
    const Combine exact[] = {Combine::Max, Combine::AbsMax, Combine::Sum};
    step.combines.push_back({.combine = dice.one(exact)});
    maps = step.bank.empty() ? 1 : maps / made.banks.back().size();
    if (maps > 1 && dice.once(2)) {
      step.combines.push_back({.combine = dice.one(exact)});
      maps = 1;
    }
  }
  made.recipe.steps.push_back(step);
  known.push_back({step.name, maps});
}

/// Leaves out what the last step needs nothing of: a recipe with such a step is refused.
void keepWhatIsTaken(RandomCase& made) {
  const std::vector<RecipeStep> all = std::exchange(made.recipe.steps, {});
  const std::vector<FilterBank> banks = std::exchange(made.banks, {});
  std::vector<bool> taken(all.size());
  taken.back() = true;
  for (std::size_t i = all.size(); i-- > 0;) {
    if (!taken[i]) continue;
    if (all[i].takes.empty() && i > 0) taken[i - 1] = true;
    for (std::size_t j = 0; j < i; ++j) {
      for (const std::string& name : all[i].takes) taken[j] = taken[j] || all[j].name == name;
    }
  }
  auto bank = banks.begin();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (taken[i]) made.recipe.steps.push_back(all[i]);
    if (taken[i] && !all[i].bank.empty()) made.banks.push_back(*bank);
    if (!all[i].bank.empty()) ++bank;
  }
}

}  // namespace

RandomCase randomSteps(std::uint64_t number) {
  Dice dice(number);
  RandomCase made;
  made.image = makeImage(dice, true);
  made.recipe.channel = ChannelChoice::All;
  made.recipe.border.kind = dice.one(allBorderKinds);
  if (made.recipe.border.kind == BorderKind::Constant)
    made.recipe.border.value = static_cast<float>(dice.number(-2, 2));
  std::vector<Made> known = {{"image", made.image.channels()}};
  for (int steps = dice.number(1, 5); steps > 0; --steps) addStep(dice, made, known);
  keepWhatIsTaken(made);
  const char* const names[] = {"cpu:direct", "cpu:direct", "reference"};
  made.recipe.engine = dice.one(names);
  made.threads = dice.number(1, 3);
  made.memory = std::int64_t{1} << 30;
  return made;
}

RandomCase randomCase(std::uint64_t number) {
  Dice dice(number);
  const bool integers = !dice.once(4);
  RandomCase made;
  made.image = makeImage(dice, integers);
  made.recipe.channel = ChannelChoice::All;
  made.recipe.stages.clear();
  made.recipe.border.kind = dice.one(allBorderKinds);
  if (made.recipe.border.kind == BorderKind::Constant)
    made.recipe.border.value = static_cast<float>(dice.number(-2, 2));
  const int stages = dice.once(2) ? 1 : dice.number(2, 3);
  int maps = made.image.channels();
  for (int stage = 1; stage <= stages; ++stage) addStage(dice, made, integers, maps, stage == stages);
  made.recipe.responses = dice.once(2);
  made.recipe.precision = dice.once(3) ? Precision::Exact : Precision::Fp32;
  const char* const names[] = {"cpu:direct", "cpu:direct", "cpu:direct",    "reference", "cpu",
                               "cpu",        "auto",       "cpu:karatsuba", "cpu:fft",   "cpu:separable"};
  made.recipe.engine = dice.one(names);
  made.threads = dice.number(1, 3);
  made.behind = dice.once(3);
  if (dice.once(2)) made.memory = dice.number(1, 6000);
  if (dice.once(3)) {
    Region part{.x = dice.number(0, made.image.width() - 1), .y = dice.number(0, made.image.height() - 1)};
    part.width = dice.number(1, made.image.width() - part.x);
    part.height = dice.number(1, made.image.height() - part.y);
    made.part = part;
  }
  return made;
}

std::string describe(const RandomCase& made) {
  std::ostringstream text;
  text << made.image.channels() << " x " << made.image.height() << " x " << made.image.width() << " "
       << toString(made.image.type()) << ", threads " << made.threads << ", memory " << made.memory
       << (made.behind ? ", given behind" : "");
  if (made.part)
    text << ", part " << made.part->width << " x " << made.part->height << " at " << made.part->x << ", "
         << made.part->y;
  for (const FilterBank& bank : made.banks) {
    text << "\nbank " << toString(bank.info().mode) << ":";
    for (const Filter& filter : bank.filters()) {
      text << "\n  " << filter.channels << " x " << filter.height << " x " << filter.width << " anchor "
           << filter.anchorY << ", " << filter.anchorX << ":";
      for (const float tap : filter.taps) text << " " << tap;
    }
  }
  text << "\n" << writeRecipe(made.recipe);
  return text.str();
}

}  // namespace bankside::properties
