#include <algorithm>
#include <iostream>
#include <vector>

#include "core/error.h"
#include "core/judge/convention.h"
#include "core/printable.h"
#include "core/table.h"
#include "core/text.h"
#include "gui/headless/bank_actions.h"
#include "gui/headless/exit_code.h"
#include "gui/headless/image_plane.h"
#include "gui/headless/inputs.h"
#include "kernels/engines.h"

namespace bankside::headless {
namespace {

struct Convention {
  std::string filter;
  std::string mode;
  std::string anchor;
  std::string border;
  Factor factor;
  Depth depth = Depth::AsItIs;
  Looked looked = {};
};

/// A response under one way of sliding, as large as the result.
struct Trial {
  Convention convention;
  Image response;
};

/// The middle first, as (side / 2); the other middle of even sides, then the corners.
std::vector<std::pair<int, int>> anchorsOf(const Filter& f) {
  std::vector<std::pair<int, int>> anchors = {{f.anchorX, f.anchorY}};
  for (const auto& anchor :
       {std::pair(f.width / 2, f.height / 2), std::pair((f.width - 1) / 2, (f.height - 1) / 2),
        std::pair(0, 0), std::pair(f.width - 1, f.height - 1)}) {
    if (std::find(anchors.begin(), anchors.end(), anchor) == anchors.end()) anchors.push_back(anchor);
  }
  return anchors;
}

Image respond(const Filter& f, FilterMode mode, const Border& border, const Image& image) {
  const FilterBank bank({.name = "detect", .mode = mode}, {f});
  const ConvolutionProblem problem = makeProblem(bank, 1, image.height(), image.width(), image.type(),
                                                 ElementType::F32, border, Combine::None);
  return std::move(runWhole(selectEngine("cpu", problem), problem, bank, image).front());
}

Image partOf(const Image& image, int left, int top, int width, int height) {
  Image part(1, height, width, ElementType::F32);
  for (int y = 0; y < height; ++y)
    std::copy_n(image.view<float>(0).row(top + y) + left, width, part.view<float>(0).row(y));
  return part;
}

/// Every way of sliding a filter; where the result has only the places at which it lies inside, there is no
/// border and no anchor.
std::vector<Trial> trialsOf(const Filter& given, const Image& image, const Image& result) {
  std::vector<Trial> trials;
  const bool inside = result.width() == image.width() - given.width + 1 &&
                      result.height() == image.height() - given.height + 1 &&
                      (given.width > 1 || given.height > 1);
  for (const FilterMode mode : {FilterMode::CrossCorrelation, FilterMode::Convolution}) {
    if (inside) {
      const Image whole = respond(given, mode, {}, image);
      const Filter slid = mode == FilterMode::Convolution ? rotated180(given) : given;
      trials.push_back({{given.label, toString(mode), "any", "none: only where it lies inside", {}},
                        partOf(whole, slid.anchorX, slid.anchorY, result.width(), result.height())});
      continue;
    }
    for (const auto& [x, y] : anchorsOf(given)) {
      Filter f = given;
      f.anchorX = x;
      f.anchorY = y;
      for (const auto kind : allBorderKinds) {
        const Border border{kind, 0};
        trials.push_back(
            {{given.label, toString(mode), std::to_string(x) + "," + std::to_string(y), format(border), {}},
             respond(f, mode, border, image)});
      }
    }
  }
  return trials;
}

void requireSizes(const Image& image, const Image& result, const FilterBank& bank) {
  const bool fits = std::any_of(bank.filters().begin(), bank.filters().end(), [&](const Filter& f) {
    return result.width() == image.width() - f.width + 1 && result.height() == image.height() - f.height + 1;
  });
  if (fits || (result.width() == image.width() && result.height() == image.height())) return;
  const auto size = [](const Image& i) {
    return std::to_string(i.width()) + " x " + std::to_string(i.height());
  };
  throw Error(ErrorCode::BadInput, "the input has " + size(image) + " pixels and the output " + size(result) +
                                       "; filtering keeps the size, or loses what the filter hangs over");
}

/// The best of all, those that are as good with it, in the order in which they were tried.
class Best {
 public:
  Best(const Image& result, ElementType type) : result_(result), type_(type) {
    constexpr double enough = 1 << 16;
    while (static_cast<double>(result.height()) * result.width() / step_ / step_ > enough) ++step_;
  }

  void take(const Trial& trial, const Filter& filter, ElementType pixels) {
    for (const Factor& factor : factorsOf(filter, pixels, type_)) {
      for (const Depth depth : depthsOf(type_)) {
        take(trial, factor, depth);
        const auto response = trial.response.view<float>(0);
        if (const auto added = withOffset(response, result_.view<float>(0), type_, factor, depth))
          take(trial, *added, depth);
      }
    }
  }

  bool reproduced() const { return reproduced_; }
  const std::vector<Convention>& found() const { return found_; }

 private:
  void take(const Trial& trial, const Factor& factor, Depth depth) {
    Convention c = trial.convention;
    c.factor = factor;
    c.depth = depth;
    c.looked = look(trial.response, factor, depth, step_);
    const std::int64_t wrong = c.looked.pixels - c.looked.agree;
    if (wrong > leastWrong_) return;
    // What is right where it was looked is looked at everywhere.
    if (wrong == 0) {
      c.looked = look(trial.response, factor, depth, 1);
      if (c.looked.agree < c.looked.pixels && reproduced_) return;
      if (c.looked.agree == c.looked.pixels && !reproduced_) {
        reproduced_ = true;
        found_.clear();
      }
    }
    if (wrong < leastWrong_) found_.clear();
    leastWrong_ = wrong;
    found_.push_back(std::move(c));
  }

  Looked look(const Image& response, const Factor& factor, Depth depth, int step) const {
    return agreement(response.view<float>(0), result_.view<float>(0), type_, factor, depth, step,
                     leastWrong_);
  }

  const Image& result_;
  ElementType type_;
  int step_ = 1;
  std::int64_t leastWrong_ = std::int64_t{1} << 60;
  bool reproduced_ = false;
  std::vector<Convention> found_;
};

/// A result of one channel as it is: the photograph that it was made of may have colours.
Image resultOfFile(const std::string& file, ChannelChoice channel) {
  const bool one = readImageInfo(file).channels == 1;
  return planeOfFile(file, one ? ChannelChoice::Auto : channel);
}

}  // namespace

int detectConvention(const BanksCommand& command) {
  const FilterBank bank = chosenFilter(openBank(command.bank), command.filter);
  if (bank.channels() != 1)
    throw Error(ErrorCode::BadInput, "the bank sums over " + std::to_string(bank.channels()) +
                                         " channels; detect takes filters of one");
  const Image image = planeOfFile(command.image, command.channel);
  const Image theirs = resultOfFile(command.result, command.channel);
  requireSizes(image, theirs, bank);
  const Image result = convert(theirs, ElementType::F32);
  Best best(result, theirs.type());
  for (const Filter& f : bank.filters()) {
    for (const Trial& trial : trialsOf(f, image, theirs)) {
      if (trial.response.width() == result.width() && trial.response.height() == result.height())
        best.take(trial, f, image.type());
    }
  }
  const std::size_t most = best.reproduced() ? 12 : 3;
  Table table({"filter", "slid by", "anchor", "border", "factor", "depth", "pixels that agree"});
  for (std::size_t i = 0; i < std::min(best.found().size(), most); ++i) {
    const Convention& c = best.found()[i];
    table.add({c.filter, c.mode, c.anchor, c.border, c.factor.words, words(c.depth),
               formatFixed(100 * c.looked.share(), 2) + " %"});
  }
  if (best.reproduced()) {
    std::cout << "reproduced, every pixel, by\n";
  } else {
    std::cout << "no convention gives this result; the nearest is\n";
  }
  std::cout << table.aligned();
  if (best.reproduced() && best.found().size() > most)
    std::cout << "and " << best.found().size() - most << " more that do as well\n";
  if (best.reproduced() && best.found().size() > 1)
    std::cout << "They differ in what this filter and these images cannot tell apart.\n";
  return best.reproduced() ? exitOk : exitMismatch;
}

}  // namespace bankside::headless
